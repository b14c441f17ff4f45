//===- JobExecutor.cpp - From a job to its result -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "JobExecutor.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

JobExecutor::JobExecutor(const Gpu &G, StringRef BaseDirectory, uint64_t CacheBytes, ClockReader *Clock)
    : Owner(G), Modules(G, BaseDirectory), Buffers(G, CacheBytes), Check(G, Modules, CacheBytes),
      Clock(Clock) {}

Expected<JobExecutor::Prepared> JobExecutor::prepare(const Problem &P, const Program &Run, uint32_t Copy) {
  Expected<BufferSet> Set = Buffers.acquire(P, Copy);
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
  Expected<ProblemCheck> Done = Check.check(P, J.Compare, Ready->Buffers, Ready->Candidate);
  if (!Done)
    return Done.takeError();
  R.Checks.push_back(std::move(*Done));
  return Error::success();
}

/// Whether the rival may be timed: what is wrong never is.
Expected<bool> JobExecutor::checkRival(const Job &J, const Rival &Rival, Result &R) {
  auto Checked = [&]() -> Expected<ProblemCheck> {
    Expected<Prepared> Ready = prepare(Rival.Run, Rival.Run.Candidate);
    if (!Ready)
      return Ready.takeError();
    return Check.check(Rival.Run, J.Compare, Ready->Buffers, Ready->Candidate);
  }();
  if (!Checked)
    return blame(Checked.takeError(), Part::Rival, Rival.Name);
  if (Checked->Outcome != CheckOutcome::Wrong)
    return true;
  R.Status = ResultStatus::Wrong;
  R.Message = "rival " + Rival.Name + ": " + describe(*Checked->Detail);
  R.Culprit = Rival.Name;
  Buffers.forgetContents(Rival.Run);
  return false;
}

/// \p Run over as many copies of the problem's buffers as are asked for.
Error JobExecutor::addContestant(const Measure &M, const Problem &P, const Program &Run, Contestant As,
                                 std::vector<Contestant> &Contestants) {
  for (uint32_t Copy = 0, Copies = copiesOf(M, P, Owner.description()); Copy != Copies; ++Copy) {
    Expected<Prepared> Ready = prepare(P, Run, Copy);
    if (!Ready)
      return blame(Ready.takeError(), As.As, As.Name);
    As.Program.add(std::move(Ready->Buffers), std::move(Ready->Candidate));
  }
  Contestants.push_back(std::move(As));
  return Error::success();
}

Error JobExecutor::runMeasure(const Job &J, Result &R) {
  const Measure &M = *J.Timing;
  const Problem &P = *find_if(J.Checks, [&](const Problem &P) { return P.Name == M.Problem; });
  for (const Rival &Each : M.Rivals) {
    Expected<bool> Right = checkRival(J, Each, R);
    if (!Right || !*Right)
      return Right.takeError();
  }
  std::vector<Contestant> Contestants;
  if (M.Baseline)
    if (Error E = addContestant(M, P, *M.Baseline, {Part::Baseline}, Contestants))
      return E;
  if (Error E = addContestant(M, P, P.Candidate, {Part::Candidate}, Contestants))
    return E;
  for (const Rival &Each : M.Rivals)
    if (Error E = addContestant(M, Each.Run, Each.Run.Candidate, {Part::Rival, Each.Name}, Contestants))
      return E;
  return measure(Owner, M, Contestants, Clock, R);
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
  for (const Problem &P : J.Checks)
    Buffers.forgetContents(P);
  if (J.Timing)
    for (const Rival &Each : J.Timing->Rivals)
      Buffers.forgetContents(Each.Run);
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
