//===- MeasurePlan.h - What the runner is asked to check and time -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_MEASUREPLAN_H
#define GPUPRUNE_DRIVER_MEASUREPLAN_H

#include "gpuprune/Check/EarlierLaunches.h"
#include "gpuprune/Runtime/Protocol.h"
#include "gpuprune/Variant/VariantBuilder.h"

namespace gpuprune {

struct MeasureOptions {
  unsigned Warmup = 2;
  unsigned Samples = 7;
  double MinSampleMs = 1; ///< A sample of a shorter kernel repeats it.
  bool FlushL2 = false;
  unsigned Rotate = 1;                ///< Copies of the buffers; 0: automatic.
  std::optional<double> Watchdog = 5; ///< How many times the fastest a run may take.
  /// How many times the fastest a run takes of which few samples suffice.
  double ClearlySlower = 1.25;
  unsigned Rounds = 21; ///< Of the final; 0: no final.
};

/// The programs that jobs compare a variant with; all have code.
struct MeasureContext {
  const Workload &W;
  const VariantBuilder &Builder;
  const BuiltVariant &Stock;     ///< The author's kernel by stock clang, timed in turn with each variant.
  const BuiltVariant &Reference; ///< The prepared kernel with the variant's own defines.
  const BuiltVariant &Author;    ///< The prepared kernel with the author's defines: its launch is the truth.
  /// Stock clang's code with the variant's own defines, where their result is one of their own; else null.
  const BuiltVariant *OwnStock;
  MeasureOptions Options;
  /// What runs before, of which there is as much as the workload has; null where it has nothing.
  const EarlierLaunches *Earlier = nullptr;
};

/// \p Launch by \p V, whose launch contract makes it \p Physical. The cubin is named by file name.
protocol::Launch toLaunch(const BuiltVariant &V, const ResolvedLaunch &Launch, PhysicalLaunch Physical);

/// The job that checks \p V at every size whose grid its launch contract divides, the size to tune
/// among them, and then times it. \p V is held against the reference, the reference at the same launch
/// against the author's launch (bit by bit but for open buffers), and the author's launch, or a reference
/// with a result of its own, against stock clang's kernel by the workload's tolerance. Cubins are named by
/// file name.
llvm::Expected<protocol::Job> makeJob(const BuiltVariant &V, std::string Id, const MeasureContext &Context);

/// Writes what the runner said into \p Row.
void applyResult(const protocol::Result &Result, VariantResult &Row);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_MEASUREPLAN_H
