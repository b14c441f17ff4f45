//===- BlockSample.h - Which thread blocks stand for a grid --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_BLOCKSAMPLE_H
#define GPUPRUNE_LIB_HOSTEXECUTION_BLOCKSAMPLE_H

#include "gpuprune/Support/Dim3.h"
#include <array>
#include <cstdint>
#include <vector>

namespace gpuprune {

/// Blocks of which each stands for as many others.
struct BlockStratum {
  std::vector<uint64_t> Blocks; ///< By linear index; with several slots a block, of each slot.
  double Weight = 0;            ///< Blocks of the grid that the stratum has.
};

struct BlockSample {
  std::vector<BlockStratum> Strata;
  bool Complete = false; ///< Nothing is left to chance.
};

/// About \p Most blocks of \p Grid, at least one of each stratum. Blocks that differ in
/// no dimension of \p Matters are alike. First, last and inner blocks of a dimension are
/// strata of their own, for guards and borders treat them apart.
///
/// With \p Slots, which may be the threads of a block, each block that is drawn stands
/// for so many slots, and these are spread one by one: slot s of a stratum is for thread
/// s modulo Slots, so that all threads of a block occur alike often. \p Together slots, of
/// which Slots is a multiple, have their block in common.
BlockSample sampleBlocks(const Dim3 &Grid, std::array<bool, 3> Matters, uint64_t Most, uint64_t Slots = 1,
                         uint64_t Together = 1);

/// To see what a block costs: the one in the middle of what sampleBlocks() draws from; with
/// several slots, these spread over all of it.
BlockSample pilotBlock(const Dim3 &Grid, std::array<bool, 3> Matters, uint64_t Slots = 1,
                       uint64_t Together = 1);

/// How many strata a sample has that is not complete.
uint64_t strataOf(const Dim3 &Grid, std::array<bool, 3> Matters);

/// \p Count blocks of all of \p Grid, by linear index, one out of each of as many equal parts, or each as
/// often where there are no more. The i-th is for slot i modulo \p Slots.
std::vector<uint64_t> drawBlocks(const Dim3 &Grid, uint64_t Count, uint64_t Slots);

/// Block \p Linear of \p Grid.
Dim3 blockAt(const Dim3 &Grid, uint64_t Linear);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_BLOCKSAMPLE_H
