//===- MeasurePhase.cpp - The phase that measures on the GPU --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/MeasurePhase.h"
#include "ResultJoin.h"
#include "gpuprune/Driver/Phase.h"
#include "gpuprune/Runtime/Bundle.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>

using namespace llvm;

namespace gpuprune {

FinalRounds finalRounds(const TuneReport &Report, const MeasureOptions &Measuring) {
  FinalPlan Asked;
  Asked.Id = finalJobId(Report);
  Asked.Rounds = Measuring.Rounds;
  return FinalRounds(std::move(Asked));
}

Error MeasurePhase::run(JobRunner &Client, std::vector<PlannedJob> Jobs, Outcome &Done) {
  Done.Planned += Jobs.size();
  Error Failure = runGates(Client, Jobs, Done);
  if (!Failure && GateFailed) {
    runUnmeasured();
    Done.Missing = 0; // None of the others was meant to run.
    Final = FinalRounds(FinalPlan());
  } else if (!Failure) {
    Failure = runBatches(Client, std::move(Jobs), Done);
  }
  if (Of.Building)
    Of.Building->awaitAll(); // Also where a runner is lost: the table is worth having without times.
  if (Of.Limit.isBounded())
    Done.NotRun = std::exchange(Done.Missing, 0);
  return Failure ? std::move(Failure) : runFinal(Client);
}

void MeasurePhase::runUnmeasured() {
  if (Of.Building)
    Of.Building->awaitAll();
  Of.Checks.runAll();
}

/// Does \p What while the GPU waits, which is no part of measuring.
void MeasurePhase::apart(function_ref<void()> What) {
  auto Waits = std::chrono::steady_clock::now();
  What();
  Report.Measuring->WallMs -=
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - Waits).count();
}

std::vector<size_t> MeasurePhase::chooseOfAll() {
  std::vector<size_t> Batch = std::exchange(Ahead, {}), Wanted = Of.Chooser.next(Report);
  Of.Checks.begin(Wanted);
  append_range(Batch, Wanted);
  return Batch;
}

/// While variants are built, checking takes longer than timing. So the checks of one batch go on while the
/// one before is timed.
std::vector<size_t> MeasurePhase::chooseEarly() {
  auto Choose = [this] {
    std::vector<size_t> Wanted = Of.Chooser.early(Report);
    Of.Checks.begin(Wanted);
    return Wanted;
  };
  if (Ahead.empty())
    Ahead = Choose();
  std::vector<size_t> Batch = std::move(Ahead);
  Ahead = Batch.empty() ? Batch : Choose();
  return Batch;
}

/// \p Jobs, and what the strategies want then: of what is built so far while others are built, of all
/// in the end. A variant that turns out wrong lets in those that only it kept off the set.
Error MeasurePhase::runBatches(JobRunner &Client, std::vector<PlannedJob> Jobs, Outcome &Done) {
  bool ChecksRest = Of.ChecksRest;
  for (;;) {
    if (!Jobs.empty())
      if (Error E = runJobs(Client, std::exchange(Jobs, {}), Done))
        return E;
    bool AreAllChecked = Of.Checks.settleDone();
    if (Of.Limit.measuringOver(Final.expectedMs()))
      break;
    bool AreAllBuilt = !Of.Building;
    if (Of.Building)
      apart([&] { AreAllBuilt = Of.Building->takeBuilt(); });
    std::vector<size_t> Batch = AreAllBuilt || Of.WantsAll ? chooseOfAll() : chooseEarly();
    if (AreAllBuilt && std::exchange(ChecksRest, false))
      AreAllChecked &= Of.Checks.beginRest().empty();
    if (Batch.empty() && AreAllBuilt) {
      if (AreAllChecked)
        break;
      Of.Checks.settleAll(Final.expectedMs());
      continue;
    }
    if (Batch.empty())
      apart([&] { Of.Building->awaitMore(); });
    else if (Error E = Of.Plan(Batch, Final, Jobs))
      return E;
    Done.Planned += Jobs.size();
  }
  Of.Checks.settleAll(Final.expectedMs());
  return Error::success();
}

/// Runs those of \p Jobs that have to be right before anything else is launched, and leaves the others.
Error MeasurePhase::runGates(JobRunner &Client, std::vector<PlannedJob> &Jobs, Outcome &Done) {
  auto Rest = std::stable_partition(Jobs.begin(), Jobs.end(), [](const PlannedJob &J) { return J.IsGate; });
  std::vector<PlannedJob> Gates(std::make_move_iterator(Jobs.begin()), std::make_move_iterator(Rest));
  Jobs.erase(Jobs.begin(), Rest);
  return runJobs(Client, std::move(Gates), Done, /*AreGates=*/true);
}

/// Which of \p Jobs is next: the first whose check is over, since others may take longer; ahead only the very
/// first, so that the order is the same. Nothing where none is over now, or by the end of the budget.
/// References, which nobody checks, come first.
std::optional<size_t> MeasurePhase::firstCheckedOf(const std::deque<PlannedJob> &Jobs, JobRunner::Ask How) {
  if (!Jobs.front().Row)
    return 0;
  if (How == JobRunner::Ask::Ahead)
    return Of.Checks.awaitFirst(*Jobs.front().Row, Budget::Clock::now());
  std::vector<size_t> Rows;
  for (const PlannedJob &Job : Jobs)
    Rows.push_back(*Job.Row);
  return Of.Checks.awaitFirst(Rows, Of.Limit.end());
}

/// The next of \p Waiting but those of variants that the CPU finds wrong.
std::optional<protocol::Job> MeasurePhase::takeNext(std::deque<PlannedJob> &Waiting, JobRunner::Ask How,
                                                    Outcome &Done) {
  RowChecks::Deadline Until = How == JobRunner::Ask::Ahead ? Budget::Clock::now() : Of.Limit.end();
  while (!Waiting.empty() && !(Of.Limit.isBounded() && Of.Limit.measuringOver(Final.expectedMs()))) {
    std::optional<size_t> Place = firstCheckedOf(Waiting, How);
    if (!Place)
      break;
    PlannedJob Next = std::move(Waiting[*Place]);
    Waiting.erase(Waiting.begin() + *Place); // Mostly near its beginning.
    if (!Next.Row || Of.Checks.settle(*Next.Row, Until)) {
      resolveFiles(Next.Work, Of.JobFolder);
      return std::move(Next.Work);
    }
    Done.Missing -= !Report.Variants[*Next.Row].canRun();
    Of.Shown.step();
  }
  return std::nullopt;
}

Error MeasurePhase::runJobs(JobRunner &Client, std::vector<PlannedJob> Jobs, Outcome &Done, bool AreGates) {
  Done.Missing += Jobs.size();
  Of.Shown.begin(phaseName(Phase::Measure), Jobs.size());
  std::deque<PlannedJob> Waiting(std::make_move_iterator(Jobs.begin()), std::make_move_iterator(Jobs.end()));
  auto NextJob = [&](JobRunner::Ask How) { return takeNext(Waiting, How, Done); };
  Error Failure = Client.run(NextJob, [&](const protocol::Result &Result) {
    GateFailed |= AreGates && Result.Status != protocol::ResultStatus::Ok;
    take(Result);
    --Done.Missing;
    std::optional<size_t> Best = Report.winner();
    const VariantResult *Row = Best ? &Report.Variants[*Best] : nullptr;
    Of.Shown.step(Row ? formatv("best {0:F3} ms  {1}", *Row->OnGpu.MedianMs, Row->text()).str() : "");
  });
  Of.Shown.end();
  return Failure;
}

void MeasurePhase::take(const protocol::Result &Result) {
  if (!Result.Stored) {
    ++Report.Measuring->Jobs;
    Report.Measuring->GpuMs += Result.TimedMs;
    Report.Measuring->ReferencesOnHost =
        std::max(Report.Measuring->ReferencesOnHost, Result.ReferencesOnHost);
  }
  cantFail(joinResult(Report, Result)); // The ids are this report's.
  Final.note(Result);
}

/// Times the fastest again, together. One that fails now is marked, and the rest run again.
Error MeasurePhase::runFinal(JobRunner &Client) {
  while (std::optional<protocol::Job> Job = Final.next()) {
    resolveFiles(*Job, Of.JobFolder);
    Of.Shown.begin("final", 1);
    bool Answered = false;
    Error Failure = Client.run(*Job, [&](const protocol::Result &Result) {
      Answered = true;
      take(Final.settle(Result));
      Of.Shown.step();
    });
    Of.Shown.end();
    if (Failure)
      return Failure;
    if (Answered)
      continue;
    Report.Final.Problem = "the budget was used up";
    break;
  }
  return Error::success();
}

} // namespace gpuprune
