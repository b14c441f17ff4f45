//===- JoinBuilt.h - Built variants in the table ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_JOINBUILT_H
#define GPUPRUNE_DRIVER_JOINBUILT_H

#include "gpuprune/Device/DeviceInfo.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Search/Pareto.h"

namespace gpuprune {

struct PruneOptions {
  const DeviceInfo &Device;
  ParetoOptions Pareto;
};

/// Sets apart what spills, gives twins what is known of the variant they equal, and marks the Pareto set.
void prune(TuneReport &Report, const PruneOptions &Options);

/// A variant that was built, and its row.
struct BuiltRow {
  size_t Row;
  const VariantResult &Built;
};

/// Puts \p Rows into \p Report, whose other rows may have been checked and measured already, and prunes
/// again. What was found wrong meanwhile, of a row or of the reference it is compared with, stays so; twins
/// of a variant that is wrong stand for themselves.
void joinBuilt(TuneReport &Report, llvm::ArrayRef<BuiltRow> Rows, const PruneOptions &Options);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_JOINBUILT_H
