//===- SurveyCells.cpp - What a survey takes from a tuning run ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Survey.h"
#include "gpuprune/Search/Alone.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuprune {

std::optional<RefusalKind> SurveyCell::commonRefusal() const {
  std::optional<RefusalKind> Common;
  size_t Most = 0;
  for (auto [Refusal, Count] : Refusals)
    if (Count > Most) {
      Common = Refusal;
      Most = Count;
    }
  return Common;
}

/// Whether a mistake is the only explanation: of this program, of LLVM, or of ptxas.
static bool isFault(VariantStatus Status) {
  switch (Status) {
  case VariantStatus::CodeGen:
  case VariantStatus::Ptxas:
  case VariantStatus::Launch:
  case VariantStatus::Fault:
  case VariantStatus::Timeout:
  case VariantStatus::Wrong:
    return true;
  default:
    return false;
  }
}

/// Of a row that carries a twin's figures, too.
static std::optional<double> speedupOf(const VariantResult &Row) {
  if (!Row.isGood() || !Row.OnGpu.isRight() || !Row.OnGpu.MedianMs || !Row.OnGpu.BaselineMedianMs ||
      *Row.OnGpu.MedianMs <= 0)
    return std::nullopt;
  return *Row.OnGpu.BaselineMedianMs / *Row.OnGpu.MedianMs;
}

static void count(SurveyCell &Cell, const VariantResult &Row) {
  ++Cell.Variants;
  if (Row.Status == VariantStatus::Skipped)
    ++Cell.NotCompiled;
  else if (Row.Refusal)
    ++Cell.Refusals[*Row.Refusal];
  else if (Row.Status != VariantStatus::Frontend && Row.Status != VariantStatus::Refused)
    ++Cell.Applied;
  if (std::optional<double> Speedup = speedupOf(Row);
      Speedup && (!Cell.Speedup || *Speedup > *Cell.Speedup)) {
    Cell.Speedup = Speedup;
    Cell.Best = Row.text();
  }
}

/// The winner, or the source as written where that is faster.
static void choose(SurveyedKernel &Kernel, const TuneReport &Report) {
  std::optional<size_t> Winner = Report.winner();
  if (!Winner)
    return;
  TimePair Times = Report.timesOf(*Winner);
  if (!Times.VariantMs || !Times.StockMs || *Times.VariantMs <= 0)
    return;
  double Speedup = *Times.StockMs / *Times.VariantMs;
  Kernel.Speedup = std::max(Speedup, 1.0);
  if (Speedup > 1)
    Kernel.Winner = Report.Variants[*Winner].text();
}

SurveyedKernel surveyOf(StringRef Name, const TuneReport &Report) {
  SurveyedKernel Kernel;
  Kernel.Name = Name.str();
  Kernel.NotMeasured = Report.NotMeasured;
  Kernel.BudgetNote = Report.BudgetNote;
  Kernel.RunnerFailed = Report.RunnerFailed;
  if (isFault(Report.Stock.Status))
    Kernel.Faults.push_back({"(as written, stock clang)", Report.Stock.Status, Report.Stock.Message});
  for (const VariantResult &Row : Report.Variants) {
    count(Kernel.All, Row);
    if (std::string Choice = soleChoice(Row.Parts, Report.AuthorDefines); !Choice.empty())
      count(Kernel.Alone[Choice], Row);
    if (isFault(Row.Status) && !Row.isDuplicate())
      Kernel.Faults.push_back({Row.text(), Row.Status, Row.Message});
  }
  choose(Kernel, Report);
  return Kernel;
}

static std::optional<double> geometricMean(ArrayRef<double> Values) {
  if (Values.empty())
    return std::nullopt;
  double Sum = 0;
  for (double V : Values)
    Sum += std::log(V);
  return std::exp(Sum / double(Values.size()));
}

/// The one in the middle of \p Sorted, or both.
static ArrayRef<double> middleOf(ArrayRef<double> Sorted) {
  size_t Outside = Sorted.empty() ? 0 : (Sorted.size() - 1) / 2;
  return Sorted.drop_front(Outside).drop_back(Outside);
}

/// What counts as faster.
static constexpr double FasterFrom = 1.05;

SurveySummary Survey::summary() const {
  std::vector<double> Speedups;
  for (const SurveyedKernel &Kernel : Kernels)
    if (Kernel.Speedup)
      Speedups.push_back(*Kernel.Speedup);
  llvm::sort(Speedups, std::greater<>());
  SurveySummary Result;
  Result.Measured = Speedups.size();
  Result.Faster = count_if(Speedups, [](double S) { return S >= FasterFrom; });
  Result.Slower = count_if(Speedups, [](double S) { return S < 1; });
  Result.Mean = geometricMean(Speedups);
  Result.Median = geometricMean(middleOf(Speedups));
  if (Speedups.size() > 3)
    Result.MeanWithoutThree = geometricMean(ArrayRef(Speedups).drop_front(3));
  return Result;
}

size_t Survey::faults() const {
  size_t Count = 0;
  for (const SurveyedKernel &Kernel : Kernels)
    Count += Kernel.Faults.size();
  return Count;
}

} // namespace gpuprune
