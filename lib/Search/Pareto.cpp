//===- Pareto.cpp - What no other variant beats in both metrics -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Pareto.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace llvm;

namespace gpuprune {

std::vector<size_t> paretoSet(ArrayRef<MetricPoint> Points) {
  std::vector<size_t> Order;
  for (const auto &[Index, Point] : enumerate(Points))
    if (Point.Eligible && std::isfinite(Point.Efficiency) && std::isfinite(Point.Utilization))
      Order.push_back(Index);
  // Best efficiency first, then best utilization: what comes later can be
  // dominated only by what came before.
  llvm::sort(Order, [&](size_t A, size_t B) {
    const MetricPoint &Left = Points[A], &Right = Points[B];
    if (Left.Efficiency != Right.Efficiency)
      return Left.Efficiency > Right.Efficiency;
    if (Left.Utilization != Right.Utilization)
      return Left.Utilization > Right.Utilization;
    return A < B;
  });
  std::vector<size_t> Result;
  double Best = -std::numeric_limits<double>::infinity();
  for (size_t Index : Order) {
    const MetricPoint &Point = Points[Index];
    const MetricPoint *Last = Result.empty() ? nullptr : &Points[Result.back()];
    bool Equal = Last && Last->Efficiency == Point.Efficiency && Last->Utilization == Point.Utilization;
    if (Point.Utilization > Best || Equal)
      Result.push_back(Index);
    Best = std::max(Best, Point.Utilization);
  }
  llvm::sort(Result);
  return Result;
}

std::vector<size_t> paretoSet(ArrayRef<VariantResult> Rows, const ParetoOptions &Options, RowFilter Among) {
  std::vector<MetricPoint> Points;
  for (const auto &[Index, Row] : enumerate(Rows)) {
    bool Runs = Row.Status == VariantStatus::Ok || Row.Status == VariantStatus::Slow;
    bool Takes = Runs || (Options.KeepSpills && Row.Status == VariantStatus::Spills);
    Takes &= !Among || Among(Index);
    bool Known = Row.Efficiency && Row.Utilization;
    Points.push_back({Row.Efficiency.value_or(0), Row.Utilization.value_or(0),
                      Takes && Known && !Row.isDuplicate() && Row.mayWin()});
  }
  return paretoSet(Points);
}

void markPareto(MutableArrayRef<VariantResult> Rows, const ParetoOptions &Options) {
  for (VariantResult &Row : Rows)
    Row.Pareto = false;
  for (size_t Index : paretoSet(ArrayRef<VariantResult>(Rows), Options))
    Rows[Index].Pareto = true;
  // The twin of one with the same PTX may itself be one with the same machine code.
  for (TwinKind Kind : {TwinKind::MachineCode, TwinKind::Ptx})
    for (VariantResult &Row : Rows)
      if (Row.isTwinBy(Kind))
        Row.Pareto = Rows[Row.Twin->Row].Pareto;
}

std::vector<std::vector<size_t>> clustersOf(ArrayRef<VariantResult> Rows, ArrayRef<size_t> Set) {
  auto Percent = [](const std::optional<double> &Metric) {
    return Metric && *Metric > 0 ? std::lround(std::log(*Metric) * 100) : 0;
  };
  MapVector<std::pair<long, long>, std::vector<size_t>> Clusters;
  for (size_t Index : Set)
    Clusters[{Percent(Rows[Index].Efficiency), Percent(Rows[Index].Utilization)}].push_back(Index);
  auto Groups = llvm::make_second_range(Clusters);
  return {Groups.begin(), Groups.end()};
}

double promise(const VariantResult &Row) {
  double Product = Row.Efficiency.value_or(0) * Row.Utilization.value_or(0);
  return std::isfinite(Product) ? Product : 0;
}

} // namespace gpuprune
