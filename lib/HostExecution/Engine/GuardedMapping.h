//===- GuardedMapping.h - Pages between zones that nothing may touch -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_GUARDEDMAPPING_H
#define GPUPRUNE_LIB_HOSTEXECUTION_GUARDEDMAPPING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <utility>

namespace gpuprune {

/// Zeroed pages in the middle of reserved address space. The reserve is large,
/// for it costs nothing, and shrinks where the process may not have so much.
class GuardedMapping {
public:
  /// At least one page for \p Bytes. Io error with the system's words.
  /// \p Closed: the pages cannot be accessed until they are opened.
  static llvm::Expected<GuardedMapping> create(uint64_t Bytes, bool Closed = false);
  GuardedMapping() = default;
  GuardedMapping(GuardedMapping &&Other) { *this = std::move(Other); }
  GuardedMapping &operator=(GuardedMapping &&Other) {
    std::swap(Reserve, Other.Reserve);
    std::swap(ReserveBytes, Other.ReserveBytes);
    std::swap(Guard, Other.Guard);
    return *this;
  }
  ~GuardedMapping();

  llvm::MutableArrayRef<char> pages() { return {Reserve + Guard, ReserveBytes - 2 * Guard}; }
  llvm::ArrayRef<char> pages() const { return {Reserve + Guard, ReserveBytes - 2 * Guard}; }
  /// Makes whole pages accessible, also in a signal handler; false without memory.
  bool open(char *Begin, char *End);
  /// Gives the memory of all pages back; what touches them faults as in the zones.
  void close();
  /// Whether \p Address is in the pages or in the zones around them.
  bool reserves(uint64_t Address) const {
    return Address - reinterpret_cast<uint64_t>(Reserve) < ReserveBytes;
  }

private:
  char *Reserve = nullptr;
  size_t ReserveBytes = 0;
  size_t Guard = 0; ///< Bytes of either zone.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_GUARDEDMAPPING_H
