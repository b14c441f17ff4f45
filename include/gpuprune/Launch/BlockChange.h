//===- BlockChange.h - Another block in place of the author's --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel whose threads are told apart by their place in the grid alone (BlockShapeFreedom.h) may be
// launched in other blocks than its author launches it in, as long as the grid has as many threads in each
// dimension. What launches such a variant in a program gets the author's launch and makes of it the launch
// that the launch contract is then applied to:
//
//   AuthorLaunch  +  BlockChange  +  LaunchContract  =  PhysicalLaunch
//
// The code in a program does the same: printChanges() in LaunchHeader.cpp writes it, changeBlock() in
// Dispatch.c is it.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LAUNCH_BLOCKCHANGE_H
#define GPUPRUNE_LAUNCH_BLOCKCHANGE_H

#include "gpuprune/Launch/PhysicalLaunch.h"

namespace gpuprune {

/// Threads of a grid in a dimension beyond which an index of 32 bits may wrap.
inline constexpr int64_t MostThreadsOfGrid = std::numeric_limits<int32_t>::max();

struct BlockChange {
  Dim3 From; ///< The author's.
  Dim3 To;
  bool operator==(const BlockChange &) const = default;

  /// Whether grid and block are others in \p Dimension.
  bool changes(unsigned Dimension) const { return From[Dimension] != To[Dimension]; }

  /// \p Author in blocks of To, with as many threads in each dimension. Errors: Refused (ShapeNotDivisible),
  /// naming the dimension and the numbers, where no number of such blocks has as many, (BadLaunchContract)
  /// where the author's block is another one or a grid is beyond what can be launched.
  llvm::Expected<AuthorLaunch> regrouped(const AuthorLaunch &Author) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_LAUNCH_BLOCKCHANGE_H
