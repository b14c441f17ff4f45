//===- DeviceMemory.h - What a launch reaches of the GPU's memory --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RECORD_DEVICEMEMORY_H
#define GPUPRUNE_LIB_RECORD_DEVICEMEMORY_H

#include "RecordDriver.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <string>

namespace gpuprune {

/// The allocations that words point into.
class ReachedMemory {
public:
  explicit ReachedMemory(const RecordDriver &Driver) : Driver(&Driver) {}

  /// Adds what the aligned words of 8 bytes in \p Content point into. False with the reason in \p Why for
  /// memory that cannot be recorded.
  bool add(llvm::ArrayRef<uint8_t> Content, std::string &Why);
  /// The same for contents of memory, in which most words are no pointers: only those count that lie where
  /// the allocations lie that are known, and what cannot be recorded is left out.
  void follow(llvm::ArrayRef<uint8_t> Content);

  /// Bytes by address, without overlaps.
  const std::map<uint64_t, uint64_t> &allocations() const { return Allocations; }
  uint64_t bytes() const;

private:
  bool addAddress(uint64_t Address, std::string &Why);
  bool isKnown(uint64_t Address) const;
  bool isMapped(uint64_t Start, uint64_t Bytes) const;

  const RecordDriver *Driver;
  size_t Questions = 0; ///< Of follow().
  std::map<uint64_t, uint64_t> Allocations;
};

/// Anonymous memory for a copy, whose failure is an answer and not the end of the process.
class HostBuffer {
public:
  HostBuffer() = default;
  ~HostBuffer();
  HostBuffer(const HostBuffer &) = delete;
  HostBuffer &operator=(const HostBuffer &) = delete;
  /// \p Bytes of memory, in place of what was there; null where there is none.
  uint8_t *resize(uint64_t Bytes);
  llvm::ArrayRef<uint8_t> content() const { return {Data, size_t(Bytes)}; }

private:
  uint8_t *Data = nullptr;
  uint64_t Bytes = 0, Mapped = 0;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RECORD_DEVICEMEMORY_H
