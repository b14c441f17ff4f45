//===- LiangFigures.h - Figures 2 to 6 of Liang et al. -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_LIANGFIGURES_H
#define GPUPRUNE_EVALUATE_LIANGFIGURES_H

#include "gpuprune/Evaluate/LiangSpace.h"
#include "gpuprune/Evaluate/SvgPlot.h"

namespace gpuprune {

/// Figure 2: speed-up over the default and occupancy by registers of a thread, for some sizes of a block and
/// otherwise the author's launch. Nothing where no size has two such variants.
std::optional<SvgDrawing> drawRegisterLines(const LiangLaunch &Launch, llvm::StringRef Title);

/// Figure 3: a space in the plane of PO, with the Pareto set, the range of POSF and the optimum. Nothing
/// where no variant has cycles.
std::optional<SvgDrawing> drawOccupancyPareto(const LiangLaunch &Launch, llvm::StringRef Title);

/// Figure 4: speed-up over the default by registers and threads of a block, of each application's longest
/// launch; the fastest where several variants have both.
SvgDrawing drawResponseSurfaces(llvm::ArrayRef<LiangSpace> Spaces);

/// Figure 5: speed-up over the default that each search finds.
SvgDrawing drawSpeedUps(llvm::ArrayRef<LiangSpace> Spaces);

/// Figure 6: the share of the space that each search measures.
SvgDrawing drawExploredShares(llvm::ArrayRef<LiangSpace> Spaces);

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_LIANGFIGURES_H
