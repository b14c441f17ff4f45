//===- Kernels.cpp - Which functions of a module a pass works on ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/KernelNames.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace gpuprune {

bool isDeviceModule(const Module &M) { return M.getTargetTriple().isNVPTX(); }

bool isKernel(const Function &F) {
  return !F.isDeclaration() && F.getCallingConv() == CallingConv::PTX_Kernel;
}

bool hasKernelName(const Function &F, StringRef Name) { return isKernelNamed(F.getName(), Name); }

SmallVector<Function *, 4> selectKernels(Module &M, StringRef Name) {
  SmallVector<Function *, 4> Kernels;
  for (Function &F : M)
    if (isKernel(F) && (Name.empty() || hasKernelName(F, Name)))
      Kernels.push_back(&F);
  return Kernels;
}

} // namespace gpuprune
