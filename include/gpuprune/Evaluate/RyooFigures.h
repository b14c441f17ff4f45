//===- RyooFigures.h - Figures 3 to 6 of Ryoo et al. ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_RYOOFIGURES_H
#define GPUPRUNE_EVALUATE_RYOOFIGURES_H

#include "gpuprune/Evaluate/RyooSpace.h"
#include "gpuprune/Evaluate/SvgPlot.h"

namespace gpuprune {

/// Figure 3: times of matrix multiplication by tile, results per thread, prefetching and unroll factor.
/// Nothing where \p Space has no such variant.
std::optional<SvgDrawing> drawMatmulTimes(const RyooSpace &Space);

/// Figure 4: times of SAD by threads per block; a line joins what differs in nothing else. Nothing where all
/// variants have the same.
std::optional<SvgDrawing> drawSadTimes(const RyooSpace &Space);

/// Figure 5: time and metrics of CP by results per thread, with blocks of the same size and coalesced output.
/// Nothing where there are not two such variants.
std::optional<SvgDrawing> drawCpTiling(const RyooSpace &Space);

/// Figure 6: each space in the plane of its two metrics, with the Pareto set and the optimum.
SvgDrawing drawMetricPlanes(llvm::ArrayRef<RyooSpace> Spaces);

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_RYOOFIGURES_H
