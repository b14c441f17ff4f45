//===- Commands.h - What each command of gpuprune does ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_COMMANDS_H
#define GPUPRUNE_TOOLS_GPUPRUNE_COMMANDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

enum class EmitKind { IR, Ptx, Cubin };

struct EmitOptions {
  std::string Workload;
  std::string Variant; ///< Its text.
  EmitKind To = EmitKind::Ptx;
  std::string Device;
};

/// gpuprune emit: one variant as text or binary. A pass that refuses is an error.
llvm::Error emitVariant(const EmitOptions &Options, llvm::raw_ostream &OS);

struct MetricsOptions {
  std::string File; ///< .cu, .bc or .ll
  std::string Device;
  std::string Pipeline;
  std::string Block; ///< "16,16": threads a block, for occupancy; may be empty.
  bool Json = false;
};

/// gpuprune metrics: counts, regions, resources and occupancy of each kernel.
llvm::Error printMetrics(const MetricsOptions &Options, llvm::raw_ostream &OS);

struct DevicesOptions {
  std::string Device; ///< One of them in full; empty: all.
  bool Json = false;
};

/// gpuprune devices: the table of devices.
llvm::Error printDevices(const DevicesOptions &Options, llvm::raw_ostream &OS);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_COMMANDS_H
