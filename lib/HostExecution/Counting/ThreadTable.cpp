//===- ThreadTable.cpp - A launch of any threads one likes ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ThreadTable.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace gpuprune;

static constexpr unsigned Columns = std::tuple_size_v<ThreadPlace>;

/// Whether the table, or the launch, says what \p I reads.
static bool readsGeometry(const Instruction &I) {
  const SpecialRegister *Register = specialRegister(I);
  return Register && Register->isGeometry();
}

bool gpuprune::threadsAreIndependent(const Function &Kernel) {
  for (const GlobalVariable &Variable : Kernel.getParent()->globals())
    if (Variable.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED && Variable.isConstantUsed())
      return false;
  return all_of(instructions(Kernel), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || readsGeometry(*Call))
      return true;
    return isa<IntrinsicInst>(Call) && !Call->isConvergent() &&
           !isOperation(I, OperationKind::SpecialRegister);
  });
}

void gpuprune::readThreadTable(Function &Kernel, const Dim3 &Grid, const Dim3 &Block, uint64_t RowThreads) {
  Module &M = *Kernel.getParent();
  SmallVector<IntrinsicInst *, 16> Reads;
  for (Instruction &I : instructions(Kernel))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && readsGeometry(*Call))
      Reads.push_back(Call);

  IRBuilder<> B(M.getContext());
  auto *Address = new GlobalVariable(M, B.getInt64Ty(), false, GlobalValue::ExternalLinkage, B.getInt64(0),
                                     ThreadTableVariable, nullptr, GlobalValue::NotThreadLocal,
                                     /*AddressSpace=*/1);
  BasicBlock &Entry = Kernel.getEntryBlock();
  B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  auto Read = [&](RegisterFamily Family) {
    return B.CreateZExt(B.CreateIntrinsic(B.getInt32Ty(), registerIntrinsic(Family, 0), {}), B.getInt64Ty());
  };
  Value *FirstOfRow = B.CreateMul(Read(RegisterFamily::BlockIndex), B.getInt64(RowThreads));
  Value *Row = B.CreateAdd(FirstOfRow, Read(RegisterFamily::ThreadIndex));
  Value *Table = B.CreateIntToPtr(B.CreateLoad(B.getInt64Ty(), Address), PointerType::get(M.getContext(), 0));
  Value *Place = B.CreateGEP(ArrayType::get(B.getInt32Ty(), Columns), Table, Row);
  std::array<Value *, Columns> Indices;
  for (unsigned I = 0; I < Columns; ++I)
    Indices[I] = B.CreateLoad(B.getInt32Ty(), B.CreateConstGEP1_32(B.getInt32Ty(), Place, I));

  // In the order of ThreadPlace.
  auto ValueOf = [&](const SpecialRegister &Register) -> Value * {
    unsigned D = Register.Dimension;
    switch (Register.Family) {
    case RegisterFamily::BlockIndex:
      return Indices[D];
    case RegisterFamily::ThreadIndex:
      return Indices[Dim3::size() + D];
    case RegisterFamily::GridExtent:
      return B.getInt32(Grid[D]);
    default:
      return B.getInt32(Block[D]);
    }
  };
  for (IntrinsicInst *Call : Reads) {
    Call->replaceAllUsesWith(ValueOf(*specialRegister(*Call)));
    Call->eraseFromParent();
  }
}
