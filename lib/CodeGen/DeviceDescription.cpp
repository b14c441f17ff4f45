//===- DeviceDescription.cpp - What the front end's output has --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/DeviceDescription.h"
#include "ReadDevice.h"

using namespace llvm;

namespace gpuprune {

Expected<DeviceDescription> describeDevice(StringRef Bitcode, StringRef Kernel) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = readDeviceBitcode(Bitcode, Context);
  if (!M)
    return M.takeError();
  DeviceDescription Found;
  for (const Function *F : selectKernels(**M, ""))
    Found.Kernels.push_back(F->getName().str());
  SmallVector<Function *, 4> Named = selectKernels(**M, Kernel);
  for (const Function *F : Named)
    Found.Named.push_back(F->getName().str());
  Found.Features = targetAttribute(**M, "target-features").str();
  if (Named.size() == 1) {
    Found.Parameters = parametersOf(*Named.front());
    Found.Variables = variablesFor(*Named.front());
  }
  return Found;
}

} // namespace gpuprune
