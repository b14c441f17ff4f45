//===- WholeRun.cpp - A sequence with the choice of each launch ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WholeRun.h"
#include "gpuprune/Driver/OpenBuffers.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Median.h"
#include "gpuprune/Workload/Sequence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// The programs of a sequence: as written by stock clang, prepared, and with the choices.
class Whole {
public:
  explicit Whole(const TuneOptions &Options) : Options(Options) {}

  Error build(ArrayRef<Variant> Choices);
  /// Of all sizes at which the choices can be launched.
  Expected<protocol::Job> job() const;
  StringRef folder() const { return Home->path(); }

private:
  const TuneOptions &Options;
  TuningTarget Target; ///< Of the last launch, and so of all.
  std::optional<TemporaryDirectory> Home;
  std::vector<std::unique_ptr<BuiltLaunch>> Launches;

  Expected<std::optional<protocol::Problem>> problemAt(const Environment &Size) const;
};

} // namespace

Error Whole::build(ArrayRef<Variant> Choices) {
  Expected<TuningTarget> Loaded = loadTarget(Options.Workload, Options.Device, Choices.size());
  if (!Loaded)
    return Loaded.takeError();
  Target = std::move(*Loaded);
  Expected<TemporaryDirectory> Made = TemporaryDirectory::create();
  if (!Made)
    return Made.takeError();
  Home.emplace(std::move(*Made));
  if (Error E = writeContentsFiles(Target.W, folder()))
    return E;
  for (const auto &[Number, Choice] : enumerate(Choices)) {
    Launches.push_back(std::make_unique<BuiltLaunch>(Target, Number, /*Kept=*/nullptr, Choice));
    if (Error E = Launches.back()->build(folder()))
      return E;
  }
  return Error::success();
}

/// Nothing where a choice cannot be launched there.
Expected<std::optional<protocol::Problem>> Whole::problemAt(const Environment &Size) const {
  Expected<ResolvedProblem> Author = resolve(Target.W, Size);
  if (!Author)
    return Author.takeError();
  protocol::Problem Problem;
  Problem.Name = sizeName(Target.W, Size);
  Problem.Buffers = protocolBuffers(*Author);
  Problem.Reference.emplace();
  Problem.Stock.emplace();
  std::vector<BufferFreedom> Open(Problem.Buffers.size());
  for (const auto &[Number, Each] : enumerate(Launches)) {
    const ResolvedLaunch &Written = Author->Launches[Number];
    Problem.Reference->Launches.push_back(
        toLaunch(Each->prepared(), Written, asWritten(authorLaunch(Written))));
    Problem.Stock->Launches.push_back(toLaunch(Each->stock(), Written, asWritten(authorLaunch(Written))));
    Workload Cut = Target.W;
    Cut.Launches.resize(Number + 1);
    Expected<ResolvedProblem> Own = resolve(Cut, Size, {}, Each->chosen().parts().Block);
    Expected<PhysicalLaunch> Physical =
        Own ? apply(authorLaunch(Own->tuned()), Each->chosen().Kernel.Contract) : Own.takeError();
    if (!Physical) {
      consumeError(Physical.takeError());
      return std::nullopt;
    }
    Problem.Candidate.Launches.push_back(toLaunch(Each->chosen(), Own->tuned(), std::move(*Physical)));
    const FloatingPointFreedom &Free = Each->prepared().Kernel.Freedom;
    for (const ArgumentFreedom &Of : Free.Arguments) {
      // Another block of one launch adds in another order, and what is open goes on to the next.
      const std::string &Why = Each->chosen().parts().Block ? Of.BetweenLaunches : Of.BetweenVariants;
      if (!Why.empty())
        openAll(Open, formatv("{0} of launch {1}", Why, Number + 1), *Author);
    }
  }
  Problem.Open = openBuffers(Open);
  return Problem;
}

Expected<protocol::Job> Whole::job() const {
  const Workload &W = Target.W;
  protocol::Job Job;
  Job.Id = "whole";
  Job.Compare = {protocol::CompareMode::Bitwise, W.Tolerance.Relative, W.Tolerance.Absolute};
  for (const Environment &Size : distinctSizes(W)) {
    Expected<std::optional<protocol::Problem>> Problem = problemAt(Size);
    if (!Problem)
      return Problem.takeError();
    if (*Problem)
      Job.Checks.push_back(std::move(**Problem));
  }
  std::string Tuned = sizeName(W, W.TuneSize);
  auto Timed = find_if(Job.Checks, [&](const protocol::Problem &P) { return P.Name == Tuned; });
  if (Timed == Job.Checks.end())
    return makeError(ErrorKind::Internal, "the choices cannot be launched together at " + Tuned);
  Job.Timing.emplace();
  Job.Timing->Problem = Tuned;
  Job.Timing->Baseline = Timed->Stock;
  Job.Timing->Warmup = Options.Measuring.Warmup;
  Job.Timing->MinSampleMs = Options.Measuring.MinSampleMs;
  Job.Timing->Samples = std::max(Options.Measuring.Rounds, Options.Measuring.Samples);
  Job.Timing->FlushL2 = Options.Measuring.FlushL2;
  // Beside a rival the baseline takes part in every round.
  protocol::Problem Prepared = *Timed;
  Prepared.Candidate = *Timed->Reference;
  Job.Timing->Rivals.push_back({"prepared", std::move(Prepared)});
  return Job;
}

std::optional<double> WholeSequence::speedup() const {
  return MedianMs && AsWrittenMs ? std::optional(*AsWrittenMs / *MedianMs) : std::nullopt;
}

static WholeSequence judged(const protocol::Result &R) {
  WholeSequence Found;
  Found.Check = R.Check;
  if (R.Status != protocol::ResultStatus::Ok) {
    Found.Problem = R.Message.empty() ? protocol::resultStatusName(R.Status).str() : R.Message;
    return Found;
  }
  Found.MedianMs = R.MedianMs;
  Found.AsWrittenMs = median(R.BaselineMs);
  Found.Rounds = R.SamplesMs.size();
  return Found;
}

static Expected<WholeSequence> tryWhole(const TuneOptions &Options, ArrayRef<Variant> Choices) {
  Whole Programs(Options);
  if (Error E = Programs.build(Choices))
    return std::move(E);
  Expected<protocol::Job> Job = Programs.job();
  if (!Job)
    return Job.takeError();
  resolveFiles(*Job, Programs.folder());
  RunnerOptions Running;
  Running.Commands = {Options.Runner};
  Expected<std::unique_ptr<RunnerClient>> Client = RunnerClient::start(Running);
  if (!Client)
    return Client.takeError();
  WholeSequence Found;
  Found.Problem = "the runner gave no result";
  if (Error E = (*Client)->run(*Job, [&](const protocol::Result &R) { Found = judged(R); }))
    return std::move(E);
  return Found;
}

WholeSequence runWhole(const TuneOptions &Options, ArrayRef<Variant> Choices) {
  Expected<WholeSequence> Tried = tryWhole(Options, Choices);
  WholeSequence Found;
  if (Tried)
    Found = std::move(*Tried);
  else
    Found.Problem = toString(Tried.takeError());
  Found.HasRun = true;
  return Found;
}

} // namespace gpuprune
