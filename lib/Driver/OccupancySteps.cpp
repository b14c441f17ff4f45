//===- OccupancySteps.cpp - What would let more blocks be resident -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/ExplainReport.h"

using namespace llvm;

namespace gpuprune {

/// The most registers with which more blocks fit, if fewer registers alone help.
static std::optional<OccupancyStep> registerStep(const DeviceInfo &Device, KernelResources Kernel,
                                                 unsigned Now) {
  unsigned From = Kernel.Registers;
  while (Kernel.Registers > 1) {
    --Kernel.Registers;
    if (Occupancy Fits = computeOccupancy(Device, Kernel); Fits.BlocksPerSM > Now)
      return OccupancyStep{"registers", From, Kernel.Registers, Fits.BlocksPerSM, Fits.Fraction};
  }
  return std::nullopt;
}

static std::optional<OccupancyStep> sharedStep(const DeviceInfo &Device, KernelResources Kernel,
                                               unsigned Now) {
  uint64_t From = Kernel.StaticShared + Kernel.DynamicShared;
  uint64_t Unit = std::max(1u, Device.SharedUnit);
  // What is left of a unit is free, the system's part included.
  for (uint64_t Units = (From + Device.SharedReserved) / Unit + 1; Units-- > 0;) {
    if (Units * Unit < Device.SharedReserved)
      break;
    uint64_t Bytes = Units * Unit - Device.SharedReserved;
    if (Bytes >= From)
      continue;
    Kernel.StaticShared = std::min(Kernel.StaticShared, Bytes);
    Kernel.DynamicShared = Bytes - Kernel.StaticShared;
    if (Occupancy Fits = computeOccupancy(Device, Kernel); Fits.BlocksPerSM > Now)
      return OccupancyStep{"shared memory", From, Bytes, Fits.BlocksPerSM, Fits.Fraction};
  }
  return std::nullopt;
}

std::vector<OccupancyStep> occupancySteps(const DeviceInfo &Device, const KernelResources &Kernel) {
  std::vector<OccupancyStep> Steps;
  unsigned Now = computeOccupancy(Device, Kernel).BlocksPerSM;
  if (std::optional<OccupancyStep> Step = registerStep(Device, Kernel, Now))
    Steps.push_back(std::move(*Step));
  if (std::optional<OccupancyStep> Step = sharedStep(Device, Kernel, Now))
    Steps.push_back(std::move(*Step));
  return Steps;
}

std::vector<BlockSizeOccupancy> occupancyOfOtherBlocks(const DeviceInfo &Device,
                                                       const KernelResources &Kernel) {
  std::vector<BlockSizeOccupancy> Sizes;
  KernelResources Other = Kernel;
  for (uint64_t Threads = 2 * Device.WarpSize; Threads <= Device.ThreadsPerBlock; Threads *= 2) {
    Other.ThreadsPerBlock = Threads;
    Occupancy Fits = computeOccupancy(Device, Other);
    Sizes.push_back({Threads, Fits.BlocksPerSM, Fits.Fraction});
  }
  return Sizes;
}

} // namespace gpuprune
