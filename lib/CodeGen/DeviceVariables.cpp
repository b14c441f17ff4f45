//===- DeviceVariables.cpp - The variables of a CUDA source -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReadDevice.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

/// The pointer that \p I writes through; null where it does not write.
static const Value *writtenThrough(const Instruction &I) {
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return Store->getPointerOperand();
  if (const auto *Atomic = dyn_cast<AtomicRMWInst>(&I))
    return Atomic->getPointerOperand();
  if (const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I))
    return Exchange->getPointerOperand();
  return nullptr;
}

using FunctionSet = SmallSetVector<const Function *, 8>;

static FunctionSet reachedFrom(const Function &Kernel) {
  FunctionSet Reached;
  Reached.insert(&Kernel);
  for (size_t Next = 0; Next != Reached.size(); ++Next)
    for (const Instruction &I : instructions(*Reached[Next])) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (const Function *Callee = Call ? Call->getCalledFunction() : nullptr)
        Reached.insert(Callee);
    }
  return Reached;
}

static SmallPtrSet<const Value *, 4> writtenBy(const FunctionSet &Functions) {
  SmallPtrSet<const Value *, 4> Written;
  for (const Function *F : Functions)
    for (const Instruction &I : instructions(*F))
      if (const Value *Pointer = writtenThrough(I))
        Written.insert(getUnderlyingObject(Pointer));
  return Written;
}

/// Through constant expressions and the initial values of other variables, too.
static bool isUsedBy(const GlobalVariable &V, const FunctionSet &Functions) {
  SmallVector<const User *, 16> Worklist(V.users());
  SmallPtrSet<const User *, 16> Seen;
  while (!Worklist.empty()) {
    const User *U = Worklist.pop_back_val();
    if (!Seen.insert(U).second)
      continue;
    if (const auto *I = dyn_cast<Instruction>(U)) {
      if (Functions.contains(I->getFunction()))
        return true;
      continue;
    }
    Worklist.append(U->user_begin(), U->user_end());
  }
  return false;
}

std::vector<DeviceVariable> variablesFor(const Function &Kernel) {
  const Module &M = *Kernel.getParent();
  FunctionSet Functions = reachedFrom(Kernel);
  SmallPtrSet<const Value *, 4> Written = writtenBy(Functions);
  std::vector<DeviceVariable> Variables;
  for (const GlobalVariable &V : M.globals())
    if (V.hasName() && !V.getName().starts_with("llvm.") &&
        (V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL ||
         V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST))
      Variables.push_back({V.getName().str(), M.getDataLayout().getTypeAllocSize(V.getValueType()),
                           Written.contains(&V), isUsedBy(V, Functions),
                           V.isConstant() && !V.isExternallyInitialized()});
  return Variables;
}

} // namespace gpuprune
