//===- GuardedMemory.cpp - Buffers between guard zones --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/HostExecution/GuardedMemory.h"
#include "GuardedMapping.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

/// What lies in a buffer's pages and does not belong to it.
static constexpr char SlackPattern = char(0xA5);
static constexpr uint64_t StartAlignment = 256, EndAlignment = WidestAccessBytes;

/// Pages that cannot be accessed before they are filled, chunk by chunk. Each chunk may
/// become a mapping of its own, of which a process may have some ten thousand.
struct GuardedMemory::LazyPages {
  static constexpr uint64_t ChunkBytes = uint64_t(4) << 10;
  LazyFill Fill;
  std::vector<bool> Done; ///< By chunk: a fault where it is done is another one.
  uint64_t Filled = 0;
  bool Full = false;
};

struct GuardedMemory::Allocation {
  GuardedBuffer Buffer;
  GuardedMapping Mapping;
  std::unique_ptr<uint8_t[]> Written; ///< A byte for each byte; null: not watched.
  std::unique_ptr<LazyPages> Lazy;    ///< Null: all is filled.

  Allocation(GuardedBuffer Buffer, GuardedMapping Mapping)
      : Buffer(std::move(Buffer)), Mapping(std::move(Mapping)) {}

  BufferPlace place(const char *Address) const { return {Buffer.Name, Address - Buffer.Data, Buffer.Bytes}; }
  const char *overwritten(const char *Begin, const char *End) const {
    const char *Found = std::find_if(Begin, End, [](char C) { return C != SlackPattern; });
    return Found == End ? nullptr : Found;
  }
  void writeSlack(char *Begin, char *End) const;
  bool fillChunk(const char *Address);
};

/// The part between \p Begin and \p End that is no part of the buffer.
void GuardedMemory::Allocation::writeSlack(char *Begin, char *End) const {
  std::fill(Begin, std::max(Begin, std::min(End, Buffer.Data)), SlackPattern);
  std::fill(std::min(End, std::max(Begin, Buffer.Data + Buffer.Bytes)), End, SlackPattern);
}

/// Within the kernel's fault handler: nothing here allocates.
bool GuardedMemory::Allocation::fillChunk(const char *Address) {
  MutableArrayRef<char> Pages = Mapping.pages();
  if (Address < Pages.begin() || Address >= Pages.end())
    return false;
  uint64_t At = alignDown(Address - Pages.begin(), LazyPages::ChunkBytes);
  if (Lazy->Done[At / LazyPages::ChunkBytes])
    return false;
  char *Begin = Pages.begin() + At;
  char *End = Begin + std::min<uint64_t>(LazyPages::ChunkBytes, Pages.size() - At);
  if (!Mapping.open(Begin, End))
    return false;
  writeSlack(Begin, End);
  char *From = std::max(Begin, Buffer.Data), *To = std::min(End, Buffer.Data + Buffer.Bytes);
  if (From < To)
    Lazy->Fill(From - Buffer.Data, {From, To});
  Lazy->Done[At / LazyPages::ChunkBytes] = true;
  Lazy->Filled += End - Begin;
  return true;
}

GuardedMemory::GuardedMemory() = default;
GuardedMemory::~GuardedMemory() = default;
GuardedMemory::GuardedMemory(GuardedMemory &&) noexcept = default;
GuardedMemory &GuardedMemory::operator=(GuardedMemory &&) noexcept = default;

Expected<GuardedBuffer &> GuardedMemory::allocate(StringRef Name, uint64_t Bytes, uint8_t Fill,
                                                  GuardSide Side) {
  Expected<GuardedMapping> Mapping = GuardedMapping::create(Bytes);
  if (!Mapping)
    return makeError(ErrorKind::Resources, formatv("no memory for buffer '{0}' of {1} bytes: {2}", Name,
                                                   Bytes, toString(Mapping.takeError())));
  MutableArrayRef<char> Pages = Mapping->pages();
  char *Data = Side == GuardSide::Start ? Pages.begin() : Pages.end() - alignTo(Bytes, EndAlignment);
  static_assert(EndAlignment <= StartAlignment);
  std::fill(Pages.begin(), Data, SlackPattern);
  std::fill(Data, Data + Bytes, char(Fill));
  std::fill(Data + Bytes, Pages.end(), SlackPattern);
  Allocations.push_back(
      std::make_unique<Allocation>(GuardedBuffer{Name.str(), Data, Bytes}, std::move(*Mapping)));
  return Allocations.back()->Buffer;
}

void GuardedMemory::release(const GuardedBuffer &Buffer) {
  auto Found = find_if(Allocations, [&](const auto &A) { return &A->Buffer == &Buffer; });
  (*Found)->Mapping.close();
  (*Found)->Buffer.Name += ", freed";
  Released.push_back(std::move(*Found));
  Allocations.erase(Found);
  if (Released.size() > MostReleased)
    Released.erase(Released.begin());
}

Expected<GuardedBuffer &> GuardedMemory::allocateLazily(StringRef Name, uint64_t Bytes, LazyFill Fill) {
  Expected<GuardedMapping> Mapping = GuardedMapping::create(Bytes, /*Closed=*/true);
  if (!Mapping)
    return makeError(ErrorKind::Resources, formatv("no address space for buffer '{0}' of {1} bytes: {2}",
                                                   Name, Bytes, toString(Mapping.takeError())));
  char *Data = Mapping->pages().end() - alignTo(Bytes, StartAlignment);
  Allocations.push_back(
      std::make_unique<Allocation>(GuardedBuffer{Name.str(), Data, Bytes}, std::move(*Mapping)));
  Allocation &Made = *Allocations.back();
  Made.Lazy = std::make_unique<LazyPages>();
  Made.Lazy->Fill = std::move(Fill);
  // What lies beside the buffer is looked at after a launch.
  MutableArrayRef<char> Pages = Made.Mapping.pages();
  Made.Lazy->Done.resize(divideCeil(Pages.size(), LazyPages::ChunkBytes));
  bool Opened = Made.fillChunk(Pages.begin());
  if (uint64_t Last = alignDown(Pages.size() - 1, LazyPages::ChunkBytes); Opened && Last > 0)
    Opened = Made.fillChunk(Pages.begin() + Last);
  if (!Opened)
    return makeError(ErrorKind::Resources, formatv("no memory for buffer '{0}'", Name));
  return Made.Buffer;
}

bool GuardedMemory::isLazy() const {
  return any_of(Allocations, [](const auto &A) { return A->Lazy != nullptr; });
}

uint64_t GuardedMemory::lazilyFilled() const {
  uint64_t Bytes = 0;
  for (const auto &A : Allocations)
    Bytes += A->Lazy ? A->Lazy->Filled : 0;
  return Bytes;
}

bool GuardedMemory::isLazilyFull() const {
  return any_of(Allocations, [](const auto &A) { return A->Lazy && A->Lazy->Full; });
}

bool GuardedMemory::fillLazily(const char *Address) const {
  Allocation *Found = nullptr;
  for (const auto &A : Allocations)
    if (A->Lazy && A->Mapping.reserves(reinterpret_cast<uint64_t>(Address)))
      Found = &*A;
  if (!Found)
    return false;
  Found->Lazy->Full |= lazilyFilled() >= MostLazyBytes;
  return !Found->Lazy->Full && Found->fillChunk(Address);
}

const GuardedBuffer *GuardedMemory::bufferAt(const char *Address) const {
  for (const auto &A : Allocations)
    if (Address >= A->Buffer.Data && Address < A->Buffer.Data + A->Buffer.Bytes)
      return &A->Buffer;
  return nullptr;
}

bool GuardedMemory::fillWhole(const GuardedBuffer &Buffer) const {
  for (const char *At = Buffer.Data, *End = At + Buffer.Bytes; At < End;
       At += LazyPages::ChunkBytes - reinterpret_cast<uintptr_t>(At) % LazyPages::ChunkBytes)
    fillLazily(At);
  return !isLazilyFull();
}

void GuardedMemory::markUnwritten(const GuardedBuffer &Buffer, ArrayRef<uint8_t> Written) {
  for (const auto &A : Allocations)
    if (&A->Buffer == &Buffer) {
      A->Written = std::make_unique<uint8_t[]>(Buffer.Bytes);
      llvm::copy(Written, A->Written.get());
    }
}

GuardedMemory::WatchedBuffer GuardedMemory::watchedAt(const void *Address) const {
  for (const auto &A : Allocations)
    if (A->Mapping.reserves(reinterpret_cast<uint64_t>(Address)))
      return {&A->Buffer, A->Written.get()};
  return {};
}

std::optional<BufferPlace> GuardedMemory::find(uint64_t Address) const {
  for (const auto *Those : {&Allocations, &Released})
    for (const auto &A : *Those)
      if (A->Mapping.reserves(Address))
        return BufferPlace{A->Buffer.Name, int64_t(Address - reinterpret_cast<uint64_t>(A->Buffer.Data)),
                           A->Buffer.Bytes};
  return std::nullopt;
}

std::optional<BufferPlace> GuardedMemory::findOverwrittenGuard() const {
  for (const auto &A : Allocations) {
    ArrayRef<char> Pages = A->Mapping.pages();
    const char *Data = A->Buffer.Data, *DataEnd = Data + A->Buffer.Bytes;
    if (const char *Byte = A->overwritten(Pages.begin(), Data))
      return A->place(Byte);
    if (const char *Byte = A->overwritten(DataEnd, Pages.end()))
      return A->place(Byte);
  }
  return std::nullopt;
}

} // namespace gpuprune
