//===- Measurement.h - Timing programs in interleaved rounds -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_MEASUREMENT_H
#define GPUPRUNE_LIB_RUNTIME_MEASUREMENT_H

#include "Nvml.h"
#include "Stopwatch.h"

namespace gpuprune {

/// What a program is to the job whose rounds it runs in.
enum class Part : uint8_t { Baseline, Candidate, Rival };

/// What was found of a baseline when it was timed fully.
struct KnownBaseline {
  uint32_t Batch = 1;
  double Ms = 0;
  bool IsDue = true; ///< Has a sample in this job, for the drift.
};

/// A program of the rounds, and what it took.
struct Contestant {
  Part As = Part::Candidate;
  std::string Name = {};                   ///< Of a rival.
  const protocol::Problem *Over = nullptr; ///< Whose candidate it is, or whose buffers the baseline uses.
  RotatingProgram Program = {};
  std::vector<double> CheckedMs = {};      ///< What runs of its check took, which warm it up, too.
  std::optional<KnownBaseline> Known = {}; ///< It is not warmed up, and has one sample at most.
  bool HasDrifted = false;                 ///< That sample was off, so that it has more.
  uint32_t Batch = 1;                      ///< Runs a sample.
  protocol::WarmUp Warmed = {};
  std::vector<double> SamplesMs = {};
  /// Of a candidate's last sample, milliseconds of all runs but the last one, which the caller makes and
  /// checks.
  std::optional<double> UnfinishedMs = {};
};

/// \p E as it is told of the program that made it.
llvm::Error blame(llvm::Error E, Part As, llvm::StringRef Name);

/// Copies of \p P's buffers that \p M asks for, one at least.
uint32_t copiesOf(const protocol::Measure &M, const protocol::Problem &P, const protocol::Hello &Device);

/// Warms up and times \p Contestants, of which the first is a baseline if there
/// is one, and writes samples, medians and, where the candidate passes a limit,
/// status slow into \p R. \p Clock may be null. Error: what the candidate or a
/// rival did, or status reference for what the baseline did. Where the candidate's UnfinishedMs is set
/// then, its last sample is missing until finishSample().
llvm::Error measure(const Gpu &G, const protocol::Measure &M, llvm::MutableArrayRef<Contestant> Contestants,
                    ClockReader *Clock, protocol::Result &R);

/// Adds the sample that \p Candidate has begun to \p R: its last run, in the check after timing, took
/// \p LastMs.
void finishSample(const Contestant &Candidate, double LastMs, protocol::Result &R);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_MEASUREMENT_H
