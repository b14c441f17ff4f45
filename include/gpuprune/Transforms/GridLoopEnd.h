//===- GridLoopEnd.h - The argument at which loops over the grid end -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a kernel whose loops go over the grid up to an argument, that argument says how much a launch has to do,
// and the grid does not.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_GRIDLOOPEND_H
#define GPUPRUNE_TRANSFORMS_GRIDLOOPEND_H

#include "gpuprune/Launch/LaunchContract.h"

namespace llvm {
class Function;
}

namespace gpuprune {

/// Where the loops over the grid in x of \p Kernel, after gpu-prepare, end; nothing where it has none, where
/// they do not all end at the same argument, or where something else depends on how many blocks there are.
std::optional<GridBound> gridLoopEnd(llvm::Function &Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_GRIDLOOPEND_H
