//===- FiberScheduler.cpp - Which CUDA thread of a block runs ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FiberScheduler.h"
#include "ContextSwitch.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace gpuprune {

void FiberScheduler::start(unsigned Count, void (*Entry)(void *), void *Argument, uint64_t Seed) {
  Fibers = Unfinished = Count;
  StackPointers.resize(Count);
  for (unsigned I = 0; I < Count; ++I)
    StackPointers[I] = prepareStack(Stacks.top(I), Entry, Argument);
  Runnable.assign(Count, true);
  Cursor = 0;
  Random = Seed;
}

unsigned FiberScheduler::drawFiber() {
  // xorshift64 (G. Marsaglia, Xorshift RNGs, 2003).
  Random ^= Random << 13;
  Random ^= Random >> 7;
  Random ^= Random << 17;
  return Random % Fibers;
}

bool FiberScheduler::othersRunnable(unsigned Begin, unsigned End) const {
  int Found = Runnable.firstFrom(Begin);
  if (Found == int(Current))
    Found = Runnable.firstFrom(Current + 1);
  return Found >= 0 && Found < int(End);
}

bool FiberScheduler::run() {
  if (Fibers > 0)
    switchFrom(&Home);
  return Unfinished == 0;
}

void FiberScheduler::finish() {
  unsigned Self = Current;
  Runnable.erase(Self);
  --Unfinished;
  switchFrom(&StackPointers[Self]);
  llvm_unreachable("a finished fiber runs again");
}

void FiberScheduler::abandon() {
  void *Unused;
  gpupruneSwitchStack(&Unused, Home);
  llvm_unreachable("an abandoned fiber runs again");
}

} // namespace gpuprune
