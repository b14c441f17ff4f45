//===- Gpu.h - One device and its memory ----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_GPU_H
#define GPUPRUNE_LIB_RUNTIME_GPU_H

#include "CudaDriver.h"
#include "gpuprune/Runtime/Protocol.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>

namespace gpuprune {

/// Why a job could not be carried out, as its result will say it.
class JobFailure : public llvm::ErrorInfo<JobFailure> {
public:
  static char ID;
  /// \p Culprit: name of the rival that failed.
  JobFailure(protocol::ResultStatus Status, const llvm::Twine &Text, llvm::StringRef Culprit = "")
      : Status(Status), Text(Text.str()), Culprit(Culprit) {}
  protocol::ResultStatus status() const { return Status; }
  const std::string &text() const { return Text; }
  const std::string &culprit() const { return Culprit; }
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

private:
  protocol::ResultStatus Status;
  std::string Text, Culprit;
};

/// A device with its primary context current. Everything runs on the legacy
/// default stream, so copies and kernels need no further ordering. All errors
/// are JobFailure unless said otherwise.
class Gpu {
public:
  /// Error: NoGpuError.
  static llvm::Expected<std::unique_ptr<Gpu>> open(llvm::StringRef DriverPath, int Ordinal);
  ~Gpu();
  Gpu(const Gpu &) = delete;
  Gpu &operator=(const Gpu &) = delete;

  /// What the hello line says of the device; Version is left empty.
  const protocol::Hello &description() const { return Description; }
  const CudaDriver &driver() const { return *Driver; }
  CUdevice device() const { return Device; }
  llvm::Expected<int> attribute(cuda::DeviceAttribute Which) const;
  /// Kernels of jobs that were launched so far: what was looked at after the last one is known.
  uint64_t launches() const { return Launches; }
  void noteLaunch() const { ++Launches; }
  /// "0000:3b:00.0"; empty where the driver does not say.
  std::string pciBusId() const;

  llvm::Error check(CUresult Code, const char *Call,
                    protocol::ResultStatus Status = protocol::ResultStatus::Error) const;
  /// Waits for the device; what fails here is the kernel's fault.
  llvm::Error synchronize() const;
  /// Whether the context is dead, as after an illegal address: only a new process helps.
  bool contextLost() const;

  llvm::Error upload(CUdeviceptr To, llvm::ArrayRef<uint8_t> Bytes) const;
  /// Hands over \p Bytes bytes in chunks of a multiple of 16 bytes (the last may be shorter), until \p Take
  /// says no.
  llvm::Error download(CUdeviceptr From, uint64_t Bytes,
                       llvm::function_ref<bool(llvm::ArrayRef<uint8_t>)> Take) const;
  llvm::Expected<std::vector<uint8_t>> downloadAll(CUdeviceptr From, uint64_t Bytes) const;
  llvm::Error set(CUdeviceptr To, uint8_t Pattern, uint64_t Bytes) const;
  llvm::Error copy(CUdeviceptr To, CUdeviceptr From, uint64_t Bytes) const;

  /// What is asked to free some of the device's memory where an allocation does not fit; false: it cannot.
  void setMakeRoom(std::function<bool()> Free) { MakeRoom = std::move(Free); }
  bool makeRoom() const { return MakeRoom && MakeRoom(); }

private:
  Gpu() = default;
  llvm::Error initialise(int Ordinal);
  llvm::Error describeDevice();

  std::unique_ptr<CudaDriver> Driver;
  CUdevice Device = 0;
  bool HasContext = false;
  void *Staging = nullptr; ///< Page-locked, StagingBytes long.
  protocol::Hello Description;
  mutable uint64_t Launches = 0;
  std::function<bool()> MakeRoom;
};

/// Device memory, freed at the end of its life.
class DeviceMemory {
public:
  DeviceMemory() = default;
  /// Makes room as often as it can. Error: status memory when it does not fit then.
  static llvm::Expected<DeviceMemory> allocate(const Gpu &G, uint64_t Bytes);
  DeviceMemory(DeviceMemory &&Other) noexcept { *this = std::move(Other); }
  DeviceMemory &operator=(DeviceMemory &&Other) noexcept;
  ~DeviceMemory();
  CUdeviceptr address() const { return Address; }

private:
  const Gpu *Owner = nullptr;
  CUdeviceptr Address = 0;
};

/// Two events on the default stream, and the time between them.
class EventPair {
public:
  static llvm::Expected<std::unique_ptr<EventPair>> create(const Gpu &G);
  ~EventPair();
  EventPair(const EventPair &) = delete;
  EventPair &operator=(const EventPair &) = delete;

  llvm::Error start() const;
  llvm::Error stop() const;
  /// Waits for the second. What fails here is the fault of what was launched between them.
  llvm::Expected<double> milliseconds() const;

private:
  explicit EventPair(const Gpu &G) : Owner(G) {}
  const Gpu &Owner;
  CUevent Start = nullptr, Stop = nullptr;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_GPU_H
