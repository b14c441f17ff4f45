//===- WholeRun.h - A sequence with the choice of each launch --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DRIVER_WHOLERUN_H
#define GPUPRUNE_LIB_DRIVER_WHOLERUN_H

#include "gpuprune/Driver/SequenceTuner.h"

namespace gpuprune {

/// Builds \p Choices, one a launch, and runs them on the GPU as one program: at all sizes all buffers are
/// compared with what the prepared kernels leave as their author launches them, and those by tolerance with
/// stock clang's; at the size to tune it is timed in rounds beside stock clang's. By \p Runner, or where that
/// is null, one that is started for it.
WholeSequence runWhole(const TuneOptions &Options, llvm::ArrayRef<Variant> Choices,
                       std::unique_ptr<RunnerClient> Runner);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DRIVER_WHOLERUN_H
