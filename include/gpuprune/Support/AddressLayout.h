//===- AddressLayout.h - The same addresses in each process ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel lays out each process anew, and CUDA's driver follows: what cudaMalloc gave one process, it does
// not give another one. Without randomization (personality(2), ADDR_NO_RANDOMIZE) both begin with the same
// places. What they map after that differs; but both map from the top down, so what one of them has mapped
// far below the top is free in the other.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_ADDRESSLAYOUT_H
#define GPUPRUNE_SUPPORT_ADDRESSLAYOUT_H

namespace gpuprune {

/// From the next exec() on, this process and what it starts are laid out without randomization. False: they
/// are already, or that is not allowed. May be called between fork() and exec().
bool fixAddressLayout();

/// What this process maps from now on lies 64 GiB below what it has mapped so far, unless it fits into a gap
/// there. Takes addresses alone, no memory. False: the system refuses it (RLIMIT_AS).
bool mapFarBelow();

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_ADDRESSLAYOUT_H
