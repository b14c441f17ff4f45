//===- ModelGuided.h - Measuring in the order of a model -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variants are measured in the order of their modelled times, some at a time; what was
// measured corrects the times of those that are left (ModelCorrection.h). It is families (Family.h) that are
// tried one after the other, each by the variant of it that is expected to be fastest; beside them the best
// that is left of those that were tried. The best by the other modelled time (ModelPareto.h) is among the
// first, since how terms overlap is what the model knows least, and so are some families that it likes less,
// since what it says of those that it likes does not tell how wrong it is about others. It ends where, as far
// as the share Confidence of the errors seen tells, none of those that are left is faster than the fastest by
// more than Margin, and the last ones were not faster by more than that either.
//
// Variants that the model cannot rank are left to the search by the metrics, all of them where
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
