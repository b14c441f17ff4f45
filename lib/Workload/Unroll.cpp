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
  return makeError(ErrorKind::Input, W.Path + ": the block " + Twine(Block->X) + "," + Twine(Block->Y) + "," +
                                         Twine(Block->Z) + " has a dimension below 1");
}

namespace {

/// Walks through the steps with the memory that each buffer's name is at.
class Unroller {
public:
  /// The block of the launch at this index of Workload::Launches; none: the author's.
  using BlockChoice = function_ref<std::optional<Dim3>(unsigned Spec)>;

  Unroller(const Workload &W, Resolver &Resolve, ResolvedProblem &Result, BlockChoice BlockOf,
           LaunchScope Scope)
      : W(W), Resolve(Resolve), Result(Result), BlockOf(BlockOf), Scope(Scope),
        Memory(llvm::to_vector(seq<unsigned>(0, unsigned(W.Buffers.size())))) {}

  Error run();

private:
  const Workload &W;
  Resolver &Resolve;
  ResolvedProblem &Result;
  BlockChoice BlockOf;
  LaunchScope Scope;
  SmallVector<unsigned, 8> Memory; ///< Of each name, by index: an index into Result.Buffers.

  Error launch(unsigned Spec, bool IsLast);
  Error swap(const StepSpec &Step);
};

} // namespace

Error Unroller::launch(unsigned Spec, bool IsLast) {
  if (Scope == LaunchScope::Tuned && !IsLast)
    return Error::success();
  Expected<ResolvedLaunch> Launch = Resolve.launch(W.Launches[Spec], BlockOf(Spec), Result.Buffers);
  if (!Launch)
    return Launch.takeError();
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

Error Unroller::run() {
  for (const auto &[Index, Step] : enumerate(W.Steps)) {
    // Of one launch the steps end with it.
    bool IsLast = Index + 1 == W.Steps.size();
    if (Error E = Step.StepKind == StepSpec::Kind::Swap ? swap(Step) : launch(Step.Launch, IsLast))
      return E;
  }
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
  if (Error E = Unroller(W, Resolve, Result, BlockOf, Scope).run())
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
  auto BlockOf = [&](unsigned Spec) { return Spec == W.Tuned ? BlockOverride : std::nullopt; };
  return resolveSteps(W, Sizes, Defines, BlockOf, Scope);
}

Expected<ResolvedProblem> resolveWhole(const Workload &W, const SizeEnv &Sizes,
                                       ArrayRef<std::optional<Dim3>> Blocks) {
  return resolveSteps(W, Sizes, {}, [&](unsigned Spec) { return Blocks[Spec]; }, LaunchScope::All);
}

} // namespace gpuprune
