//===- VariantCycles.h - The cycles of one thread of a variant --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_VARIANTCYCLES_H
#define GPUPRUNE_VARIANT_VARIANTCYCLES_H

#include "gpuprune/Model/ListSchedule.h"
#include "gpuprune/Variant/VariantBuilder.h"

namespace gpuprune {

/// What an access to global memory takes in the cycle model, the same for all variants.
struct AverageLatency {
  GlobalLatencies Global;
  std::string Source; ///< For a person: where the hit ratios are from, or why none are known.
};

/// Of the kernel as written, \p Stock, at the size to tune: from its accesses (profileMemory()), since no
/// hardware counters are read. Where these are not known, as in a launch of a sequence, a load counts as one
/// that L2 answers. Error of kind Usage where no rates are known of the device.
llvm::Expected<AverageLatency> averageLatency(const BuiltVariant &Stock, const VariantBuilder &Builder,
                                              const TuningTarget &Target);

/// The cycles of a thread of \p Built, whose cubin is still there (ListSchedule.h). Errors: those of
/// readCode() and ptxFlow(), and Usage as above.
llvm::Expected<ScheduledRow> scheduleVariant(const BuiltVariant &Built, const AverageLatency &Latency,
                                             const DeviceInfo &Device);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_VARIANTCYCLES_H
