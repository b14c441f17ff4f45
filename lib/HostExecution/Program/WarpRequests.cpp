//===- WarpRequests.cpp - What the accesses of a warp cost the memory ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/HostExecution/WarpRequests.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

SmallVector<uint64_t, 64> unitsOf(ArrayRef<LaneAccess> Lanes, uint64_t Unit) {
  SmallVector<uint64_t, 64> Units;
  bool IsAscending = true; // As lanes mostly are.
  for (const LaneAccess &L : Lanes)
    for (uint64_t U = L.Address / Unit, End = L.Bytes ? (L.Address + L.Bytes - 1) / Unit + 1 : 0; U < End;
         ++U) {
      if (!Units.empty() && Units.back() == U)
        continue;
      IsAscending &= Units.empty() || Units.back() < U;
      Units.push_back(U);
    }
  if (!IsAscending) {
    std::sort(Units.begin(),
              Units.end()); // Several times as fast as the C library's, which llvm::sort takes.
    Units.erase(llvm::unique(Units), Units.end());
  }
  return Units;
}

unsigned countSectors(ArrayRef<LaneAccess> Lanes) { return unitsOf(Lanes, SectorBytes).size(); }

unsigned fewestSectors(ArrayRef<LaneAccess> Lanes) {
  return divideCeil(unitsOf(Lanes, 1).size(), SectorBytes);
}

/// The most words that one bank has to give for \p Words.
static unsigned busiestBank(ArrayRef<uint64_t> Words) {
  std::array<unsigned, SharedBanks> Wanted{};
  for (uint64_t Word : Words)
    ++Wanted[Word % SharedBanks];
  return *max_element(Wanted);
}

/// Whether each lane wants the same as the lane whose number differs in \p Bit, where
/// that one takes part.
static bool pairsAgree(ArrayRef<LaneAccess> Lanes, unsigned Bit) {
  std::array<const LaneAccess *, LanesOfWarp> Of{};
  for (const LaneAccess &L : Lanes)
    Of[L.Lane] = &L;
  return all_of(Lanes, [&](const LaneAccess &L) {
    const LaneAccess *Partner = Of[L.Lane ^ Bit];
    return !Partner || (Partner->Address == L.Address && Partner->Bytes == L.Bytes);
  });
}

/// Calls \p Visit with the lanes of each part of a warp that is served at a time.
template <typename Visitor>
static void forEachPhase(ArrayRef<LaneAccess> Lanes, AccessKind Kind, Visitor Visit) {
  unsigned Widest = 0;
  for (const LaneAccess &L : Lanes)
    Widest = std::max(Widest, L.Bytes);
  unsigned Phases = std::max<unsigned>(1, divideCeil(Widest, BankBytes));
  if (Phases > 1 && Kind == AccessKind::Load && (pairsAgree(Lanes, 1) || pairsAgree(Lanes, 2)))
    Phases /= 2;
  unsigned LanesOfPhase = std::max(1u, LanesOfWarp / Phases);
  for (unsigned First = 0; First < LanesOfWarp; First += LanesOfPhase) {
    SmallVector<LaneAccess, LanesOfWarp> Part;
    for (const LaneAccess &L : Lanes)
      if (L.Lane >= First && L.Lane < First + LanesOfPhase)
        Part.push_back(L);
    if (!Part.empty())
      Visit(Part);
  }
}

unsigned countWavefronts(ArrayRef<LaneAccess> Lanes, AccessKind Kind) {
  unsigned Wavefronts = 0;
  forEachPhase(Lanes, Kind, [&](ArrayRef<LaneAccess> Part) {
    if (Kind != AccessKind::Atomic) {
      Wavefronts += busiestBank(unitsOf(Part, BankBytes));
      return;
    }
    SmallVector<uint64_t, 64> Words;
    for (const LaneAccess &L : Part)
      append_range(Words, unitsOf(L, BankBytes));
    Wavefronts += busiestBank(Words);
  });
  return Wavefronts;
}

unsigned fewestWavefronts(ArrayRef<LaneAccess> Lanes, AccessKind Kind) {
  unsigned Wavefronts = 0;
  forEachPhase(Lanes, Kind, [&](ArrayRef<LaneAccess> Part) {
    Wavefronts += divideCeil(unitsOf(Part, BankBytes).size(), SharedBanks);
  });
  return Wavefronts;
}

unsigned countAddresses(ArrayRef<LaneAccess> Lanes) {
  SmallVector<uint64_t, LanesOfWarp> All;
  for (const LaneAccess &L : Lanes)
    All.push_back(L.Address);
  llvm::sort(All);
  return static_cast<unsigned>(llvm::unique(All) - All.begin());
}

int64_t strideOf(ArrayRef<LaneAccess> Lanes) {
  if (Lanes.size() < 2)
    return 0;
  auto Apart = [](const LaneAccess &A, const LaneAccess &B) {
    return std::pair(int64_t(B.Address - A.Address), int64_t(B.Lane) - int64_t(A.Lane));
  };
  auto [Bytes, Steps] = Apart(Lanes[0], Lanes[1]);
  if (Steps == 0 || Bytes % Steps != 0)
    return 0;
  int64_t Stride = Bytes / Steps;
  for (const LaneAccess &L : Lanes.drop_front()) {
    auto [BytesOf, StepsOf] = Apart(Lanes[0], L);
    if (BytesOf != Stride * StepsOf)
      return 0;
  }
  return Stride;
}

RequestTotals &RequestTotals::operator+=(const RequestTotals &Other) {
  Requests += Other.Requests;
  Lanes += Other.Lanes;
  FullLanes += Other.FullLanes;
  Bytes += Other.Bytes;
  Width = std::max(Width, Other.Width);
  Address = Address ? Address : Other.Address;
  Sectors += Other.Sectors;
  FewestSectors += Other.FewestSectors;
  Wavefronts += Other.Wavefronts;
  FewestWavefronts += Other.FewestWavefronts;
  Addresses += Other.Addresses;
  if (Stride == 0)
    Stride = Other.Stride;
  if (Stride == Other.Stride)
    Strided += Other.Strided;
  Misaligned += Other.Misaligned;
  Divergent += Other.Divergent;
  return *this;
}

/// The last warp of a block may have fewer.
unsigned WarpRequests::lanesOf(uint32_t Warp) const {
  return std::min<uint64_t>(LanesOfWarp, ThreadsPerBlock - uint64_t(Warp) * LanesOfWarp);
}

void WarpRequests::add(const MemoryAccess &Access) {
  if (Access.Block != Block)
    closeBlock();
  Block = Access.Block;
  OpenKey Of{{Access.Site, Access.Space}, Access.Thread / LanesOfWarp};
  unsigned Lane = Access.Thread % LanesOfWarp;
  OpenSite &Site = Open[Of];
  Site.Kind = Access.Kind;
  uint64_t Index = Site.Executions[Lane]++ - Site.First;
  if (Index >= Site.Requests.size())
    Site.Requests.resize(Index + 1);
  std::vector<LaneAccess> &Request = Site.Requests[Index];
  Request.push_back({Access.Address, Access.Bytes, Lane});
  // Whole requests need not be kept until the block ends.
  while (!Site.Requests.empty() && Site.Requests.front().size() == lanesOf(Of.second)) {
    close(Of, Site.Kind, Site.Requests.front());
    Site.Requests.pop_front();
    ++Site.First;
  }
}

void WarpRequests::close(const OpenKey &Of, AccessKind Kind, ArrayRef<LaneAccess> Lanes) {
  RequestTotals One;
  One.Requests = 1;
  One.Lanes = Lanes.size();
  One.FullLanes = lanesOf(Of.second);
  One.Address = Lanes.front().Address;
  for (const LaneAccess &L : Lanes) {
    One.Bytes += L.Bytes;
    One.Width = std::max(One.Width, L.Bytes);
  }
  One.Stride = Kind == AccessKind::Branch ? 0 : strideOf(Lanes);
  One.Strided = One.Stride != 0;
  if (Kind == AccessKind::Branch) {
    One.Divergent = any_of(Lanes, [&](const LaneAccess &L) { return L.Address != Lanes.front().Address; });
  } else if (Of.first.second == AccessSpace::Shared) {
    One.Wavefronts = countWavefronts(Lanes, Kind);
    One.FewestWavefronts = fewestWavefronts(Lanes, Kind);
  } else {
    One.Sectors = countSectors(Lanes);
    One.FewestSectors = fewestSectors(Lanes);
    One.Addresses = countAddresses(Lanes);
    One.Misaligned = One.Stride == int64_t(One.Width) && One.Address % SectorBytes != 0;
  }
  Totals[Of.first] += One;
}

void WarpRequests::closeBlock() {
  for (const auto &[Of, Site] : Open)
    for (const std::vector<LaneAccess> &Request : Site.Requests)
      if (!Request.empty())
        close(Of, Site.Kind, Request);
  Open.clear();
}

} // namespace gpuprune
