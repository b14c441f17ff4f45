//===- EnumerateVariants.h - The variants of a tuning run -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_ENUMERATEVARIANTS_H
#define GPUPRUNE_VARIANT_ENUMERATEVARIANTS_H

#include "gpuprune/Search/Space.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Workload/Workload.h"

namespace gpuprune {

/// A part of a space, the same for the same seed.
struct SampleOptions {
  size_t Count = 0;
  uint64_t Seed = 0;
};

struct EnumerateOptions {
  std::vector<std::string> Variants; ///< Texts of those to take instead of the space; empty: the space.
  bool EachAlone = false; ///< Beside the space what it offers to each of its choices alone (Alone.h).
  std::optional<SampleOptions> Sample; ///< Only so many of them all.
};

struct EnumeratedVariants {
  std::vector<Variant>
      Variants;              ///< Of a sample, too, in the order of the space, of which the first is there.
  uint64_t Combinations = 0; ///< Of the whole space.
  std::vector<RemovedCombinations> Removed; ///< Of them, for each constraint.
  uint64_t SampledOf = 0;                   ///< Variants, where only a sample of them was kept; else 0.
};

/// What \p Options choose of \p Searched, the space of \p W; \p Author: the author's defines. An error of
/// kind Input or Usage where there is none, or where a pass cannot be read, which is a mistake of the space
/// and no failure of its variants.
llvm::Expected<EnumeratedVariants> enumerateVariants(const Workload &W, const Space &Searched,
                                                     const EnumerateOptions &Options,
                                                     llvm::ArrayRef<DefineSetting> Author);

/// \p Problem with the place of the pipeline, where \p W writes down the space and \p Options use it.
llvm::Error errorInSpace(const Workload &W, const EnumerateOptions &Options, const TakenError &Problem);

/// The first value of each define.
std::vector<DefineSetting> authorDefines(const Workload &W);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_ENUMERATEVARIANTS_H
