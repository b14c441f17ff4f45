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

static SmallPtrSet<const Value *, 4> writtenBy(const Function &Kernel) {
  SmallPtrSet<const Value *, 4> Written;
  SmallSetVector<const Function *, 8> Reached;
  Reached.insert(&Kernel);
  for (size_t Next = 0; Next != Reached.size(); ++Next)
    for (const Instruction &I : instructions(*Reached[Next])) {
      if (const Value *Pointer = writtenThrough(I))
        Written.insert(getUnderlyingObject(Pointer));
      const auto *Call = dyn_cast<CallBase>(&I);
      if (const Function *Callee = Call ? Call->getCalledFunction() : nullptr)
        Reached.insert(Callee);
    }
  return Written;
}

std::vector<DeviceVariable> variablesFor(const Function &Kernel) {
  const Module &M = *Kernel.getParent();
  SmallPtrSet<const Value *, 4> Written = writtenBy(Kernel);
  std::vector<DeviceVariable> Variables;
  for (const GlobalVariable &V : M.globals())
    if (V.hasName() && !V.getName().starts_with("llvm.") &&
        (V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL ||
         V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST))
      Variables.push_back(
          {V.getName().str(), M.getDataLayout().getTypeAllocSize(V.getValueType()), Written.contains(&V)});
  return Variables;
}

} // namespace gpuprune
