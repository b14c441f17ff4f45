//===- CpuRuntime.h - State of the CUDA runtime for the CPU -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything happens in the call that asks for it: launches and copies are over when the call returns,
// whatever stream they are given. One lock is held during each call.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_CUDA_RUNTIME_CPURUNTIME_H
#define GPUPRUNE_TEST_CUDA_RUNTIME_CPURUNTIME_H

#include "DeviceImage.h"
#include "DeviceMemory.h"
#include "LaunchRecorder.h"
#include "Settings.h"
#include "llvm/ADT/DenseMap.h"
#include <cuda_runtime_api.h>
#include <mutex>
#include <set>

namespace gpuprune {

/// What one __cudaRegisterFatBinary() registered.
struct RegisteredCode {
  std::vector<ArchCode> Codes;
  std::string Problem;                                ///< Why there are none; empty if there are.
  std::map<int, std::unique_ptr<DeviceImage>> Loaded; ///< By device, when first needed.
};

/// A kernel or a variable as the host's code knows it: an address of its own.
struct HostSymbol {
  RegisteredCode *Code = nullptr;
  std::string Name; ///< Symbol in the device code.
};

/// A kernel on a device.
struct FoundKernel {
  DeviceImage *Image = nullptr;
  ImageKernel *Kernel = nullptr;
};

class CpuRuntime {
public:
  /// The only one. Ends the program if the environment has values that cannot be read.
  static CpuRuntime &get();

  std::recursive_mutex Lock;
  Settings Set;
  DeviceMemory Memory;
  std::unique_ptr<LaunchRecorder> Recorder; ///< Null where nothing is recorded.
  std::vector<cudaError_t> Sticky;          ///< By device: what a kernel did there; cudaSuccess at first.
  std::set<cudaStream_t> Streams;
  std::set<cudaEvent_t> Events;

  /// Of the calling thread.
  static int &currentDevice();
  static cudaError_t &lastError();

  /// What every device is said to have.
  static constexpr size_t DeviceBytes = size_t(16) << 30;

  const DeviceInfo &device(int Index) const { return *Set.Devices[Index]; }
  bool hasDevice(int Index) const { return Index >= 0 && size_t(Index) < Set.Devices.size(); }

  /// Whether a program may pass it: one that it made, or one that every program has.
  bool isStream(cudaStream_t Stream) const;

  RegisteredCode *registerCode(const void *FatBinaryWrapper);
  void unregisterCode(RegisteredCode *Code);
  void registerFunction(const void *Host, HostSymbol Symbol) { Functions[Host] = std::move(Symbol); }
  void registerVariable(const void *Host, HostSymbol Symbol) { Variables[Host] = std::move(Symbol); }

  /// The kernel behind \p Host on the current device. cudaErrorInvalidDeviceFunction if its
  /// code has no such kernel, cudaErrorNoKernelImageForDevice if there is no code for the device.
  cudaError_t findKernel(const void *Host, FoundKernel &Found);
  /// Likewise; cudaErrorInvalidSymbol.
  cudaError_t findVariable(const void *Host, const GuardedBuffer *&Found);

  /// Writes a line to stderr.
  void complain(const llvm::Twine &Message) const;
  /// Also lets the program end with a status that is not 0.
  void fail(const llvm::Twine &Message);
  bool failed() const { return Failed; }

private:
  CpuRuntime() = default;
  cudaError_t load(RegisteredCode &Code, DeviceImage *&Image);

  std::vector<std::unique_ptr<RegisteredCode>> Registered;
  llvm::DenseMap<const void *, HostSymbol> Functions, Variables;
  bool Failed = false;
};

/// Runs \p Body, which returns a cudaError_t, as an API call does: alone, not after a kernel's
/// fault, and what it returns is the thread's last error if it is one.
template <typename F> cudaError_t callApi(F Body) {
  CpuRuntime &Runtime = CpuRuntime::get();
  std::lock_guard<std::recursive_mutex> Guard(Runtime.Lock);
  cudaError_t Status = Runtime.Sticky[CpuRuntime::currentDevice()];
  if (Status == cudaSuccess)
    Status = Body(Runtime);
  if (Status != cudaSuccess && Status != cudaErrorNotReady)
    CpuRuntime::lastError() = Status;
  return Status;
}

} // namespace gpuprune

#endif // GPUPRUNE_TEST_CUDA_RUNTIME_CPURUNTIME_H
