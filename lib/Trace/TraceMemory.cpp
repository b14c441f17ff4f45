//===- TraceMemory.cpp - Device memory that is filled where it is read ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Trace/TraceMemory.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace gpuprune {

/// Buffers are so far apart: no index into one is in another.
static constexpr unsigned BufferBits = 44;

uint64_t TraceMemory::add(uint64_t Bytes, Fill Filled) {
  Buffers.push_back({Bytes, std::move(Filled)});
  return uint64_t(Buffers.size()) << BufferBits;
}

std::optional<TraceMemory::Extent> TraceMemory::find(uint64_t Address) const {
  uint64_t Number = Address >> BufferBits, Begin = Number << BufferBits;
  if (Number == 0 || Number > Buffers.size() || Address - Begin >= Buffers[Number - 1].Bytes)
    return std::nullopt;
  return Extent{Begin, Buffers[Number - 1].Bytes};
}

char *TraceMemory::page(uint64_t Number) {
  if (Number == LastPage)
    return Last;
  auto [At, IsNew] = Pages.try_emplace(Number);
  uint64_t Address = Number * PageBytes, Begin = Address >> BufferBits << BufferBits;
  Buffer &In = Buffers[(Address >> BufferBits) - 1];
  if (IsNew) {
    At->second = std::make_unique<char[]>(PageBytes);
    if (In.Filled) // Whole elements: the bytes that the last one does not need are past the buffer's end.
      In.Filled(Address - Begin, {At->second.get(), PageBytes});
  }
  LastPage = Number;
  LastEnd = Begin + In.Bytes;
  Last = At->second.get();
  return Last;
}

template <typename Visitor> bool TraceMemory::forEachPart(uint64_t Address, uint64_t Bytes, Visitor Visit) {
  std::optional<Extent> In = find(Address);
  if (!In || Address - In->Begin + Bytes > In->Bytes)
    return false;
  for (uint64_t Done = 0; Done != Bytes;) {
    uint64_t At = Address + Done, Part = std::min(Bytes - Done, PageBytes - At % PageBytes);
    Visit(page(At / PageBytes) + At % PageBytes, Done, Part);
    Done += Part;
  }
  return true;
}

bool TraceMemory::readAnywhere(uint64_t Address, MutableArrayRef<char> Into) {
  return forEachPart(Address, Into.size(), [&](const char *Page, uint64_t Done, uint64_t Part) {
    std::memcpy(Into.data() + Done, Page, Part);
  });
}

bool TraceMemory::write(uint64_t Address, ArrayRef<char> From) {
  return forEachPart(Address, From.size(), [&](char *Page, uint64_t Done, uint64_t Part) {
    std::memcpy(Page, From.data() + Done, Part);
  });
}

} // namespace gpuprune
