//===- Occupancy.cpp - Blocks that fit on a multiprocessor ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Device/Occupancy.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;

namespace gpuprune {

static constexpr uint64_t Unlimited = std::numeric_limits<uint64_t>::max();

StringRef limiterName(OccupancyLimiter Limiter) {
  switch (Limiter) {
  case OccupancyLimiter::Warps:
    return "warps";
  case OccupancyLimiter::Blocks:
    return "blocks";
  case OccupancyLimiter::Registers:
    return "registers";
  case OccupancyLimiter::Shared:
    return "shared";
  case OccupancyLimiter::Barriers:
    return "barriers";
  case OccupancyLimiter::Impossible:
    return "impossible";
  }
  llvm_unreachable("every limiter has a name");
}

/// Registers one block takes, as the launch check counts them: whole sets of
/// warps over all schedulers, although warps are then placed one by one.
static uint64_t registersPerBlock(const DeviceInfo &Device, unsigned Registers, uint64_t Warps) {
  uint64_t PerWarp = uint64_t(Registers) * Device.WarpSize;
  uint64_t RoundedWarps = alignTo(Warps, Device.WarpUnit);
  if (Device.RegisterRounding == RegisterGranularity::Block)
    return alignTo(PerWarp * RoundedWarps, Device.RegisterUnit);
  return alignTo(PerWarp, Device.RegisterUnit) * RoundedWarps;
}

static uint64_t blocksByRegisters(const DeviceInfo &Device, unsigned Registers, uint64_t Warps) {
  if (Registers == 0)
    return Unlimited;
  if (Device.RegisterRounding == RegisterGranularity::Block) {
    uint64_t PerBlock = registersPerBlock(Device, Registers, Warps);
    return PerBlock ? Device.RegistersPerSM / PerBlock : Unlimited;
  }
  uint64_t PerWarp = alignTo(uint64_t(Registers) * Device.WarpSize, Device.RegisterUnit);
  uint64_t WarpsPerScheduler = Device.RegistersPerSM / Device.SchedulersPerSM / PerWarp;
  return WarpsPerScheduler * Device.SchedulersPerSM / Warps;
}

static uint64_t allocatedShared(const DeviceInfo &Device, const KernelResources &Kernel) {
  return alignTo(Kernel.StaticShared + Kernel.DynamicShared + Device.SharedReserved, Device.SharedUnit);
}

/// Why \p Device cannot launch even one block, or the empty string.
static std::string whyImpossible(const DeviceInfo &Device, const KernelResources &Kernel, uint64_t Warps) {
  auto Exceeds = [&](const Twine &What, uint64_t Asked, uint64_t Limit) {
    return (Twine(Asked) + " " + What + "; " + Device.Arch + " allows " + Twine(Limit)).str();
  };
  if (Kernel.ThreadsPerBlock > Device.ThreadsPerBlock)
    return Exceeds("threads per block", Kernel.ThreadsPerBlock, Device.ThreadsPerBlock);
  if (Kernel.Registers > Device.RegistersPerThread)
    return Exceeds("registers per thread", Kernel.Registers, Device.RegistersPerThread);
  uint64_t Registers = registersPerBlock(Device, Kernel.Registers, Warps);
  if (Registers > Device.RegistersPerBlock)
    return Exceeds("registers per block", Registers, Device.RegistersPerBlock);
  if (Kernel.StaticShared > Device.SharedPerBlock)
    return Exceeds("bytes of static shared memory per block", Kernel.StaticShared, Device.SharedPerBlock);
  uint64_t Limit = Kernel.SharedOptIn ? Device.SharedPerBlockOptIn : Device.SharedPerBlock;
  uint64_t Shared = SaturatingAdd(Kernel.StaticShared, Kernel.DynamicShared);
  if (Shared > Limit)
    return Exceeds("bytes of shared memory per block", Shared, Limit);
  if (Device.BarriersPerSM && Kernel.Barriers > Device.BarriersPerSM)
    return Exceeds("named barriers per block", Kernel.Barriers, Device.BarriersPerSM);
  return "";
}

Occupancy computeOccupancy(const DeviceInfo &Device, const KernelResources &Kernel) {
  Occupancy Result;
  uint64_t Warps = divideCeil(Kernel.ThreadsPerBlock, Device.WarpSize);
  if (Warps == 0) {
    Result.Reason = "a block without threads";
    return Result;
  }
  Result.Reason = whyImpossible(Device, Kernel, Warps);
  if (!Result.Reason.empty())
    return Result;

  uint64_t Shared = allocatedShared(Device, Kernel);
  bool BarriersLimit = Device.BarriersPerSM && Kernel.Barriers;
  const std::pair<OccupancyLimiter, uint64_t> Limits[] = {
      {OccupancyLimiter::Warps, Device.WarpsPerSM / Warps},
      {OccupancyLimiter::Blocks, Device.BlocksPerSM},
      {OccupancyLimiter::Registers, blocksByRegisters(Device, Kernel.Registers, Warps)},
      {OccupancyLimiter::Shared, Shared ? Device.SharedPerSM / Shared : Unlimited},
      {OccupancyLimiter::Barriers, BarriersLimit ? Device.BarriersPerSM / Kernel.Barriers : Unlimited},
  };
  const auto &Tightest = *min_element(Limits, [](auto &A, auto &B) { return A.second < B.second; });
  Result.WarpsPerBlock = Warps;
  if (Tightest.second == 0) {
    Result.Reason =
        ("one block takes more " + limiterName(Tightest.first) + " than an SM of " + Device.Arch + " has")
            .str();
    return Result;
  }
  Result.Limiter = Tightest.first;
  Result.BlocksPerSM = Tightest.second;
  Result.ActiveWarps = Result.BlocksPerSM * Warps;
  Result.Fraction = double(Result.ActiveWarps) / Device.WarpsPerSM;
  return Result;
}

uint64_t l1BytesBeside(const DeviceInfo &Device, uint64_t SharedInUse) {
  if (SharedInUse == 0)
    return Device.L1AndSharedPerSM;
  for (unsigned KiB : Device.CarveOutsKiB)
    if (uint64_t CarveOut = uint64_t(KiB) * 1024; CarveOut >= SharedInUse)
      return Device.L1AndSharedPerSM - CarveOut;
  return 0;
}

} // namespace gpuprune
