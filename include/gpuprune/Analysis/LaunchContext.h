//===- LaunchContext.h - Facts of one concrete launch ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known about one launch when its instructions are counted.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_LAUNCHCONTEXT_H
#define GPUPRUNE_ANALYSIS_LAUNCHCONTEXT_H

#include "gpuprune/Launch/LaunchContract.h"
#include <optional>
#include <vector>

namespace gpuprune {

/// One launch. Everything may be left unknown; what depends on it is then
/// estimated.
struct LaunchContext {
  /// Blocks as they are launched, that is, after the launch contract.
  std::optional<Dim3> Grid;
  /// Threads a block, as launched.
  std::optional<Dim3> Block;
  /// By index of the kernel's argument: the value of an integer scalar, as the
  /// host passes it (negative values sign-extended). Pointers, floating-point
  /// and unknown scalars have none; missing entries are unknown.
  std::vector<std::optional<int64_t>> Scalars;
  /// Dynamic shared memory of a block, in bytes, as launched.
  uint64_t SharedBytes = 0;
  /// Arguments behind the author's, which the launch contract asks for; of a launch after it.
  std::vector<HiddenArgument> Hidden = {};
  /// Of the device.
  int64_t Multiprocessors = 1;

  /// The same where it is as the author makes it; grid and block are known, or the block is of no account.
  AuthorLaunch author() const { return {*Grid, Block.value_or(Dim3{0, 0, 0}), SharedBytes}; }

  std::optional<int64_t> scalar(unsigned ArgumentIndex) const {
    return ArgumentIndex < Scalars.size() ? Scalars[ArgumentIndex] : std::nullopt;
  }
};

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_LAUNCHCONTEXT_H
