//===- SmallerGrids.cpp - Down to which grid a variant pays --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/SmallerGrids.h"
#include "gpuprune/CodeGen/FirstBlocks.h"
#include "gpuprune/Driver/Progress.h"
#include "gpuprune/Record/Recording.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;

namespace gpuprune {

static constexpr unsigned MostTimings = 6;

std::optional<Dim3> firstBlocks(Dim3 Grid, unsigned Halvings, const Dim3 &Multiples) {
  Dim3 Small = Grid;
  for (; Halvings != 0; --Halvings) {
    unsigned Largest = 0;
    for (unsigned D = 1; D != Dim3::size(); ++D)
      if (Small[D] > Small[Largest])
        Largest = D;
    if (Small[Largest] == 1)
      return std::nullopt;
    Small[Largest] = (Small[Largest] + 1) / 2;
  }
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (Small[D] != Grid[D])
      Small[D] = int64_t(alignTo(uint64_t(Small[D]), uint64_t(Multiples[D])));
  return Small.volume() < Grid.volume() ? std::optional(Small) : std::nullopt;
}

uint64_t smallestThatPays(const Dim3 &Grid, uint64_t Above, const Dim3 &Multiples,
                          function_ref<std::optional<double>(const Dim3 &)> Gains) {
  uint64_t Least = blocksOf(Grid), TooFew = Above;
  auto Pays = [&](unsigned Halvings) {
    std::optional<Dim3> Small = firstBlocks(Grid, Halvings, Multiples);
    uint64_t Blocks = Small ? blocksOf(*Small) : 0;
    if (Blocks <= TooFew || Blocks >= Least) // Divisors may leave no other one.
      return false;
    std::optional<double> Gain = Gains(*Small);
    bool Enough = Gain && *Gain >= LeastGain;
    (Enough ? Least : TooFew) = Blocks;
    return Enough;
  };
  for (unsigned Halvings = 2, Timed = 1; Timed != MostTimings + 1; Halvings += 2, ++Timed)
    if (!Pays(Halvings)) {
      if (Timed != MostTimings)
        Pays(Halvings - 1);
      break;
    }
  return Least;
}

namespace {

/// What became of a part of the recorded launch.
struct PartResult {
  std::optional<TimePair> Times; ///< Of the variant and of stock clang's code.
  std::string Wrong;             ///< What the variant computed else; empty: nothing.
};

} // namespace

static PartResult runPart(TuneOptions Options, RecordedPart Part, Progress &Shown) {
  Options.Part = std::move(Part);
  Expected<TuneReport> Report = Tuner(std::move(Options), Shown).run();
  if (!Report) {
    consumeError(Report.takeError());
    return {};
  }
  PartResult Result;
  for (const auto &[Row, V] : enumerate(Report->Variants)) {
    TimePair Times = Report->timesOf(Row);
    if (V.Status == VariantStatus::Wrong)
      Result.Wrong = V.Message;
    else if (V.canRun() && V.mayWin() && V.OnGpu.isTimed() && Times.VariantMs && Times.StockMs)
      Result.Times = Times;
  }
  return Result;
}

namespace {

/// How a smaller launch than the recorded one is made.
struct SmallerLaunches {
  std::string WhyNotGrids;          ///< Why the first blocks are none; empty: they are.
  std::optional<GridBound> LoopEnd; ///< Else the argument to make smaller, where there is one.
};

} // namespace

static SmallerLaunches smallerLaunches(const TuneOptions &Options) {
  Expected<TuningTarget> Target = loadTarget(Options.Workload, Options.Device, Options.Launch);
  if (!Target)
    return {toString(Target.takeError()), std::nullopt};
  StringRef Bitcode = Target->Frontend->Outputs.at("").Bitcode, Kernel = Target->W.tuned().Kernel;
  Expected<std::string> Why = whyNotFirstBlocks(Bitcode, Kernel);
  if (!Why)
    return {toString(Why.takeError()), std::nullopt};
  if (Why->empty())
    return {};
  Expected<std::optional<GridBound>> End = loopEndOf(Bitcode, Kernel);
  if (!End)
    return {toString(End.takeError()), std::nullopt};
  return {std::move(*Why), *End};
}

std::optional<uint64_t> recordedLoopEnd(StringRef Folder, const LeastLoopEnd &End) {
  static constexpr uint64_t Most = uint64_t(1) << 62;
  Expected<Recording> R = readRecording(Folder);
  if (!R) {
    consumeError(R.takeError());
    return std::nullopt;
  }
  if (End.Argument >= R->Parameters.size() || R->Parameters[End.Argument].size() != End.Bits / 8)
    return std::nullopt;
  uint64_t Value = 0;
  for (auto [Byte, Of] : enumerate(R->Parameters[End.Argument]))
    Value |= uint64_t(Of) << 8 * Byte;
  bool IsNegative = End.Signed && Value >> (End.Bits - 1);
  return IsNegative || Value > Most ? std::nullopt : std::optional(Value);
}

namespace {

/// Times one variant on smaller launches than the recorded one.
class SmallerTimings {
public:
  SmallerTimings(TuneOptions Options, const BestRecord &Best, SecondsLeft Left, Progress &Shown,
                 SmallestGrid &Found)
      : Options(std::move(Options)), Left(Left), Shown(Shown), Found(Found) {
    this->Options.Variants = {Best.Row};
    this->Options.Exhaustive = false;
    this->Options.Sample.reset();
  }

  /// Nothing where it was not found out.
  std::optional<double> gain(RecordedPart Part, const std::string &Name);

private:
  /// A smaller launch may never end.
  static constexpr double MostSeconds = 60;

  TuneOptions Options;
  SecondsLeft Left;
  Progress &Shown;
  SmallestGrid &Found;
};

} // namespace

std::optional<double> SmallerTimings::gain(RecordedPart Part, const std::string &Name) {
  if (!Found.Wrong.empty())
    return std::nullopt;
  std::optional<double> Seconds = Left();
  if (Seconds && *Seconds <= 0) {
    Found.Why = "the budget was used up";
    return std::nullopt;
  }
  Options.BudgetSeconds = std::min(Seconds.value_or(MostSeconds), MostSeconds);
  PartResult Result = runPart(Options, std::move(Part), Shown);
  if (!Result.Wrong.empty())
    Found.Wrong = formatv("{0}: {1}", Name, Result.Wrong);
  if (!Result.Times) {
    Shown.say(formatv("{0}: {1}", Name, Result.Wrong.empty() ? "not timed" : "another result"));
    return std::nullopt;
  }
  double Stock = *Result.Times->StockMs, Variant = *Result.Times->VariantMs, Factor = Stock / Variant;
  Shown.say(formatv("{0}: {1:f2} times as fast", Name, Factor));
  return paysOff(Stock, Variant) ? Factor : std::min(Factor, 1.0);
}

static uint64_t leastEnd(uint32_t Argument, uint64_t Recorded, SmallerTimings &Timings) {
  return smallestThatPays({int64_t(Recorded), 1, 1}, 0, {1, 1, 1}, [&](const Dim3 &Small) {
    return Timings.gain({std::nullopt, std::pair(Argument, uint64_t(Small.X))},
                        formatv("loops over the grid up to {0} in place of {1}", Small.X, Recorded));
  });
}

SmallestGrid smallestGrid(TuneOptions Options, const Dim3 &Grid, uint64_t Above, const BestRecord &Best,
                          SecondsLeft Left, Progress &Shown) {
  SmallerLaunches Smaller = smallerLaunches(Options);
  SmallestGrid Found{blocksOf(Grid), std::move(Smaller.WhyNotGrids)};
  std::string Folder = Options.Workload;
  SmallerTimings Timings(std::move(Options), Best, Left, Shown, Found);
  if (Found.Why.empty()) {
    Found.Blocks = smallestThatPays(Grid, Above, gridMultiples(*Best.Record), [&](const Dim3 &Small) {
      return Timings.gain({Small, std::nullopt},
                          formatv("the first {0} of {1} blocks", blocksOf(Small), blocksOf(Grid)).str());
    });
    return Found;
  }
  if (!Smaller.LoopEnd)
    return Found;
  LeastLoopEnd End{Smaller.LoopEnd->Argument, Smaller.LoopEnd->Bits, Smaller.LoopEnd->Signed};
  if (uint64_t Recorded = recordedLoopEnd(Folder, End).value_or(0)) {
    End.Least = leastEnd(End.Argument, Recorded, Timings);
    Found.LoopEnd = {End, Recorded};
  }
  return Found;
}

} // namespace gpuprune
