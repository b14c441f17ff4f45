//===- ModelPareto.h - The Pareto set of two modelled times -------*- C++ -*-===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ryoo et al. (CGO'08) keep what no other variant beats in two metrics, since nobody knows how much each of
// them counts. The same with two times that the model computes from one variant's machine code and that
// differ in how its terms overlap (KernelModel.h): as a whole, or by how many warps a scheduler has.
//
// A variant is dropped if another is not slower if warps queue, and faster otherwise by more than the model's
// resolution.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_MODELPARETO_H
#define GPUPRUNE_SEARCH_MODELPARETO_H

#include "gpuprune/Search/Strategy.h"

namespace gpuprune {

/// Modelled times that are nearer are taken as equal: four times the median noise of a measured time
/// (docs/results/h200-exhaustive.csv.xz: 0.05 %).
inline constexpr double ModelResolution = 0.002;

/// Of the rows that can run, may win, have both modelled times and are \p Among those looked at; by modelled
/// time, of equal ones the first in front.
std::vector<size_t> modelParetoSet(llvm::ArrayRef<VariantResult> Rows, RowFilter Among = nullptr);

/// Measures that set, decided anew where one of it turns out wrong.
std::unique_ptr<Strategy> makeModelParetoStrategy();

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_MODELPARETO_H
