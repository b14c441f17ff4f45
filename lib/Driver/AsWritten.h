//===- AsWritten.h - A sequence before it is tuned ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DRIVER_ASWRITTEN_H
#define GPUPRUNE_LIB_DRIVER_ASWRITTEN_H

#include "gpuprune/Check/EarlierLaunches.h"
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Support/Process.h"

namespace gpuprune {

/// All launches of a sequence, as their author wrote them.
class AsWritten {
public:
  /// Builds the \p Launches launches of \p Options' workload, with machine code where \p IsTimed.
  static llvm::Expected<std::unique_ptr<AsWritten>> build(const TuneOptions &Options, size_t Launches,
                                                          bool IsTimed);

  /// Error of kind Input for a whole that compares nothing (ComparedBuffers.h).
  llvm::Error checkCompared() const;
  /// Launches whose results reach nothing at the size to tune (LostLaunches.h).
  std::vector<std::string> lostLaunches() const;
  /// Milliseconds of each launch at the size to tune as stock clang builds it, of all its iterations. \p
  /// Runner becomes what has measured them. Error: they could not be measured.
  llvm::Expected<std::vector<double>> times(const TuneOptions &Options,
                                            std::unique_ptr<RunnerClient> &Runner) const;

private:
  TuningTarget Last; ///< Of the last launch.
  std::unique_ptr<KeptBuilds> Kept;
  std::optional<TemporaryDirectory> Home; ///< Where there is machine code.
  std::vector<std::unique_ptr<BuiltLaunch>> Built;

  const Workload &whole() const { return Last.W.Whole ? *Last.W.Whole : Last.W; }
  llvm::Expected<protocol::Job> timingJob(size_t Number, const TuneOptions &Options,
                                          double &Iterations) const;
};

/// Of times that are known.
double sumOf(llvm::ArrayRef<std::optional<double>> Ms);

/// Seconds of \p Left for the next launch: \p Ms has its time as written and those of the launches behind it,
/// or nothing where they are not known. Half of the time is divided evenly, for compiling depends on no
/// kernel's time; the other half by these times.
double budgetShare(double Left, llvm::ArrayRef<std::optional<double>> Ms);

/// Which of launches of \p Ms are the shortest that take at most \p Percent of their sum together; none where
/// a time is not known.
std::vector<bool> negligibleLaunches(llvm::ArrayRef<std::optional<double>> Ms, double Percent);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DRIVER_ASWRITTEN_H
