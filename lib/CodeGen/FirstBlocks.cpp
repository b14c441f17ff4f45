//===- FirstBlocks.cpp - Parts of a launch as smaller launches -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/FirstBlocks.h"
#include "Compilation.h"
#include "gpuprune/Transforms/FewerBlocks.h"

using namespace llvm;

namespace gpuprune {

Expected<std::string> Compilation::whyNotFirstBlocks() {
  Expected<Function *> Kernel = preparedKernel();
  return Kernel ? Expected<std::string>(whyNotFewerBlocks(**Kernel)) : Kernel.takeError();
}

Expected<std::string> whyNotFirstBlocks(StringRef Bitcode, StringRef Kernel) {
  VariantRequest Request;
  Request.Bitcode = Bitcode;
  Request.Kernel = Kernel.str();
  Compilation C(Request);
  if (Error E = C.load())
    return std::move(E);
  return C.whyNotFirstBlocks();
}

} // namespace gpuprune
