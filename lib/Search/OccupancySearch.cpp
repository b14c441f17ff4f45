//===- OccupancySearch.cpp - The searches of Liang et al. -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/OccupancySearch.h"
#include "gpuprune/Passes/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

std::optional<double> registerOccupancy(const VariantResult &Row, const OccupancyLimits &Limits) {
  if (!Row.Occupancy || !Row.Registers)
    return std::nullopt;
  return *Row.Occupancy * *Row.Registers / Limits.RegistersPerThread;
}

std::optional<PerformanceOccupancy> performanceOccupancy(const VariantResult &Row,
                                                         const OccupancyLimits &Limits) {
  if (!Row.Occupancy || !Row.Scheduled.Cycles)
    return std::nullopt;
  return PerformanceOccupancy{Limits.ThreadsPerSM * (1 - *Row.Occupancy), *Row.Scheduled.Cycles};
}

/// What was measured and found slow stays a candidate: otherwise others would take its place.
static bool isCandidate(ArrayRef<VariantResult> Rows, size_t Index, RowFilter Among) {
  const VariantResult &Row = Rows[Index];
  bool Runs = Row.isGood() || Row.Status == VariantStatus::Slow;
  return Runs && !Row.isDuplicate() && Row.mayWin() && (!Among || Among(Index));
}

static size_t countCandidates(ArrayRef<VariantResult> Rows, RowFilter Among) {
  size_t Count = 0;
  for (size_t Index = 0; Index != Rows.size(); ++Index)
    Count += isCandidate(Rows, Index, Among);
  return Count;
}

namespace {

/// Rows that may have the same total number of threads: from one thread in the last block to all of them.
struct SameThreads {
  double Least = 1, Most = 1;
  std::vector<size_t> Rows;
};

} // namespace

/// Whether the number of blocks is that of the device, and not rounded up.
static bool launchesPerMultiprocessor(const VariantResult &Row) {
  return any_of(Row.Parts.Pipeline, [](const PassElement &Element) {
    const PassDescription *Pass = findPass(Element.Name);
    return Pass && Pass->LaunchesPerMultiprocessor;
  });
}

static SameThreads threadsOf(const VariantResult &Row) {
  const PhysicalLaunch &Launch = Row.Launch;
  SameThreads Threads;
  bool IsExact = launchesPerMultiprocessor(Row);
  for (unsigned Dimension = 0; Dimension != 3; ++Dimension) {
    double Block = double(Launch.Block[Dimension]), Whole = double(Launch.Grid[Dimension]) * Block;
    Threads.Least *= IsExact ? Whole : Whole - Block + 1;
    Threads.Most *= Whole;
  }
  return Threads;
}

/// Puts \p Row to those whose number of threads can be its own.
static void addRow(std::vector<SameThreads> &Groups, size_t Row, const SameThreads &Its) {
  auto Group =
      find_if(Groups, [&](const SameThreads &G) { return Its.Least <= G.Most && G.Least <= Its.Most; });
  if (Group == Groups.end())
    Group = Groups.insert(Groups.end(), Its);
  Group->Least = std::max(Group->Least, Its.Least);
  Group->Most = std::min(Group->Most, Its.Most);
  Group->Rows.push_back(Row);
}

std::vector<size_t> performanceOccupancySet(ArrayRef<VariantResult> Rows, RowFilter Among,
                                            std::optional<OccupancyRange> Within) {
  std::vector<SameThreads> Groups;
  for (size_t Index = 0; Index != Rows.size(); ++Index)
    if (isCandidate(Rows, Index, Among) && performanceOccupancy(Rows[Index]))
      addRow(Groups, Index, threadsOf(Rows[Index]));
  std::vector<size_t> Result;
  for (const SameThreads &Group : Groups) {
    std::vector<MetricPoint> Points;
    for (size_t Row : Group.Rows) {
      PerformanceOccupancy PO = *performanceOccupancy(Rows[Row]);
      Points.push_back({-PO.Cycles, -PO.Threads});
    }
    for (size_t Place : paretoSet(ArrayRef<MetricPoint>(Points)))
      Result.push_back(Group.Rows[Place]);
  }
  if (Within)
    erase_if(Result, [&](size_t Row) {
      return *Rows[Row].Occupancy < Within->From || *Rows[Row].Occupancy > Within->To;
    });
  llvm::sort(Result);
  return Result;
}

namespace {

class RegisterOccupancyStrategy : public Strategy {
public:
  std::string whyDone() const override { return Why; }

private:
  std::string Why;

  std::vector<size_t> wanted(ArrayRef<VariantResult> Rows, RowFilter Among) override {
    std::vector<size_t> Result;
    double Highest = 0;
    for (size_t Index = 0; Index != Rows.size(); ++Index) {
      std::optional<double> RO = registerOccupancy(Rows[Index]);
      if (!RO || *RO < Highest || !isCandidate(Rows, Index, Among))
        continue;
      if (*RO > Highest)
        Result.clear();
      Highest = *RO;
      Result.push_back(Index);
    }
    Why = formatv("RO is highest, {0:f3}, for {1} of {2} variants", Highest, Result.size(),
                  countCandidates(Rows, Among));
    return Result;
  }
};

class PerformanceOccupancyStrategy : public Strategy {
public:
  explicit PerformanceOccupancyStrategy(std::optional<OccupancyRange> Within) : Within(Within) {}

  std::string whyDone() const override { return Why; }

private:
  std::optional<OccupancyRange> Within;
  std::string Why;

  std::vector<size_t> wanted(ArrayRef<VariantResult> Rows, RowFilter Among) override {
    std::vector<size_t> All = performanceOccupancySet(Rows, Among);
    std::vector<size_t> Kept = performanceOccupancySet(Rows, Among, Within);
    size_t Candidates = countCandidates(Rows, Among);
    if (All.empty())
      Why = Candidates ? "no variant has cycles of one thread" : "no variant is right";
    else if (Kept.empty())
      Why = formatv(
          "none of the {0} variants that are Pareto-optimal in PO, of {1}, has an occupancy of {2} to {3}",
          All.size(), Candidates, Within->From, Within->To);
    else {
      Why = formatv("{0} of {1} variants are Pareto-optimal in PO", All.size(), Candidates);
      if (Within)
        Why +=
            formatv(", {0} of them with an occupancy of {1} to {2}", Kept.size(), Within->From, Within->To);
    }
    return Kept;
  }
};

} // namespace

std::unique_ptr<Strategy> makeRegisterOccupancyStrategy() {
  return std::make_unique<RegisterOccupancyStrategy>();
}

std::unique_ptr<Strategy> makePerformanceOccupancyStrategy(std::optional<OccupancyRange> Within) {
  return std::make_unique<PerformanceOccupancyStrategy>(Within);
}

} // namespace gpuprune
