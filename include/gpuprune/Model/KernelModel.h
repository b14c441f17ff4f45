//===- KernelModel.h - The time of a kernel from its machine code -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each resource that a launch needs takes some time; the kernel takes about as long as
// the slowest of them. In cycles of the busiest SM, with
//
//   n   blocks that it runs, ceil(grid / SMs)
//   b   blocks that are resident on it at a time, at most n
//   W   warps of a block
//   D   divergence: branches that warps execute over those of threads, as counted (KernelCounts) or else
//       traced (MemoryProfile), which lacks what comes after a loop was left early. Times 1 + V / 2 / (n / b)
//       with the variation V of what warps have to do (KernelCounts): of what is under way at any time,
//       (1 + V) / 2 of a mean block is left on average, 1 / 2 if all are alike (Cox 1962, "Renewal Theory",
//       section 5)
//   C, I, ...  of one warp (WarpCost)
//   u   the fullest scheduler's warps over the mean: ceil(W b / 4) / (W b / 4)
//
//   latency   D C n / b
//   blocks    blocks of the grid / those that the GPU starts in a cycle
//   issue     D I n W u / 4; likewise fma, int-mul, alu, xu, fp64
//   l1        n W (wavefronts + lines + shuffles + local bytes / 4)
//   constant  a scheduler's share of n W (lines that ULDC misses) latency of a miss, which waits for the one
//             before it, and n W (lines that other loads miss) cycles until an SM gets one
//   l2-port   n W (missed sectors + stored sectors + sectors of atomics) 32 / bytes a cycle of a port
//   l2        the same for the whole grid, over the bytes a cycle of the L2
//   dram      distinct bytes that the launch loads and stores, over the bandwidth
//
//   time = (sum over the terms of term^4)^(1/4)
//
// The exponent makes of two equal terms 1.19 times one: neither of them is hidden wholly
// by the other.
//
// A second time says how the terms of a scheduler (issue and its pipes) overlap by how many warps it has, S
// of them: these queue for its pipes (ClosedQueue.h), and spend elsewhere what the latency of one warp has
// besides.
//
//   queued = (q^4 + sum over the other terms but latency of term^4)^(1/4)
//   q      = the time of a closed queue of S customers with the scheduler's terms as demands,
//            max(0, S latency - sum of these) elsewhere
//
// Neither is the better one everywhere; what both see fast is worth a measurement (ModelPareto.h).
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MODEL_KERNELMODEL_H
#define GPUPRUNE_MODEL_KERNELMODEL_H

#include "gpuprune/Model/MemoryProfile.h"
#include "gpuprune/Model/ModelTerm.h"
#include "gpuprune/Model/WarpCost.h"

namespace gpuprune {

struct ModelledLaunch {
  Dim3 Grid, Block;
  unsigned BlocksPerSM = 0; ///< As computeOccupancy() says.
};

/// Mean latencies of accesses to global memory. Of a load: L1, for requests that miss there L2, and for the
/// part of what L2 gives that comes from memory the latency of that.
GlobalLatencies globalLatencies(const KernelCounts &Counts, const MemoryProfile &Memory,
                                const ModelledLaunch &Launch, const DeviceInfo &Device,
                                const ModelRates &Rates);

struct ModelledTime {
  double Ms = 0;
  double QueuedMs = 0;                        ///< If a scheduler's warps queue for its pipes.
  double ClockGHz = 1;                        ///< At which the cycles are so many.
  std::array<double, NumModelTerms> Cycles{}; ///< Of the busiest SM, by ModelTerm.
  ModelTerm Bound = ModelTerm::Latency;       ///< The largest.
  bool IsEstimated = false;                   ///< Opcodes that are not known, or loops that were not found.
  std::vector<std::string> Notes;             ///< Why.
  std::string WhyRun;                         ///< As MemoryProfile has it.

  double operator[](ModelTerm Term) const { return Cycles[size_t(Term)]; }
  double &operator[](ModelTerm Term) { return Cycles[size_t(Term)]; }
  /// Milliseconds of \p Term alone.
  double ms(ModelTerm Term) const { return (*this)[Term] / (ClockGHz * 1e6); }
  /// Milliseconds as if \p Left took no time.
  double without(std::optional<ModelTerm> Left) const;
};

/// Error of kind Usage where no rates are known of \p Device.
llvm::Expected<ModelledTime> modelTime(const KernelCode &Code, const FlowGraph &Ptx,
                                       const KernelCounts &Counts, const MemoryProfile &Memory,
                                       const ModelledLaunch &Launch, const DeviceInfo &Device);

} // namespace gpuprune

#endif // GPUPRUNE_MODEL_KERNELMODEL_H
