//===- MemoryProfile.cpp - What a kernel's accesses cost, from a sample -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/MemoryProfile.h"
#include "GrownTo.h"
#include "LineCache.h"
#include "RequestShape.h"
#include "gpuprune/Device/CommonLimits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuprune {

/// Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018: the L1 constant
/// cache. Its 2 KiB are a fourth of what the programming guide gives an SM, so each of the four partitions
/// has one, and there a warp is served whose number has that rest.
static constexpr uint64_t ConstantLineBytes = 64, Partitions = 4;
static constexpr uint64_t PartitionBytes = ConstantCacheBytes / Partitions;

static AccessGroup groupOf(const BlockRequest &Request) {
  if (Request.IsConstant)
    return AccessGroup::ConstantLoad;
  switch (Request.Kind) {
  case AccessKind::Load:
    return Request.IsShared ? AccessGroup::SharedLoad : AccessGroup::GlobalLoad;
  case AccessKind::Store:
    return Request.IsShared ? AccessGroup::SharedStore : AccessGroup::GlobalStore;
  case AccessKind::Atomic:
    return Request.IsShared ? AccessGroup::SharedAtomic : AccessGroup::GlobalAtomic;
  case AccessKind::Branch:
    break;
  }
  llvm_unreachable("a branch is no access");
}

MemoryProfiler::MemoryProfiler(const ProfiledLaunch &Launch, ExecutionFinder ExecutionsOf)
    : Launch(Launch), ExecutionsOf(std::move(ExecutionsOf)) {}
MemoryProfiler::~MemoryProfiler() = default;

void MemoryProfiler::add(const MemoryAccess &Access, bool IsConstant) {
  std::array<uint64_t, LanesOfWarp> Addresses{};
  uint32_t Lane = Access.Thread % LanesOfWarp;
  Addresses[Lane] = Access.Address;
  WarpAccess OfWarp;
  OfWarp.Kind = Access.Kind;
  OfWarp.Space = Access.Space;
  OfWarp.IsConstant = IsConstant;
  OfWarp.Bytes = Access.Bytes;
  OfWarp.Site = Access.Site;
  OfWarp.Warp = Access.Thread / LanesOfWarp;
  OfWarp.Lanes = 1u << Lane;
  OfWarp.Addresses = Addresses.data();
  Block.add(OfWarp);
}

/// Of the first \p ThreadsRun threads.
void MemoryProfiler::closeBranches(size_t ThreadsRun) {
  for (auto [Site, ByThread] : enumerate(Block.Branches))
    for (size_t First = 0; First < std::min(ThreadsRun, ByThread.size()); First += LanesOfWarp) {
      size_t Lanes = std::min<size_t>(LanesOfWarp, ThreadsRun - First);
      ArrayRef<uint32_t> OfWarp = ArrayRef(ByThread).drop_front(First);
      OfWarp = OfWarp.take_front(std::min(Lanes, OfWarp.size()));
      BranchCost &Cost = grownTo(BranchSites, Site);
      double Sum = double(sum_of(OfWarp, uint64_t(0)));
      Cost.OfWarps += double(*max_element(OfWarp));
      Cost.OfThreads += Sum / double(Lanes);
      Cost.Executions += Sum;
    }
}

void MemoryProfiler::addRequest(const BlockRequest &Request, LineCache &L1, LineCache &Constants) {
  SiteCost &Of = grownTo(Sites, Request.Site);
  RequestShape &Shape = grownTo(Shapes, Request.Site);
  Shape.fit(Request);
  Of.Group = groupOf(Request);
  GroupCost &Cost = Of.Cost;
  Cost.LaneAccesses += Shape.lanes();
  ++Cost.Requests;
  if (Request.IsShared) {
    Cost.Wavefronts += Shape.Wavefronts;
    return;
  }
  Cost.Sectors += double(Shape.sectors().size());
  Sectors += Shape.sectors().size();
  Cost.Lines += Shape.Lines;
  Cost.SameWord += Shape.SameWord;
  bool IsLate = 2 * size_t(Request.Execution) >= Block.executions(Request.Site, Request.Warp);
  auto Miss = [&](double GroupCost::*Kind, double Number) {
    Cost.*Kind += Number;
    Of.Late.*Kind += IsLate ? Number : 0;
  };
  if (Of.Group == AccessGroup::ConstantLoad) {
    Cost.Wavefronts += Shape.Wavefronts;
    uint64_t Last = ~uint64_t(0);
    for (uint64_t Sector : Shape.sectors()) {
      uint64_t Line = Sector / (ConstantLineBytes / SectorBytes);
      if (Line == std::exchange(Last, Line))
        continue;
      if (ConstantLines.insert(Line).second)
        New.push_back({Line, Request.Site, NewUnit::Constant, IsLate});
      Cost.MissedLines += double(!Constants.load(Line * (LineBytes / SectorBytes)));
    }
    return;
  }
  bool IsStored = Request.Kind != AccessKind::Load;
  for (uint64_t Sector : Shape.sectors())
    if ((IsStored ? StoredSectors : LoadedSectors).insert(Sector).second)
      New.push_back({Sector, Request.Site, IsStored ? NewUnit::Stored : NewUnit::Loaded, IsLate});
  if (Of.Group != AccessGroup::GlobalLoad)
    return;
  auto Missed = count_if(Shape.sectors(), [&](uint64_t Sector) { return !L1.load(Sector); });
  Miss(&GroupCost::MissedSectors, double(Missed));
  Miss(&GroupCost::MissedRequests, Missed != 0);
}

/// Threads of a block that was cut whose threads run one after another: the last one is not complete, nor is
/// its warp.
static size_t completeThreads(size_t ThreadsRun) {
  size_t Before = ThreadsRun ? ThreadsRun - 1 : 0;
  return Before >= LanesOfWarp ? Before / LanesOfWarp * LanesOfWarp : std::max<size_t>(1, Before);
}

/// What stands for something new, or missed, of an instruction that is executed \p Weight times as often as
/// was seen: the rest is like the second half.
static double extrapolated(double All, double Late, double Weight) {
  return Weight <= 1 ? All * Weight : All + 2 * (Weight - 1) * Late;
}

/// By how much what was seen of \p Site by all of \p Threads threads is less than what they do.
double MemoryProfiler::weightOf(uint32_t Site, double Seen, double Threads) const {
  std::optional<double> Executions =
      Seen > 0 && Profile.IsCut && ExecutionsOf ? ExecutionsOf(Site) : std::nullopt;
  return Executions ? *Executions * Threads / Seen : 1.0;
}

/// The lines of a partition's constant cache: as many of all as warps were seen to read of what they read.
size_t MemoryProfiler::constantLines(ArrayRef<const BlockRequest *> Requests) const {
  constexpr size_t All = PartitionBytes / ConstantLineBytes, Fewest = 4;
  DenseMap<uint32_t, double> Executions;
  for (const BlockRequest *R : Requests)
    if (R->IsConstant)
      Executions[R->Site] += unsigned(llvm::popcount(R->Lanes));
  DenseSet<uint64_t> Known;
  double Seen = 0, Read = 0;
  for (const BlockRequest *R : Requests) {
    if (!R->IsConstant ||
        !Known.insert(R->Addresses[unsigned(llvm::countr_zero(R->Lanes))] / ConstantLineBytes).second)
      continue;
    bool IsLate = 2 * size_t(R->Execution) >= Block.executions(R->Site, R->Warp);
    ++Seen;
    Read += extrapolated(1, IsLate, weightOf(R->Site, Executions[R->Site], double(Block.threads())));
  }
  return Read > Seen ? std::max(Fewest, size_t(double(All) * Seen / Read)) : All;
}

void MemoryProfiler::finishBlock(bool WasCut, bool ThreadsMeet) {
  Profile.IsCut |= WasCut;
  if (WasCut && !ThreadsMeet)
    Block.dropFrom(completeThreads(Block.threads()));
  size_t ThreadsRun = Block.threads();
  closeBranches(ThreadsRun);
  double Share = Launch.ResidentThreads ? double(ThreadsRun) / double(Launch.ResidentThreads) : 1;
  LineCache L1(std::max<uint64_t>(1, uint64_t(double(Launch.L1Bytes) * std::min(1.0, Share)) / LineBytes));
  std::map<uint32_t, LineCache> Constants; // By partition.
  std::vector<const BlockRequest *> Requests = Block.inTurns();
  size_t Lines = constantLines(Requests);
  for (const BlockRequest *R : Requests)
    addRequest(*R, L1, Constants.try_emplace(R->Warp % Partitions, Lines).first->second);
  Profile.Threads += double(ThreadsRun);
  Block = BlockRequests();
}

double MemoryProfiler::footprint(NewUnit::Kind Kind, double Scale, ExtentFinder ExtentOf,
                                 ArrayRef<double> Weights) const {
  std::map<uint64_t, std::pair<uint64_t, double>> OfBuffers; // By begin: bytes and sectors.
  std::optional<Extent> Last;
  for (const NewUnit &Unit : New) {
    if (Unit.Is != Kind)
      continue;
    uint64_t Address = Unit.Number * SectorBytes;
    if (!Last || Address < Last->Begin || Address >= Last->Begin + Last->Bytes) {
      Last = ExtentOf(Address);
      if (!Last)
        Last = Extent{Address, SectorBytes};
    }
    auto &[Bytes, Number] = OfBuffers[Last->Begin];
    Bytes = Last->Bytes;
    Number += extrapolated(1, Unit.IsLate, Weights[Unit.Site]);
  }
  double Sum = 0;
  for (const auto &[Begin, Of] : OfBuffers)
    Sum += std::min(double(Of.first), Of.second * SectorBytes * Scale);
  return Sum;
}

void MemoryProfiler::addScaled(const SiteCost &Of, double Weight) {
  GroupCost &Sum = Profile[Of.Group];
  for (auto Part : {&GroupCost::LaneAccesses, &GroupCost::Requests, &GroupCost::Sectors, &GroupCost::Lines,
                    &GroupCost::Wavefronts, &GroupCost::MissedLines, &GroupCost::SameWord})
    Sum.*Part += Of.Cost.*Part * Weight;
  for (auto Part : {&GroupCost::MissedSectors, &GroupCost::MissedRequests})
    Sum.*Part += extrapolated(Of.Cost.*Part, Of.Late.*Part, Weight);
}

MemoryProfile MemoryProfiler::finish(ExtentFinder ExtentOf) {
  std::vector<double> Weights;
  for (auto [Site, Of] : enumerate(Sites)) {
    Weights.push_back(weightOf(uint32_t(Site), Of.Cost.LaneAccesses, Profile.Threads));
    addScaled(Of, Weights.back());
  }
  for (const NewUnit &Unit : New)
    if (Unit.Is == NewUnit::Constant)
      Profile.ConstantLines += extrapolated(1, Unit.IsLate, Weights[Unit.Site]);
  // What fits is there after the first warps.
  if (Profile.ConstantLines * ConstantLineBytes <= PartitionBytes)
    Profile[AccessGroup::ConstantLoad].MissedLines = 0;
  double WarpBranches = 0, ThreadBranches = 0;
  for (auto [Site, Of] : enumerate(BranchSites)) {
    double Weight = weightOf(uint32_t(Site), Of.Executions, Profile.Threads);
    WarpBranches += Of.OfWarps * Weight;
    ThreadBranches += Of.OfThreads * Weight;
  }
  if (ThreadBranches > 0)
    Profile.Divergence = std::max(1.0, WarpBranches / ThreadBranches);
  if (Profile.Threads > 0) {
    double Scale = double(Launch.ThreadsPerBlock) * double(Launch.Blocks) / Profile.Threads;
    Profile.LoadedBytes = footprint(NewUnit::Loaded, Scale, ExtentOf, Weights);
    Profile.StoredBytes = footprint(NewUnit::Stored, Scale, ExtentOf, Weights);
  }
  return Profile;
}

} // namespace gpuprune
