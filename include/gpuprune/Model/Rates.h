//===- Rates.h - What the model knows of an architecture --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Beside the limits and the table of throughputs in a device's row (DeviceInfo.h). Rates.def
// has the source of each number.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_MODEL_RATES_H
#define GPUPRUNE_MODEL_RATES_H

#include "gpuprune/MachineCode/Opcode.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace gpuprune {

struct ModelRates {
  const char *Arch;           ///< As in DeviceInfo, of the GPU named there.
  double ClockGHz;            ///< The highest of the SMs.
  double DramGBs;             ///< 10^9 bytes a second.
  double L2BytesPerClock;     ///< All SMs together.
  double L2PortBytesPerClock; ///< One SM.
  uint64_t L2Bytes;
  double L1BytesPerClock; ///< One SM; the same for shared memory.
  double BlocksPerClock;  ///< That the whole GPU starts.
  // Latencies in cycles of the SM.
  double L1Latency, L2Latency, DramLatency, SharedLatency;
  // Of a line that a partition's constant cache lacks and the cache behind it has:
  double UniformConstantMissLatency; ///< of ULDC, which has one on its way at a time,
  double ConstantMissCycles;         ///< of other loads, for which an SM gets a line in so many cycles.
  double ConstantAddressCycles;      ///< Of an address that a load wants of it besides the first one.
};

/// Error of kind Usage where nothing is known of the architecture.
llvm::Expected<const ModelRates *> findRates(llvm::StringRef Arch);

/// Cycles from the issue of an instruction of variable latency until its result can be used, where it is no
/// access to global memory.
double variableLatency(llvm::StringRef Opcode, const ModelRates &Rates);

/// The same of an instruction whose latency is fixed; 1 of one whose unit has no row.
double fixedLatency(const OpcodeInfo &Opcode);

/// Cycles until the sources of an instruction have been read: when its read barrier counts down. Without a
/// published source; the prototype of this model had it.
inline constexpr double SourceReadCycles = 12;

} // namespace gpuprune

#endif // GPUPRUNE_MODEL_RATES_H
