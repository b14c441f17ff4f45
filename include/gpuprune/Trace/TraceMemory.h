//===- TraceMemory.h - Device memory that is filled where it is read --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRACE_TRACEMEMORY_H
#define GPUPRUNE_TRACE_TRACEMEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace gpuprune {

/// Buffers at addresses of their own, which nothing is behind until it is read or written.
class TraceMemory {
public:
  /// Puts what belongs at \p Offset, a multiple of PageBytes, into \p Bytes.
  using Fill = std::function<void(uint64_t Offset, llvm::MutableArrayRef<char> Bytes)>;

  /// Each begins at a multiple of this, as what cudaMalloc() makes does.
  static constexpr uint64_t Alignment = 256;
  static constexpr uint64_t PageBytes = 256;

  /// The address of a buffer of \p Bytes; zeros where \p Filled is empty.
  uint64_t add(uint64_t Bytes, Fill Filled);

  struct Extent {
    uint64_t Begin = 0, Bytes = 0;
  };
  /// The buffer that \p Address is in.
  std::optional<Extent> find(uint64_t Address) const;

  /// False where not all of it is in one buffer; then nothing happens.
  bool read(uint64_t Address, llvm::MutableArrayRef<char> Into) {
    uint64_t At = Address % PageBytes;
    if (Address / PageBytes != LastPage || Address + Into.size() > LastEnd || At + Into.size() > PageBytes)
      return readAnywhere(Address, Into);
    std::memcpy(Into.data(), Last + At, Into.size());
    return true;
  }
  bool write(uint64_t Address, llvm::ArrayRef<char> From);

private:
  struct Buffer {
    uint64_t Bytes;
    Fill Filled;
  };
  std::vector<Buffer> Buffers; ///< By their addresses.
  llvm::DenseMap<uint64_t, std::unique_ptr<char[]>> Pages;
  uint64_t LastPage = ~uint64_t(0), LastEnd = 0; ///< The page looked at last, and the end of its buffer.
  char *Last = nullptr;

  char *page(uint64_t Number);
  bool readAnywhere(uint64_t Address, llvm::MutableArrayRef<char> Into);
  template <typename Visitor> bool forEachPart(uint64_t Address, uint64_t Bytes, Visitor Visit);
};

} // namespace gpuprune

#endif // GPUPRUNE_TRACE_TRACEMEMORY_H
