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
  Runnable.clear();
  Runnable.resize(Count, true);
  Cursor = 0;
  Random = Seed;
}

/// The fiber that runs next, or -1: the first from the cursor on.
int FiberScheduler::next() {
  unsigned From = Cursor;
  if (Random) {
    // xorshift64 (G. Marsaglia, Xorshift RNGs, 2003).
    Random ^= Random << 13;
    Random ^= Random >> 7;
    Random ^= Random << 17;
    From = Random % Fibers;
  }
  int Found = From < Fibers ? Runnable.find_first_in(From, Fibers) : -1;
  return Found >= 0 ? Found : Runnable.find_first();
}

bool FiberScheduler::othersRunnable(unsigned Begin, unsigned End) const {
  int Found = Runnable.find_first_in(Begin, End);
  if (Found == int(Current))
    Found = Runnable.find_first_in(Current + 1, End);
  return Found >= 0;
}

/// To the next fiber, or back to run() if there is none.
void FiberScheduler::switchFrom(void **Save) {
  int Next = next();
  if (Next < 0)
    return gpupruneSwitchStack(Save, Home);
  if (Save == &StackPointers[Next])
    return;
  ++Switches;
  Current = Next;
  Cursor = Next + 1;
  gpupruneSwitchStack(Save, StackPointers[Next]);
}

bool FiberScheduler::run() {
  if (Fibers > 0)
    switchFrom(&Home);
  return Unfinished == 0;
}

void FiberScheduler::suspend() {
  unsigned Self = Current;
  Runnable.reset(Self);
  switchFrom(&StackPointers[Self]);
}

void FiberScheduler::yield() { switchFrom(&StackPointers[Current]); }

void FiberScheduler::finish() {
  unsigned Self = Current;
  Runnable.reset(Self);
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
