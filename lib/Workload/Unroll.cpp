//===- Unroll.cpp - The steps of a workload as launches ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Resolver.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuprune {

static Error checkOverride(const Workload &W, const std::optional<Dim3> &Block) {
  if (!Block || (Block->X >= 1 && Block->Y >= 1 && Block->Z >= 1))
    return Error::success();
  return makeError(ErrorKind::Input, W.Here + ": the block " + Twine(Block->X) + "," + Twine(Block->Y) + "," +
                                         Twine(Block->Z) + " has a dimension below 1");
}

/// Launches and swaps of a program; a job for the runner lists each launch several times.
static constexpr size_t MostSteps = 10000;

namespace {

/// Walks through the steps with the memory that each buffer's name is at.
class Unroller {
public:
  /// The block of the launch at this index of Workload::Launches, of which it is the last that is made or
  /// not; none: the author's.
  using BlockChoice = function_ref<std::optional<Dim3>(unsigned Spec, bool IsLast)>;

  /// \p Sizes have the variables of the iteration in which the tuned launch is the last, where it is
  /// repeated.
  Unroller(const Workload &W, const SizeEnv &Sizes, Resolver &Resolve, ResolvedProblem &Result,
           BlockChoice BlockOf, LaunchScope Scope)
      : W(W), Sizes(Sizes), Resolve(Resolve), Result(Result), BlockOf(BlockOf), Scope(Scope),
        Memory(llvm::to_vector(seq<unsigned>(0, unsigned(W.Buffers.size())))) {}

  Error run();

private:
  const Workload &W;
  const SizeEnv &Sizes;
  Resolver &Resolve;
  ResolvedProblem &Result;
  BlockChoice BlockOf;
  LaunchScope Scope;
  SmallVector<unsigned, 8> Memory;     ///< Of each name, by index: an index into Result.Buffers.
  SmallVector<StringRef, 2> Variables; ///< Of the repeats that it is in.
  size_t Walked = 0;
  bool IsDone = false;
  std::string FirstIteration, LastIteration; ///< Of the tuned launch.

  Error walk(ArrayRef<StepSpec> Steps);
  Error repeat(const StepSpec &Step);
  Error launch(unsigned Spec);
  Error swap(const StepSpec &Step);
  bool isLast(unsigned Spec) const;
  std::string iteration() const;
};

} // namespace

/// Of one launch the steps end with it; the whole goes on to the end.
bool Unroller::isLast(unsigned Spec) const {
  return W.Whole && Scope != LaunchScope::EachIteration && Spec == W.Tuned &&
         all_of(W.Variables,
                [&](const std::string &Name) { return Resolve.lookup(Name) == Sizes.lookup(Name); });
}

std::string Unroller::iteration() const {
  std::string Text;
  for (StringRef Name : Variables)
    Text += (Twine(Text.empty() ? "" : ",") + Name + "=" + Twine(Resolve.lookup(Name))).str();
  return Text;
}

Error Unroller::launch(unsigned Spec) {
  IsDone = isLast(Spec);
  if (Spec == W.Tuned && W.isRepeated()) {
    LastIteration = iteration();
    if (FirstIteration.empty())
      FirstIteration = LastIteration;
  }
  bool IsTuned = W.Whole ? IsDone : Spec == W.Tuned;
  if (Scope == LaunchScope::EachIteration)
    IsTuned = Spec == W.Tuned;
  if (Scope != LaunchScope::All && !IsTuned)
    return Error::success();
  Expected<ResolvedLaunch> Launch = Resolve.launch(W.Launches[Spec], BlockOf(Spec, IsTuned), Result.Buffers);
  if (!Launch)
    return Launch.takeError();
  Launch->Iteration = iteration();
  // Both of a swap have as many elements, so that offsets were checked against the right number.
  for (ResolvedArgument &A : Launch->Arguments)
    if (A.Buffer)
      A.Buffer = Memory[*A.Buffer];
  Result.Launches.push_back(std::move(*Launch));
  return Error::success();
}

Error Unroller::swap(const StepSpec &Step) {
  const ResolvedBuffer &A = Result.Buffers[Step.Swapped[0]], &B = Result.Buffers[Step.Swapped[1]];
  if (A.Count != B.Count)
    return W.errorAt(Step.Where, "the buffer '" + A.FirstName + "' has " + Twine(A.Count) +
                                     " elements and '" + B.FirstName + "' " + Twine(B.Count) +
                                     "; expected as many, since each takes the other's place");
  std::swap(Memory[Step.Swapped[0]], Memory[Step.Swapped[1]]);
  return Error::success();
}

Error Unroller::repeat(const StepSpec &Step) {
  Expected<int64_t> From = Resolve.evaluate(*Step.From);
  if (!From)
    return From.takeError();
  Expected<int64_t> To = Resolve.evaluateAtLeast(*From, *Step.To);
  if (!To)
    return To.takeError();
  Variables.push_back(Step.Variable);
  // Counted by the difference: the last value may be the largest integer.
  for (uint64_t I = 0, Last = uint64_t(*To) - uint64_t(*From); !IsDone; ++I) {
    Resolve.set(Step.Variable, int64_t(uint64_t(*From) + I));
    if (Error E = walk(Step.Steps))
      return E;
    if (I == Last)
      break;
  }
  Variables.pop_back();
  return Error::success();
}

Error Unroller::walk(ArrayRef<StepSpec> Steps) {
  for (const StepSpec &Step : Steps) {
    if (IsDone)
      break;
    if (Step.StepKind != StepSpec::Kind::Repeat && ++Walked > MostSteps)
      return W.errorAt(Step.Where,
                       "the program has more than " + Twine(MostSteps) +
                           " launches and swaps, which is more than a job for the runner lists; take a "
                           "smaller size or fewer iterations");
    Error E = Step.StepKind == StepSpec::Kind::Repeat ? repeat(Step)
              : Step.StepKind == StepSpec::Kind::Swap ? swap(Step)
                                                      : launch(Step.Launch);
    if (E)
      return E;
  }
  return Error::success();
}

Error Unroller::run() {
  if (Error E = walk(W.Steps))
    return E;
  if (Result.Launches.empty() || (W.Whole && Scope != LaunchScope::EachIteration && !IsDone))
    return W.errorAt(W.tuned().KernelWhere,
                     "there is no such iteration of the launch" +
                         (FirstIteration.empty()
                              ? std::string()
                              : "; its iterations are " + FirstIteration + " to " + LastIteration));
  for (const auto &[Name, At] : enumerate(Memory)) {
    Result.Buffers[At].Name = W.Buffers[Name].Name;
    Result.Buffers[At].Temporary = W.Buffers[Name].Temporary;
  }
  return Error::success();
}

static Expected<ResolvedProblem> resolveSteps(const Workload &W, const SizeEnv &Sizes,
                                              const DefineValues &Defines, Unroller::BlockChoice BlockOf,
                                              LaunchScope Scope) {
  Expected<DefineValues> Complete = completeDefines(W, Defines);
  if (!Complete)
    return Complete.takeError();
  Resolver Resolve(W, Sizes, *Complete);
  ResolvedProblem Result;
  for (const BufferSpec &Spec : W.Buffers) {
    Expected<ResolvedBuffer> Buffer = Resolve.buffer(Spec);
    if (!Buffer)
      return Buffer.takeError();
    Result.Buffers.push_back(std::move(*Buffer));
  }
  if (Error E = Resolve.checkAddresses(Result.Buffers))
    return std::move(E);
  if (Error E = Unroller(W, Sizes, Resolve, Result, BlockOf, Scope).run())
    return std::move(E);
  if (W.Work) {
    Expected<int64_t> Amount = Resolve.evaluate(W.Work->Amount);
    if (!Amount)
      return Amount.takeError();
    Result.WorkAmount = *Amount;
  }
  return Result;
}

Expected<ResolvedProblem> resolve(const Workload &W, const SizeEnv &Sizes, const DefineValues &Defines,
                                  std::optional<Dim3> BlockOverride, LaunchScope Scope) {
  if (Error E = checkOverride(W, BlockOverride))
    return std::move(E);
  // Earlier iterations are the author's.
  auto BlockOf = [&](unsigned Spec, bool IsTuned) {
    return Spec == W.Tuned && IsTuned ? BlockOverride : std::nullopt;
  };
  return resolveSteps(W, Sizes, Defines, BlockOf, Scope);
}

Expected<ResolvedProblem> resolveWhole(const Workload &W, const SizeEnv &Sizes,
                                       ArrayRef<std::optional<Dim3>> Blocks) {
  return resolveSteps(W, Sizes, {}, [&](unsigned Spec, bool) { return Blocks[Spec]; }, LaunchScope::All);
}

} // namespace gpuprune
