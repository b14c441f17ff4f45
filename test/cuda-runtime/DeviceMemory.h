//===- DeviceMemory.h - Memory that programs get from the runtime -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_CUDA_RUNTIME_DEVICEMEMORY_H
#define GPUPRUNE_TEST_CUDA_RUNTIME_DEVICEMEMORY_H

#include "gpuprune/HostExecution/GuardedMemory.h"
#include <map>

namespace gpuprune {

enum class MemoryKind {
  Device,  ///< cudaMalloc
  Managed, ///< cudaMallocManaged
  Host,    ///< cudaHostAlloc
  Variable ///< __device__ or __constant__
};

struct DeviceBuffer {
  MemoryKind Kind = MemoryKind::Device;
  int Device = 0;
  const GuardedBuffer *Buffer = nullptr;
};

/// The buffers of all devices. Not for several threads at once.
class DeviceMemory {
public:
  /// \p Bytes of 0xFF, aligned to 256. The buffer lies directly before a guard zone if its
  /// size is a multiple of 256, else directly behind one. The name in messages is \p Name and
  /// a number. Resources error.
  llvm::Expected<char *> allocate(MemoryKind Kind, int Device, llvm::StringRef Name, uint64_t Bytes);
  /// Frees the buffer of a kind that begins at \p Address; false if there is none.
  bool release(const void *Address, llvm::ArrayRef<MemoryKind> Kinds);

  /// The buffer that \p Address is in; null if it is in none.
  const DeviceBuffer *find(const void *Address) const;
  /// The buffer that all \p Bytes from \p Address are in; null if they are in none.
  const DeviceBuffer *find(const void *Address, uint64_t Bytes) const;
  uint64_t usedBytes(int Device) const;
  const GuardedMemory &guarded() const { return Memory; }

private:
  GuardedMemory Memory;
  std::map<const char *, DeviceBuffer> Buffers; ///< By first byte.
  unsigned Made = 0;
};

} // namespace gpuprune

#endif // GPUPRUNE_TEST_CUDA_RUNTIME_DEVICEMEMORY_H
