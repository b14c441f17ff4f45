//===- FinalWinner.cpp - Who wins the final rounds ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Support/Median.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>
#include <tuple>

using namespace llvm;

namespace gpuprune {

/// A variant that cannot be told from the fastest may be taken instead of it only
/// where it is estimated to take at most this part longer: a noisy run tells little
/// apart, and must not make a slow variant the winner.
static constexpr double TieMargin = 0.01;

/// How much a variant asks of a build: the less the better.
static auto effort(const TuneReport &Report, const VariantResult &Row) {
  std::string Text = Row.text();
  size_t Length = Text.size();
  return std::tuple(!Report.hasAuthorDefines(Row), Row.Parts.Pipeline.size(), Length, std::move(Text));
}

std::optional<size_t> TuneReport::finalWinner(bool AuthorOnly) const {
  std::vector<size_t> Finalists; // Indices of entries.
  for (const auto &[I, E] : enumerate(Final.Entries)) {
    const VariantResult &Row = Variants[E.Row];
    if (isMeasured(Row) && Row.mayWin() && (!AuthorOnly || hasAuthorDefines(Row)))
      Finalists.push_back(I);
  }
  if (Finalists.empty())
    return std::nullopt;
  auto Time = [&](size_t I) {
    return median(Final.Entries[I].SamplesMs).value_or(std::numeric_limits<double>::infinity());
  };
  size_t Fastest = *min_element(Finalists, [&](size_t A, size_t B) { return Time(A) < Time(B); });
  std::vector<std::vector<FinalComparison>> Compared = compareAll(Final);
  auto IsTie = [&](size_t I) {
    return I == Fastest || (!Compared.empty() && Compared[I][Fastest].isSame() &&
                            Compared[I][Fastest].Ratio.Ratio <= 1 + TieMargin);
  };
  std::optional<size_t> Winner;
  for (size_t I : Finalists) {
    size_t Row = Final.Entries[I].Row;
    if (IsTie(I) && (!Winner || effort(*this, Variants[Row]) < effort(*this, Variants[*Winner])))
      Winner = Row;
  }
  return Winner;
}

std::optional<double> TuneReport::asWrittenIsBest() const {
  std::optional<size_t> Best = winner();
  if (!Best || !Variants[*Best].OwnResult.empty())
    return std::nullopt;
  TimePair Times = timesOf(*Best);
  if (Times.StockMs && *Times.StockMs <= *Times.VariantMs)
    return Times.StockMs;
  return std::nullopt;
}

TimePair TuneReport::timesOf(size_t Row) const {
  if (const FinalReport::Entry *E = Final.find(Row))
    return {median(E->SamplesMs), median(Final.StockMs)};
  return {Variants[Row].OnGpu.MedianMs, Variants[Row].OnGpu.BaselineMedianMs};
}

} // namespace gpuprune
