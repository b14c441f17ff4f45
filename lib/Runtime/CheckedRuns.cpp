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
                         const BufferSet &Buffers, const ReferenceSet *Wanted, std::vector<Comparison> By)
    : Owner(G), Kernels(Kernels), Program(Program), Buffers(Buffers), Wanted(Wanted), By(std::move(By)),
      Untouched(Buffers.buffers().size()) {}

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
  std::vector<std::vector<kernels::CompareRule>> Rules(By.size());
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
    if (Error E = enqueueComparisons(Run, Enqueued).moveInto(Rules))
      return E;
    if (Error E = Enqueued.findings().moveInto(Found))
      return E;
    if (Error E = firstHit(Owner, Zones, ArrayRef(Found).take_front(Zones.size()), FillPatterns[Run])
                      .moveInto(All.Guard))
      return E;
    Found.erase(Found.begin(), Found.begin() + static_cast<ptrdiff_t>(Zones.size()));
  }
  if (!All.Guard)
    if (Error E = judgeOutputs(Run, Rules, Found, All))
      return E;
  return All;
}

/// For each buffer what was enqueued: nothing where what it is compared with lies on the host.
Expected<std::vector<std::vector<kernels::CompareRule>>> CheckedRuns::enqueueComparisons(size_t Run,
                                                                                         Looks &Enqueued) {
  std::vector<std::vector<kernels::CompareRule>> All(By.size());
  for (size_t I = 0; I != By.size(); ++I) {
    const KeptOutput *Output = wanted(I);
    if (!Output || !Output->isOnDevice())
      continue;
    if (Error E = Output->rules(Buffers.buffers()[I]->address(), By[I], Run, untouched(I)).moveInto(All[I]))
      return E;
    for (const kernels::CompareRule &Rule : All[I])
      if (Error E = Enqueued.compare(Rule))
        return E;
  }
  return All;
}

/// \p Found is of all of \p Rules, in order.
Error CheckedRuns::judgeOutputs(size_t Run, ArrayRef<std::vector<kernels::CompareRule>> Rules,
                                ArrayRef<kernels::Findings> Found, Left &All) {
  All.Outputs.resize(By.size());
  for (size_t I = 0; I != By.size(); ++I) {
    const KeptOutput *Output = wanted(I);
    if (!Output)
      continue;
    size_t Fields = Rules[I].size();
    Expected<OutputVerdict> Verdict =
        Fields != 0 ? Output->verdict(Rules[I], Found.take_front(Fields))
                    : Output->compare(Buffers.buffers()[I]->address(), By[I], Run, untouched(I));
    if (!Verdict)
      return Verdict.takeError();
    Found = Found.drop_front(Fields);
    All.Outputs[I] = std::move(*Verdict);
    if (All.Outputs[I]->Outcome == CheckOutcome::Wrong)
      break;
  }
  return Error::success();
}

} // namespace gpuprune
