//===- JobExecutor.cpp - From a job to its result -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "JobExecutor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TimeProfiler.h"
#include <tuple>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

JobExecutor::JobExecutor(Gpu &G, const DeviceKernels &Kernels, StringRef BaseDirectory, uint64_t CacheBytes,
                         ClockReader *Clock)
    : Owner(G), Modules(G, BaseDirectory),
      Buffers(G, Kernels, [this](StringRef Path) { return Modules.locate(Path); }),
      Check(G, Modules, Kernels, CacheBytes), Clock(Clock) {
  // Buffers are made again on the device at once; references would have to be computed again.
  G.setMakeRoom([this] { return Buffers.evictOne() || Check.references().moveOneToHost(); });
}

void JobExecutor::startAfresh() {
  Buffers.forgetContents();
  Modules.clear();
}

Expected<JobExecutor::Prepared> JobExecutor::prepare(const Problem &P, const Program &Run, uint32_t Copy) {
  return prepareOver(Buffers.acquire(P, Copy), Run);
}

Expected<JobExecutor::Prepared> JobExecutor::prepareOver(Expected<BufferSet> Set, const Program &Run) {
  if (!Set)
    return Set.takeError();
  Expected<LoadedProgram> Loaded = LoadedProgram::load(Owner, Modules, Run, *Set);
  if (!Loaded)
    return Loaded.takeError();
  return Prepared{std::move(*Set), std::move(*Loaded)};
}

Error JobExecutor::runProblem(const Job &J, const Problem &P, Result &R) {
  Expected<Prepared> Ready = prepare(P, P.Candidate);
  if (!Ready)
    return Ready.takeError();
  bool Measured = J.Timing && J.Timing->Problem == P.Name;
  if (Measured || R.Kernels.empty()) {
    Expected<std::vector<KernelFacts>> Facts = Ready->Candidate.facts();
    if (!Facts)
      return Facts.takeError();
    R.Kernels = std::move(*Facts);
  }
  auto Look = Measured ? Checker::InputLook::AfterTiming : Checker::InputLook::Now;
  Expected<ProblemCheck> Done = Check.check(P, J.Compare, Ready->Buffers, Ready->Candidate, Look);
  if (!Done)
    return Done.takeError();
  R.Checks.push_back(std::move(*Done));
  if (Measured)
    CheckedMs = Check.runsMs().vec();
  return Error::success();
}

/// Whether the rival may be timed: what is wrong never is.
Expected<bool> JobExecutor::checkRival(const Job &J, const Rival &Rival, Result &R) {
  auto Checked = [&]() -> Expected<ProblemCheck> {
    Expected<Prepared> Ready = prepare(Rival.Run, Rival.Run.Candidate);
    if (!Ready)
      return Ready.takeError();
    return Check.check(Rival.Run, J.Compare, Ready->Buffers, Ready->Candidate, Checker::InputLook::Now);
  }();
  if (!Checked)
    return blame(Checked.takeError(), Part::Rival, Rival.Name);
  if (Checked->Outcome != CheckOutcome::Wrong)
    return true;
  R.Status = ResultStatus::Wrong;
  R.Message = "rival " + Rival.Name + ": " + describe(*Checked->Detail);
  R.Culprit = Rival.Name;
  return false;
}

/// What guard zones hold while programs are timed.
static constexpr uint8_t TimingPattern = FillPatterns[1];

/// Whether only \p J's candidate ran since the last look at the inputs of \p P: in its check, after which
/// they are looked at after timing. A look before timing would cost time, and an input that the check changed
/// would be made anew without anybody being blamed.
static bool onlyCandidateRan(const Job &J, const Problem &P) {
  return J.Timing->Rivals.empty() && &P == &J.Checks.back();
}

/// \p Run over as many copies of the problem's buffers as are asked for.
Expected<Contestant> JobExecutor::contestant(const Job &J, const Problem &P, const Program &Run, Part As,
                                             StringRef Name) {
  TimeTraceScope Scope("contestant");
  Contestant Made{As, Name.str(), &P};
  for (uint32_t Copy = 0, Copies = copiesOf(*J.Timing, P, Owner.description()); Copy != Copies; ++Copy) {
    Expected<Prepared> Ready = Copy == 0 && onlyCandidateRan(J, P)
                                   ? prepareOver(Buffers.acquireUnseen(P), Run)
                                   : prepare(P, Run, Copy);
    if (!Ready)
      return blame(Ready.takeError(), As, Name);
    Made.Program.add(std::move(Ready->Buffers), std::move(Ready->Candidate));
  }
  if (Error E = Made.Program.prepareAfterCheck(TimingPattern))
    return E;
  if (J.Timing->Restore || Run.Untimed == 0)
    return Made;
  // Nothing makes it before the samples.
  if (Error E = Made.Program.setUp())
    return E;
  if (Error E = Made.Program.startOver(UINT32_MAX))
    return E;
  return Made;
}

std::vector<JobExecutor::MakeContestant> JobExecutor::contestants(const Job &J) {
  const Measure &M = *J.Timing;
  const Problem &P = timedProblem(J);
  std::vector<MakeContestant> All;
  if (M.Baseline)
    All.push_back([&, this] { return contestant(J, P, *M.Baseline, Part::Baseline, ""); });
  All.push_back([&, this] { return contestant(J, P, P.Candidate, Part::Candidate, ""); });
  for (const Rival &Each : M.Rivals)
    All.push_back([&, this] { return contestant(J, Each.Run, Each.Run.Candidate, Part::Rival, Each.Name); });
  return All;
}

/// Tells apart baselines whose times may differ.
static std::string baselineKey(const Contestant &Baseline, const Measure &M) {
  std::string Key = formatv("{0} {1} {2} {3} {4}", Baseline.Program.first().Program.contentKey(),
                            json::Value(M.MinSampleMs.value_or(0)), M.FlushL2, M.Rotate, M.Restore);
  for (const Buffer &B : Baseline.Over->Buffers)
    Key += formatv(" {0}", toJSON(B));
  return Key;
}

/// Samples of a known baseline may take so much of the time that the GPU runs what is timed.
static constexpr double MostForDrift = 0.2;

/// A baseline is timed fully once. Beside rivals it decides something, and is timed as they are.
static bool isTimedOnce(const Contestant &First, const Job &J) {
  return First.As == Part::Baseline && J.Timing->Rivals.empty();
}

Error JobExecutor::timeContestants(const Job &J, MutableArrayRef<Contestant> All, Result &R) {
  Contestant &First = All.front();
  auto Known = isTimedOnce(First, J) ? Baselines.find(baselineKey(First, *J.Timing)) : Baselines.end();
  if (Known != Baselines.end())
    First.Known = {Known->second.Batch, Known->second.Ms, /*IsDue=*/TimedMs >= Known->second.NextAtMs};
  Error E = measure(Owner, *J.Timing, All, Clock, R);
  TimedMs += R.TimedMs;
  if (First.Known && First.Known->IsDue)
    Known->second.NextAtMs = TimedMs + First.Known->Batch * First.Known->Ms / MostForDrift;
  return E;
}

/// To be called when nothing wrong was found after timing.
void JobExecutor::noteBaseline(const Job &J, const Contestant &Baseline, const Result &R) {
  bool IsFull = isTimedOnce(Baseline, J) && (!Baseline.Known || Baseline.HasDrifted);
  if (IsFull && R.Status == ResultStatus::Ok && R.BaselineMedianMs)
    Baselines[baselineKey(Baseline, *J.Timing)] = {Baseline.Batch, *R.BaselineMedianMs, /*NextAtMs=*/TimedMs};
}

Error JobExecutor::runMeasure(const Job &J, Result &R) {
  for (const Rival &Each : J.Timing->Rivals) {
    Expected<bool> Right = checkRival(J, Each, R);
    if (!Right || !*Right)
      return Right.takeError();
  }
  std::vector<Contestant> Contestants;
  for (const MakeContestant &Make : contestants(J)) {
    Expected<Contestant> Made = Make();
    if (!Made)
      return Made.takeError();
    Contestants.push_back(std::move(*Made));
    if (Contestants.back().As == Part::Candidate)
      Contestants.back().CheckedMs = CheckedMs;
  }
  if (Error E = timeContestants(J, Contestants, R))
    return E;
  return checkAfterTiming(J, std::move(Contestants), R);
}

/// Whether so many runs of one program change what is not its own: guard zones, inputs, or what is kept of
/// the program that it is compared with.
Expected<bool> JobExecutor::spoilsAlone(const Job &J, const MakeContestant &Make, uint64_t Runs) {
  startAfresh();
  Expected<Contestant> Alone = Make();
  if (!Alone)
    return Alone.takeError();
  Expected<std::shared_ptr<ReferenceSet>> Kept =
      Check.kept(*Alone->Over, J.Compare, Alone->Program.first().Buffers);
  if (!Kept)
    return Kept.takeError();
  if (Error E = Alone->Program.prepare(TimingPattern))
    return E;
  for (uint64_t Run = 0; Run != Runs; ++Run) {
    if (Error E = Alone->Program.setUp())
      return E;
    if (Error E = Alone->Program.startOver(1))
      return E;
    if (Error E = Alone->Program.launch())
      return E;
  }
  if (Error E = Owner.synchronize())
    return blame(std::move(E), Alone->As, Alone->Name);
  Expected<std::optional<Mismatch>> Found = Alone->Program.checkGuards(TimingPattern);
  if (Found && !*Found)
    Found = Alone->Program.checkInputs();
  if (!Found)
    return Found.takeError();
  if (*Found || !*Kept)
    return Found->has_value();
  Expected<bool> Intact = (*Kept)->isIntactOnDevice();
  if (!Intact)
    return Intact.takeError();
  return !*Intact;
}

static void forgetTimes(Result &R) {
  R.SamplesMs.clear();
  R.BaselineMs.clear();
  R.MedianMs = R.BaselineMedianMs = std::nullopt;
  R.LaunchesPerSample = 1;
  R.FewSamples = false;
  R.Warmed.reset();
  R.Rivals.clear();
  R.GpuClock.reset();
}

/// Says in \p R what one program did wrong after it was right in its check.
static Error blameAfterTiming(Part As, StringRef Name, const Problem &P, Mismatch Spoiled, Result &R) {
  std::string Text = "after timing: " + describe(Spoiled);
  forgetTimes(R);
  if (As == Part::Baseline)
    return blameReference(make_error<JobFailure>(ResultStatus::Wrong, Text), "baseline");
  R.Status = ResultStatus::Wrong;
  R.Culprit = Name;
  if (As == Part::Rival) {
    R.Message = formatv("rival {0}: {1}", Name, Text);
    return Error::success();
  }
  R.Message = formatv("{0}: {1}", P.Name, Text);
  R.Check = CheckOutcome::Wrong;
  ProblemCheck &Check = *find_if(R.Checks, [&](const ProblemCheck &C) { return C.Problem == P.Name; });
  Check.Outcome = CheckOutcome::Wrong;
  Check.Detail = std::move(Spoiled);
  return Error::success();
}

/// A program may write where it should not, or go wrong, only when it has run often enough.
Error JobExecutor::checkAfterTiming(const Job &J, std::vector<Contestant> Timed, Result &R) {
  TimeTraceScope Scope("check after timing");
  Expected<std::optional<Mismatch>> Spoiled = findSpoiled(J, Timed, R);
  if (!Spoiled)
    return Spoiled.takeError();
  if (*Spoiled)
    return findSpoiler(J, std::move(Timed), std::move(**Spoiled), R);
  if (R.Status == ResultStatus::Ok)
    noteBaseline(J, Timed.front(), R);
  return Error::success();
}

/// Whether a candidate may be taken by its times in \p R alone. One that was clearly slower wins only as a
/// rival of final rounds, which are never brief; but where the winner cannot be deployed, or not to all
/// launches, the next one is that is faster than the baseline.
static bool mayBeTaken(const Result &R) {
  return !R.FewSamples || !R.MedianMs || !R.BaselineMedianMs || *R.MedianMs < *R.BaselineMedianMs;
}

/// Guard zones first, since the next run fills them anew; inputs last, since so one look is enough for the
/// timed runs and the one after them.
Expected<std::optional<Mismatch>> JobExecutor::findSpoiled(const Job &J, ArrayRef<Contestant> Timed,
                                                           Result &R) {
  for (const Contestant &C : Timed) {
    Expected<std::optional<Mismatch>> Found = C.Program.checkGuards(TimingPattern);
    if (!Found || *Found)
      return Found;
  }
  if (R.Status == ResultStatus::Ok && mayBeTaken(R)) {
    Expected<std::optional<Mismatch>> Found = checkOutputsAgain(J, Timed, R);
    if (!Found || *Found)
      return Found;
  }
  for (const Contestant &C : Timed) {
    Expected<std::optional<Mismatch>> Found = C.Program.checkInputs();
    if (!Found || *Found)
      return Found;
  }
  return std::nullopt;
}

Expected<std::optional<Mismatch>> JobExecutor::checkOutputsAgain(const Job &J, ArrayRef<Contestant> Timed,
                                                                 Result &R) {
  TimeTraceScope Scope("check outputs again");
  for (const Contestant &C : Timed) {
    if (C.As == Part::Baseline)
      continue;
    const RotatingProgram::Copy &First = C.Program.first();
    Expected<std::optional<Mismatch>> Found =
        Check.checkAgain(*C.Over, J.Compare, First.Buffers, First.Program);
    if (!Found)
      return blame(Found.takeError(), C.As, C.Name);
    if (!*Found) {
      if (C.UnfinishedMs)
        finishSample(C, Check.runsMs().back(), R);
      continue;
    }
    if ((*Found)->Kind == MismatchKind::Elsewhere)
      return Found;
    Expected<std::optional<Mismatch>> Input = First.Buffers.checkInputs();
    if (!Input || *Input) // Any of the programs may have changed it; a symbol is filled before each run.
      return Input;
    if (Error E = blameAfterTiming(C.As, C.Name, *C.Over, std::move(**Found), R))
      return E;
    break;
  }
  return std::nullopt;
}

/// The programs share buffers, so who changed them is found by letting each run alone.
Error JobExecutor::findSpoiler(const Job &J, std::vector<Contestant> Timed, Mismatch Spoiled, Result &R) {
  forgetTimes(R);
  std::vector<std::tuple<Part, std::string, uint64_t>> Suspects;
  for (const Contestant &C : Timed)
    Suspects.emplace_back(C.As, C.Name, C.Program.runs() + (C.As == Part::Baseline ? 0 : 1));
  Timed.clear(); // And with them the memory that they hold.
  for (const auto &[Make, Suspect] : zip_equal(contestants(J), Suspects)) {
    const auto &[As, Name, Runs] = Suspect;
    Expected<bool> Guilty = spoilsAlone(J, Make, Runs);
    if (!Guilty)
      return Guilty.takeError();
    if (*Guilty)
      return blameAfterTiming(As, Name, timedProblem(J), std::move(Spoiled), R);
  }
  if (J.Timing->Rivals.empty())
    return blameAfterTiming(Part::Candidate, "", timedProblem(J), std::move(Spoiled), R);
  return make_error<JobFailure>(ResultStatus::Error,
                                "after timing: " + describe(Spoiled) + "; no program does this alone");
}

Error JobExecutor::run(const Job &J, Result &R) {
  for (const Problem &P : J.Checks) {
    if (Error E = runProblem(J, P, R))
      return E;
    const ProblemCheck &Done = R.Checks.back();
    bool First = R.Checks.size() == 1;
    // A problem that has nothing to be compared with leaves the job less than checked.
    bool Skipped = Done.Outcome == CheckOutcome::Skipped || (!First && R.Check == CheckOutcome::Skipped);
    if (Done.Outcome == CheckOutcome::Wrong) {
      R.Check = CheckOutcome::Wrong;
      R.Status = ResultStatus::Wrong;
      R.Message = Done.Problem + ": " + describe(*Done.Detail);
      return Error::success();
    }
    R.Check = Skipped ? CheckOutcome::Skipped : std::max({R.Check, Done.Outcome, Done.Launch});
  }
  return J.Timing ? runMeasure(J, R) : Error::success();
}

void JobExecutor::fail(Error E, Result &R) {
  handleAllErrors(
      std::move(E),
      [&](const JobFailure &F) {
        R.Status = F.status();
        R.Message = F.text();
        R.Culprit = F.culprit();
      },
      [&](const ErrorInfoBase &Other) {
        R.Status = ResultStatus::Error;
        R.Message = Other.message();
      });
  ContextLost = Owner.contextLost();
  // An asynchronous fault shows at whatever call comes next.
  if (ContextLost && R.Status != ResultStatus::Reference)
    R.Status = ResultStatus::Fault;
}

/// Whether what ran may have written anywhere. What the driver refuses has not run.
static bool mayHaveSpoiled(ResultStatus Status) {
  switch (Status) {
  case ResultStatus::Ok:
  case ResultStatus::Slow:
  case ResultStatus::Load:
  case ResultStatus::Launch:
  case ResultStatus::Memory:
  case ResultStatus::Address:
    return false;
  default:
    return true;
  }
}

Result JobExecutor::execute(const Job &J) {
  TimeTraceScope Scope("job");
  Result R;
  R.Id = J.Id;
  Modules.beginJob();
  if (Error E = run(J, R))
    fail(std::move(E), R);
  if (mayHaveSpoiled(R.Status))
    startAfresh();
  // What lies at the addresses is of this process; another one may get them.
  R.RunnerEnds = ContextLost || R.Status == ResultStatus::Address;
  R.ReferencesOnHost = Check.references().bytesOnHost();
  return R;
}

} // namespace gpuprune
