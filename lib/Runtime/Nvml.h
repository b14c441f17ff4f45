//===- Nvml.h - The GPU's clock, as libnvidia-ml says ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_NVML_H
#define GPUPRUNE_LIB_RUNTIME_NVML_H

#include "gpuprune/Runtime/Protocol.h"
#include <memory>

using nvmlReturn_t = int;
using nvmlDevice_t = struct nvmlDevice_st *;

namespace gpuprune {

/// The table of entry points.
struct Nvml {
#define GPUPRUNE_NVML(Member, Symbol, ...) nvmlReturn_t (*Member)(__VA_ARGS__) = nullptr;
#include "Nvml.def"
};

/// Reads clock, temperature and power of one device. Nothing here is an error:
/// without NVML a measurement has no clock.
class ClockReader {
public:
  /// Opens \p Path, or libnvidia-ml.so.1 where it is empty. Null where that is not possible.
  static std::unique_ptr<ClockReader> open(llvm::StringRef Path);
  /// The device to read, by its PCI bus id ("0000:3b:00.0"); false: there is none, and nothing to read.
  bool find(const std::string &PciBusId);

  /// Takes a reading.
  void read();
  /// What was read since the last call.
  std::optional<protocol::Clock> take();

private:
  Nvml Library; ///< Stays loaded until the process ends, as libcuda does.
  nvmlDevice_t Device = nullptr;
  std::optional<protocol::Clock> Seen;
  unsigned long long Limits = 0;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_NVML_H
