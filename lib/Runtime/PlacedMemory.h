//===- PlacedMemory.h - Device memory at given addresses ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver maps memory in granules (2 MiB on all GPUs known to us), and allocations of a program may share
// one. So all ranges of a problem are placed together, and each granule is mapped once. Addresses are
// reserved in whole blocks of 32 MiB: for less, drivers choose a place of their own among what they have
// already reserved (seen with 580.159.04 on an H200).
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_PLACEDMEMORY_H
#define GPUPRUNE_LIB_RUNTIME_PLACEDMEMORY_H

#include "Gpu.h"

namespace gpuprune {

struct AddressRange {
  CUdeviceptr Begin;
  uint64_t Bytes;
  CUdeviceptr end() const { return Begin + Bytes; }
  bool operator==(const AddressRange &) const = default;
};

class PlacedMemory {
public:
  /// \p Ranges ascend and do not overlap. Error: status address where the driver does not give all of them,
  /// status memory where there is not as much.
  static llvm::Expected<std::shared_ptr<PlacedMemory>> create(const Gpu &G, std::vector<AddressRange> Ranges);
  ~PlacedMemory();
  PlacedMemory(const PlacedMemory &) = delete;
  PlacedMemory &operator=(const PlacedMemory &) = delete;

  llvm::ArrayRef<AddressRange> ranges() const { return Ranges; }

  /// Bytes that are mapped and no range's, directly in front of a range and behind it, at most \p Most each.
  /// Between two ranges each byte is of one of them.
  struct Room {
    uint64_t Before = 0, After = 0;
  };
  Room roomAround(CUdeviceptr Begin, uint64_t Most) const;

private:
  struct Mapping {
    AddressRange Of;
    CUmemGenericAllocationHandle Memory = 0; ///< 0: there is none yet.
  };
  PlacedMemory(const Gpu &G, std::vector<AddressRange> Ranges) : Owner(G), Ranges(std::move(Ranges)) {}
  llvm::Error map();
  llvm::Error reserveAll(llvm::ArrayRef<AddressRange> Granules);
  /// Whether the driver gives them; if not, \p Why says why.
  bool reserve(const AddressRange &Wanted, std::string &Why);
  llvm::Error allocate(Mapping &M);

  const Gpu &Owner;
  std::vector<AddressRange> Ranges;
  std::vector<AddressRange> Reserved;
  std::vector<Mapping> Mappings; ///< Whole granules; each range is in one.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_PLACEDMEMORY_H
