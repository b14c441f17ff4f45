//===- RyooSpace.cpp - A space, pruned as Ryoo et al. do -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/RyooSpace.h"
#include "gpuprune/Analysis/Metrics.h"
#include "gpuprune/Search/ModelGuided.h"
#include "gpuprune/Search/ModelPareto.h"
#include "gpuprune/Search/Regret.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Median.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

static void multiply(std::optional<double> &Value, double Factor) {
  if (Value)
    *Value *= Factor;
}

/// A launch that does a part of the work stands for all the launches that do the whole of it.
static Error scaleToWholeWork(const RyooApplication &A, VariantResult &Row) {
  auto Work = find_if(Row.Parts.Defines, [&](const DefineSetting &D) { return D.Name == A.WorkDefine; });
  if (A.WorkDefine.empty() || Work == Row.Parts.Defines.end())
    return Error::success();
  double OfLaunch = 0;
  if (StringRef(Work->Value).getAsDouble(OfLaunch) || OfLaunch <= 0)
    return makeError(ErrorKind::Input, "'" + Row.text() + "' does no part of the work");
  double Launches = A.WholeWork / OfLaunch;
  for (std::optional<double> *Value : {&Row.OnGpu.MedianMs, &Row.OnGpu.BaselineMedianMs, &Row.Instr,
                                       &Row.Regions, &Row.Modelled.Ms, &Row.Modelled.QueuedMs})
    multiply(*Value, Launches);
  multiply(Row.Efficiency, 1 / Launches);
  if (Launches != 1)
    Row.NoWin.clear(); // It was that it computes another result than the whole.
  return Error::success();
}

/// Equations 1 and 2 with nothing added for small grids. What ptxas spills by itself is not in the PTX that
/// is counted, so that such variants look better than they are; the paper has none, and they are kept out
/// here.
static MetricPoint publishedMetrics(const VariantResult &Row) {
  double Threads = Row.Launch.Block.volume(), Blocks = Row.Launch.Grid.volume();
  double Instr = Row.Instr.value_or(0);
  return {efficiency(Instr, Threads * Blocks),
          utilization(Instr, Row.Regions.value_or(0), unsigned(std::ceil(Threads / 32)),
                      Row.BlocksPerSM.value_or(0)),
          isTimed(Row) && Row.Status != VariantStatus::Spills};
}

static std::vector<double> timesOf(const RyooSpace &Space, ArrayRef<size_t> Rows) {
  std::vector<double> Times;
  for (size_t Row : Rows)
    Times.push_back(Space.timeOf(Row));
  return Times;
}

static void judgePareto(RyooSpace &Space) {
  for (const VariantResult &Row : Space.Rows)
    Space.Points.push_back(publishedMetrics(Row));
  Space.Selected = paretoSet(ArrayRef<MetricPoint>(Space.Points));
  auto Faster = [&](size_t A, size_t B) { return Space.timeOf(A) < Space.timeOf(B); };
  Space.Best = *min_element(Space.Measured, Faster);
  Space.Worst = *max_element(Space.Measured, Faster);
  Space.BestSelected = *min_element(Space.Selected, Faster);
  std::vector<double> All = timesOf(Space, Space.Measured), Kept = timesOf(Space, Space.Selected);
  Space.EvaluationMs = accumulate(All, 0.0);
  Space.SelectedMs = accumulate(Kept, 0.0);
  Space.RandomRegret = randomSampleRegret(All, Kept.size());
}

static ClusterSpread clusterSpread(const RyooSpace &Space) {
  ClusterSpread Result;
  std::vector<double> Spreads;
  for (const std::vector<size_t> &Cluster : clustersOf(Space.Rows, Space.Measured)) {
    std::vector<double> Times = timesOf(Space, Cluster);
    double Fastest = *min_element(Times), Slowest = *max_element(Times);
    if (is_contained(Cluster, Space.Best)) {
      Result.OfOptimum = Cluster.size();
      Result.SlowestOfOptimum = Slowest / Fastest;
      Result.MedianOfOptimum = *median(Times) / Fastest;
    }
    if (Cluster.size() == 1)
      continue;
    Result.Largest = std::max(Result.Largest, Cluster.size());
    Spreads.push_back(Slowest / Fastest);
  }
  Result.Clusters = Spreads.size();
  if (!Spreads.empty())
    Result.LargestSpread = *max_element(Spreads);
  Result.MedianSpread = median(Spreads).value_or(1);
  return Result;
}

/// What `gpuprune tune` would have measured by the metrics and, where the table has modelled times, by the
/// model.
static void replaySearches(RyooSpace &Space) {
  std::unique_ptr<Strategy> Search = makeSearchStrategy();
  Space.Searches.push_back({"search", replaySearch(*Search, Space.Rows)});
  if (none_of(Space.Rows, [](const VariantResult &Row) { return Row.Modelled.Ms.has_value(); }))
    return;
  std::unique_ptr<Strategy> Guided = makeModelGuidedStrategy();
  Space.Searches.push_back({"model-guided", replaySearch(*Guided, Space.Rows)});
  if (any_of(Space.Rows, [](const VariantResult &Row) { return Row.Modelled.QueuedMs.has_value(); })) {
    std::unique_ptr<Strategy> Pareto = makeModelParetoStrategy();
    Space.Searches.push_back({"model-pareto", replaySearch(*Pareto, Space.Rows)});
  }
  Space.Searches.push_back({"model", replayModelChoice(Space.Rows, Space.Stock)});
}

Expected<RyooSpace> evaluateSpace(const RyooApplication &Application, const RecordedKernel &Recorded) {
  RyooSpace Space;
  Space.Application = &Application;
  Space.Stock = Recorded.Stock;
  Space.Rows = Recorded.Rows;
  for (auto [Index, Row] : enumerate(Space.Rows)) {
    if (Error E = scaleToWholeWork(Application, Row))
      return std::move(E);
    if (isTimed(Row))
      Space.Measured.push_back(Index);
  }
  if (Space.Measured.empty())
    return makeError(ErrorKind::Input, Application.Kernel + " has no measured variant");
  judgePareto(Space);
  if (Space.Selected.empty())
    return makeError(ErrorKind::Input, Application.Kernel + " has no variant with both metrics");
  Space.Clusters = clusterSpread(Space);
  replaySearches(Space);
  return Space;
}

} // namespace gpuprune
