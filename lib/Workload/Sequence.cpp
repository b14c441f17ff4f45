//===- Sequence.cpp - One launch of a sequence -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Sequence.h"
#include "WorkloadParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuprune {

/// Buffers that no launch is passed go, but for those that are contents of variables.
static void dropUnusedBuffers(Workload &W) {
  std::vector<BufferSpec> Used;
  SmallVector<unsigned, 8> NewIndex;
  for (const auto &[Index, Buffer] : enumerate(W.Buffers)) {
    NewIndex.push_back(Used.size());
    if (!Buffer.Symbol.empty() || isUsed(W, Index))
      Used.push_back(Buffer);
  }
  W.Buffers = std::move(Used);
  for (LaunchSpec &L : W.Launches)
    for (ArgumentSpec &A : L.Arguments)
      if (A.Buffer)
        A.Buffer = NewIndex[*A.Buffer];
  for (StepSpec &S : W.Steps)
    for (unsigned &Each : S.Swapped)
      Each = S.StepKind == StepSpec::Kind::Swap ? NewIndex[Each] : 0;
}

Workload upToLaunch(Workload W, size_t Number) {
  if (!W.Whole && !W.isSequence())
    return W;
  auto Whole = W.Whole ? W.Whole : std::make_shared<const Workload>(std::move(W));
  W = *Whole;
  W.Whole = std::move(Whole);
  W.Tuned = unsigned(Number);
  auto IsTuned = [&](const StepSpec &S) {
    return S.StepKind == StepSpec::Kind::Launch && S.Launch == Number;
  };
  W.Steps.erase(find_if(W.Steps, IsTuned) + 1, W.Steps.end());
  W.Launches.erase(W.Launches.begin() + Number + 1, W.Launches.end());
  W.Work.reset();
  for (DefineSpec &D : W.Defines)
    D.Values.resize(1);
  dropUnusedBuffers(W);
  return W;
}

} // namespace gpuprune
