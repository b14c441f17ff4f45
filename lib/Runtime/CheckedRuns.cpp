//===- CheckedRuns.cpp - Runs whose results are looked at -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CheckedRuns.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

CheckedRuns::CheckedRuns(const Gpu &G, const DeviceKernels &Kernels, const LoadedProgram &Program,
                         const BufferSet &Buffers, const ReferenceSet *Wanted, std::vector<Comparison> By,
                         size_t Runs)
    : Owner(G), Kernels(Kernels), Program(Program), Buffers(Buffers), Wanted(Wanted), By(std::move(By)),
      Runs(Runs), Untouched(Buffers.buffers().size()) {}

const KeptOutput *CheckedRuns::wanted(size_t Buffer) const {
  return Wanted ? Wanted->Outputs[Buffer].get() : nullptr;
}

UntouchedElements *CheckedRuns::untouched(size_t Buffer) {
  return Buffers.buffers()[Buffer]->shape().Role == BufferRole::Out ? &Untouched[Buffer] : nullptr;
}

Expected<CheckedRuns::Left> CheckedRuns::run(size_t Run, const EventPair *Around) {
  TimeTraceScope Scope("run and look");
  Expected<Left> Found = runAndLook(Run, Around);
  if (Found)
    return Found;
  // A fault shows at whatever call comes next, but is the program's.
  if (Error Fault = Owner.synchronize()) {
    consumeError(Found.takeError());
    return Fault;
  }
  return Found;
}

Expected<CheckedRuns::Left> CheckedRuns::runAndLook(size_t Run, const EventPair *Around) {
  if (Error E = enqueueOverPatterns(Kernels, Program, Buffers, Run, Around))
    return E;
  Left All;
  std::vector<Comparisons> Made(By.size());
  std::vector<kernels::Findings> Found;
  std::vector<GuardZone> Zones = Buffers.guards();
  if (!Kernels.areLoaded()) {
    if (Error E = Owner.synchronize())
      return E;
    if (Error E = Buffers.checkGuards(FillPatterns[Run]).moveInto(All.Guard))
      return E;
  } else {
    Looks Enqueued(Kernels);
    if (Error E = Enqueued.checkFills(guardChecks(Zones, FillPatterns[Run])))
      return E;
    if (Error E = enqueueComparisons(Run, Enqueued).moveInto(Made))
      return E;
    if (Error E = Enqueued.findings().moveInto(Found))
      return E;
    if (Error E = firstHit(Owner, Zones, ArrayRef(Found).take_front(Zones.size()), FillPatterns[Run])
                      .moveInto(All.Guard))
      return E;
    Found.erase(Found.begin(), Found.begin() + static_cast<ptrdiff_t>(Zones.size()));
  }
  if (!All.Guard)
    if (Error E = judgeOutputs(Run, Made, Found, All))
      return E;
  return All;
}

Expected<CheckedRuns::Comparisons> CheckedRuns::enqueueComparison(size_t Buffer, size_t Run,
                                                                  Looks &Enqueued) {
  Comparisons Made;
  const KeptOutput *Output = wanted(Buffer);
  if (!Output || !Output->isOnDevice())
    return Made;
  CUdeviceptr Got = Buffers.buffers()[Buffer]->address();
  // Reads half as much as a comparison.
  if (std::optional<kernels::Range> Bytes = Output->bytesToHash(Got); Bytes && Run + 1 != Runs) {
    Made.Kind = Comparisons::Hash;
    if (Error E = Enqueued.hash(*Bytes))
      return E;
    return Made;
  }
  if (std::optional<kernels::StructuresRule> Rule = Output->structuresRule(Got)) {
    Made.Kind = Comparisons::Structures;
    if (Error E = Enqueued.compare(*Rule))
      return E;
    return Made;
  }
  Made.Kind = Comparisons::Fields;
  if (Error E = Output->rules(Got, By[Buffer], Run, untouched(Buffer)).moveInto(Made.OfFields))
    return E;
  for (const kernels::CompareRule &Rule : Made.OfFields)
    if (Error E = Enqueued.compare(Rule))
      return E;
  return Made;
}

Expected<std::vector<CheckedRuns::Comparisons>> CheckedRuns::enqueueComparisons(size_t Run, Looks &Enqueued) {
  std::vector<Comparisons> All;
  for (size_t I = 0; I != By.size(); ++I) {
    Expected<Comparisons> Made = enqueueComparison(I, Run, Enqueued);
    if (!Made)
      return Made.takeError();
    All.push_back(std::move(*Made));
  }
  return All;
}

Expected<OutputVerdict> CheckedRuns::judge(size_t Buffer, size_t Run, const Comparisons &Made,
                                           ArrayRef<kernels::Findings> Found) {
  const KeptOutput *Output = wanted(Buffer);
  if (Made.Kind == Comparisons::Fields)
    return Output->verdict(Made.OfFields, Found);
  bool IsEqual = Made.Kind == Comparisons::Hash         ? Output->hasHash(Found.front())
                 : Made.Kind == Comparisons::Structures ? Output->isHeld(Found.front())
                                                        : false;
  if (IsEqual)
    return OutputVerdict();
  return Output->compare(Buffers.buffers()[Buffer]->address(), By[Buffer], Run, untouched(Buffer));
}

/// \p Found is of all that was \p Made, in order.
Error CheckedRuns::judgeOutputs(size_t Run, ArrayRef<Comparisons> Made, ArrayRef<kernels::Findings> Found,
                                Left &All) {
  All.Outputs.resize(By.size());
  for (size_t I = 0; I != By.size(); ++I) {
    if (!wanted(I))
      continue;
    Expected<OutputVerdict> Verdict = judge(I, Run, Made[I], Found.take_front(Made[I].looks()));
    if (!Verdict)
      return Verdict.takeError();
    Found = Found.drop_front(Made[I].looks());
    All.Outputs[I] = std::move(*Verdict);
    if (All.Outputs[I]->Outcome == CheckOutcome::Wrong)
      break;
  }
  return Error::success();
}

} // namespace gpuprune
