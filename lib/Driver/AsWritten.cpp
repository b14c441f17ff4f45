//===- AsWritten.cpp - A sequence before it is tuned --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AsWritten.h"
#include "gpuprune/Check/ComparedBuffers.h"
#include "gpuprune/Check/LostLaunches.h"
#include "gpuprune/Runtime/Bundle.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Variant/LaunchChoice.h"
#include "gpuprune/Variant/ProtocolBuffers.h"
#include "gpuprune/Workload/Sequence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace llvm;

namespace gpuprune {

Expected<std::unique_ptr<AsWritten>> AsWritten::build(const TuneOptions &Options, size_t Launches,
                                                      bool IsTimed) {
  auto Made = std::make_unique<AsWritten>();
  if (Error E = loadTarget(Options.Workload, Options.Device, Launches).moveInto(Made->Last))
    return std::move(E);
  if (IsTimed) {
    Expected<TemporaryDirectory> Home = TemporaryDirectory::create();
    if (!Home)
      return Home.takeError();
    Made->Home.emplace(std::move(*Home));
    if (Error E = writeContentsFiles(Made->Last.W, Made->Home->path()))
      return std::move(E);
  }
  Made->Kept = openKeptBuilds(Options.Database, Made->Last);
  for (size_t Number = 0; Number != Launches; ++Number)
    Made->Built.push_back(std::make_unique<BuiltLaunch>(Made->Last, Number, Made->Kept.get()));
  if (Error E = buildLaunches(Made->Built, IsTimed ? Made->Home->path() : "", Options.Jobs))
    return std::move(E);
  return Made;
}

Error AsWritten::checkCompared() const { return checkComparedChange(whole(), Built); }

std::vector<std::string> AsWritten::lostLaunches() const {
  Expected<ResolvedProblem> Problem = resolve(whole(), whole().TuneSize);
  if (!Problem) {
    consumeError(Problem.takeError());
    return {};
  }
  std::vector<std::vector<ArgumentUse>> Uses;
  for (const auto &Launch : Built)
    Uses.push_back(argumentUses(Launch->prepared()));
  return gpuprune::lostLaunches(whole(), *Problem, Uses);
}

/// The launch \p Number behind those before it, a few times.
Expected<protocol::Job> AsWritten::timingJob(size_t Number, const TuneOptions &Options,
                                             double &Iterations) const {
  Workload W = upToLaunch(Last.W, Number);
  Expected<ResolvedProblem> Author = resolve(W, W.TuneSize);
  if (!Author)
    return Author.takeError();
  Expected<ResolvedProblem> All = resolve(whole(), whole().TuneSize);
  if (!All)
    return All.takeError();
  Iterations = double(count_if(All->Launches, [&](const ResolvedLaunch &L) { return L.Spec == Number; }));
  protocol::Problem Problem;
  Problem.Name = sizeName(W, W.TuneSize);
  Problem.Buffers = protocolBuffers(*Author);
  for (const ResolvedLaunch &Written : Author->Launches)
    Problem.Candidate.Launches.push_back(
        toLaunch(Built[Written.Spec]->stock(), Written, asWritten(authorLaunch(Written))));
  Problem.Candidate.Untimed = uint32_t(Author->earlier().size());
  protocol::Job Job;
  Job.Id = formatv("as-written:{0}", Number + 1);
  Job.Timing.emplace();
  Job.Timing->Problem = Problem.Name;
  Job.Timing->Samples = 3; // A budget is no result.
  Job.Timing->MaxWarmupMs = 50;
  Job.Timing->FlushL2 = Options.Measuring.FlushL2;
  Job.Checks.push_back(std::move(Problem));
  return Job;
}

Expected<std::vector<double>> AsWritten::times(const TuneOptions &Options,
                                               std::unique_ptr<RunnerClient> &Runner) const {
  RunnerOptions Running;
  Running.Commands = {Options.Runner};
  Expected<std::unique_ptr<RunnerClient>> Client = RunnerClient::start(Running);
  if (!Client)
    return Client.takeError();
  std::vector<double> Ms;
  for (size_t Number = 0; Number != Built.size(); ++Number) {
    double Iterations = 1;
    Expected<protocol::Job> Job = timingJob(Number, Options, Iterations);
    if (!Job)
      return Job.takeError();
    resolveFiles(*Job, Home->path());
    std::optional<double> Found;
    if (Error E = (*Client)->run(*Job, [&](const protocol::Result &R) { Found = R.MedianMs; }))
      return std::move(E);
    if (!Found)
      return makeError(ErrorKind::Runner, formatv("launch {0} has no time", Number + 1));
    Ms.push_back(*Found * Iterations);
  }
  Runner = std::move(*Client);
  return Ms;
}

double sumOf(ArrayRef<std::optional<double>> Ms) {
  double Sum = 0;
  for (const std::optional<double> &Each : Ms)
    Sum += Each.value_or(0);
  return Sum;
}

double budgetShare(double Left, ArrayRef<std::optional<double>> Ms) {
  constexpr double Shortest = 0.1, EvenPart = 0.5;
  double Even = 1 / double(Ms.size()), Sum = sumOf(Ms);
  bool AllKnown = all_of(Ms, [](const std::optional<double> &Each) { return Each.has_value(); });
  double Part = AllKnown && Sum > 0 ? EvenPart * Even + (1 - EvenPart) * *Ms.front() / Sum : Even;
  return std::max(Left * Part, Shortest);
}

std::vector<bool> negligibleLaunches(ArrayRef<std::optional<double>> Ms, double Percent) {
  std::vector<bool> Found(Ms.size());
  if (is_contained(Ms, std::nullopt))
    return Found;
  std::vector<size_t> Order(Ms.size());
  std::iota(Order.begin(), Order.end(), 0);
  llvm::stable_sort(Order, [&](size_t A, size_t B) { return *Ms[A] < *Ms[B]; });
  double All = sumOf(Ms), Shortest = 0;
  for (size_t Number : Order) {
    Shortest += *Ms[Number];
    Found[Number] = All > 0 && Shortest * 100 <= All * Percent;
  }
  return Found;
}

} // namespace gpuprune
