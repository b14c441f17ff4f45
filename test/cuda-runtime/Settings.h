//===- Settings.h - What the environment says to the CUDA runtime for the CPU ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_CUDA_RUNTIME_SETTINGS_H
#define GPUPRUNE_TEST_CUDA_RUNTIME_SETTINGS_H

#include "gpuprune/Device/DeviceInfo.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace gpuprune {

/// README.md describes the variable of each field.
struct Settings {
  std::vector<const DeviceInfo *> Devices; ///< GPUPRUNE_CPU_DEVICES; at least one.
  llvm::StringMap<unsigned> Registers;     ///< GPUPRUNE_CPU_REGISTERS, by symbol or source name.
  bool Watch = false;                      ///< GPUPRUNE_CPU_WATCH
  bool Fast = false;                       ///< GPUPRUNE_CPU_FAST
  bool Trace = false;                      ///< GPUPRUNE_CPU_TRACE
  unsigned Workers = 1;                    ///< GPUPRUNE_CPU_WORKERS; 0: all cores.
  uint64_t ScheduleSeed = 0;               ///< GPUPRUNE_CPU_SEED
  std::string Record;                      ///< GPUPRUNE_CPU_RECORD, a folder; empty: nothing is recorded.
  unsigned TimeLimit = 0;                  ///< GPUPRUNE_CPU_TIME_LIMIT, seconds per launch; 0: none.

  /// Usage error for a value that cannot be read.
  static llvm::Expected<Settings> fromEnvironment();

  /// Registers that the environment gives \p Symbol; 0 if it gives none.
  unsigned registersOf(llvm::StringRef Symbol) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_TEST_CUDA_RUNTIME_SETTINGS_H
