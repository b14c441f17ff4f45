//===- DeviceVariables.cpp - The variables of a CUDA source -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/DeviceVariables.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
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

Expected<std::vector<DeviceVariable>> deviceVariables(StringRef Bitcode, StringRef Kernel) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(MemoryBufferRef(Bitcode, "device bitcode"), Context);
  if (!M)
    return makeError(ErrorKind::Input, "cannot read the device bitcode: " + toString(M.takeError()));
  SmallVector<Function *, 4> Kernels = selectKernels(**M, Kernel);
  if (Kernels.size() != 1)
    return makeError(ErrorKind::Input,
                     formatv("{0} kernels are called '{1}'; expected one", Kernels.size(), Kernel));
  SmallPtrSet<const Value *, 4> Written = writtenBy(*Kernels.front());
  std::vector<DeviceVariable> Variables;
  for (const GlobalVariable &V : (*M)->globals())
    if (V.hasName() && !V.getName().starts_with("llvm.") &&
        (V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL ||
         V.getAddressSpace() == NVPTXAS::ADDRESS_SPACE_CONST))
      Variables.push_back({V.getName().str(), (*M)->getDataLayout().getTypeAllocSize(V.getValueType()),
                           Written.contains(&V)});
  return Variables;
}

} // namespace gpuprune
