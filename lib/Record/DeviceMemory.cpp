//===- DeviceMemory.cpp - What a launch reaches of the GPU's memory ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceMemory.h"
#include <algorithm>
#include <cstring>
#include <sys/mman.h>

using namespace llvm;

namespace gpuprune {

bool ReachedMemory::add(ArrayRef<uint8_t> Content, std::string &Why) {
  for (size_t At = 0; At + sizeof(uint64_t) <= Content.size(); At += sizeof(uint64_t)) {
    uint64_t Word;
    std::memcpy(&Word, Content.data() + At, sizeof(Word));
    if (Word != 0 && !addAddress(Word, Why))
      return false;
  }
  return true;
}

/// The driver has the allocations of a process within some of these, and those of pools in the first.
static uint64_t regionOf(uint64_t Address) { return Address >> 40; }
/// Of any allocation.
static constexpr uint64_t LowestAddress = uint64_t(1) << 33;
/// Bounds the time for numbers that look like pointers: a question takes about a microsecond.
static constexpr size_t MostQuestions = size_t(1) << 20;

void ReachedMemory::follow(ArrayRef<uint8_t> Content) {
  if (Allocations.empty())
    return;
  uint64_t First = regionOf(Allocations.begin()->first), Last = regionOf(Allocations.rbegin()->first);
  uint64_t Before = 0;
  for (size_t At = 0; At + sizeof(uint64_t) <= Content.size(); At += sizeof(uint64_t)) {
    uint64_t Word;
    std::memcpy(&Word, Content.data() + At, sizeof(Word));
    bool IsNear = regionOf(Word) + 1 >= First && regionOf(Word) <= Last + 1;
    if (Word < LowestAddress || !(IsNear || regionOf(Word) == 0) || Word == Before || isKnown(Word))
      continue;
    if (Questions == MostQuestions)
      return;
    ++Questions;
    Before = Word;
    std::string LeftOut;
    (void)addAddress(Word, LeftOut);
  }
}

bool ReachedMemory::isKnown(uint64_t Address) const {
  auto After = Allocations.upper_bound(Address);
  return After != Allocations.begin() && Address - std::prev(After)->first < std::prev(After)->second;
}

uint64_t ReachedMemory::bytes() const {
  uint64_t Sum = 0;
  for (auto [Address, Bytes] : Allocations)
    Sum += Bytes;
  return Sum;
}

/// A range of addresses may have been reserved and given memory in parts only; reading elsewhere would be
/// a fault. What does not know of mappings is mapped as a whole.
bool ReachedMemory::isMapped(uint64_t Start, uint64_t Bytes) const {
  for (uint64_t At = Start; At < Start + Bytes;) {
    uint64_t Base = 0, Size = 0;
    if (Driver->PointerGetAttribute(&Base, cuda::PointerMappingBase, At) != cuda::Success ||
        Driver->PointerGetAttribute(&Size, cuda::PointerMappingSize, At) != cuda::Success || Base > At ||
        Base + Size <= At)
      return At == Start;
    At = Base + Size;
  }
  return true;
}

bool ReachedMemory::addAddress(uint64_t Address, std::string &Why) {
  if (isKnown(Address))
    return true;
  uint64_t Start = 0, Bytes = 0;
  if (Driver->PointerGetAttribute(&Start, cuda::PointerRangeStart, Address) != cuda::Success ||
      Driver->PointerGetAttribute(&Bytes, cuda::PointerRangeSize, Address) != cuda::Success || Bytes == 0)
    return true; // No pointer.
  unsigned Managed = 0, Type = 0;
  int Owner = -1;
  CUdevice Current = -1;
  (void)Driver->PointerGetAttribute(&Managed, cuda::PointerIsManaged, Address);
  (void)Driver->PointerGetAttribute(&Type, cuda::PointerMemoryType, Address);
  if (Managed == 0 && Type == cuda::HostMemory)
    Why = "mapped host memory";
  else if (Managed == 0 && Driver->CtxGetDevice(&Current) == cuda::Success &&
           Driver->PointerGetAttribute(&Owner, cuda::PointerDeviceOrdinal, Address) == cuda::Success &&
           Owner != Current)
    Why = "memory of another GPU";
  else if (!isMapped(Start, Bytes))
    Why = "a range of addresses that is mapped in part";
  if (!Why.empty())
    return false;
  Allocations[Start] = Bytes;
  return true;
}

HostBuffer::~HostBuffer() {
  if (Data)
    ::munmap(Data, Mapped);
}

uint8_t *HostBuffer::resize(uint64_t Wanted) {
  if (Wanted > Mapped) {
    if (Data)
      ::munmap(Data, Mapped);
    uint64_t Size = (Wanted + 0xfffff) & ~uint64_t(0xfffff);
    void *Made = ::mmap(nullptr, Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    Data = Made == MAP_FAILED ? nullptr : static_cast<uint8_t *>(Made);
    Mapped = Data ? Size : 0;
  }
  Bytes = Data ? Wanted : 0;
  return Data;
}

} // namespace gpuprune
