//===- SmallerGrids.cpp - Down to which grid a variant pays --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/SmallerGrids.h"
#include "gpuprune/CodeGen/FirstBlocks.h"
#include "gpuprune/Driver/LaunchClasses.h"
#include "gpuprune/Driver/Progress.h"
#include "gpuprune/Support/Error.h"
#include <numeric>

using namespace llvm;

namespace gpuprune {

static constexpr unsigned MostTimings = 6;

Dim3 gridMultiples(const TuningRecord &R) {
  Dim3 Multiples;
  for (unsigned D = 0; D != Dim3::size(); ++D) {
    int64_t OwnBlocks = R.Contract.takesAnyGrid(D) ? 1 : R.Contract.GridDivisor[D];
    int64_t Threads = OwnBlocks * R.ownBlock()[D]; // Multiples of it the grid has.
    Multiples[D] = Threads / std::gcd(Threads, R.Conditions.Block[D]);
  }
  return Multiples;
}

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

/// What the variant and stock clang's code take for the first blocks.
static std::optional<TimePair> timesOf(TuneOptions Options, const Dim3 &Grid, Progress &Shown) {
  Options.Grid = Grid;
  Expected<TuneReport> Report = Tuner(std::move(Options), Shown).run();
  if (!Report) {
    consumeError(Report.takeError());
    return std::nullopt;
  }
  for (const auto &[Row, V] : enumerate(Report->Variants)) {
    TimePair Times = Report->timesOf(Row);
    if (V.canRun() && V.mayWin() && V.OnGpu.isTimed() && Times.VariantMs && Times.StockMs)
      return Times;
  }
  return std::nullopt;
}

/// Why the recorded launch's first blocks are no smaller launch; empty: they are.
static std::string whyNotParts(const TuneOptions &Options) {
  Expected<TuningTarget> Target = loadTarget(Options.Workload, Options.Device, Options.Launch);
  if (!Target)
    return toString(Target.takeError());
  Expected<std::string> Why =
      whyNotFirstBlocks(Target->Frontend->Outputs.at("").Bitcode, Target->W.tuned().Kernel);
  return Why ? *Why : toString(Why.takeError());
}

SmallestGrid smallestGrid(TuneOptions Options, const Dim3 &Grid, uint64_t Above, const BestRecord &Best,
                          function_ref<bool()> HasTime, Progress &Shown) {
  SmallestGrid Found{blocksOf(Grid), whyNotParts(Options)};
  if (!Found.Why.empty())
    return Found;
  Options.Variants = {Best.Row};
  Options.Exhaustive = false;
  Options.Sample.reset();
  Options.BudgetSeconds.reset();
  Found.Blocks = smallestThatPays(
      Grid, Above, gridMultiples(*Best.Record), [&](const Dim3 &Small) -> std::optional<double> {
        if (!HasTime()) {
          Found.Why = "the budget was used up";
          return std::nullopt;
        }
        std::optional<TimePair> Times = timesOf(Options, Small, Shown);
        double Gain = Times ? *Times->StockMs / *Times->VariantMs : 0;
        Shown.say(formatv("the first {0} of {1} blocks: {2}", blocksOf(Small), blocksOf(Grid),
                          Times ? formatv("{0:f2} times as fast", Gain).str() : "not timed"));
        if (!Times)
          return std::nullopt;
        return paysOff(*Times->StockMs, *Times->VariantMs) ? Gain : std::min(Gain, 1.0);
      });
  return Found;
}

} // namespace gpuprune
