//===- SequenceCommand.h - gpuprune tune of a sequence ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_SEQUENCECOMMAND_H
#define GPUPRUNE_TOOLS_GPUPRUNE_SEQUENCECOMMAND_H

#include "gpuprune/Driver/SequenceTuner.h"

namespace gpuprune {

/// 1 where one launch is asked for, or there is only one; else as many as the workload has. Where only the
/// front end runs,
/// \p Options asks for one then.
llvm::Expected<size_t> launchesToTune(TuneOptions &Options);

/// The result goes to \p Write and, where it is named, as JSON to \p JsonFile. An error where the whole
/// computes something else, or a launch failed as its author wrote it, after both were written.
llvm::Error runSequence(const TuneOptions &Options, size_t Launches, Progress &Shown,
                        const std::string &JsonFile,
                        llvm::function_ref<llvm::Error(const SequenceReport &)> Write);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_SEQUENCECOMMAND_H
