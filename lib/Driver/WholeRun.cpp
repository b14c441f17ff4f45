//===- WholeRun.cpp - A sequence with the choice of each launch ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WholeRun.h"
#include "gpuprune/Check/OpenBuffers.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Median.h"
#include "gpuprune/Variant/LaunchCheck.h"
#include "gpuprune/Variant/ProtocolBuffers.h"
#include "gpuprune/Workload/Sequence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// The programs of a sequence: as written by stock clang, prepared, and with the choices.
class Whole {
public:
  explicit Whole(const TuneOptions &Options) : Options(Options) {}

  Error build(ArrayRef<Variant> Choices);
  /// Of all sizes; \p Notes say where a choice is not what is launched.
  Expected<protocol::Job> job(std::vector<std::string> &Notes) const;
  StringRef folder() const { return Home->path(); }

private:
  const TuneOptions &Options;
  TuningTarget Target; ///< Of the last launch.
  std::optional<TemporaryDirectory> Home;
  std::vector<std::unique_ptr<BuiltLaunch>> Launches;

  const Workload &all() const { return Target.W.Whole ? *Target.W.Whole : Target.W; }
  std::vector<std::optional<Dim3>> blocksAt(const Environment &Size) const;
  Expected<protocol::Program> chosenAt(const Environment &Size, const ResolvedProblem &Author,
                                       std::vector<std::string> &Notes) const;
  std::vector<BufferFreedom> freedom(const ResolvedProblem &Author) const;
  Expected<protocol::Problem> problemAt(const Environment &Size, std::vector<std::string> &Notes) const;
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
  for (const auto &[Number, Choice] : enumerate(Choices))
    Launches.push_back(std::make_unique<BuiltLaunch>(Target, Number, /*Kept=*/nullptr, Choice));
  return buildLaunches(Launches, folder(), Options.Jobs);
}

/// The launch \p Own of \p Problem as the choice \p Chosen is launched. Error: it cannot be there.
static Expected<protocol::Launch> launchOf(const BuiltVariant &Chosen, const ResolvedLaunch &Own,
                                           const ResolvedProblem &Problem, const DeviceInfo &Device) {
  Expected<PhysicalLaunch> Physical = Chosen.Kernel.launchFor(authorLaunch(Own), Device.SMCount);
  if (!Physical)
    return Physical.takeError();
  if (Error E = checkBufferArguments(Chosen.Kernel.Contract, Problem, Own))
    return std::move(E);
  return toLaunch(Chosen, Own, std::move(*Physical));
}

/// The blocks of the choices that \p Size can be launched with.
std::vector<std::optional<Dim3>> Whole::blocksAt(const Environment &Size) const {
  std::vector<std::optional<Dim3>> Blocks(Launches.size());
  for (const auto &[Block, Each] : zip_equal(Blocks, Launches)) {
    Block = Each->chosen().parts().Block;
    if (!Block)
      continue; // The author's.
    if (Error E = resolveWhole(all(), Size, Blocks).takeError()) {
      consumeError(std::move(E));
      Block.reset();
    }
  }
  return Blocks;
}

/// "at n=1000, as written, because the choice cannot be launched there: launch 1 in the iteration k=3 and 2
/// more".
static std::string noteOf(StringRef Size, ArrayRef<std::string> Places) {
  constexpr size_t Named = 3;
  std::string Text = formatv("at {0}, as written, because the choice cannot be launched there: {1}", Size,
                             join(Places.take_front(Named), ", "));
  if (Places.size() > Named)
    Text += formatv(" and {0} more", Places.size() - Named);
  return Text;
}

/// The choices at \p Size; where one of them cannot be launched, the prepared kernel as \p Author has it,
/// which \p Notes then say.
Expected<protocol::Program> Whole::chosenAt(const Environment &Size, const ResolvedProblem &Author,
                                            std::vector<std::string> &Notes) const {
  std::vector<std::optional<Dim3>> Blocks = blocksAt(Size);
  Expected<ResolvedProblem> Own = resolveWhole(all(), Size, Blocks);
  if (!Own)
    return Own.takeError();
  protocol::Program Program;
  std::vector<std::string> AsWritten;
  for (const auto &[Launch, Written] : zip_equal(Own->Launches, Author.Launches)) {
    const BuiltLaunch &Each = *Launches[Launch.Spec];
    Expected<protocol::Launch> Told = launchOf(Each.chosen(), Launch, *Own, *Target.Device);
    bool Fits = Told && Each.chosen().parts().Block == Blocks[Launch.Spec];
    if (Fits) {
      Program.Launches.push_back(std::move(*Told));
      continue;
    }
    if (!Told)
      consumeError(Told.takeError());
    Program.Launches.push_back(toLaunch(Each.prepared(), Written, asWritten(authorLaunch(Written))));
    AsWritten.push_back(formatv("launch {0}{1}{2}", Launch.Spec + 1,
                                Written.Iteration.empty() ? "" : " in the iteration ", Written.Iteration));
  }
  if (!AsWritten.empty())
    Notes.push_back(noteOf(sizeName(all(), Size), AsWritten));
  return Program;
}

/// Why bits of the whole are open.
std::vector<BufferFreedom> Whole::freedom(const ResolvedProblem &Author) const {
  std::vector<BufferFreedom> Open(Author.Buffers.size());
  for (const auto &[Number, Each] : enumerate(Launches))
    for (const ArgumentFreedom &Of : Each->prepared().Kernel.Freedom.Arguments) {
      // Another block of one launch adds in another order, and what is open goes on to the next.
      const std::string &Why = Each->chosen().parts().Block ? Of.BetweenLaunches : Of.BetweenVariants;
      if (!Why.empty())
        openAll(Open, formatv("{0} of launch {1}", Why, Number + 1), Author);
    }
  return Open;
}

Expected<protocol::Problem> Whole::problemAt(const Environment &Size, std::vector<std::string> &Notes) const {
  Expected<ResolvedProblem> Author = resolve(all(), Size);
  if (!Author)
    return Author.takeError();
  Expected<protocol::Program> Chosen = chosenAt(Size, *Author, Notes);
  if (!Chosen)
    return Chosen.takeError();
  protocol::Problem Problem;
  Problem.Name = sizeName(all(), Size);
  Problem.Buffers = protocolBuffers(*Author);
  for (auto [Told, Of] : zip_equal(Problem.Buffers, Author->Buffers))
    Told.Compared = !Of.Temporary;
  Problem.Candidate = std::move(*Chosen);
  Problem.Reference.emplace();
  Problem.Stock.emplace();
  for (const ResolvedLaunch &Written : Author->Launches) {
    const BuiltLaunch &Each = *Launches[Written.Spec];
    Problem.Reference->Launches.push_back(
        toLaunch(Each.prepared(), Written, asWritten(authorLaunch(Written))));
    Problem.Stock->Launches.push_back(toLaunch(Each.stock(), Written, asWritten(authorLaunch(Written))));
  }
  Problem.Open = openBuffers(freedom(*Author));
  erase_if(Problem.Open, [&](const protocol::OpenBuffer &B) { return !Problem.Buffers[B.Buffer].Compared; });
  return Problem;
}

Expected<protocol::Job> Whole::job(std::vector<std::string> &Notes) const {
  const Workload &W = all();
  protocol::Job Job;
  Job.Id = "whole";
  Job.Compare = {protocol::CompareMode::Bitwise, W.Tolerance.Relative, W.Tolerance.Absolute};
  for (const Environment &Size : distinctSizes(W)) {
    Expected<protocol::Problem> Problem = problemAt(Size, Notes);
    if (!Problem)
      return Problem.takeError();
    Job.Checks.push_back(std::move(*Problem));
  }
  std::string Tuned = sizeName(W, W.TuneSize);
  auto Timed = find_if(Job.Checks, [&](const protocol::Problem &P) { return P.Name == Tuned; });
  if (Timed == Job.Checks.end())
    return makeError(ErrorKind::Internal, "no problem of the whole is that of the size to tune, " + Tuned);
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

static Expected<WholeSequence> tryWhole(const TuneOptions &Options, ArrayRef<Variant> Choices,
                                        std::unique_ptr<RunnerClient> Runner) {
  Whole Programs(Options);
  if (Error E = Programs.build(Choices))
    return std::move(E);
  std::vector<std::string> Notes;
  Expected<protocol::Job> Job = Programs.job(Notes);
  if (!Job)
    return Job.takeError();
  resolveFiles(*Job, Programs.folder());
  RunnerOptions Running;
  Running.Commands = {Options.Runner};
  if (!Runner)
    if (Error E = RunnerClient::start(Running).moveInto(Runner))
      return std::move(E);
  WholeSequence Found;
  Found.Problem = "the runner gave no result";
  if (Error E = Runner->run(*Job, [&](const protocol::Result &R) { Found = judged(R); }))
    return std::move(E);
  Found.Notes = std::move(Notes);
  return Found;
}

WholeSequence runWhole(const TuneOptions &Options, ArrayRef<Variant> Choices,
                       std::unique_ptr<RunnerClient> Runner) {
  Expected<WholeSequence> Tried = tryWhole(Options, Choices, std::move(Runner));
  WholeSequence Found;
  if (Tried)
    Found = std::move(*Tried);
  else
    Found.Problem = toString(Tried.takeError());
  Found.HasRun = true;
  return Found;
}

} // namespace gpuprune
