//===- RequestShape.cpp - What a request costs, wherever it lies ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RequestShape.h"
#include "LineCache.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace gpuprune {

/// Lanes that want the word which most of them want.
static unsigned mostOfOneWord(ArrayRef<LaneAccess> Lanes) {
  DenseMap<uint64_t, unsigned> Times;
  unsigned Most = 0;
  for (const LaneAccess &L : Lanes)
    Most = std::max(Most, ++Times[L.Address / BankBytes]);
  return Most;
}

/// Whether \p Request has this shape; then it is the last one.
bool RequestShape::moveTo(const BlockRequest &Request) {
  if (Lanes != Request.Lanes || Bytes != Request.Bytes || Lanes == 0)
    return false;
  unsigned First = unsigned(llvm::countr_zero(Lanes));
  uint64_t By = Request.Addresses[First] - Addresses[First];
  if (By % LineBytes)
    return false;
  uint64_t Differ = 0;
  for (unsigned Lane = 0; Lane != LanesOfWarp; ++Lane)
    Differ |= (Request.Addresses[Lane] - Addresses[Lane] - By) & (0 - uint64_t(Lanes >> Lane & 1));
  if (Differ)
    return false;
  Addresses = Request.Addresses;
  for (uint64_t &Sector : Sectors)
    Sector += uint64_t(int64_t(By) / int64_t(SectorBytes));
  return true;
}

void RequestShape::fit(const BlockRequest &Request) {
  if (moveTo(Request))
    return;
  Lanes = Request.Lanes;
  Bytes = Request.Bytes;
  Addresses = Request.Addresses;
  Accesses.clear();
  for (uint32_t Left = Lanes; Left; Left &= Left - 1) {
    unsigned Lane = unsigned(llvm::countr_zero(Left));
    Accesses.push_back({Addresses[Lane], Bytes, Lane});
  }
  Sectors.clear();
  if (Request.IsShared) {
    Wavefronts = countWavefronts(Accesses, Request.Kind);
    return;
  }
  Sectors = unitsOf(Accesses, SectorBytes);
  Lines = 0;
  uint64_t Last = ~uint64_t(0);
  for (uint64_t Sector : Sectors)
    if (uint64_t Line = Sector / (LineBytes / SectorBytes); Line != Last) {
      ++Lines;
      Last = Line;
    }
  SameWord = Request.Kind == AccessKind::Atomic ? mostOfOneWord(Accesses) : 0;
  Wavefronts = Request.IsConstant ? countAddresses(Accesses) : 0;
}

} // namespace gpuprune
