//===- ModelGuided.h - Measuring in the order of a model -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variants are measured in the order of their modelled times, some at a time; what was
// measured corrects the times of those that are left (ModelCorrection.h). First come the
// best of all and, so that its scale is known, the best of each other term that is not far from
// them. It ends where, as far as the share Confidence of the errors seen tells, none of those that are left
// is faster than the fastest by more than Margin, and the last ones were not faster by more than that either.
//
// Variants that the model cannot rank are left to the default strategy, all of them where
// there are no others.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_MODELGUIDED_H
#define GPUPRUNE_SEARCH_MODELGUIDED_H

#include "gpuprune/Search/Strategy.h"

namespace gpuprune {

struct ModelGuidedOptions {
  StrategyOptions Strategy;        ///< Of what cannot be ranked, as
  size_t AtLeast = DefaultAtLeast; ///< this.
  double Margin = 0.01;            ///< 1 %
  double Confidence = 0.9;
};

std::unique_ptr<Strategy> makeModelGuidedStrategy(const ModelGuidedOptions &Options = {});

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_MODELGUIDED_H
