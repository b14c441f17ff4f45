//===- SequenceTuner.cpp - Tunes a sequence of launches --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/SequenceTuner.h"
#include "AsWritten.h"
#include "PreparedKernel.h"
#include "WholeRun.h"
#include "gpuprune/Support/Counted.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace llvm;

namespace gpuprune {

using Clock = std::chrono::steady_clock;

/// What is left of the budget since \p Begun for the first launch of \p Ms.
static std::optional<double> shareOf(const TuneOptions &Options, Clock::time_point Begun,
                                     ArrayRef<std::optional<double>> Ms) {
  if (!Options.BudgetSeconds)
    return std::nullopt;
  std::chrono::duration<double> Spent = Clock::now() - Begun;
  return budgetShare(*Options.BudgetSeconds - Spent.count(), Ms);
}

/// The variant to ship; the prepared kernel where nothing is faster than the source as written.
static Variant choiceOf(const TuneReport &Report) {
  std::optional<size_t> Best = Report.winner();
  return Best && !Report.asWrittenIsBest() ? Report.Variants[*Best].Parts : Variant();
}

/// Whether launches that hardly take time are left as written: not where somebody asks for all of something.
static bool leavesShortLaunches(const TuneOptions &Options) {
  SearchKind Kind = strategyOf(Options);
  return Options.NegligiblePercent > 0 && (Kind == SearchKind::Search || Kind == SearchKind::ModelGuided) &&
         !Options.Exhaustive && Options.Variants.empty() && Options.BundleDirectory.empty();
}

/// Before anything is tuned: whether the whole compares anything, and all launches have a part in that; puts
/// into \p Ms what each launch takes, where that decides anything, and into \p Runner what has measured it.
/// What else is wrong is for the tuning of each launch to say.
static Error lookAtWhole(const TuneOptions &Options, Progress &Shown, std::vector<std::optional<double>> &Ms,
                         std::unique_ptr<RunnerClient> &Runner) {
  bool IsTimed = (Options.BudgetSeconds || leavesShortLaunches(Options)) &&
                 Options.StopAfter >= Phase::Measure && Ms.size() > 1;
  Expected<std::unique_ptr<AsWritten>> Whole = AsWritten::build(Options, Ms.size(), IsTimed);
  if (!Whole) {
    consumeError(Whole.takeError());
    return Error::success();
  }
  if (Error E = (*Whole)->checkCompared())
    return E;
  for (const std::string &Lost : (*Whole)->lostLaunches())
    Shown.warn(formatv(
        "warning: {0}; see whether a 'swap' is missing, or an argument should be another buffer", Lost));
  if (!IsTimed)
    return Error::success();
  if (Expected<std::vector<double>> Found = (*Whole)->times(Options, Runner))
    Ms.assign(Found->begin(), Found->end());
  else
    consumeError(Found.takeError());
  return Error::success();
}

/// "launch 1 of 2, for up to 12.5 s"
static std::string heading(size_t Number, size_t All, const TuneOptions &One) {
  std::string Text = formatv("launch {0} of {1}", Number, All);
  if (One.BudgetSeconds)
    Text += formatv(", for up to {0:F1} s", *One.BudgetSeconds);
  return Text;
}

/// The options by which a launch is built and checked as written, and nothing is measured.
static TuneOptions asWrittenAlone(TuneOptions One) {
  One.Variants = {""};
  One.Kind = SearchKind::Search;
  One.BuildAtMost.reset();
  One.StopAfter = Phase::Check;
  return One;
}

/// Why nothing was measured for a launch of \p Ms among \p All.
static std::string whyNegligible(ArrayRef<std::optional<double>> All, double Ms) {
  return formatv(
      "it takes {0:F2} % of the time of all launches and stays as written; --negligible=0 tunes all",
      100 * Ms / sumOf(All));
}

/// Whether a launch is prepared while the one before it is measured. A budget is divided among them one after
/// the other.
static bool preparesAhead(const TuneOptions &Options) {
  return Options.StopAfter >= Phase::Measure && !Options.BudgetSeconds && Options.BundleDirectory.empty();
}

/// What \p Prepared, or if that is null a tuner of \p One, finds. \p Runner measures and is what can go on
/// afterwards.
static Expected<TuneReport> tuneLaunch(PreparedKernel *Prepared, TuneOptions One, Progress &Shown,
                                       std::unique_ptr<RunnerClient> &Runner) {
  std::optional<Tuner> Alone;
  if (Prepared)
    Prepared->await();
  else
    Alone.emplace(std::move(One), Shown);
  Tuner &Run = Prepared ? Prepared->tuner() : *Alone;
  Run.giveRunner(std::move(Runner));
  Expected<TuneReport> Found = Prepared ? Prepared->measure(std::nullopt) : Run.run();
  Runner = Run.takeRunner();
  return Found;
}

Expected<SequenceReport> tuneSequence(const TuneOptions &Options, size_t Launches, Progress &Shown) {
  SequenceReport Report;
  Clock::time_point Begun = Clock::now();
  std::vector<std::optional<double>> Ms(Launches);
  std::unique_ptr<RunnerClient> Runner;
  if (Options.StopAfter > Phase::Enumerate)
    if (Error E = lookAtWhole(Options, Shown, Ms, Runner))
      return std::move(E);
  std::vector<bool> IsNegligible(Launches);
  if (leavesShortLaunches(Options))
    IsNegligible = negligibleLaunches(Ms, Options.NegligiblePercent);
  auto OptionsOf = [&](size_t Number) {
    TuneOptions One = IsNegligible[Number - 1] ? asWrittenAlone(Options) : Options;
    One.Launch = Number;
    One.BudgetSeconds = shareOf(Options, Begun, ArrayRef(Ms).drop_front(Number - 1));
    return One;
  };
  std::unique_ptr<PreparedKernel> Ahead;
  for (size_t Number = 1; Number <= Launches; ++Number) {
    TuneOptions One = OptionsOf(Number);
    Shown.say(heading(Number, Launches, One));
    std::unique_ptr<PreparedKernel> Prepared = std::move(Ahead);
    if (preparesAhead(Options) && Number < Launches)
      Ahead = std::make_unique<PreparedKernel>([Next = OptionsOf(Number + 1)] { return Next; },
                                               Prepared ? Prepared->over() : std::shared_future<void>(),
                                               Shown, /*Behind=*/true);
    Expected<TuneReport> Found = tuneLaunch(Prepared.get(), std::move(One), Shown, Runner);
    if (!Found)
      return Found.takeError();
    if (IsNegligible[Number - 1])
      Found->NotMeasured = whyNegligible(Ms, *Ms[Number - 1]);
    Report.Choices.push_back(choiceOf(*Found));
    Report.Launches.push_back(std::move(*Found));
  }
  Report.StaysAsWritten = std::move(IsNegligible);
  for (const auto &[Index, Each] : enumerate(Report.Launches))
    if (!Each.winner() && !Report.StaysAsWritten[Index]) {
      Report.Whole.Problem = formatv("launch {0} has no time", Index + 1);
      return Report;
    }
  Shown.say("the whole sequence");
  Report.Whole = runWhole(Options, Report.Choices, std::move(Runner));
  return Report;
}

json::Value toJSON(const SequenceReport &Report) {
  const WholeSequence &W = Report.Whole;
  json::Object Whole{{"check", checkOutcomeName(W.Check)}, {"rounds", W.Rounds}, {"problem", W.Problem}};
  Whole["ms"] = W.MedianMs ? json::Value(*W.MedianMs) : nullptr;
  Whole["as_written_ms"] = W.AsWrittenMs ? json::Value(*W.AsWrittenMs) : nullptr;
  Whole["notes"] = json::Array(W.Notes);
  Whole["as_written_is_best"] = W.asWrittenIsBest();
  Whole["speedup"] = W.speedup() ? json::Value(*W.speedup()) : nullptr;
  json::Array Launches, Choices;
  for (const auto &[Each, Choice] : zip_equal(Report.Launches, Report.Choices)) {
    Launches.push_back(toJSON(Each));
    Choices.push_back(printVariant(Choice));
  }
  return json::Object{
      {"launches", std::move(Launches)}, {"choices", std::move(Choices)}, {"whole", std::move(Whole)}};
}

/// Without the iteration of a repeated launch.
static const std::string &sizeOf(const TuneReport &Report) {
  return Report.Samples.empty() ? Report.Size : Report.Samples.back().Size;
}

/// Times of the launch's own final rounds.
/// \p Stays: as written, untimed.
static void printLaunch(raw_ostream &OS, size_t Number, const TuneReport &Report, StringRef Choice,
                        size_t Width, bool Stays) {
  std::optional<size_t> Best = Report.winner();
  TimePair Times = Best ? Report.timesOf(*Best) : TimePair();
  auto Ms = [](const std::optional<double> &V) { return V ? formatv("{0:F3}", *V).str() : std::string("-"); };
  std::optional<double> Chosen = Report.asWrittenIsBest() ? Times.StockMs : Times.VariantMs;
  std::string Ratio =
      Chosen && Times.StockMs ? formatv("{0:F2}x", *Times.StockMs / *Chosen).str() : std::string("-");
  OS << formatv("{0,6}  {1} {2,10} {3,10} {4,7}  {5}\n", Number, left_justify(Report.Kernel, Width),
                Ms(Times.StockMs), Ms(Chosen), Ratio,
                !Best && !Stays  ? "-"
                : Choice.empty() ? "(as written)"
                                 : Choice);
}

void printSequence(raw_ostream &OS, const SequenceReport &Report, const TableOptions &Options) {
  for (const auto &[Index, Each] : enumerate(Report.Launches)) {
    OS << formatv("launch {0} of {1}\n", Index + 1, Report.Launches.size());
    printTable(OS, Each, Options);
    OS << '\n';
  }
  size_t Width = 20;
  for (const TuneReport &Each : Report.Launches)
    Width = std::max(Width, Each.Kernel.size());
  OS << formatv("sequence of {0}, {1}\n", counted(Report.Launches.size(), "launch", "launches"),
                sizeOf(Report.Launches.front()))
     << formatv("{0,6}  {1} {2,10} {3,10} {4,7}  {5}\n", "launch", left_justify("kernel", Width),
                "as written", "ms", "", "variant");
  for (const auto &[Index, Each, Choice] : enumerate(Report.Launches, Report.Choices))
    printLaunch(OS, Index + 1, Each, printVariant(Choice), Width, Report.StaysAsWritten[Index]);
  for (const auto &[Index, Each] : enumerate(Report.Launches))
    for (const IterationSample &Sample : Each.Samples)
      if (Sample.IsTune)
        OS << formatv("launch {0} is repeated; its times are those of one iteration, {1}\n", Index + 1,
                      Sample.Compared.back());
  const WholeSequence &W = Report.Whole;
  for (const std::string &Note : W.Notes)
    OS << Note << '\n';
  if (!W.speedup())
    OS << "\nthe whole was not measured: " << W.Problem << '\n';
  else if (W.asWrittenIsBest())
    OS << formatv(
        "\nwhole: {0:F3} ms as written, which nothing beats: with the variants above it takes {1:F3} ms, {2} "
        "interleaved rounds; all outputs {3} at the end\n",
        *W.AsWrittenMs, *W.MedianMs, W.Rounds, checkOutcomeName(W.Check));
  else
    OS << formatv(
        "\nwhole: {0:F3} ms, {1:F2} times stock clang -O3 on the source as written ({2:F3} ms), {3} "
        "interleaved rounds; all outputs {4} at the end\n",
        *W.MedianMs, *W.speedup(), *W.AsWrittenMs, W.Rounds, checkOutcomeName(W.Check));
}

} // namespace gpuprune
