//===- DeviceBuffers.h - A problem's buffers on the device ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_DEVICEBUFFERS_H
#define GPUPRUNE_LIB_RUNTIME_DEVICEBUFFERS_H

#include "Gpu.h"
#include "LruCache.h"
#include "gpuprune/Runtime/Compare.h"

namespace gpuprune {

using HostBytes = std::vector<uint8_t>;

/// A buffer between two guard zones.
class DeviceBuffer {
public:
  /// \p Initial is null for an out buffer.
  static llvm::Expected<std::shared_ptr<DeviceBuffer>> create(const Gpu &G, const protocol::Buffer &Shape,
                                                              std::shared_ptr<HostBytes> Initial);
  CUdeviceptr address() const;
  const protocol::Buffer &shape() const { return Shape; }

  /// Brings the buffer and its guards into the state a run starts from.
  llvm::Error prepare(uint8_t Pattern) const;
  /// Brings an inout buffer back to its initial contents.
  llvm::Error restore() const;
  llvm::Expected<std::optional<protocol::Mismatch>> checkGuards(uint8_t Pattern) const;
  /// For an in buffer: whether it still holds what it held.
  llvm::Expected<std::optional<protocol::Mismatch>> checkUnchanged() const { return checkCopy(address()); }
  /// The same of a copy of an in buffer at \p At.
  llvm::Expected<std::optional<protocol::Mismatch>> checkCopy(CUdeviceptr At) const;

private:
  DeviceBuffer(const Gpu &G, const protocol::Buffer &Shape) : Owner(G), Shape(Shape) {}
  const Gpu &Owner;
  protocol::Buffer Shape;
  DeviceMemory Memory;
  DeviceMemory Pristine; ///< An inout buffer's initial contents.
  std::shared_ptr<HostBytes> Initial;
};

/// The buffers of one problem, in order.
class BufferSet {
public:
  explicit BufferSet(std::vector<std::shared_ptr<DeviceBuffer>> Buffers) : Buffers(std::move(Buffers)) {}
  llvm::ArrayRef<std::shared_ptr<DeviceBuffer>> buffers() const { return Buffers; }
  llvm::Error prepare(uint8_t Pattern) const;
  llvm::Error restore() const;
  llvm::Expected<std::optional<protocol::Mismatch>> checkGuards(uint8_t Pattern) const;
  llvm::Expected<std::optional<protocol::Mismatch>> checkInputs() const;

private:
  std::vector<std::shared_ptr<DeviceBuffer>> Buffers;
};

/// Keeps buffers on the device between jobs. A buffer's contents are part of
/// its key, so inputs are generated and uploaded once.
class BufferPool {
public:
  BufferPool(const Gpu &G, uint64_t HostBudget);
  /// Error: status memory when they do not fit together, error for a fill that is not possible.
  /// Sets of different \p Copy numbers share no memory.
  llvm::Expected<BufferSet> acquire(const protocol::Problem &P, uint32_t Copy = 0);
  /// After a job that failed: what it wrote and where is not known. Of all copies.
  void forgetContents(const protocol::Problem &P);

private:
  llvm::Expected<std::shared_ptr<HostBytes>> initialContents(const protocol::Buffer &B);
  llvm::Expected<std::shared_ptr<DeviceBuffer>> acquireOne(const protocol::Buffer &B, const std::string &Key);

  const Gpu &Owner;
  LruCache<HostBytes> Host;
  LruCache<DeviceBuffer> Device; ///< Bounded by the device's memory.
  uint32_t Copies = 1;           ///< One more than the highest copy number so far.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_DEVICEBUFFERS_H
