//===- RecorderOptions.h - What the recorder is asked for ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpuprune record hands them to the recorder, which the driver loads into another process, as JSON in one
// variable of the environment.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_RECORD_RECORDEROPTIONS_H
#define GPUPRUNE_RECORD_RECORDEROPTIONS_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace gpuprune {

/// Which launches of a kernel are kept.
enum class KeepRule {
  First,   ///< The first launch of each launch class: kernel, grid, block and dynamic shared memory.
  Largest, ///< Of each kernel, only a launch with the most threads.
};

struct RecorderOptions {
  std::string Directory; ///< Holds code/ and recordings/; absolute.
  std::string Cupti;     ///< Path of libcupti; empty: the loader finds libcupti.so.13 or .12.
  std::string Driver;    ///< Path of libcuda; empty: libcuda.so.1.
  std::string Mark;      ///< A file to which the recorder appends a line when it starts; may be empty.
  KeepRule Keep = KeepRule::First;
  std::string Kernel;                     ///< Only kernels whose name contains this are kept.
  uint64_t MaxBytes = uint64_t(1) << 30;  ///< Of one recording.
  uint64_t MaxTotal = uint64_t(16) << 30; ///< Of all recordings of a run.
  uint64_t MaxClasses = 16;               ///< Launch classes kept of one kernel.
  bool After = false;                     ///< Keep the contents after the launch, not only their hash.
  double TimeLimit = 10;                  ///< Seconds after which a recording is dropped and others go on.
};

/// The variable of the environment with the options.
inline constexpr const char *RecorderVariable = "GPUPRUNE_RECORDER";

std::string printOptions(const RecorderOptions &Options);
/// Input error for what printOptions did not write.
llvm::Expected<RecorderOptions> parseOptions(llvm::StringRef Text);

} // namespace gpuprune

#endif // GPUPRUNE_RECORD_RECORDEROPTIONS_H
