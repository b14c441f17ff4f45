//===- FiberStacks.h - Stacks of CUDA threads ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_FIBERSTACKS_H
#define GPUPRUNE_LIB_HOSTEXECUTION_FIBERSTACKS_H

#include "ThreadContext.h"
#include "llvm/Support/Error.h"

namespace gpuprune {

/// Stacks side by side in reserved address space. Each is a power of two of bytes
/// at a multiple of that, its lowest page a guard; memory is taken when touched.
class FiberStacks {
public:
  FiberStacks() = default;
  FiberStacks(const FiberStacks &) = delete;
  ~FiberStacks() { release(); }

  /// At least \p Count stacks of at least \p Bytes each. Io error with the system's words.
  llvm::Error ensure(unsigned Count, size_t Bytes);

  size_t bytes() const { return StackBytes; }
  ThreadContext &context(unsigned Index) const {
    return *reinterpret_cast<ThreadContext *>(begin(Index) + StackBytes - ContextBytes);
  }
  /// Where the stack starts, a multiple of 16. Stacks start at different distances
  /// from their ends: at equal ones, all would compete for the same cache lines.
  char *top(unsigned Index) const {
    size_t Colour = Index * 192 % 4096 + Index % 8 * 4096;
    return begin(Index) + StackBytes - ContextBytes - Colour;
  }
  /// The stack whose guard holds \p Address, or -1.
  int guardAt(const void *Address) const;
  bool contains(const void *Address) const {
    return Address >= First && Address < First + StackBytes * Count;
  }

private:
  void *Reserve = nullptr;
  size_t ReserveBytes = 0;
  char *First = nullptr;
  size_t StackBytes = 0;
  unsigned Count = 0;

  char *begin(unsigned Index) const { return First + StackBytes * Index; }
  void release();
};

/// The size of a stack for functions whose frames sum up to \p FrameBytes.
size_t stackBytesFor(uint64_t FrameBytes);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_FIBERSTACKS_H
