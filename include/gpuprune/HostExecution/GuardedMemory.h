//===- GuardedMemory.h - Buffers between guard zones -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Global memory of a kernel that runs on the CPU. Every buffer lies between two
// zones of address space that nothing may touch, so that an index that is wrong,
// even by gigabytes, is a fault that names the buffer. What is left of the
// buffer's first and last page holds a pattern that is checked after a launch.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_HOSTEXECUTION_GUARDEDMEMORY_H
#define GPUPRUNE_HOSTEXECUTION_GUARDEDMEMORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

/// Which end of a buffer lies directly at its guard zone; an access just beyond
/// the other end can stay in the same page, and is then only seen if it writes.
enum class GuardSide { End, Start };

/// One allocation. Its first byte is aligned to 256 with GuardSide::Start, like
/// cudaMalloc's, and to 16 with GuardSide::End.
struct GuardedBuffer {
  std::string Name;
  char *Data = nullptr;
  uint64_t Bytes = 0;

  llvm::MutableArrayRef<char> bytes() const { return {Data, size_t(Bytes)}; }
  template <typename T> llvm::MutableArrayRef<T> as() const {
    return {reinterpret_cast<T *>(Data), size_t(Bytes / sizeof(T))};
  }
};

/// An address in words: the buffer that it is in or nearest to, within the
/// buffer's guard zones.
struct BufferPlace {
  std::string Buffer;
  int64_t Offset = 0; ///< From the buffer's first byte; may be negative.
  uint64_t BufferBytes = 0;
};

/// The buffers that kernels may touch. Not for several threads at once, but a
/// launch may read it while it runs.
class GuardedMemory {
public:
  GuardedMemory();
  ~GuardedMemory();
  GuardedMemory(GuardedMemory &&) noexcept;
  GuardedMemory &operator=(GuardedMemory &&) noexcept;

  /// A buffer of \p Bytes, which may be 0, every byte of it \p Fill. Resources
  /// error where the address space or the memory does not suffice. The reference
  /// stays valid until the buffer is released or the memory is destroyed.
  llvm::Expected<GuardedBuffer &> allocate(llvm::StringRef Name, uint64_t Bytes, uint8_t Fill = 0xFF,
                                           GuardSide Side = GuardSide::End);

  /// Frees \p Buffer, one of these. Its place stays closed until MostReleased others have been freed:
  /// an access is a fault, whose place is named "NAME, freed".
  void release(const GuardedBuffer &Buffer);
  static constexpr size_t MostReleased = 256;

  /// Puts what belongs at \p Offset of a buffer, a multiple of 16, into \p Bytes. Called
  /// while a kernel is interrupted: without locks and without memory of its own.
  using LazyFill = std::function<void(uint64_t Offset, llvm::MutableArrayRef<char> Bytes)>;

  /// A buffer of which only what a kernel touches is ever filled: for kernels that run a
  /// small part of a large launch. It begins at a multiple of 256, like cudaMalloc's, because the sectors
  /// that are counted depend on it. Launches over such memory have one worker, and there is one at a time;
  /// nobody else may look at the buffer. Resources error as above.
  llvm::Expected<GuardedBuffer &> allocateLazily(llvm::StringRef Name, uint64_t Bytes, LazyFill Fill);
  bool isLazy() const;
  /// Fills what is at \p Address if it belongs to a lazy buffer and has not been filled.
  /// False where that is not so, or too much has been filled: the access is a fault then.
  bool fillLazily(const char *Address) const;
  /// Bytes of lazy buffers that have been filled; at most how many are, for there may not be
  /// any number of mappings; and whether more were asked for.
  uint64_t lazilyFilled() const;
  static constexpr uint64_t MostLazyBytes = uint64_t(96) << 20;
  bool isLazilyFull() const;

  /// No byte of \p Buffer counts as written any more, but those for which \p Written, one byte for each of
  /// the buffer's or none at all, is not 0: where a program is made with HostOptions::WatchMemory, reading
  /// one before something writes it is a fault.
  void markUnwritten(const GuardedBuffer &Buffer, llvm::ArrayRef<uint8_t> Written = {});

  /// Where \p Address is; none where it is in no buffer and no guard zone.
  std::optional<BufferPlace> find(uint64_t Address) const;

  /// The first byte beside a buffer that is no longer what it was: something
  /// wrote there.
  std::optional<BufferPlace> findOverwrittenGuard() const;

  /// The buffer that \p Address is in; null where it is in none.
  const GuardedBuffer *bufferAt(const char *Address) const;
  /// What \p Buffer, one of these, holds; of a lazy one all is filled then, or false.
  bool fillWhole(const GuardedBuffer &Buffer) const;

  /// A buffer and whether each of its bytes has been written; Written is null where
  /// that is not asked for, Buffer where an address belongs to none.
  struct WatchedBuffer {
    const GuardedBuffer *Buffer = nullptr;
    uint8_t *Written = nullptr;
  };
  WatchedBuffer watchedAt(const void *Address) const;

private:
  struct Allocation;
  struct LazyPages;
  std::vector<std::unique_ptr<Allocation>> Allocations;
  std::vector<std::unique_ptr<Allocation>> Released; ///< The oldest first.
};

} // namespace gpuprune

#endif // GPUPRUNE_HOSTEXECUTION_GUARDEDMEMORY_H
