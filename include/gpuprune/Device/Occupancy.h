//===- Occupancy.h - Blocks that fit on a multiprocessor ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DEVICE_OCCUPANCY_H
#define GPUPRUNE_DEVICE_OCCUPANCY_H

#include "gpuprune/Device/DeviceInfo.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace gpuprune {

/// What one block of a kernel takes.
struct KernelResources {
  unsigned Registers = 0;     ///< A thread, as ptxas reports them.
  uint64_t StaticShared = 0;  ///< Bytes a block, without the system's reserved part.
  uint64_t DynamicShared = 0; ///< Bytes a block.
  uint64_t ThreadsPerBlock = 0;
  /// Named barriers a block uses.
  unsigned Barriers = 1;
  /// Whether the launcher raises the kernel's limit of dynamic shared memory
  /// (CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) where the default is too small.
  bool SharedOptIn = true;
};

/// The resource that admits the fewest blocks. Where several do, the first in this order.
enum class OccupancyLimiter { Warps, Blocks, Registers, Shared, Barriers, Impossible };

/// "warps", "blocks", ...
llvm::StringRef limiterName(OccupancyLimiter Limiter);

struct Occupancy {
  unsigned BlocksPerSM = 0; ///< 0 where not even one block fits.
  unsigned WarpsPerBlock = 0;
  unsigned ActiveWarps = 0;
  double Fraction = 0; ///< Active warps over the most the device keeps active.
  OccupancyLimiter Limiter = OccupancyLimiter::Impossible;
  std::string Reason; ///< Why no block fits; empty where one does.
};

/// Blocks of \p Kernel that are resident on one SM of \p Device at a time, as
/// cuOccupancyMaxActiveBlocksPerMultiprocessor answers for the largest shared
/// memory carve-out. After NVIDIA's occupancy calculator: registers are given to
/// warps in units, each scheduler has its own part of the register file, shared
/// memory is rounded up with the system's part included.
Occupancy computeOccupancy(const DeviceInfo &Device, const KernelResources &Kernel);

/// Bytes of L1 that are left on an SM whose resident blocks use \p SharedInUse
/// bytes of shared memory, the system's part included: the driver makes the
/// smallest carve-out shared memory that holds them.
uint64_t l1BytesBeside(const DeviceInfo &Device, uint64_t SharedInUse);

} // namespace gpuprune

#endif // GPUPRUNE_DEVICE_OCCUPANCY_H
