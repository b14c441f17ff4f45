//===- PassOffer.h - What a pass offers for a kernel -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A space is derived from what the passes offer for a kernel: elements of a pipeline
// with placeholders, and the values to try for these. A space that is too large is
// made smaller in steps, the same ones for all passes; each pass says what it still
// offers at each of them.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_PASSOFFER_H
#define GPUPRUNE_TRANSFORMS_PASSOFFER_H

#include "gpuprune/Support/Dim3.h"
#include "gpuprune/Support/PipelineText.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <string>
#include <vector>

namespace gpuprune {

/// A placeholder and its values. Passes that offer the same name share it.
struct OfferedChoice {
  std::string Name;                ///< As it stands in braces.
  std::vector<std::string> Values; ///< `none` leaves the parameter, or the whole element, out.
  /// Whether each value is a number of results that a thread computes in place of one.
  bool MultipliesResults = false;
};

struct PassOffer {
  std::vector<PassElement> Elements; ///< With {name} where a value goes.
  std::vector<OfferedChoice> Choices;
};

/// Step 0 offers everything, each further one at most as much as the one before.
inline constexpr unsigned SpaceSteps = 7;
using PassOffers = std::array<PassOffer, SpaceSteps>;

/// What \p Offer says at each step.
PassOffers atEachStep(llvm::function_ref<PassOffer(unsigned Step)> Offer);

/// Grids that the author launches, in blocks.
struct LaunchGrids {
  Dim3 Tune;                ///< At the size to tune.
  std::vector<Dim3> Checks; ///< At the sizes to check.
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_PASSOFFER_H
