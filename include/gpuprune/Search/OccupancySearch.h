//===- OccupancySearch.h - The searches of Liang et al. -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Liang, Cui, Rupnow, Chen: Register and Thread Structure Optimization for GPUs, ASP-DAC 2013, sections III
// and IV. How their text was read where it leaves a choice: docs/liang.md.
//
//   RO = occupancy * registers of a thread / most registers of a thread
//   PO = (T, C),  T = most threads of an SM * (1 - occupancy),  C = cycles of one thread (ListSchedule.h)
//
// What spills takes part: a limit of registers that makes a kernel spill is what the searches are to judge.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_OCCUPANCYSEARCH_H
#define GPUPRUNE_SEARCH_OCCUPANCYSEARCH_H

#include "gpuprune/Search/Strategy.h"

namespace gpuprune {

/// Of the device. What is chosen does not depend on them: they are factors of all rows alike.
struct OccupancyLimits {
  unsigned ThreadsPerSM = 2048;
  unsigned RegistersPerThread = 255;
};

/// RO, from 0 to 1; nothing where occupancy or registers are not known.
std::optional<double> registerOccupancy(const VariantResult &Row, const OccupancyLimits &Limits = {});

/// PO; less is better for both.
struct PerformanceOccupancy {
  double Threads = 0; ///< T: room for more threads on an SM.
  double Cycles = 0;  ///< C.
};
/// Nothing where occupancy or cycles are not known.
std::optional<PerformanceOccupancy> performanceOccupancy(const VariantResult &Row,
                                                         const OccupancyLimits &Limits = {});

/// Both ends belong to it.
struct OccupancyRange {
  double From = 0, To = 1;
};
/// That of POSF.
inline constexpr OccupancyRange PublishedFilter{0.3, 0.5};

/// Indices, ascending, of the rows that are Pareto-optimal in PO among those with the same total number of
/// threads: no other is as good in T and C and better in one of them. Of these, those whose occupancy is \p
/// Within. Numbers of threads that differ only in how full the last blocks are count as one, since the grid
/// is rounded up; not so behind gpu-persistent and gpu-grid, which launch as many blocks as the device runs.
std::vector<size_t> performanceOccupancySet(llvm::ArrayRef<VariantResult> Rows, RowFilter Among = nullptr,
                                            std::optional<OccupancyRange> Within = std::nullopt);

/// ROS: the rows with the highest RO, all of them where several have it.
std::unique_ptr<Strategy> makeRegisterOccupancyStrategy();

/// POS: performanceOccupancySet(); POSF with PublishedFilter.
std::unique_ptr<Strategy>
makePerformanceOccupancyStrategy(std::optional<OccupancyRange> Within = std::nullopt);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_OCCUPANCYSEARCH_H
