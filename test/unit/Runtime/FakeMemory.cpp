//===- FakeMemory.cpp - Memory of the fake driver at given addresses ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses of the fake device are those of the host. Environment:
//   FAKE_CUDA_TAKEN  file with a number: in so many processes more, each of which counts it down, addresses
//                    are taken
//   FAKE_CUDA_GIVES  "blocks": wishes are followed for whole blocks of 32 MiB only, as drivers do;
//   "granules":
//                    for less only, as where something else lies in each block; without it, for all
//
//===----------------------------------------------------------------------===//
#include "FakeKernels.h"
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <sys/mman.h>

using namespace gpuprune::cuda;
using namespace gpuprune::fake;

namespace {

constexpr size_t Granule = size_t(2) << 20, Block = size_t(32) << 20;

bool isTaken() {
  static const bool Taken = [] {
    const char *Path = std::getenv("FAKE_CUDA_TAKEN");
    int Left = 0;
    if (FILE *File = Path ? std::fopen(Path, "r+") : nullptr) {
      if (std::fscanf(File, "%d", &Left) == 1 && Left > 0) {
        std::rewind(File);
        std::fprintf(File, "%d\n", Left - 1);
      }
      std::fclose(File);
    }
    return Left > 0;
  }();
  return Taken;
}

bool isWhole(CUdeviceptr Address, size_t Bytes) { return Address % Granule == 0 && Bytes % Granule == 0; }

bool isGiven(CUdeviceptr Address, size_t Bytes) {
  const char *Gives = std::getenv("FAKE_CUDA_GIVES");
  bool IsBlock = Address % Block == 0 && Bytes % Block == 0;
  return !isTaken() && (!Gives || IsBlock == (std::string_view(Gives) == "blocks"));
}

/// Of memory that is not mapped: a handle is its size.
bool isPlain(const CUmemAllocationProp &Memory) {
  return Memory.Type == PinnedMemory && Memory.RequestedHandleTypes == 0 && Memory.Location.Type == OnDevice;
}

} // namespace

#define ENTRY extern "C" __attribute__((visibility("default"))) CUresult

ENTRY cuMemGetAllocationGranularity(size_t *Bytes, const CUmemAllocationProp *Memory, int Option) {
  if (!isPlain(*Memory) || Option != MinimumGranularity)
    return InvalidValue;
  *Bytes = Granule;
  return Success;
}

ENTRY cuMemAddressReserve(CUdeviceptr *Address, size_t Bytes, size_t Alignment, CUdeviceptr Wanted,
                          unsigned long long Flags) {
  if (!isWhole(Wanted, Bytes) || Alignment != 0 || Flags != 0)
    return InvalidValue;
  void *Hint = isGiven(Wanted, Bytes) ? reinterpret_cast<void *>(Wanted) : nullptr;
  void *Given = mmap(Hint, Bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (Given == MAP_FAILED)
    return OutOfMemory;
  *Address = reinterpret_cast<CUdeviceptr>(Given);
  return Success;
}
ENTRY cuMemAddressFree(CUdeviceptr Address, size_t Bytes) {
  return munmap(reinterpret_cast<void *>(Address), Bytes) == 0 ? Success : InvalidValue;
}

ENTRY cuMemCreate(CUmemGenericAllocationHandle *Handle, size_t Bytes, const CUmemAllocationProp *Memory,
                  unsigned long long Flags) {
  if (!isPlain(*Memory) || !isWhole(0, Bytes) || Flags != 0)
    return InvalidValue;
  if (S.Used + Bytes > environmentNumber("FAKE_CUDA_MEMORY", size_t(1) << 30))
    return OutOfMemory;
  S.Used += Bytes;
  *Handle = Bytes;
  return Success;
}
ENTRY cuMemRelease(CUmemGenericAllocationHandle Handle) {
  S.Used -= Handle;
  return Success;
}

ENTRY cuMemMap(CUdeviceptr Address, size_t Bytes, size_t Offset, CUmemGenericAllocationHandle Handle,
               unsigned long long Flags) {
  if (!isWhole(Address, Bytes) || Offset != 0 || Handle != Bytes || Flags != 0)
    return InvalidValue;
  S.Allocations[Address] = Bytes;
  return Success;
}
ENTRY cuMemUnmap(CUdeviceptr Address, size_t Bytes) {
  if (S.Allocations.erase(Address) == 0)
    return InvalidValue;
  return mprotect(reinterpret_cast<void *>(Address), Bytes, PROT_NONE) == 0 ? Success : InvalidValue;
}
ENTRY cuMemSetAccess(CUdeviceptr Address, size_t Bytes, const CUmemAccessDesc *Access, size_t Count) {
  if (Count != 1 || Access->Location.Type != OnDevice || Access->Flags != ReadAndWrite)
    return InvalidValue;
  return mprotect(reinterpret_cast<void *>(Address), Bytes, PROT_READ | PROT_WRITE) == 0 ? Success
                                                                                         : InvalidValue;
}
