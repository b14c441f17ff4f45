//===- MemoryAccess.h - Accesses to memory as a kernel makes them --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_HOSTEXECUTION_MEMORYACCESS_H
#define GPUPRUNE_HOSTEXECUTION_MEMORYACCESS_H

#include <cstdint>
#include <functional>
#include <string>

namespace gpuprune {

enum class AccessKind : uint8_t {
  Load,
  Store,
  Atomic,
  /// No access but a conditional branch, only with HostOptions::WatchBranches. Address
  /// is the number of the successor that the thread takes, Bytes is 0.
  Branch
};

/// Which memory an address turned out to be in. Constant memory counts as Global;
/// AccessSite tells it apart where the code does.
enum class AccessSpace : uint8_t { Global, Shared, Local };

/// One access of one thread. A vector access is one; local arrays and arguments are
/// not watched, except through pointers of unknown origin.
struct MemoryAccess {
  AccessKind Kind = AccessKind::Load;
  AccessSpace Space = AccessSpace::Global;
  uint64_t Address = 0; ///< On this machine; GuardedMemory::find() tells the buffer.
  uint32_t Bytes = 0;
  /// Which bytes of up to 32 the code needs; a vector access may touch others, which it ignores. All of
  /// longer ones.
  uint32_t Used = ~0u;
  uint32_t Site = 0;   ///< Which instruction: HostProgram::sites().
  uint64_t Block = 0;  ///< Linear.
  uint32_t Thread = 0; ///< Linear, in its block; lane Thread % 32 of warp Thread / 32.
};

/// An access of some lanes of a warp at once, or a conditional branch that they execute.
struct WarpAccess {
  AccessKind Kind = AccessKind::Load;
  AccessSpace Space = AccessSpace::Global;
  bool IsConstant = false;             ///< Of constant memory, as the code names it.
  uint32_t Bytes = 0;                  ///< Of each lane.
  uint32_t Site = 0;                   ///< Which instruction.
  uint32_t Warp = 0;                   ///< In its block.
  uint32_t Lanes = 0;                  ///< A bit for each that takes part.
  const uint64_t *Addresses = nullptr; ///< By lane; of the others it says nothing. Of a branch null.
};

/// An instruction that accesses memory.
struct AccessSite {
  AccessKind Kind = AccessKind::Load;
  unsigned AddressSpace = 0; ///< Of NVPTX, as the code names it; 0: generic.
  std::string Function;      ///< Symbol.
  std::string File;          ///< Empty where unknown.
  unsigned Line = 0;         ///< In the kernel: of the call, where a function was inlined.
};

/// Called for each access before it is made, on the operating system's thread that
/// runs the block: with several workers on several at once.
using AccessTrace = std::function<void(const MemoryAccess &)>;

} // namespace gpuprune

#endif // GPUPRUNE_HOSTEXECUTION_MEMORYACCESS_H
