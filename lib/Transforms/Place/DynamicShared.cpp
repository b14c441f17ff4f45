//===- DynamicShared.cpp - Shared memory beyond the static limit ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/DynamicShared.h"
#include "Coarsen/PrivateShared.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

/// Whether the kernel is launched by its contract in any case.
static bool changesLaunch(const LaunchContract &C) {
  return C.GridDivisor != Dim3{1, 1, 1} || C.BlockDivisor != Dim3{1, 1, 1} || C.SharedCopies > 1 ||
         !C.Hidden.empty() || !C.ConstantCopies.empty();
}

/// Whether code that does not belong to one kernel alone knows where dynamic shared memory begins.
static bool dynamicSharedIsCommon(const Module &M) {
  return any_of(M.globals(), [](const GlobalVariable &Array) {
    if (!isDynamicShared(Array))
      return false;
    AddressUsers Users = addressUsers(Array);
    return !Users.Variables.empty() ||
           any_of(Users.Functions, [](const Function *F) { return !isKernel(*F); });
  });
}

/// Whether something in \p M asks how much shared memory a block has.
static bool asksForSize(const Module &M) {
  return any_of(M, [](const Function &F) {
    return any_of(instructions(F), [](const Instruction &I) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        return false;
      if (const auto *Assembly = dyn_cast<InlineAsm>(Call->getCalledOperand()))
        return StringRef(Assembly->getAsmString()).contains("smem_size");
      const SpecialRegister *Register = specialRegister(I);
      return Register && Register->Family == RegisterFamily::SharedSize;
    });
  });
}

static Align alignmentOf(const GlobalVariable &Array) {
  return Array.getAlign().value_or(Array.getDataLayout().getPrefTypeAlign(Array.getValueType()));
}

namespace {

/// The dynamic shared memory of one kernel.
struct Block {
  MapVector<GlobalVariable *, uint64_t> Offsets; ///< Of the arrays, static and dynamic.
  uint64_t StaticBytes = 0;
  Align Alignment{SharedCopyAlignment};
};

} // namespace

static Block layOut(const Function &Kernel) {
  Block All;
  SmallVector<GlobalVariable *, 2> Dynamic;
  for (const GlobalVariable &Array : Kernel.getParent()->globals())
    if (isDynamicShared(Array) && addressUsers(Array).Functions.contains(&Kernel))
      Dynamic.push_back(const_cast<GlobalVariable *>(&Array));
  for (const GlobalVariable *Array : sharedArrays(Kernel)) {
    uint64_t Offset = alignTo(All.StaticBytes, alignmentOf(*Array));
    All.Offsets.insert({const_cast<GlobalVariable *>(Array), Offset});
    All.StaticBytes = Offset + Kernel.getDataLayout().getTypeAllocSize(Array->getValueType());
    All.Alignment = std::max(All.Alignment, alignmentOf(*Array));
  }
  for (const GlobalVariable *Array : Dynamic)
    All.Alignment = std::max(All.Alignment, alignmentOf(*Array));
  All.StaticBytes = alignTo(All.StaticBytes, All.Alignment);
  for (GlobalVariable *Array : Dynamic)
    All.Offsets.insert({Array, All.StaticBytes});
  return All;
}

static void moveInto(const Block &All, Function &Kernel) {
  Module &M = *Kernel.getParent();
  Type *Byte = Type::getInt8Ty(M.getContext()), *Int64 = Type::getInt64Ty(M.getContext());
  auto *Memory = new GlobalVariable(M, ArrayType::get(Byte, 0), /*isConstant=*/false,
                                    GlobalValue::ExternalLinkage, nullptr, Kernel.getName() + "_shared",
                                    nullptr, GlobalValue::NotThreadLocal, NVPTXAS::ADDRESS_SPACE_SHARED);
  Memory->setAlignment(All.Alignment);
  for (auto [Array, Offset] : All.Offsets) {
    Constant *Place = ConstantExpr::getGetElementPtr(Byte, Memory, ConstantInt::get(Int64, Offset));
    Array->replaceUsesWithIf(Place, [&](const Use &U) {
      const auto *I = dyn_cast<Instruction>(U.getUser());
      return I && I->getFunction() == &Kernel;
    });
    Array->removeDeadConstantUsers();
    if (Array->use_empty() && !Array->isDeclaration())
      Array->eraseFromParent();
  }
}

/// Whether all that knows of the arrays of \p Kernel, and of dynamic shared memory, can be told.
static bool canMove(const Function &Kernel) {
  for (const GlobalVariable *Array : sharedArrays(Kernel)) {
    AddressUsers Users = addressUsers(*Array);
    if (!Users.Variables.empty() || Users.Functions.size() != 1 || !Users.Functions.contains(&Kernel))
      return false;
  }
  return !dynamicSharedIsCommon(*Kernel.getParent()) && !asksForSize(*Kernel.getParent());
}

static bool enlarge(Function &Kernel) {
  if (sharedBytes(Kernel) <= MostStaticShared)
    return false;
  Expected<LaunchContract> Contract = readLaunchContract(Kernel);
  if (!Contract) {
    consumeError(Contract.takeError()); // Said by whoever launches it.
    return false;
  }
  if (!changesLaunch(*Contract) || Contract->SharedArrays || !canMove(Kernel))
    return false;
  Block All = layOut(Kernel);
  if (!isUInt<32>(All.StaticBytes))
    return false;
  sharedUsesToInstructions(Kernel);
  moveInto(All, Kernel);
  Contract->SharedArrays = All.StaticBytes;
  writeLaunchContract(Kernel, *Contract);
  return true;
}

PreservedAnalyses DynamicSharedPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  if (isDeviceModule(M))
    for (Function *Kernel : selectKernels(M, ""))
      Changed |= enlarge(*Kernel);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace gpuprune
