//===- SequenceTrial.cpp - A chain of launches, judged ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SequenceTrial.h"
#include "KernelEmitter.h"
#include "KernelGenerator.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Variant/HostProblem.h"
#include "gpuprune/Variant/LaunchCheck.h"
#include "gpuprune/Variant/LaunchChoice.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune::differential {

static Expected<ChainedProgram> programOf(VariantCode Code, const Pipeline &Passes, Mistake Made) {
  ChainedProgram P;
  P.Passes = Passes;
  P.Contract = Code.Kernels[KernelName].Contract;
  if (Made != Mistake::None && !Passes.empty())
    Code.FinalBitcode = withMistake(Code.FinalBitcode, Made);
  Expected<std::unique_ptr<HostProgram>> Made2 = HostProgram::create(Code.FinalBitcode);
  if (!Made2)
    return Made2.takeError();
  P.Code = std::move(*Made2);
  return P;
}

Expected<ChainedKernel> chainedKernel(uint64_t Seed, unsigned Pipelines, Mistake Made,
                                      function_ref<void(const TrialResult &)> Refused) {
  ChainedKernel K;
  K.Seed = Seed;
  K.Kernel = generateKernel(Seed, {/*Nest=*/false, /*Records=*/true});
  SmallString<0> Source = sourceOf(K.Kernel);
  Expected<VariantCode> Code = compile(Source, K.Kernel, {});
  if (!Code)
    return Code.takeError();
  stable_hash AsPrepared = structureOf(Code->FinalBitcode);
  unsigned Loops = Code->Kernels[KernelName].Loops.size();
  if (Error E = programOf(std::move(*Code), {}, Made).moveInto(K.Prepared))
    return std::move(E);
  Random R(Seed * 2654435761u + 1);
  for (unsigned I = 0; I < Pipelines; ++I) {
    Pipeline Passes = generatePipeline(R, K.Kernel, Loops);
    Expected<VariantCode> Variant = compile(Source, K.Kernel, Passes);
    if (!Variant) {
      TrialResult Why = failed(Variant.takeError());
      if (Why.Result != Outcome::Refused)
        return makeError(ErrorKind::Internal,
                         formatv("kernel {0} '{1}': {2}", Seed, join(Passes, ","), Why.Message));
      Refused(Why);
      continue;
    }
    if (structureOf(Variant->FinalBitcode) == AsPrepared)
      continue;
    Expected<ChainedProgram> Program = programOf(std::move(*Variant), Passes, Made);
    if (!Program)
      return Program.takeError();
    K.Variants.push_back(std::move(*Program));
  }
  return K;
}

/// Error: of the launch, kind Refused where \p P cannot be launched there; Runner for what the kernel does
/// wrong, Resources where it takes too long.
static Error launch(const ChainedProgram &P, const ResolvedLaunch &Own, const Chain &C, ChainMemory &Memory,
                    uint64_t ScheduleSeed) {
  Expected<PhysicalLaunch> Shape = apply(gpuprune::authorLaunch(Own), P.Contract, Multiprocessors);
  if (!Shape)
    return Shape.takeError();
  if (Error E = checkBufferArguments(P.Contract, C.Problem, Own))
    return E;
  HostLaunch Launch = hostLaunch(Own, *Shape, [&](unsigned Buffer) { return Memory.at(Buffer); });
  Launch.Kernel = KernelName;
  Launch.TimeLimit = LongestLaunch;
  Launch.ScheduleSeed = ScheduleSeed;
  Launch.Memory = &Memory.memory();
  Expected<LaunchReport> Report = P.Code->launch(Launch);
  if (!Report)
    return Report.takeError();
  if (!Report->Fault)
    return Error::success();
  bool TooLong = Report->Fault->Kind == FaultKind::TimeLimit || Report->Fault->Kind == FaultKind::StepLimit;
  return makeError(TooLong ? ErrorKind::Resources : ErrorKind::Runner, Report->Fault->Message);
}

/// The launch \p Number on \p Tested, which holds what \p State, where the author's has run, held before.
/// Whether the next one may follow.
static bool compareLaunch(const Chain &C, size_t Number, const ChainedKernel &Kernel,
                          const ChainedProgram *Chosen, const ChainMemory &State, ChainMemory &Tested,
                          uint64_t ScheduleSeed, ChainResult &Into) {
  const ResolvedLaunch &Own = C.Problem.Launches[Number];
  Into.Launch = Number;
  auto Ends = [&](TrialResult Why) {
    Into.Result = Why.Result;
    Into.Message = formatv("launch {0}, {1}: {2}", Number + 1, printed(C, Number), Why.Message);
    return false;
  };
  const ChainedProgram *Run = Chosen ? Chosen : &Kernel.Prepared;
  if (Error E = launch(*Run, Own, C, Tested, ScheduleSeed)) {
    TrialResult Why = failed(std::move(E));
    if (Why.Result != Outcome::Refused || !Chosen)
      return Ends(Why);
    ++Into.NotLaunched;
    Run = &Kernel.Prepared;
    if (Error Again = launch(*Run, Own, C, Tested, ScheduleSeed))
      return Ends(failed(std::move(Again)));
  }
  ++Into.Launches;
  Into.Transformed += Run != &Kernel.Prepared;
  std::string Difference = State.differenceTo(Tested, C);
  return Difference.empty() || Ends({Outcome::Different, Difference});
}

ChainResult judgeChain(const Chain &C, ArrayRef<ChainedKernel> Kernels,
                       ArrayRef<const ChainedProgram *> Chosen, uint64_t ScheduleSeed) {
  ChainResult Found;
  Expected<ChainMemory> State = ChainMemory::create(C), Tested = ChainMemory::create(C);
  for (Expected<ChainMemory> *Each : {&State, &Tested})
    if (!*Each) {
      Found.Result = Outcome::TooLong;
      Found.Message += toString(Each->takeError());
    }
  if (Found.Result != Outcome::Same)
    return Found;
  for (const auto &[Number, Own] : enumerate(C.Problem.Launches)) {
    const ChainedKernel &Kernel = Kernels[Own.Spec];
    if (Error E = launch(Kernel.Prepared, Own, C, *State, /*ScheduleSeed=*/0)) {
      TrialResult Why = failed(std::move(E));
      Found.Result = Why.Result;
      Found.Message = formatv("launch {0} as written: {1}", Number + 1, Why.Message);
      return Found;
    }
    if (!compareLaunch(C, Number, Kernel, Chosen[Number], *State, *Tested, ScheduleSeed, Found))
      return Found;
  }
  return Found;
}

bool launchDiffers(const Chain &C, ArrayRef<ChainedKernel> Kernels, size_t Launch, const Case &Smaller,
                   Mistake Made) {
  Expected<ChainMemory> State = ChainMemory::create(C), Tested = ChainMemory::create(C);
  if (!State || !Tested) {
    consumeError(State.takeError());
    consumeError(Tested.takeError());
    return false;
  }
  for (const ResolvedLaunch &Own : ArrayRef(C.Problem.Launches).take_front(Launch))
    if (errorToBool(launch(Kernels[Own.Spec].Prepared, Own, C, *State, 0)))
      return false;
  Tested->copyFrom(*State);
  SmallString<0> Source = sourceOf(Smaller.Kernel);
  ChainedKernel Alone;
  ChainedProgram Variant;
  for (ChainedProgram *Each : {&Alone.Prepared, &Variant}) {
    Pipeline Passes = Each == &Variant ? Smaller.Passes : Pipeline();
    Expected<VariantCode> Code = compile(Source, Smaller.Kernel, Passes);
    if (!Code)
      return consumeError(Code.takeError()), false;
    if (errorToBool(programOf(std::move(*Code), Passes, Made).moveInto(*Each)))
      return false;
  }
  Chain One = C;
  ResolvedLaunch &Own = One.Problem.Launches[Launch];
  Own.Grid = Smaller.Kernel.Grid;
  Own.Block = Smaller.Kernel.Block;
  Own.SharedBytes = Smaller.Kernel.dynamicBytes();
  if (errorToBool(launch(Alone.Prepared, Own, One, *State, 0)))
    return false;
  ChainResult Found;
  compareLaunch(One, Launch, Alone, &Variant, *State, *Tested, /*ScheduleSeed=*/0, Found);
  return Found.Result == Outcome::Different || Found.Result == Outcome::Broken;
}

} // namespace gpuprune::differential
