//===- DeviceInfo.h - What a GPU has and allows ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One row a compute capability, from Devices.def. Every limit of a device that
// any part of the project needs is a field here.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DEVICE_DEVICEINFO_H
#define GPUPRUNE_DEVICE_DEVICEINFO_H

#include "gpuprune/Device/Throughput.h"
#include "gpuprune/Support/Dim3.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>

namespace gpuprune {

/// Whether the hardware rounds up the registers of a whole block or of each warp.
enum class RegisterGranularity { Block, Warp };

/// Limits of one GPU. Sizes of memory are bytes, registers have 32 bits, and
/// "SM" is a streaming multiprocessor.
struct DeviceInfo {
  const char *Arch; ///< "sm_90"
  const char *Name; ///< A GPU of that architecture.
  /// Of the GPU in Name. Other GPUs of the same compute capability have other
  /// numbers; everything else here is the same for all of them.
  unsigned SMCount;

  unsigned ThreadsPerSM;
  unsigned WarpsPerSM;
  unsigned BlocksPerSM;
  /// Named barriers of an SM, 0 where they do not limit residency.
  unsigned BarriersPerSM;
  unsigned SharedPerSM;
  unsigned SharedPerBlock;      ///< Without opting in; also the limit of static shared memory.
  unsigned SharedPerBlockOptIn; ///< The most after raising the kernel's limit.
  unsigned SharedReserved;      ///< Taken by the system from every block.
  unsigned SharedUnit;          ///< A block's shared memory is rounded up to this.
  unsigned L1AndSharedPerSM;    ///< The memory that L1 and shared memory divide; 0 where there is no L1.
  /// The parts of it, in KiB and ascending, that the driver can make shared
  /// memory, besides none at all; unused places are 0.
  std::array<unsigned, 9> CarveOutsKiB;

  unsigned WarpSize;
  unsigned ThreadsPerBlock;
  Dim3 BlockMax;
  Dim3 GridMax;
  unsigned RegistersPerSM;
  unsigned RegistersPerBlock;
  unsigned RegistersPerThread;
  RegisterGranularity RegisterRounding;
  unsigned RegisterUnit; ///< Registers are rounded up to this for a warp or a block.
  unsigned WarpUnit;     ///< A block's warps are rounded up to this when its registers are counted.
  /// Schedulers of an SM; where registers are given to warps, each has an equal
  /// part of the register file.
  unsigned SchedulersPerSM;
  /// Too old for today's compilers: the row serves the figures of the papers.
  bool PapersOnly = false;
  Throughputs Throughput;
};

/// What code is made for where nobody says.
inline constexpr llvm::StringLiteral DefaultDevice = "sm_90";

/// All rows, oldest first.
llvm::ArrayRef<DeviceInfo> allDevices();

/// A GPU by the name that NVIDIA sells it under, beside those in the rows of DeviceInfo.
struct GpuName {
  const char *Name;
  const char *Arch; ///< "sm_86"; perhaps one without a row.
  unsigned SMCount; ///< 0 if it is not known here.

  /// Whether it is described by the row \p Device in all its numbers.
  bool isDescribedBy(const DeviceInfo &Device) const {
    return llvm::StringRef(Arch) == Device.Arch && SMCount == Device.SMCount;
  }
};
llvm::ArrayRef<GpuName> otherGpuNames();

/// The row of an architecture ("sm_90", also "sm_90a") or of a GPU's name
/// ("H200", "NVIDIA GeForce RTX 4090", "rtx4090"), also of a GPU with the same number
/// of SMs as that of the row. An error of kind Usage gives the compute capability
/// of other known GPUs, or the nearest name.
llvm::Expected<const DeviceInfo *> findDevice(llvm::StringRef Name);

/// The same for a device that code is to be made for: a row that is PapersOnly is
/// a Usage error.
llvm::Expected<const DeviceInfo *> findTargetDevice(llvm::StringRef Name);

/// Success where \p Device can launch this grid of these blocks at all; an error
/// of kind Resources names the limit that is exceeded. Registers and shared
/// memory are computeOccupancy's part.
llvm::Error checkLaunchLimits(const DeviceInfo &Device, const Dim3 &Grid, const Dim3 &Block);

} // namespace gpuprune

#endif // GPUPRUNE_DEVICE_DEVICEINFO_H
