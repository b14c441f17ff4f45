//===- MemoryProfile.cpp - What a kernel's accesses cost, from a sample -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/MemoryProfile.h"
#include "LineCache.h"
#include "gpuprune/Device/CommonLimits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuprune {

/// Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018: the L1 constant
/// cache.
static constexpr uint64_t ConstantLineBytes = 64;

static AccessGroup groupOf(const MemoryAccess &Access, bool IsConstant) {
  bool IsShared = Access.Space == AccessSpace::Shared;
  if (IsConstant)
    return AccessGroup::ConstantLoad;
  switch (Access.Kind) {
  case AccessKind::Load:
    return IsShared ? AccessGroup::SharedLoad : AccessGroup::GlobalLoad;
  case AccessKind::Store:
    return IsShared ? AccessGroup::SharedStore : AccessGroup::GlobalStore;
  case AccessKind::Atomic:
    return IsShared ? AccessGroup::SharedAtomic : AccessGroup::GlobalAtomic;
  case AccessKind::Branch:
    break;
  }
  llvm_unreachable("a branch is no access");
}

static AccessKind kindOf(AccessGroup Group) {
  if (Group == AccessGroup::SharedAtomic || Group == AccessGroup::GlobalAtomic)
    return AccessKind::Atomic;
  return Group == AccessGroup::SharedStore || Group == AccessGroup::GlobalStore ? AccessKind::Store
                                                                                : AccessKind::Load;
}

static bool isShared(AccessGroup Group) {
  return Group == AccessGroup::SharedLoad || Group == AccessGroup::SharedStore ||
         Group == AccessGroup::SharedAtomic;
}

namespace {

/// A request: its place in the order of its warp.
struct OrderedRequest {
  size_t Place;
  uint32_t Warp;
  AccessGroup Group;
  SmallVector<LaneAccess, 0> Lanes;
};

} // namespace

/// Lanes that want the word which most of them want.
static unsigned mostOfOneWord(ArrayRef<LaneAccess> Lanes) {
  DenseMap<uint64_t, unsigned> Times;
  unsigned Most = 0;
  for (const LaneAccess &L : Lanes)
    Most = std::max(Most, ++Times[L.Address / BankBytes]);
  return Most;
}

/// \p Values at \p Index, which may be behind its end.
template <typename T> static T &grownTo(std::vector<T> &Values, size_t Index) {
  if (Values.size() <= Index)
    Values.resize(Index + 1);
  return Values[Index];
}

void MemoryProfiler::add(const MemoryAccess &Access, bool IsConstant) {
  if (Access.Kind == AccessKind::Branch) {
    ++grownTo(grownTo(Branches, Access.Site), Access.Thread);
    return;
  }
  Lane &L = grownTo(Threads, Access.Thread);
  if (Access.Space != AccessSpace::Local)
    L.push_back({Access.Site, groupOf(Access, IsConstant), Access.Bytes, Access.Address});
}

/// Of the first \p ThreadsRun threads.
void MemoryProfiler::closeBranches(size_t ThreadsRun) {
  for (ArrayRef<uint64_t> ByThread : Branches)
    for (size_t First = 0; First < std::min(ThreadsRun, ByThread.size()); First += LanesOfWarp) {
      size_t Lanes = std::min<size_t>(LanesOfWarp, ThreadsRun - First);
      ArrayRef<uint64_t> OfWarp = ByThread.drop_front(First).take_front(Lanes);
      WarpBranches += double(*max_element(OfWarp));
      ThreadBranches += double(sum_of(OfWarp)) / double(Lanes);
    }
  Branches.clear();
}

/// The requests of the warp \p Warp, whose lanes did \p Lanes, in no order.
static void appendRequests(ArrayRef<std::vector<MemoryProfiler::Event>> Lanes, uint32_t Warp,
                           std::vector<OrderedRequest> &Requests) {
  DenseMap<std::pair<uint32_t, uint32_t>, size_t> Known; // By site and execution.
  for (const auto &[Number, Events] : enumerate(Lanes)) {
    DenseMap<uint32_t, uint32_t> Executions;
    for (const auto &[Place, E] : enumerate(Events)) {
      auto [At, IsNew] = Known.try_emplace({E.Site, Executions[E.Site]++}, Requests.size());
      if (IsNew)
        Requests.push_back({Place, Warp, E.Group, {}});
      OrderedRequest &R = Requests[At->second];
      R.Place = std::min(R.Place, Place);
      R.Lanes.push_back({E.Address, E.Bytes, unsigned(Number)});
    }
  }
}

void MemoryProfiler::addRequest(AccessGroup Group, ArrayRef<LaneAccess> Lanes, LineCache &L1,
                                LineCache &Constants) {
  GroupCost &Cost = Profile[Group];
  Cost.LaneAccesses += double(Lanes.size());
  ++Cost.Requests;
  if (isShared(Group)) {
    Cost.Wavefronts += countWavefronts(Lanes, kindOf(Group));
    return;
  }
  SmallVector<uint64_t, 64> Sectors = unitsOf(Lanes, SectorBytes);
  Cost.Sectors += double(Sectors.size());
  Cost.Lines += double(unitsOf(Lanes, LineBytes).size());
  if (kindOf(Group) == AccessKind::Atomic)
    Cost.SameWord += mostOfOneWord(Lanes);
  if (Group == AccessGroup::ConstantLoad) {
    for (uint64_t Line : unitsOf(Lanes, ConstantLineBytes)) {
      ConstantLines.insert(Line);
      Cost.MissedLines += !Constants.load(Line * (LineBytes / SectorBytes));
    }
    return;
  }
  (kindOf(Group) == AccessKind::Load ? LoadedSectors : StoredSectors).insert_range(Sectors);
  if (Group != AccessGroup::GlobalLoad)
    return;
  auto Missed = count_if(Sectors, [&](uint64_t Sector) { return !L1.load(Sector); });
  Cost.MissedSectors += double(Missed);
  Cost.MissedRequests += Missed != 0;
}

/// Threads of a block that was cut whose threads run one after another: the last one is not complete, nor is
/// its warp.
static size_t completeThreads(size_t ThreadsRun) {
  size_t Before = ThreadsRun ? ThreadsRun - 1 : 0;
  return Before >= LanesOfWarp ? Before / LanesOfWarp * LanesOfWarp : std::max<size_t>(1, Before);
}

void MemoryProfiler::finishBlock(bool WasCut, bool ThreadsMeet) {
  Profile.IsCut |= WasCut;
  size_t ThreadsRun = Threads.size();
  for (const std::vector<uint64_t> &ByThread : Branches)
    ThreadsRun = std::max(ThreadsRun, ByThread.size());
  if (WasCut && !ThreadsMeet)
    ThreadsRun = completeThreads(ThreadsRun);
  closeBranches(ThreadsRun);
  Threads.resize(ThreadsRun);
  std::vector<OrderedRequest> Requests;
  for (size_t First = 0; First < Threads.size(); First += LanesOfWarp)
    appendRequests(ArrayRef(Threads).slice(First).take_front(LanesOfWarp), uint32_t(First / LanesOfWarp),
                   Requests);
  stable_sort(Requests, [](const OrderedRequest &A, const OrderedRequest &B) {
    return std::tie(A.Place, A.Warp) < std::tie(B.Place, B.Warp);
  });
  double Share = Launch.ResidentThreads ? double(Threads.size()) / double(Launch.ResidentThreads) : 1;
  LineCache L1(std::max<uint64_t>(1, uint64_t(double(Launch.L1Bytes) * std::min(1.0, Share)) / LineBytes));
  std::map<uint32_t, LineCache> Constants;
  for (const OrderedRequest &R : Requests)
    addRequest(R.Group, R.Lanes, L1,
               Constants.try_emplace(R.Warp, ConstantCacheBytes / ConstantLineBytes).first->second);
  Profile.Threads += double(Threads.size());
  Threads.clear();
}

double MemoryProfiler::footprint(const DenseSet<uint64_t> &Sectors, double Scale,
                                 function_ref<std::optional<Extent>(uint64_t Address)> ExtentOf) const {
  std::map<uint64_t, std::pair<uint64_t, double>> OfBuffers; // By begin: bytes and sectors.
  std::vector<uint64_t> Sorted(Sectors.begin(), Sectors.end());
  sort(Sorted);
  std::optional<Extent> Last;
  for (uint64_t Sector : Sorted) {
    uint64_t Address = Sector * SectorBytes;
    if (!Last || Address < Last->Begin || Address >= Last->Begin + Last->Bytes) {
      Last = ExtentOf(Address);
      if (!Last)
        Last = Extent{Address, SectorBytes};
    }
    auto &[Bytes, Number] = OfBuffers[Last->Begin];
    Bytes = Last->Bytes;
    ++Number;
  }
  double Sum = 0;
  for (const auto &[Begin, Of] : OfBuffers)
    Sum += std::min(double(Of.first), Of.second * SectorBytes * Scale);
  return Sum;
}

MemoryProfile MemoryProfiler::finish(function_ref<std::optional<Extent>(uint64_t Address)> ExtentOf) {
  // What fits is there after the first warps.
  if (ConstantLines.size() * ConstantLineBytes <= ConstantCacheBytes)
    Profile[AccessGroup::ConstantLoad].MissedLines = 0;
  if (ThreadBranches > 0)
    Profile.Divergence = std::max(1.0, WarpBranches / ThreadBranches);
  if (Profile.Threads > 0) {
    double Scale = double(Launch.ThreadsPerBlock) * double(Launch.Blocks) / Profile.Threads;
    Profile.LoadedBytes = footprint(LoadedSectors, Scale, ExtentOf);
    Profile.StoredBytes = footprint(StoredSectors, Scale, ExtentOf);
  }
  return Profile;
}

} // namespace gpuprune
