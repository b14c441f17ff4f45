//===- FirstBlocks.cpp - Parts of a launch as smaller launches -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/FirstBlocks.h"
#include "PreparedKernel.h"
#include "gpuprune/Transforms/FewerBlocks.h"
#include "gpuprune/Transforms/GridLoopEnd.h"

using namespace llvm;

namespace gpuprune {

Expected<std::string> whyNotFirstBlocks(StringRef Bitcode, StringRef Kernel) {
  return askPreparedKernel(Bitcode, Kernel, whyNotFewerBlocks);
}

Expected<std::optional<GridBound>> loopEndOf(StringRef Bitcode, StringRef Kernel) {
  return askPreparedKernel(Bitcode, Kernel, gridLoopEnd);
}

} // namespace gpuprune
