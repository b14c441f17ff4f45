//===- Sequence.cpp - One launch of a sequence -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Sequence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuprune {

static bool isPassed(const Workload &W, unsigned Buffer) {
  return any_of(W.Launches, [&](const LaunchSpec &L) {
    return any_of(L.Arguments, [&](const ArgumentSpec &A) { return A.Buffer == Buffer; });
  });
}

/// Buffers that no launch is passed go, but for those that are contents of variables.
static void dropUnusedBuffers(Workload &W) {
  std::vector<BufferSpec> Used;
  SmallVector<unsigned, 8> NewIndex;
  for (const auto &[Index, Buffer] : enumerate(W.Buffers)) {
    NewIndex.push_back(Used.size());
    if (!Buffer.Symbol.empty() || isPassed(W, Index))
      Used.push_back(Buffer);
  }
  W.Buffers = std::move(Used);
  for (LaunchSpec &L : W.Launches)
    for (ArgumentSpec &A : L.Arguments)
      if (A.Buffer)
        A.Buffer = NewIndex[*A.Buffer];
}

Workload upToLaunch(Workload W, size_t Number) {
  if (W.Launches.size() == 1)
    return W;
  W.Launches.erase(W.Launches.begin() + Number + 1, W.Launches.end());
  W.Work.reset();
  for (DefineSpec &D : W.Defines)
    D.Values.resize(1);
  dropUnusedBuffers(W);
  return W;
}

} // namespace gpuprune
