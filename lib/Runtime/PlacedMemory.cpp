//===- PlacedMemory.cpp - Device memory at given addresses ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PlacedMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

static CUmemAllocationProp memoryOn(CUdevice Device) {
  CUmemAllocationProp Memory = {};
  Memory.Type = cuda::PinnedMemory;
  Memory.Location = {cuda::OnDevice, Device};
  return Memory;
}

/// The units of \p Bytes that \p Ranges touch, those that follow each other as one.
static std::vector<AddressRange> unitsOf(ArrayRef<AddressRange> Ranges, uint64_t Bytes) {
  std::vector<AddressRange> All;
  for (const AddressRange &R : Ranges) {
    CUdeviceptr Begin = alignDown(R.Begin, Bytes), End = alignTo(R.end(), Bytes);
    if (!All.empty() && All.back().end() >= Begin)
      All.back().Bytes = std::max(All.back().end(), End) - All.back().Begin;
    else
      All.push_back({Begin, End - Begin});
  }
  return All;
}

Expected<std::shared_ptr<PlacedMemory>> PlacedMemory::create(const Gpu &G, std::vector<AddressRange> Ranges) {
  std::shared_ptr<PlacedMemory> Made(new PlacedMemory(G, std::move(Ranges)));
  if (Error E = Made->map())
    return std::move(E);
  return Made;
}

Error PlacedMemory::map() {
  const CudaDriver &D = Owner.driver();
  if (!D.MemAddressReserve || !D.MemCreate || !D.MemMap || !D.MemSetAccess ||
      !D.MemGetAllocationGranularity || !D.MemUnmap || !D.MemRelease || !D.MemAddressFree)
    return make_error<JobFailure>(
        ResultStatus::Address,
        "buffers are to lie at given addresses, and this driver is too old for that: it needs CUDA 10.2");
  CUmemAllocationProp Memory = memoryOn(Owner.device());
  size_t Granule = 0;
  if (Error E = Owner.check(D.MemGetAllocationGranularity(&Granule, &Memory, cuda::MinimumGranularity),
                            "cuMemGetAllocationGranularity"))
    return E;
  // All addresses before any memory, which might come to lie there.
  std::vector<AddressRange> Granules = unitsOf(Ranges, Granule);
  if (Error E = reserveAll(Granules))
    return E;
  for (const AddressRange &Of : Granules) {
    Mappings.push_back({Of});
    if (Error E = allocate(Mappings.back()))
      return E;
  }
  return Error::success();
}

Error PlacedMemory::reserveAll(ArrayRef<AddressRange> Granules) {
  constexpr uint64_t BlockBytes = uint64_t(32) << 20;
  for (const AddressRange &Block : unitsOf(Granules, BlockBytes)) {
    std::string Why;
    if (reserve(Block, Why))
      continue;
    // Something else of this process may lie in the block.
    for (const AddressRange &Own : Granules)
      if (Own.Begin >= Block.Begin && Own.end() <= Block.end() && !reserve(Own, Why))
        return make_error<JobFailure>(
            ResultStatus::Address,
            formatv(
                "buffers are to lie at the addresses {0:x} to {1:x}, and the driver does not give them: {2}",
                Own.Begin, Own.end(), Why));
  }
  return Error::success();
}

bool PlacedMemory::reserve(const AddressRange &Wanted, std::string &Why) {
  const CudaDriver &D = Owner.driver();
  CUdeviceptr Given = 0;
  CUresult Code = D.MemAddressReserve(&Given, Wanted.Bytes, 0, Wanted.Begin, 0);
  if (Code == cuda::Success && Given == Wanted.Begin) {
    Reserved.push_back(Wanted);
    return true;
  }
  // The address is no more than a wish to the driver.
  if (Code == cuda::Success)
    D.MemAddressFree(Given, Wanted.Bytes);
  Why = Code == cuda::Success ? std::string("they are taken in this process")
                              : "cuMemAddressReserve: " + D.describe(Code);
  return false;
}

Error PlacedMemory::allocate(Mapping &M) {
  const CudaDriver &D = Owner.driver();
  CUmemAllocationProp Memory = memoryOn(Owner.device());
  CUresult Code = cuda::Success;
  do
    Code = D.MemCreate(&M.Memory, M.Of.Bytes, &Memory, 0);
  while (Code == cuda::OutOfMemory && Owner.makeRoom());
  std::string What = formatv("cuMemCreate of {0} bytes for buffers at {1:x}", M.Of.Bytes, M.Of.Begin);
  if (Code != cuda::Success)
    M.Memory = 0;
  if (Error E = Owner.check(Code, What.c_str(),
                            Code == cuda::OutOfMemory ? ResultStatus::Memory : ResultStatus::Error))
    return E;
  Code = D.MemMap(M.Of.Begin, M.Of.Bytes, 0, M.Memory, 0);
  if (Code != cuda::Success)
    D.MemRelease(std::exchange(M.Memory, 0));
  if (Error E = Owner.check(Code, "cuMemMap", ResultStatus::Address))
    return E;
  CUmemAccessDesc Access = {Memory.Location, cuda::ReadAndWrite};
  return Owner.check(D.MemSetAccess(M.Of.Begin, M.Of.Bytes, &Access, 1), "cuMemSetAccess");
}

PlacedMemory::~PlacedMemory() {
  const CudaDriver &D = Owner.driver();
  for (const Mapping &M : Mappings)
    if (M.Memory) {
      D.MemUnmap(M.Of.Begin, M.Of.Bytes);
      D.MemRelease(M.Memory);
    }
  for (const AddressRange &R : Reserved)
    D.MemAddressFree(R.Begin, R.Bytes);
}

PlacedMemory::Room PlacedMemory::roomAround(CUdeviceptr Begin, uint64_t Most) const {
  const AddressRange *First = Ranges.data(), *End = First + Ranges.size();
  const AddressRange *Own = std::find_if(First, End, [&](auto &R) { return R.Begin == Begin; });
  const AddressRange &Granules =
      find_if(Mappings, [&](const Mapping &M) { return M.Of.Begin <= Begin && Begin < M.Of.end(); })->Of;
  // The bytes behind a range are its own, so those before it are what its predecessor leaves.
  auto After = [&](const AddressRange *R) {
    bool IsLast = R + 1 == End || R[1].Begin >= Granules.end();
    return std::min<uint64_t>(Most, (IsLast ? Granules.end() : R[1].Begin) - R->end());
  };
  bool IsFirst = Own == First || Own[-1].end() <= Granules.Begin;
  CUdeviceptr Taken = IsFirst ? Granules.Begin : Own[-1].end() + After(Own - 1);
  return {std::min<uint64_t>(Most, Begin - Taken), After(Own)};
}

} // namespace gpuprune
