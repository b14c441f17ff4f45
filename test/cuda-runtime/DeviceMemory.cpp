//===- DeviceMemory.cpp - Memory that programs get from the runtime -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace gpuprune {

/// Of cudaMalloc (CUDA C++ Programming Guide, "Device Memory Accesses").
static constexpr uint64_t Alignment = 256;

Expected<char *> DeviceMemory::allocate(MemoryKind Kind, int Device, StringRef Name, uint64_t Bytes) {
  std::string Label = Kind == MemoryKind::Variable ? Name.str() : (Name + " #" + Twine(++Made)).str();
  GuardSide Side = Bytes % Alignment == 0 ? GuardSide::End : GuardSide::Start;
  Expected<GuardedBuffer &> Buffer = Memory.allocate(Label, Bytes, 0xFF, Side);
  if (!Buffer)
    return Buffer.takeError();
  Buffers[Buffer->Data] = {Kind, Device, &*Buffer};
  return Buffer->Data;
}

bool DeviceMemory::release(const void *Address, ArrayRef<MemoryKind> Kinds) {
  auto Found = Buffers.find(static_cast<const char *>(Address));
  if (Found == Buffers.end() || !is_contained(Kinds, Found->second.Kind))
    return false;
  Memory.release(*Found->second.Buffer);
  Buffers.erase(Found);
  return true;
}

const DeviceBuffer *DeviceMemory::find(const void *Address) const { return find(Address, 1); }

const DeviceBuffer *DeviceMemory::find(const void *Address, uint64_t Bytes) const {
  const char *Begin = static_cast<const char *>(Address);
  auto After = Buffers.upper_bound(Begin);
  if (After == Buffers.begin())
    return nullptr;
  const DeviceBuffer &Found = std::prev(After)->second;
  uint64_t Offset = Begin - Found.Buffer->Data, Size = Found.Buffer->Bytes;
  return Offset <= Size && Bytes <= Size - Offset ? &Found : nullptr;
}

uint64_t DeviceMemory::usedBytes(int Device) const {
  uint64_t Bytes = 0;
  for (const auto &[Address, Buffer] : Buffers)
    if (Buffer.Kind == MemoryKind::Device && Buffer.Device == Device)
      Bytes += Buffer.Buffer->Bytes;
  return Bytes;
}

} // namespace gpuprune
