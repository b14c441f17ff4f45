//===- LiangSpace.cpp - Spaces, searched as Liang et al. do --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/LiangSpace.h"
#include "gpuprune/Search/ModelGuided.h"
#include "gpuprune/Search/OccupancySearch.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

double LiangSpace::defaultMs() const {
  double Sum = 0;
  for (const LiangLaunch &Launch : Launches)
    Sum += Launch.wholeMs();
  return Sum;
}

size_t LiangSpace::combinations() const {
  size_t Sum = 0;
  for (const LiangLaunch &Launch : Launches)
    Sum += Launch.Rows.size();
  return Sum;
}

size_t LiangSpace::distinct() const {
  size_t Sum = 0;
  for (const LiangLaunch &Launch : Launches)
    Sum += Launch.Measured.size();
  return Sum;
}

const LiangLaunch &LiangSpace::longestLaunch() const {
  return *max_element(Launches,
                      [](const LiangLaunch &A, const LiangLaunch &B) { return A.wholeMs() < B.wholeMs(); });
}

/// Whether \p Kernel is the application itself or, with \p Times set, one of its launches.
static bool isLaunchOf(StringRef Kernel, StringRef Application, unsigned &Times) {
  Times = 1;
  if (!Kernel.consume_front(Application))
    return false;
  if (Kernel.empty())
    return true;
  unsigned Number = 0;
  return Kernel.consume_front("@") && !Kernel.consumeInteger(10, Number) && Number != 0 &&
         (Kernel.empty() || (Kernel.consume_front("x") && !Kernel.getAsInteger(10, Times) && Times != 0));
}

static Expected<LiangLaunch> launchOf(const RecordedKernel &Recorded, unsigned Times) {
  LiangLaunch Launch;
  Launch.Name = Recorded.Name;
  Launch.Times = Times;
  Launch.Stock = Recorded.Stock;
  Launch.Rows = Recorded.Rows;
  if (!Launch.Stock.OnGpu.MedianMs)
    return makeError(ErrorKind::Input, Recorded.Name + " as written has no time");
  for (const auto &[Index, Row] : enumerate(Launch.Rows))
    if (isTimed(Row))
      Launch.Measured.push_back(Index);
  if (Launch.Measured.empty())
    return makeError(ErrorKind::Input, Recorded.Name + " has no measured variant");
  Launch.Best =
      *min_element(Launch.Measured, [&](size_t A, size_t B) { return Launch.timeOf(A) < Launch.timeOf(B); });
  Launch.Pareto =
      performanceOccupancySet(Launch.Rows, [&](size_t Row) { return is_contained(Launch.Measured, Row); });
  return Launch;
}

static std::unique_ptr<Strategy> makeStrategy(SearchKind Kind) {
  switch (Kind) {
  case SearchKind::RegisterOccupancy:
    return makeRegisterOccupancyStrategy();
  case SearchKind::PerformanceOccupancy:
    return makePerformanceOccupancyStrategy();
  case SearchKind::FilteredPerformanceOccupancy:
    return makePerformanceOccupancyStrategy(PublishedFilter);
  case SearchKind::ModelGuided:
    return makeModelGuidedStrategy();
  default:
    return makeExhaustiveStrategy();
  }
}

static LiangSearch searched(StringLiteral Name, ArrayRef<LiangLaunch> Launches,
                            ArrayRef<const RecordedKernel *> Recorded) {
  LiangSearch Result{Name};
  for (const auto &[Launch, Kernel] : zip_equal(Launches, Recorded)) {
    Replayed Found = replaySearch(*makeStrategy(*parseSearchKind(Name)), Launch.Rows);
    Result.Measured += Found.Measured;
    Result.MeasuredMs += Found.MeasuredMs;
    Result.Ms += Launch.Times * Found.BestMs.value_or(Launch.defaultMs());
    if (auto Seconds = Kernel->WallSeconds.find(Name); Seconds != Kernel->WallSeconds.end())
      Result.WallSeconds = Result.WallSeconds.value_or(0) + Seconds->second;
  }
  return Result;
}

Expected<LiangSpace> evaluateLiangSpace(const LiangApplication &Application, ArrayRef<RecordedKernel> Table) {
  LiangSpace Space;
  Space.Application = &Application;
  std::vector<const RecordedKernel *> Recorded;
  for (const RecordedKernel &Kernel : Table) {
    unsigned Times = 1;
    if (!isLaunchOf(Kernel.Name, Application.Kernel, Times))
      continue;
    Expected<LiangLaunch> Launch = launchOf(Kernel, Times);
    if (!Launch)
      return Launch.takeError();
    Space.Launches.push_back(std::move(*Launch));
    Recorded.push_back(&Kernel);
  }
  if (Space.Launches.empty())
    return makeError(ErrorKind::Input, "the table lacks the application " + Application.Kernel);
  for (StringLiteral Name : {StringLiteral("es"), StringLiteral("ros"), StringLiteral("pos"),
                             StringLiteral("posf"), StringLiteral("model-guided")})
    Space.Searches.push_back(searched(Name, Space.Launches, Recorded));
  return Space;
}

} // namespace gpuprune
