//===- ProgramTuner.cpp - Tunes the recorded kernels of a program --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/ProgramTuner.h"
#include "gpuprune/Driver/GpuPresence.h"
#include "gpuprune/Driver/Progress.h"
#include "gpuprune/Driver/SmallerGrids.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Variant/RecordedLaunch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <map>

using namespace llvm;

namespace gpuprune {

using Clock = std::chrono::steady_clock;

/// What takes less than this of the program's time is left alone.
static constexpr double LeastShare = 0.01;

/// \p All, those of the largest GPU time first, class by class in the order of the first of each.
static std::vector<ProgramClass> classesOf(ArrayRef<RecordedLaunch> All) {
  std::vector<ProgramClass> Classes;
  for (const auto &[Folder, R] : All) {
    ProgramClass Own;
    Own.Symbol = R.Kernel;
    Own.Arch = R.Arch;
    Own.Recording = Folder;
    Own.Grid = R.Grid;
    Own.Block = R.Block;
    Own.TypicalMs = R.TypicalMs;
    auto Its = find_if(Classes, [&](const ProgramClass &C) {
      return C.isOfKernel(Own) && C.Block == Own.Block && C.blocks() == Own.blocks();
    });
    if (Its == Classes.end())
      Its = Classes.insert(Its, std::move(Own));
    Its->Launches += R.Launches;
    Its->GpuMs += R.GpuMs;
  }
  return Classes;
}

/// Sorts kernel by kernel, and leaves small classes alone.
static void orderClasses(std::vector<ProgramClass> &Classes) {
  std::map<std::pair<std::string, std::string>, double> OfKernel;
  double All = 0;
  for (const ProgramClass &C : Classes) {
    OfKernel[{C.Symbol, C.Arch}] += C.GpuMs;
    All += C.GpuMs;
  }
  for (ProgramClass &C : Classes)
    C.IsLeftAlone = C.GpuMs < LeastShare * All;
  auto Key = [&](const ProgramClass &C) {
    return std::tuple(-OfKernel[{C.Symbol, C.Arch}], C.Symbol, C.Arch, -C.GpuMs, C.Recording);
  };
  sort(Classes, [&](const ProgramClass &A, const ProgramClass &B) { return Key(A) < Key(B); });
}

/// What of \p Seconds goes to the first of \p Classes, which is tuned: its share of their GPU time.
static double shareOf(double Seconds, ArrayRef<ProgramClass> Classes) {
  double All = 0;
  size_t Tuned = 0;
  for (const ProgramClass &C : Classes)
    if (!C.IsLeftAlone) {
      All += C.GpuMs;
      ++Tuned;
    }
  return All > 0 ? Seconds * Classes.front().GpuMs / All : Seconds / double(Tuned);
}

/// Of a class's budget, what the search gets; the rest is for smaller grids.
static constexpr double SearchShare = 0.85;

/// Why a program need not gain what was measured of the recorded launch of \p C; empty: it does. A replay
/// takes some 10 % longer than the launch in the program, which finds its data in caches.
static std::string whyNotInProgram(const ProgramClass &C, const RecordTimes &Times) {
  if (C.TypicalMs <= 0)
    return "";
  if (OtherWork * Times.Stock < C.TypicalMs)
    return formatv(
        "most of the program's time is in launches of {0:f4} ms, and the recorded one takes {1:f4} ms",
        C.TypicalMs, Times.Stock);
  if (Times.Stock > OtherWork * C.TypicalMs && Times.Tuned >= C.TypicalMs)
    return formatv(
        "launches take {0:f4} ms in the program, and the recorded one {1:f4} ms, the fastest variant "
        "{2:f4} ms, so that what it gains may not be there",
        C.TypicalMs, Times.Stock, Times.Tuned);
  return "";
}

/// The best record of the launch of \p C; where there is none for a reason that is no result, that is its
/// problem.
static void tuneLaunch(const TuneOptions &Options, Progress &Shown, ProgramClass &C) {
  Expected<TuneReport> Report = Tuner(Options, Shown).run();
  if (!Report) {
    C.Problem = toString(Report.takeError());
    return;
  }
  C.Report = std::move(*Report);
  C.Problem = !C.Report->AuthorFailure.empty() ? C.Report->AuthorFailure : C.Report->NotMeasured;
  if (!C.Problem.empty())
    return;
  Expected<BestRecord> Best = bestRecord(Options, *C.Report);
  if (!Best) {
    C.Problem = toString(Best.takeError());
    return;
  }
  C.Best = std::move(*Best);
  std::string Why = C.Best.Record && C.Best.Record->Times ? whyNotInProgram(C, *C.Best.Record->Times) : "";
  if (!Why.empty())
    C.Best = BestRecord{std::nullopt, "", Why};
}

/// Blocks of the largest class of \p Classes, those of its kernel, below \p C; 0: there is none.
static uint64_t blocksBelow(const ProgramClass &C, ArrayRef<ProgramClass> Classes) {
  uint64_t Below = 0;
  for (const ProgramClass &Other : Classes)
    if (!Other.IsLeftAlone && Other.Block == C.Block && Other.blocks() < C.blocks())
      Below = std::max(Below, Other.blocks());
  return Below;
}

/// Down to which grid it pays, too; what computes something else there is not used.
static void timeOtherwise(TuneOptions Options, uint64_t Above, SecondsLeft Left, Progress &Shown,
                          ProgramClass &C) {
  BestRecord Otherwise{C.Best.Otherwise, C.Best.OtherwiseRow, ""};
  SmallestGrid Smallest = smallestGrid(std::move(Options), C.Grid, Above, Otherwise, Left, Shown);
  if (!Smallest.Wrong.empty())
    C.Best.Otherwise.reset();
  C.OtherwiseLeast = Smallest.Blocks;
}

static void tuneClass(TuneOptions Options, ArrayRef<ProgramClass> Classes, Progress &Shown, ProgramClass &C) {
  Clock::time_point Begun = Clock::now();
  std::optional<double> Seconds = Options.BudgetSeconds;
  Options.Workload = C.Recording;
  if (Seconds)
    Options.BudgetSeconds = *Seconds * SearchShare;
  tuneLaunch(Options, Shown, C);
  if (!C.Best.Record)
    return;
  auto Left = [&]() -> std::optional<double> {
    std::chrono::duration<double> Spent = Clock::now() - Begun;
    return Seconds ? std::optional(*Seconds - Spent.count()) : std::nullopt;
  };
  uint64_t Above = blocksBelow(C, Classes);
  SmallestGrid Smallest = smallestGrid(Options, C.Grid, Above, C.Best, Left, Shown);
  C.LeastBlocks = Smallest.Blocks;
  C.LoopEnd = Smallest.LoopEnd;
  C.RangeNote = std::move(Smallest.Why);
  if (Smallest.Wrong.empty()) {
    if (C.Best.Otherwise && !C.LoopEnd)
      timeOtherwise(std::move(Options), Above, Left, Shown, C);
    return;
  }
  C.Withdrawn = C.Best.Record->fileName();
  C.Best = BestRecord{std::nullopt, "",
                      "what was the fastest computes something else in a smaller launch, so that it is not "
                      "used (" +
                          Smallest.Wrong + ")"};
}

static bool goesFarEnough(const TuningRecord &R, const ProgramClass &C) {
  const std::optional<LeastLoopEnd> &End = R.Conditions.LoopEnd;
  return !End || recordedLoopEnd(C.Recording, *End) >= End->Least;
}

/// Whether a program launches \p R for the launches of \p C.
static bool isLaunchedFor(const TuningRecord &R, const ProgramClass &C) {
  return goesFarEnough(R, C) && R.Conditions.Block == C.Block && C.blocks() >= R.Conditions.LeastBlocks &&
         C.blocks() <= R.Conditions.MostBlocks.value_or(UINT64_MAX) &&
         !errorToBool(R.launchFor({C.Grid, C.Block, 0}, /*Multiprocessors=*/1).takeError());
}

/// An earlier run may not have found out that the record is wrong.
static void withdraw(MutableArrayRef<ProgramClass> Classes, StringRef Records) {
  for (ProgramClass &C : Classes) {
    if (C.Withdrawn.empty())
      continue;
    SmallString<128> Path(Records);
    sys::path::append(Path, C.Withdrawn);
    if (std::error_code Failed = sys::fs::remove(Path))
      C.Problem = ("cannot remove '" + Path + "', which is wrong: " + Failed.message()).str();
  }
}

/// A record has a limited number of variants. Of \p Classes, those of a kernel, the longest first, those of
/// the most time keep theirs; what is left is for second variants.
static void keepWhatFits(MutableArrayRef<ProgramClass> Classes) {
  size_t Room = MostVariants;
  auto Fits = [&] {
    bool IsLeft = Room != 0;
    Room -= IsLeft;
    return IsLeft;
  };
  for (ProgramClass &C : Classes)
    if (C.Best.Record && !Fits())
      C.Best = BestRecord{std::nullopt, "",
                          formatv("a record holds the variants of {0} launch classes, and those of this "
                                  "kernel that take more time have them",
                                  MostVariants)};
  for (ProgramClass &C : Classes)
    if (C.Best.Otherwise && !Fits())
      C.Best.Otherwise.reset();
}

/// Writes the record of the kernel whose classes \p Classes are.
static void writeKernel(MutableArrayRef<ProgramClass> Classes, StringRef Records) {
  keepWhatFits(Classes);
  std::vector<TunedClass> Tuned;
  for (const ProgramClass &C : Classes)
    if (!C.IsLeftAlone && C.Problem.empty())
      Tuned.push_back(
          {C.Block, C.blocks(), C.Best.Record, C.LeastBlocks, C.Best.Otherwise, C.LoopEnd, C.OtherwiseLeast});
  std::vector<TuningRecord> File = variantsOf(std::move(Tuned));
  if (File.empty())
    return withdraw(Classes, Records);
  Expected<std::string> Path = writeRecord(File, Records);
  if (!Path)
    withdraw(Classes, Records);
  std::string Problem = Path ? std::string() : toString(Path.takeError());
  for (ProgramClass &C : Classes) {
    auto Its = find_if(File, [&](const TuningRecord &R) { return isLaunchedFor(R, C); });
    if (C.Best.Record) {
      C.Problem = Problem;
      C.Path = Problem.empty() ? *Path : std::string();
    } else if (C.IsLeftAlone && Problem.empty() && Its != File.end()) {
      C.Best.Row = Its->text();
    }
  }
}

namespace {

/// The time that is left for all classes.
class SharedBudget {
public:
  explicit SharedBudget(std::optional<double> Seconds) : Seconds(Seconds) {}
  /// That of the first of \p Classes.
  std::optional<double> of(ArrayRef<ProgramClass> Classes) const {
    std::chrono::duration<double> Spent = Clock::now() - Begun;
    return Seconds ? std::optional(shareOf(std::max(0.0, *Seconds - Spent.count()), Classes)) : std::nullopt;
  }

private:
  std::optional<double> Seconds;
  Clock::time_point Begun = Clock::now();
};

} // namespace

static void tuneClasses(TuneOptions Options, MutableArrayRef<ProgramClass> All, StringRef Records,
                        Progress &Shown) {
  SharedBudget Budget(Options.BudgetSeconds);
  size_t Number = 0, Count = count_if(All, [](const ProgramClass &C) { return !C.IsLeftAlone; });
  for (MutableArrayRef<ProgramClass> Left = All; !Left.empty();) {
    size_t Own = Left.take_while([&](const ProgramClass &C) { return C.isOfKernel(Left.front()); }).size();
    for (size_t I = 0; I != Own; ++I) {
      ProgramClass &C = Left[I];
      if (C.IsLeftAlone)
        continue;
      Shown.say(formatv("launch class {0} of {1}: {2}, grid {3}, block {4}", ++Number, Count, C.name(),
                        C.Grid.text('x'), C.Block.text('x')));
      Options.BudgetSeconds = Budget.of(Left.drop_front(I));
      tuneClass(Options, Left.take_front(Own), Shown, C);
    }
    writeKernel(Left.take_front(Own), Records);
    Left = Left.drop_front(Own);
  }
}

Expected<ProgramReport> tuneProgram(TuneOptions Options, StringRef Folder, StringRef Records,
                                    Progress &Shown) {
  ProgramReport Report;
  Report.Folder = Folder.str();
  std::vector<RecordedLaunch> All = readRecordings(Folder, Report.Problems);
  if (All.empty() && Report.Problems.empty())
    return makeError(
        ErrorKind::Input,
        formatv("nothing was recorded in '{0}': run the program with 'gpuprune record -- PROGRAM'", Folder));
  // A program may have thousands of variants to compile before the first is timed.
  if (Options.StopAfter >= Phase::Measure)
    if (Error E = checkGpu(
            Options.Runner, "recorded launches are tuned by timing them",
            "tune where the GPU is, or let the model choose for one recording at a time: gpuprune tune "
            "FOLDER/recordings/NAME --strategy=model"))
      return std::move(E);
  Report.Classes = classesOf(All);
  orderClasses(Report.Classes);
  Options.Check = CheckMode::Off;
  tuneClasses(std::move(Options), Report.Classes, Records, Shown);
  return Report;
}

} // namespace gpuprune
