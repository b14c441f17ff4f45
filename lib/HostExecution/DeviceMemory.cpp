//===- DeviceMemory.cpp - Buffers between guard zones --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/HostExecution/DeviceMemory.h"
#include "GuardedMapping.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

/// What lies in a buffer's pages and does not belong to it.
static constexpr char SlackPattern = char(0xA5);
static constexpr uint64_t StartAlignment = 256, EndAlignment = 16;

struct DeviceMemory::Allocation {
  DeviceBuffer Buffer;
  GuardedMapping Mapping;
  std::unique_ptr<uint8_t[]> Written; ///< A byte for each byte; null: not watched.

  Allocation(DeviceBuffer Buffer, GuardedMapping Mapping)
      : Buffer(std::move(Buffer)), Mapping(std::move(Mapping)) {}

  BufferPlace place(const char *Address) const { return {Buffer.Name, Address - Buffer.Data, Buffer.Bytes}; }
  const char *overwritten(const char *Begin, const char *End) const {
    const char *Found = std::find_if(Begin, End, [](char C) { return C != SlackPattern; });
    return Found == End ? nullptr : Found;
  }
};

DeviceMemory::DeviceMemory() = default;
DeviceMemory::~DeviceMemory() = default;
DeviceMemory::DeviceMemory(DeviceMemory &&) = default;
DeviceMemory &DeviceMemory::operator=(DeviceMemory &&) = default;

Expected<DeviceBuffer &> DeviceMemory::allocate(StringRef Name, uint64_t Bytes, uint8_t Fill,
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
      std::make_unique<Allocation>(DeviceBuffer{Name.str(), Data, Bytes}, std::move(*Mapping)));
  return Allocations.back()->Buffer;
}

void DeviceMemory::markUnwritten(const DeviceBuffer &Buffer) {
  for (const auto &A : Allocations)
    if (&A->Buffer == &Buffer)
      A->Written = std::make_unique<uint8_t[]>(Buffer.Bytes);
}

DeviceMemory::WatchedBuffer DeviceMemory::watchedAt(const void *Address) const {
  for (const auto &A : Allocations)
    if (A->Mapping.reserves(reinterpret_cast<uint64_t>(Address)))
      return {&A->Buffer, A->Written.get()};
  return {};
}

std::optional<BufferPlace> DeviceMemory::find(uint64_t Address) const {
  for (const auto &A : Allocations)
    if (A->Mapping.reserves(Address))
      return BufferPlace{A->Buffer.Name, int64_t(Address - reinterpret_cast<uint64_t>(A->Buffer.Data)),
                         A->Buffer.Bytes};
  return std::nullopt;
}

std::optional<BufferPlace> DeviceMemory::findOverwrittenGuard() const {
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
