//===- ReadDevice.cpp - Questions to a device module ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReadDevice.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

Expected<std::unique_ptr<Module>> readDeviceBitcode(StringRef Bitcode, LLVMContext &Context) {
  Expected<std::unique_ptr<Module>> M = parseBitcodeFile(MemoryBufferRef(Bitcode, "device bitcode"), Context);
  if (!M)
    return makeError(ErrorKind::Input, "cannot read the device bitcode: " + toString(M.takeError()));
  return M;
}

Expected<Function *> onlyKernel(Module &M, StringRef Name) {
  SmallVector<Function *, 4> Kernels = selectKernels(M, Name);
  if (Kernels.size() != 1)
    return makeError(ErrorKind::Input,
                     formatv("{0} kernels are called '{1}'; expected one", Kernels.size(), Name));
  return Kernels.front();
}

StringRef targetAttribute(const Module &M, StringRef Name) {
  for (const Function &F : M)
    if (F.hasFnAttribute(Name))
      return F.getFnAttribute(Name).getValueAsString();
  return "";
}

} // namespace gpuprune
