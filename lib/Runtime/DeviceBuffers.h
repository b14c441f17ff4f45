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

/// Bytes that are kept, and what tells whether they are still the same.
struct HostBytes {
  std::vector<uint8_t> Bytes;
  std::string Hash = {}; ///< contentHash of them.
};

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
  /// Whether an in buffer still holds what it held, and an inout buffer would be restored to it. Looks only
  /// where something was launched since it did last.
  llvm::Expected<std::optional<protocol::Mismatch>> checkUnchanged() const;
  /// Whether the memory at \p At holds the initial contents.
  llvm::Expected<std::optional<protocol::Mismatch>> checkCopy(CUdeviceptr At) const;

private:
  DeviceBuffer(const Gpu &G, const protocol::Buffer &Shape)
      : Owner(G), Shape(Shape), SeenAfter(G.launches()) {}
  const Gpu &Owner;
  protocol::Buffer Shape;
  DeviceMemory Memory;
  DeviceMemory Pristine; ///< An inout buffer's initial contents.
  std::shared_ptr<HostBytes> Initial;
  mutable uint64_t SeenAfter; ///< Launches before it was last known to be unchanged.
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
  /// Buffers that hold what they should: where one that was kept does not, all are made anew, since nobody
  /// knows which program wrote where it should not. Sets of different \p Copy numbers share no memory.
  /// Error: status memory when they do not fit together, error for a fill that is not possible.
  llvm::Expected<BufferSet> acquire(const protocol::Problem &P, uint32_t Copy = 0);
  /// After a program that failed: what it wrote and where is not known, so this is of all problems.
  void forgetContents() { Device.clear(); }
  /// What \p B holds at first; kept, and made anew where that was written over.
  llvm::Expected<std::shared_ptr<HostBytes>> initialContents(const protocol::Buffer &B);

private:
  llvm::Expected<BufferSet> acquireAll(const protocol::Problem &P, uint32_t Copy);
  llvm::Expected<std::shared_ptr<DeviceBuffer>> acquireOne(const protocol::Buffer &B, const std::string &Key);

  const Gpu &Owner;
  LruCache<HostBytes> Host;
  LruCache<DeviceBuffer> Device; ///< Bounded by the device's memory.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_DEVICEBUFFERS_H
