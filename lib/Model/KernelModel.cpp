//===- KernelModel.cpp - The time of a kernel from its machine code ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/KernelModel.h"
#include "gpuprune/Model/ClosedQueue.h"
#include "gpuprune/Model/UniformConstants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <numeric>

using namespace llvm;

namespace gpuprune {

StringRef modelTermName(ModelTerm Term) {
  static constexpr const char *Names[] = {
#define MODEL_TERM(Enumerator, Name, What) Name,
#include "gpuprune/Model/ModelTerms.def"
  };
  return Names[size_t(Term)];
}

std::optional<ModelTerm> parseModelTerm(StringRef Name) {
  for (size_t Index = 0; Index != NumModelTerms; ++Index)
    if (modelTermName(ModelTerm(Index)) == Name)
      return ModelTerm(Index);
  return std::nullopt;
}

StringRef modelTermDescription(ModelTerm Term) {
  static constexpr const char *What[] = {
#define MODEL_TERM(Enumerator, Name, What) What,
#include "gpuprune/Model/ModelTerms.def"
  };
  return What[size_t(Term)];
}

/// Of the norm by which terms become one time.
static constexpr double Exponent = 4;

static double together(ArrayRef<double> Terms) {
  double Sum = 0;
  for (double Term : Terms)
    Sum += std::pow(Term, Exponent);
  return std::pow(Sum, 1 / Exponent);
}

double ModelledTime::without(std::optional<ModelTerm> Left) const {
  std::array<double, NumModelTerms> Terms = Cycles;
  if (Left)
    Terms[size_t(*Left)] = 0;
  return together(Terms) / (ClockGHz * 1e6);
}

/// The terms of a scheduler, for which its warps queue.
static constexpr ModelTerm SchedulerTerms[] = {ModelTerm::Issue, ModelTerm::Fma, ModelTerm::FmaHeavy,
                                               ModelTerm::Alu,   ModelTerm::Xu,  ModelTerm::Fp64};

/// In cycles; of \p Warps of a scheduler.
static double queuedCycles(const ModelledTime &Time, unsigned Warps) {
  std::array<double, NumModelTerms> Terms = Time.Cycles;
  SmallVector<double> Demands;
  for (ModelTerm Term : SchedulerTerms)
    Demands.push_back(std::exchange(Terms[size_t(Term)], 0));
  double Latency = std::exchange(Terms[size_t(ModelTerm::Latency)], 0);
  double Elsewhere = std::max(0.0, Warps * Latency - accumulate(Demands, 0.0));
  Terms[size_t(ModelTerm::Issue)] = closedQueueTime(Demands, Elsewhere, Warps);
  return together(Terms);
}

namespace {

/// What the accesses of one warp cost, scaled from the sample to the counts of the launch.
class WarpTraffic {
public:
  WarpTraffic(const KernelCounts &Counts, const MemoryProfile &Memory, double ThreadsOfWarp)
      : Counts(Counts), Memory(Memory), ThreadsOfWarp(ThreadsOfWarp) {}

  double sharedWavefronts() const;
  double lines() const;
  double sectorsToL2() const;
  double missedLoads() const { return ofWarp(AccessGroup::GlobalLoad, &GroupCost::MissedSectors); }
  /// Addresses of constants that loads want besides the first one.
  double furtherConstants() const {
    return ofWarp(AccessGroup::ConstantLoad, &GroupCost::Wavefronts) -
           ofWarp(AccessGroup::ConstantLoad, &GroupCost::Requests);
  }
  double missedConstants() const { return ofWarp(AccessGroup::ConstantLoad, &GroupCost::MissedLines); }

private:
  const KernelCounts &Counts;
  const MemoryProfile &Memory;
  double ThreadsOfWarp;

  double executed(AccessGroup Group) const;
  /// \p Sum of the sample, of one warp of the launch.
  double ofWarp(AccessGroup Group, double GroupCost::*Sum) const {
    const GroupCost &Cost = Memory[Group];
    return Cost.LaneAccesses > 0 ? Cost.*Sum / Cost.LaneAccesses * executed(Group) * ThreadsOfWarp : 0;
  }
};

} // namespace

/// Accesses of a thread.
double WarpTraffic::executed(AccessGroup Group) const {
  using Class = InstructionClass;
  const GroupCost &Cost = Memory[Group];
  switch (Group) {
  case AccessGroup::GlobalLoad:
    return Counts[Class::LoadGlobal] + Counts[Class::LoadGeneric];
  case AccessGroup::GlobalStore:
    return Counts[Class::StoreGlobal] + Counts[Class::StoreGeneric];
  case AccessGroup::SharedLoad:
    return Counts[Class::LoadShared];
  case AccessGroup::SharedStore:
    return Counts[Class::StoreShared];
  case AccessGroup::GlobalAtomic:
  case AccessGroup::SharedAtomic:
  case AccessGroup::ConstantLoad:
    break;
  }
  return Memory.Threads > 0 ? Cost.LaneAccesses / Memory.Threads : 0;
}

double WarpTraffic::sharedWavefronts() const {
  return ofWarp(AccessGroup::SharedLoad, &GroupCost::Wavefronts) +
         ofWarp(AccessGroup::SharedStore, &GroupCost::Wavefronts) +
         ofWarp(AccessGroup::SharedAtomic, &GroupCost::Wavefronts);
}

double WarpTraffic::lines() const {
  return ofWarp(AccessGroup::GlobalLoad, &GroupCost::Lines) +
         ofWarp(AccessGroup::GlobalStore, &GroupCost::Lines) +
         ofWarp(AccessGroup::GlobalAtomic, &GroupCost::Lines);
}

double WarpTraffic::sectorsToL2() const {
  return missedLoads() + ofWarp(AccessGroup::GlobalStore, &GroupCost::Sectors) +
         ofWarp(AccessGroup::GlobalAtomic, &GroupCost::Sectors);
}

static double warpsOf(const ModelledLaunch &Launch, const DeviceInfo &Device) {
  return std::ceil(Launch.Block.volume() / Device.WarpSize);
}

GlobalLatencies globalLatencies(const KernelCounts &Counts, const MemoryProfile &Memory,
                                const ModelledLaunch &Launch, const DeviceInfo &Device,
                                const ModelRates &Rates) {
  double Warps = warpsOf(Launch, Device);
  double MissedBytes = WarpTraffic(Counts, Memory, Launch.Block.volume() / Warps).missedLoads() * Warps *
                       Launch.Grid.volume() * SectorBytes;
  const GroupCost &Loads = Memory[AccessGroup::GlobalLoad];
  double Missed = Loads.Requests > 0 ? Loads.MissedRequests / Loads.Requests : 1;
  double FromDram = MissedBytes > 0 ? std::min(1.0, Memory.LoadedBytes / MissedBytes) : 1;
  double BehindL1 = Rates.L2Latency - Rates.L1Latency + FromDram * (Rates.DramLatency - Rates.L2Latency);
  return {Rates.L1Latency + Missed * BehindL1, Rates.L2Latency};
}

/// Warps of a block are dealt to an SM's partitions in turn.
static PartitionWarps partitionWarps(double WarpsOfBlock, double ResidentBlocks, double Partitions) {
  return {ResidentBlocks * std::min(1.0, WarpsOfBlock / Partitions),
          std::max(1.0, WarpsOfBlock / Partitions)};
}

static double divergence(const KernelCounts &Counts, const MemoryProfile &Memory) {
  return Counts.Warps ? Counts.Warps->Divergence : Memory.Divergence;
}

/// Where blocks are not alike, an SM is not full to the end, after \p Waves of resident blocks.
static double unevenness(const KernelCounts &Counts, double Waves) {
  return Counts.Warps ? 1 + Counts.Warps->Variation / 2 / Waves : 1;
}

Expected<ModelledTime> modelTime(const KernelCode &Code, const FlowGraph &Ptx, const KernelCounts &Counts,
                                 const MemoryProfile &Memory, const ModelledLaunch &Launch,
                                 const DeviceInfo &Device) {
  Expected<const ModelRates *> Found = findRates(Device.Arch);
  if (!Found)
    return Found.takeError();
  const ModelRates &Rates = **Found;
  FlowGraph Machine = machineFlow(Code);
  MachineExecutions Executions = machineExecutions(Code, Machine, Ptx, Counts.Blocks);
  double Blocks = Launch.Grid.volume(), Threads = Launch.Block.volume(), Warps = warpsOf(Launch, Device);
  double OfSM = std::ceil(Blocks / Device.SMCount);
  double Resident = std::max(1.0, std::min<double>(Launch.BlocksPerSM, OfSM));
  double Schedulers = Device.SchedulersPerSM;
  double WarpsOfScheduler = std::ceil(Warps * Resident / Schedulers); // The fullest.
  double Uneven = WarpsOfScheduler / (Warps * Resident / Schedulers);
  WarpTraffic Traffic(Counts, Memory, Threads / Warps);
  WarpCost Cost = warpCost(Code, Machine, Executions, Device, Rates,
                           globalLatencies(Counts, Memory, Launch, Device, Rates));

  ModelledTime Time;
  Time.ClockGHz = Rates.ClockGHz;
  double D = divergence(Counts, Memory) * unevenness(Counts, OfSM / Resident);
  double OfScheduler = D * OfSM * Warps * Uneven / Schedulers;
  Time[ModelTerm::Latency] = D * Cost.Alone * OfSM / Resident;
  Time[ModelTerm::Blocks] = Blocks / Rates.BlocksPerClock;
  Time[ModelTerm::Issue] = Cost.Issue * OfScheduler;
  Time[ModelTerm::Fma] = Cost.Fma * OfScheduler;
  Time[ModelTerm::FmaHeavy] = Cost.FmaHeavy * OfScheduler;
  Time[ModelTerm::Alu] = Cost.Alu * OfScheduler;
  Time[ModelTerm::Xu] = Cost.Xu * OfScheduler;
  Time[ModelTerm::Fp64] = Cost.Fp64 * OfScheduler;
  Time[ModelTerm::L1] = OfSM * Warps *
                        (Traffic.sharedWavefronts() + Traffic.lines() + D * Cost.Shuffles +
                         D * Cost.LocalBytes * Device.WarpSize / Rates.L1BytesPerClock);
  UniformConstants Uniform = uniformConstants(
      Code, Machine, Executions, partitionWarps(Warps, Resident, Schedulers), Memory.ConstantLines);
  Time[ModelTerm::Constant] =
      OfScheduler * Uniform.Missed * Rates.UniformConstantMissLatency +
      OfSM * Warps * Traffic.missedConstants() * (1 - Uniform.Share) * Rates.ConstantMissCycles +
      OfSM * Warps * Uneven / Schedulers * Traffic.furtherConstants() * Rates.ConstantAddressCycles;
  double ToL2 = Traffic.sectorsToL2() * SectorBytes;
  Time[ModelTerm::L2Port] = OfSM * Warps * ToL2 / Rates.L2PortBytesPerClock;
  Time[ModelTerm::L2] = Blocks * Warps * ToL2 / Rates.L2BytesPerClock;
  Time[ModelTerm::Dram] = (Memory.LoadedBytes + Memory.StoredBytes) / Rates.DramGBs * Rates.ClockGHz;
  Time.Bound = ModelTerm(max_element(Time.Cycles) - Time.Cycles.begin());
  Time.Ms = Time.without(std::nullopt);
  Time.QueuedMs = queuedCycles(Time, WarpsOfScheduler) / (Time.ClockGHz * 1e6);
  Time.WhyRun = Memory.WhyRun;
  Time.Notes = Executions.Assumed;
  for (const auto &[Name, Number] : Code.Estimated)
    Time.Notes.push_back(Name + " is not modelled");
  Time.IsEstimated = !Time.Notes.empty();
  return Time;
}

} // namespace gpuprune
