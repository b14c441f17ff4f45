//===- JobExecutor.cpp - From a job to its result -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "JobExecutor.h"
#include "Measurement.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

JobExecutor::JobExecutor(const Gpu &G, StringRef BaseDirectory, uint64_t CacheBytes)
    : Owner(G), Modules(G, BaseDirectory), Buffers(G, CacheBytes), Check(G, Modules, CacheBytes) {}

Expected<JobExecutor::Prepared> JobExecutor::prepare(const Problem &P) {
  Expected<BufferSet> Set = Buffers.acquire(P);
  if (!Set)
    return Set.takeError();
  Expected<LoadedProgram> Candidate = LoadedProgram::load(Owner, Modules, P.Candidate, Set->addresses());
  if (!Candidate)
    return Candidate.takeError();
  return Prepared{std::move(*Set), std::move(*Candidate)};
}

Error JobExecutor::runProblem(const Job &J, const Problem &P, Result &R) {
  Expected<Prepared> Ready = prepare(P);
  if (!Ready)
    return Ready.takeError();
  bool Measured = J.Timing && J.Timing->Problem == P.Name;
  if (Measured || R.Kernels.empty()) {
    Expected<std::vector<KernelFacts>> Facts = Ready->Candidate.facts();
    if (!Facts)
      return Facts.takeError();
    R.Kernels = std::move(*Facts);
  }
  Expected<ProblemCheck> Done = Check.check(P, J.Compare, Ready->Buffers, Ready->Candidate);
  if (!Done)
    return Done.takeError();
  R.Checks.push_back(std::move(*Done));
  return Error::success();
}

Error JobExecutor::runMeasure(const Job &J, Result &R) {
  const Problem &P = *find_if(J.Checks, [&](const Problem &P) { return P.Name == J.Timing->Problem; });
  Expected<Prepared> Ready = prepare(P);
  if (!Ready)
    return Ready.takeError();
  if (!J.Timing->Baseline)
    return measure(Owner, *J.Timing, Ready->Buffers, Ready->Candidate, nullptr, R);
  Expected<LoadedProgram> Baseline =
      LoadedProgram::load(Owner, Modules, *J.Timing->Baseline, Ready->Buffers.addresses());
  if (!Baseline)
    return blameReference(Baseline.takeError(), "baseline");
  return measure(Owner, *J.Timing, Ready->Buffers, Ready->Candidate, &*Baseline, R);
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
      Buffers.forgetContents(P);
      return Error::success();
    }
    R.Check = Skipped ? CheckOutcome::Skipped : std::max(R.Check, Done.Outcome);
  }
  return J.Timing ? runMeasure(J, R) : Error::success();
}

void JobExecutor::fail(Error E, const Job &J, Result &R) {
  handleAllErrors(
      std::move(E),
      [&](const JobFailure &F) {
        R.Status = F.status();
        R.Message = F.text();
      },
      [&](const ErrorInfoBase &Other) {
        R.Status = ResultStatus::Error;
        R.Message = Other.message();
      });
  ContextLost = Owner.contextLost();
  // An asynchronous fault shows at whatever call comes next.
  if (ContextLost && R.Status != ResultStatus::Reference)
    R.Status = ResultStatus::Fault;
  for (const Problem &P : J.Checks)
    Buffers.forgetContents(P);
}

Result JobExecutor::execute(const Job &J) {
  Result R;
  R.Id = J.Id;
  if (Error E = run(J, R))
    fail(std::move(E), J, R);
  R.RunnerEnds = ContextLost;
  return R;
}

} // namespace gpuprune
