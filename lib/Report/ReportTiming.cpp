//===- ReportTiming.cpp - What a report says of the measuring itself ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReportTiming.h"
#include "gpuprune/Support/ColumnPrinter.h"
#include "gpuprune/Support/Counted.h"
#include "gpuprune/Support/Median.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// Times measured under clocks that differ by more than this do not compare.
static constexpr double ClockTolerance = 0.03;

std::string variantName(const VariantResult &Row) {
  return Row.Parts == Variant() ? "(as written, prepared)" : Row.text();
}

std::string millisecondsText(double Ms) {
  return Ms >= 0.1 ? formatv("{0:F3}", Ms).str() : formatv("{0:F5}", Ms).str();
}

std::string timeCell(const std::optional<double> &MedianMs, ArrayRef<double> SamplesMs) {
  if (!MedianMs)
    return "-";
  if (SamplesMs.size() < 2)
    return millisecondsText(*MedianMs);
  // As many decimals as the median has.
  const char *Format = *MedianMs >= 0.1 ? "{0} ±{1:F3}" : "{0} ±{1:F5}";
  return formatv(Format, millisecondsText(*MedianMs), *medianDeviation(SamplesMs));
}

namespace {

/// How work over time is told: flop as TFLOP/s, bytes as GB/s.
struct RateUnit {
  StringRef Name;
  double PerSecond; ///< Of the work's unit.
};

} // namespace

static RateUnit rateUnit(StringRef WorkUnit) {
  return StringSwitch<RateUnit>(WorkUnit)
      .Case("flop", {"TFLOP/s", 1e12})
      .Case("byte", {"GB/s", 1e9})
      .Default({"G/s", 1e9});
}

StringRef rateName(const TuneReport &Report) { return rateUnit(Report.WorkUnit).Name; }

std::string rateText(const TuneReport &Report, std::optional<double> Ms) {
  if (!Report.Work || !Ms)
    return "-";
  return formatv("{0:F2}", *Report.Work / (*Ms * 1e-3) / rateUnit(Report.WorkUnit).PerSecond);
}

void printClock(raw_ostream &OS, const TuneReport &Report) {
  if (!Report.GpuClock)
    return;
  const protocol::Clock &C = *Report.GpuClock;
  OS << formatv("SM clock {0} to {1} MHz", C.MinMhz, C.MaxMhz);
  if (C.MaxCelsius)
    OS << formatv(", up to {0} °C", C.MaxCelsius);
  if (C.MaxMilliwatts)
    OS << formatv(", up to {0} W", (C.MaxMilliwatts + 500) / 1000);
  OS << '\n';
  double Change = C.MinMhz ? double(C.MaxMhz - C.MinMhz) / C.MaxMhz : 0;
  if (Change > ClockTolerance)
    OS << formatv("warning: the SM clock changed by {0:F1} % while variants were timed: times of different "
                  "jobs do not compare well; the final rounds do\n",
                  100 * Change);
  if (!C.Limits.empty())
    OS << "warning: the SM clock was held down by: " << join(C.Limits, ", ") << '\n';
}

void printUnstable(raw_ostream &OS, const TuneReport &Report) {
  size_t Unstable = count_if(Report.Variants, [](const VariantResult &Row) {
    return !Row.isDuplicate() && isMeasured(Row) && Row.OnGpu.WarmupStable == false;
  });
  if (Unstable)
    OS << formatv("timing: {0} timed although the warm-up did not become stable\n",
                  counted(Unstable, "variant was", "variants were"));
}

static std::string ratioCell(const RatioEstimate &Ratio) {
  return formatv("{0:F4} ({1:F4} to {2:F4})", Ratio.Ratio, Ratio.Low, Ratio.High);
}

static std::string pCell(double P) { return P < 0.0001 ? "<0.0001" : formatv("{0:F4}", P).str(); }

static void printVerdict(raw_ostream &OS, const TuneReport &Report, size_t Winner,
                         ArrayRef<std::vector<FinalComparison>> Compared) {
  if (Compared.empty()) {
    OS << formatv("no test: it needs at least {0} rounds, and times above zero\n", FewestRounds);
    return;
  }
  bool Alone = true;
  for (const auto &[I, E] : enumerate(Report.Final.Entries))
    if (I != Winner && Compared[I][Winner].isSame()) {
      OS << formatv("not distinguishable from the best of all at p={0}: {1}\n",
                    pCell(Compared[I][Winner].AdjustedP), variantName(Report.Variants[E.Row]));
      Alone = false;
    }
  if (Alone && Compared.size() > 1)
    OS << formatv("the best of all is faster than each other finalist (p<{0})\n", SignificanceLevel);
}

void printFinal(raw_ostream &OS, const TuneReport &Report) {
  const FinalReport &Final = Report.Final;
  if (!Final.Problem.empty())
    OS << "\nno final rounds: " << Final.Problem << '\n';
  std::optional<size_t> WinnerRow = Report.winner();
  const FinalReport::Entry *Best = WinnerRow ? Final.find(*WinnerRow) : nullptr;
  if (!Best)
    return;
  size_t Winner = Best - Final.Entries.data();
  std::vector<std::vector<FinalComparison>> Compared = compareAll(Final);
  OS << formatv("\nfinal: {0} interleaved rounds{1}\n", Final.rounds(),
                Final.FromDatabase ? ", from the database" : "");
  ColumnPrinter Table({"ms", "times the best (95 %)", "p", "variant"});
  auto Add = [&](ArrayRef<double> Samples, std::string Ratio, std::string P, StringRef Name) {
    Table.add({timeCell(median(Samples.vec()), Samples), std::move(Ratio), std::move(P), Name.str()});
  };
  for (const auto &[I, E] : enumerate(Final.Entries)) {
    bool Known = !Compared.empty() && I != Winner;
    Add(E.SamplesMs, Known ? ratioCell(Compared[I][Winner].Ratio) : "-",
        Known ? pCell(Compared[I][Winner].AdjustedP) : "-",
        variantName(Report.Variants[E.Row]) + (E.Stable ? "" : " (warm-up not stable)"));
  }
  if (std::optional<RatioEstimate> Stock = compareRounds(Final.StockMs, Best->SamplesMs))
    Add(Final.StockMs, ratioCell(*Stock), pCell(Stock->P), "(as written, stock clang -O3)");
  Table.print(OS);
  printVerdict(OS, Report, Winner, Compared);
  if (std::optional<RatioEstimate> Noise = noiseOf(Final))
    OS << formatv(
        "noise: the first of these against itself {0}; what differs by less than {1:F2} % is the same\n",
        ratioCell(*Noise), 100 * Noise->farthestFromOne());
}

} // namespace gpuprune
