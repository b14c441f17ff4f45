//===- AccessWatch.cpp - Checks and reports accesses to memory -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AccessWatch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

void AccessWatch::startBlock(const LaunchPlan &NewPlan, MutableArrayRef<char> NewShared) {
  Plan = &NewPlan;
  Shared = NewShared;
  SharedWritten.assign(Plan->WatchMemory ? Shared.size() : 0, 0);
}

void AccessWatch::setWritten(const char *Address, uint64_t Bytes, bool Written) {
  if (!SharedWritten.empty() && Address >= Shared.begin() && Address + Bytes <= Shared.end())
    std::fill_n(SharedWritten.begin() + (Address - Shared.begin()), Bytes, Written);
}

static RawFault faultOf(FaultKind Kind, const MemoryAccess &Access, std::optional<BufferPlace> Place,
                        std::string Text) {
  return {Kind, Access.Thread, Access.Address, std::move(Place), 0, std::move(Text)};
}

namespace {

/// A stretch of memory with a name.
struct Extent {
  StringRef Name;
  const char *Begin;
  uint64_t Bytes;
  uint8_t *Written; ///< May be null.

  BufferPlace placeOf(const char *Address) const { return {Name.str(), Address - Begin, Bytes}; }
};

} // namespace

// Blocks on other cores may look at the same bytes.
static bool isWritten(const uint8_t &Byte) { return __atomic_load_n(&Byte, __ATOMIC_RELAXED); }
static void markWritten(uint8_t &Byte) { __atomic_store_n(&Byte, uint8_t(1), __ATOMIC_RELAXED); }

static bool isUsed(const MemoryAccess &Access, uint32_t Byte) {
  return Access.Bytes > 32 || (Access.Used >> Byte & 1);
}

/// Only what is used counts: the author's code asks for no more.
static std::optional<RawFault> checkBytes(const MemoryAccess &Access, const char *Address, const Extent &In) {
  uint32_t Begin = 0, End = Access.Bytes;
  while (Begin < End && !isUsed(Access, Begin))
    ++Begin;
  while (End > Begin && !isUsed(Access, End - 1))
    --End;
  if (Address + Begin < In.Begin || Address + End > In.Begin + In.Bytes)
    return faultOf(FaultKind::Memory, Access, In.placeOf(Address + Begin), "");
  if (!In.Written)
    return std::nullopt;
  uint8_t *Written = In.Written + (Address - In.Begin);
  for (uint32_t I = Begin; I < End; ++I) {
    if (!isUsed(Access, I))
      continue;
    if (Access.Kind == AccessKind::Store)
      markWritten(Written[I]);
    else if (!isWritten(Written[I]))
      return faultOf(FaultKind::Unwritten, Access, In.placeOf(Address + I),
                     formatv("reads byte {0} of '{1}' ({2} bytes), which nothing has written",
                             Address + I - In.Begin, In.Name, In.Bytes));
  }
  return std::nullopt;
}

std::optional<RawFault> AccessWatch::check(const MemoryAccess &Access, const char *Address) {
  if (Access.Space == AccessSpace::Local)
    return std::nullopt;
  // What the GPU demands of addresses, and this machine does not.
  if (isPowerOf2_32(Access.Bytes) && Access.Bytes <= 16 && Access.Address % Access.Bytes)
    return faultOf(FaultKind::Misaligned, Access, std::nullopt,
                   formatv("access of {0} bytes at address {1:x}, which is no multiple of that", Access.Bytes,
                           Access.Address));
  if (Access.Space == AccessSpace::Shared)
    return checkBytes(Access, Address, {"shared memory", Shared.data(), Shared.size(), SharedWritten.data()});
  for (const GuardedMemory *Memory : {Plan->Memory, Plan->Variables})
    if (Memory) {
      auto [Buffer, Written] = Memory->watchedAt(Address);
      if (Buffer)
        return checkBytes(Access, Address, {Buffer->Name, Buffer->Data, Buffer->Bytes, Written});
    }
  return std::nullopt; // The processor tells if there is nothing.
}

} // namespace gpuprune
