//===- Regret.h - What not measuring everything costs ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_REGRET_H
#define GPUPRUNE_SEARCH_REGRET_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <optional>

namespace gpuprune {

/// The best time of \p Subset over the best of \p All: 1 where the subset holds
/// an optimum. Times that are not finite and positive do not count; nothing where no
/// time of either counts.
std::optional<double> regret(llvm::ArrayRef<double> Subset, llvm::ArrayRef<double> All);

/// The median over the seeds 0 to \p Seeds - 1 of the regret of \p SampleSize times drawn
/// from \p Times without replacement. All times are drawn from, but those that
/// do not count (see regret) lose; a sample without any that counts has infinite regret.
/// The same on every machine. Nothing where no time counts or a size is zero.
std::optional<double> randomSampleRegret(llvm::ArrayRef<double> Times, size_t SampleSize,
                                         unsigned Seeds = 100);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_REGRET_H
