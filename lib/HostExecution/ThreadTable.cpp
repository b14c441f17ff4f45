//===- ThreadTable.cpp - A launch of any threads one likes ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ThreadTable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace gpuprune;

/// In the order of ThreadPlace, then the extents likewise.
static constexpr Intrinsic::ID Registers[] = {
    Intrinsic::nvvm_read_ptx_sreg_ctaid_x,  Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
    Intrinsic::nvvm_read_ptx_sreg_ctaid_z,  Intrinsic::nvvm_read_ptx_sreg_tid_x,
    Intrinsic::nvvm_read_ptx_sreg_tid_y,    Intrinsic::nvvm_read_ptx_sreg_tid_z,
    Intrinsic::nvvm_read_ptx_sreg_nctaid_x, Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
    Intrinsic::nvvm_read_ptx_sreg_nctaid_z, Intrinsic::nvvm_read_ptx_sreg_ntid_x,
    Intrinsic::nvvm_read_ptx_sreg_ntid_y,   Intrinsic::nvvm_read_ptx_sreg_ntid_z,
};
static constexpr unsigned Columns = std::tuple_size_v<ThreadPlace>;

bool gpuprune::threadsAreIndependent(const Function &Kernel) {
  for (const GlobalVariable &Variable : Kernel.getParent()->globals())
    if (Variable.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED && Variable.isConstantUsed())
      return false;
  return all_of(instructions(Kernel), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || is_contained(Registers, Call->getIntrinsicID()))
      return true;
    bool Register = Call->getCalledFunction() &&
                    Call->getCalledFunction()->getName().starts_with("llvm.nvvm.read.ptx.sreg.");
    return isa<IntrinsicInst>(Call) && !Call->isConvergent() && !Register;
  });
}

void gpuprune::readThreadTable(Function &Kernel, const Dim3 &Grid, const Dim3 &Block, uint64_t RowThreads) {
  Module &M = *Kernel.getParent();
  SmallVector<IntrinsicInst *, 16> Reads;
  for (Instruction &I : instructions(Kernel))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I); Call && is_contained(Registers, Call->getIntrinsicID()))
      Reads.push_back(Call);

  IRBuilder<> B(M.getContext());
  auto *Address = new GlobalVariable(M, B.getInt64Ty(), false, GlobalValue::ExternalLinkage, B.getInt64(0),
                                     ThreadTableVariable, nullptr, GlobalValue::NotThreadLocal,
                                     /*AddressSpace=*/1);
  BasicBlock &Entry = Kernel.getEntryBlock();
  B.SetInsertPoint(&Entry, Entry.getFirstNonPHIOrDbgOrAlloca());
  auto Read = [&](Intrinsic::ID Register) {
    return B.CreateZExt(B.CreateIntrinsic(B.getInt32Ty(), Register, {}), B.getInt64Ty());
  };
  Value *FirstOfRow = B.CreateMul(Read(Intrinsic::nvvm_read_ptx_sreg_ctaid_x), B.getInt64(RowThreads));
  Value *Row = B.CreateAdd(FirstOfRow, Read(Intrinsic::nvvm_read_ptx_sreg_tid_x));
  Value *Table = B.CreateIntToPtr(B.CreateLoad(B.getInt64Ty(), Address), PointerType::get(M.getContext(), 0));
  Value *Place = B.CreateGEP(ArrayType::get(B.getInt32Ty(), Columns), Table, Row);
  std::array<Value *, Columns> Indices;
  for (unsigned I = 0; I < Columns; ++I)
    Indices[I] = B.CreateLoad(B.getInt32Ty(), B.CreateConstGEP1_32(B.getInt32Ty(), Place, I));

  for (IntrinsicInst *Call : Reads) {
    unsigned Register = llvm::find(Registers, Call->getIntrinsicID()) - std::begin(Registers);
    unsigned D = Register % Dim3::size();
    Value *Now = Register < Columns       ? Indices[Register]
                 : Register < Columns + 3 ? B.getInt32(Grid[D])
                                          : B.getInt32(Block[D]);
    Call->replaceAllUsesWith(Now);
    Call->eraseFromParent();
  }
}
