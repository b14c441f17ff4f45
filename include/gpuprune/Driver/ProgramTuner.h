//===- ProgramTuner.h - Tunes the recorded kernels of a program ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_PROGRAMTUNER_H
#define GPUPRUNE_DRIVER_PROGRAMTUNER_H

#include "gpuprune/Driver/MakeRecord.h"
#include "gpuprune/Driver/Tuner.h"

namespace gpuprune {

/// What became of one kernel.
struct ProgramKernel {
  std::string Name;      ///< As the source has it.
  std::string Recording; ///< The folder of the launch that was tuned.
  uint64_t Launches = 0; ///< Of the kernel, in the recorded run.
  double GpuMs = 0;      ///< Of all of them.
  WrittenRecord Written;
  std::string Problem; ///< Why it could not be tuned; empty: it was.
  std::optional<TuneReport> Report;
};

struct ProgramReport {
  std::string Folder;
  std::vector<ProgramKernel> Kernels;    ///< Those of the largest GPU time first.
  std::vector<std::string> Problems;     ///< Of recordings that cannot be read.
  std::optional<double> tunedMs() const; ///< What GpuMs of all becomes; nothing where nothing was measured.
};

/// Tunes each kernel that was recorded in \p Folder on the launch of its that took most of the time, and
/// writes tuning records into \p Records. The budget goes to the kernels by their GPU time. On the GPU, each
/// variant is compared with the prepared kernel on the recorded data; the CPU does not run launches of that
/// size. A kernel that cannot be tuned is a row with its problem. Errors: Io, and Input where nothing was
/// recorded.
llvm::Expected<ProgramReport> tuneProgram(TuneOptions Options, llvm::StringRef Folder,
                                          llvm::StringRef Records, Progress &Shown);

llvm::json::Value toJSON(const ProgramReport &Report);
void printProgram(llvm::raw_ostream &OS, const ProgramReport &Report);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_PROGRAMTUNER_H
