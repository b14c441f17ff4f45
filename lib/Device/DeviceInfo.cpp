//===- DeviceInfo.cpp - What a GPU has and allows -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Device/DeviceInfo.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune {

static const DeviceInfo Devices[] = {
#define DEVICE(...) DeviceInfo{__VA_ARGS__},
#include "gpuprune/Device/Devices.def"
};

static constexpr GpuName OtherNames[] = {
#define GPU_NAME(NAME, ARCH, SMS) {NAME, ARCH, SMS},
#include "gpuprune/Device/GpuNames.def"
};

ArrayRef<DeviceInfo> allDevices() { return Devices; }

ArrayRef<GpuName> otherGpuNames() { return OtherNames; }

/// "sm_90a" and "sm_100f" name instruction sets of the same device as "sm_90" and "sm_100".
static StringRef withoutFeatureSuffix(StringRef Arch) {
  if (Arch.starts_with("sm_") && (Arch.ends_with("a") || Arch.ends_with("f")))
    return Arch.drop_back();
  return Arch;
}

/// "NVIDIA GeForce RTX 4090", "RTX 4090" and "rtx4090" are one name.
static std::string plainGpuName(StringRef Name) {
  std::string Plain;
  for (char C : Name)
    if (isAlnum(C))
      Plain += toLower(C);
  StringRef Rest = Plain;
  for (StringRef Brand : {"nvidia", "geforce", "tesla", "quadro"})
    Rest.consume_front(Brand);
  return Rest.str();
}

/// "8.6" of "sm_86", "10.0" of "sm_100".
static std::string computeCapability(StringRef Arch) {
  StringRef Digits = Arch.drop_front(StringRef("sm_").size());
  return (Digits.drop_back() + "." + Digits.take_back()).str();
}

static StringRef oldestTarget() {
  return find_if(Devices, [](const DeviceInfo &D) { return !D.PapersOnly; })->Arch;
}

static Error hasNoRow(const GpuName &Gpu) {
  std::string Has = (Twine(Gpu.Name) + " has compute capability " + computeCapability(Gpu.Arch)).str();
  const auto *Device = find_if(Devices, [&](const DeviceInfo &D) { return Gpu.Arch == StringRef(D.Arch); });
  if (Device == std::end(Devices))
    return makeError(ErrorKind::Usage, Has + ", which is not in the table of devices; code is made for " +
                                           oldestTarget() + " and later");
  return makeError(ErrorKind::Usage, Twine(Has) + "; use " + Gpu.Arch +
                                         " instead: all limits are the same, and the metrics are computed "
                                         "for the " +
                                         Twine(Device->SMCount) + " SMs of " + Device->Name);
}

Expected<const DeviceInfo *> findDevice(StringRef Name) {
  StringRef Arch = withoutFeatureSuffix(Name);
  std::string Plain = plainGpuName(Name);
  SmallVector<StringRef, 64> Known;
  for (const DeviceInfo &Device : Devices) {
    if (Arch == Device.Arch || Plain == plainGpuName(Device.Name))
      return &Device;
    Known.push_back(Device.Arch);
    Known.push_back(Device.Name);
  }
  for (const GpuName &Gpu : OtherNames) {
    const DeviceInfo *Row = find_if(Devices, [&](const DeviceInfo &D) { return Gpu.isDescribedBy(D); });
    if (Plain == plainGpuName(Gpu.Name)) {
      if (Row == std::end(Devices))
        return hasNoRow(Gpu);
      return Row;
    }
    if (Row != std::end(Devices))
      Known.push_back(Gpu.Name);
  }
  return makeError(ErrorKind::Usage, "unknown device '" + Name + "'" + nearestNameHint(Name, Known));
}

Expected<const DeviceInfo *> findTargetDevice(StringRef Name) {
  Expected<const DeviceInfo *> Device = findDevice(Name);
  if (!Device || !(*Device)->PapersOnly)
    return Device;
  return makeError(ErrorKind::Usage, Twine((*Device)->Name) + " (" + (*Device)->Arch +
                                         ") is known for the papers' figures only; code is made for " +
                                         oldestTarget() + " and later");
}

static Error checkExtent(const DeviceInfo &Device, StringRef What, const Dim3 &Extent, const Dim3 &Max) {
  for (unsigned D = 0; D != 3; ++D)
    if (Extent[D] < 1 || Extent[D] > Max[D])
      return makeError(ErrorKind::Resources, What + " dimension " + Twine("xyz"[D]) + " is " +
                                                 Twine(Extent[D]) + "; " + Device.Arch + " allows 1 to " +
                                                 Twine(Max[D]));
  return Error::success();
}

Error checkLaunchLimits(const DeviceInfo &Device, const Dim3 &Grid, const Dim3 &Block) {
  if (Error E = checkExtent(Device, "grid", Grid, Device.GridMax))
    return E;
  if (Error E = checkExtent(Device, "block", Block, Device.BlockMax))
    return E;
  int64_t Threads = Block.X * Block.Y * Block.Z; // No overflow: each is within the device's limit.
  if (Threads > Device.ThreadsPerBlock)
    return makeError(ErrorKind::Resources, "a block of " + Twine(Block.X) + " x " + Twine(Block.Y) + " x " +
                                               Twine(Block.Z) + " has " + Twine(Threads) + " threads; " +
                                               Device.Arch + " allows " + Twine(Device.ThreadsPerBlock));
  return Error::success();
}

} // namespace gpuprune
