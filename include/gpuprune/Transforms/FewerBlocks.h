//===- FewerBlocks.h - Whether some blocks of a launch may be left out ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first blocks of a launch do what they do in the whole launch if no block waits for another and none
// asks how many there are. Then a part of a recorded launch can be timed in place of a smaller launch.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_FEWERBLOCKS_H
#define GPUPRUNE_TRANSFORMS_FEWERBLOCKS_H

#include <string>

namespace llvm {
class Function;
}

namespace gpuprune {

/// Why blocks of \p Kernel, after gpu-prepare, cannot be left out, with the line where it is known; empty:
/// they can.
std::string whyNotFewerBlocks(llvm::Function &Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_FEWERBLOCKS_H
