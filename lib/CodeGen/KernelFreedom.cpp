//===- KernelFreedom.cpp - Where bits of a kernel may differ --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelFreedom.h"
#include "gpuprune/Transforms/InlineCalls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprune {

static bool callsDefinitions(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && Call->getCalledFunction() && !Call->getCalledFunction()->isDeclaration();
  });
}

static DataFreedom freedomOf(const Module &M, const Function &Kernel) {
  return {floatingPointFreedom(M, &Kernel), timeDependence(Kernel)};
}

DataFreedom kernelFreedom(const Module &M, const Function &Kernel) {
  if (!callsDefinitions(Kernel))
    return freedomOf(M, Kernel);
  std::unique_ptr<Module> Copy = CloneModule(M);
  Function *Inlined = Copy->getFunction(Kernel.getName());
  inlineCalls(*Inlined, PureCalls::Inline);
  return freedomOf(*Copy, *Inlined);
}

} // namespace gpuprune
