//===- FiberScheduler.h - Which CUDA thread of a block runs --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_FIBERSCHEDULER_H
#define GPUPRUNE_LIB_HOSTEXECUTION_FIBERSCHEDULER_H

#include "ContextSwitch.h"
#include "FiberStacks.h"
#include "ThreadSet.h"
#include "llvm/Support/Compiler.h"
#include <vector>

/// On a function that never returns to its fiber. AddressSanitizer, which knows no fibers, is not told:
/// before such calls it cleans the stack of the thread, and warns that it cannot find itself on it.
#if LLVM_ADDRESS_SANITIZER_BUILD
#define GPUPRUNE_LEAVES_FIBER
#else
#define GPUPRUNE_LEAVES_FIBER [[noreturn]]
#endif

namespace gpuprune {

/// Fibers that run one at a time on the thread of the operating system that
/// called run(). They take turns in the order of their numbers, so that a block
/// runs the same way every time, or in an order drawn from a seed.
class FiberScheduler {
public:
  FiberStacks Stacks;

  /// \p Count fibers that are about to call Entry(Argument), which ends with
  /// finish().
  void start(unsigned Count, void (*Entry)(void *), void *Argument, uint64_t Seed);
  /// Runs fibers until none can run. True if all have finished.
  bool run();

  /// For the running fiber. suspend() returns when another has woken it.
  unsigned current() const { return Current; }
  void suspend() {
    Runnable.erase(Current);
    switchFrom(&StackPointers[Current]);
  }
  /// Lets the others run first; stays runnable.
  void yield() { switchFrom(&StackPointers[Current]); }
  GPUPRUNE_LEAVES_FIBER void finish();
  /// Ends run() at once; the fibers never run again.
  GPUPRUNE_LEAVES_FIBER void abandon();

  void wake(unsigned Fiber) { Runnable.insert(Fiber); }
  /// Wakes all of \p Waiting, which is empty then.
  void wakeAll(ThreadSet &Waiting) { Runnable.take(Waiting); }
  /// The order continues with \p Fiber when the running one suspends.
  void continueWith(unsigned Fiber) { Cursor = Fiber; }
  /// Whether any fiber but the running one can run in [Begin, End).
  bool othersRunnable(unsigned Begin, unsigned End) const;
  unsigned unfinished() const { return Unfinished; }
  unsigned count() const { return Fibers; }
  uint64_t switches() const { return Switches; }
  void resetSwitches() { Switches = 0; }

private:
  std::vector<void *> StackPointers;
  ThreadSet Runnable;
  void *Home = nullptr; ///< Stack pointer of run().
  unsigned Fibers = 0, Unfinished = 0, Current = 0, Cursor = 0;
  uint64_t Switches = 0, Random = 0;

  unsigned drawFiber();
  /// The fiber that runs next, or -1: the first from the cursor on.
  int next() {
    int Found = Runnable.firstFrom(Random ? drawFiber() : Cursor);
    return Found >= 0 ? Found : Runnable.first();
  }
  /// To the next fiber, or back to run() if there is none. Inline with all that
  /// leads to it: the fewer frames a waiting thread has, the more threads fit the
  /// cache.
  void switchFrom(void **Save) {
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
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_FIBERSCHEDULER_H
