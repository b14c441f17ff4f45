//===- BlockBarriers.h - The barriers of a block -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_BLOCKBARRIERS_H
#define GPUPRUNE_LIB_HOSTEXECUTION_BLOCKBARRIERS_H

#include "FiberScheduler.h"
#include "gpuprune/Device/CommonLimits.h"
#include <array>
#include <string>

namespace gpuprune {

/// Barriers of a block as PTX has them (barrier.cta), by number. A barrier
/// without a thread count is reached when every thread of the block has reached it.
class BlockBarriers {
public:
  /// What the threads vote on at a barrier.
  struct Votes {
    unsigned Count = 0; ///< Of those with a true predicate.
    unsigned Threads = 0;
  };

  /// Where a cluster of one block waits; a number no barrier.cta has.
  static constexpr unsigned ClusterBarrier = NumberedBarriers;

  explicit BlockBarriers(FiberScheduler &Fibers) : Fibers(Fibers) {}
  void reset();

  /// The running thread waits at barrier \p Number with \p Predicate until
  /// \p Threads of them (0: all) have come. What they voted.
  Votes wait(unsigned Number, unsigned Threads, bool Predicate) {
    Barrier &B = Barriers[std::min<unsigned>(Number, ClusterBarrier)];
    ++B.Open.Threads;
    B.Open.Count += Predicate;
    if (complete(B, Threads)) {
      Votes Result = B.Closed;
      Fibers.yield();
      return Result;
    }
    B.Waiting.insert(Fibers.current());
    Fibers.suspend();
    return B.Closed;
  }
  /// Counts as having reached the barrier, without waiting.
  void arrive(unsigned Number, unsigned Threads);

  /// Which threads wait where, after a block came to a standstill; empty if none.
  std::string describeWaiting() const;
  /// The first thread that waits, or -1.
  int firstWaiting() const;

private:
  struct Barrier {
    ThreadSet Waiting;
    Votes Open;   ///< Of the phase that threads now come to.
    Votes Closed; ///< Of the last phase that completed.
  };
  FiberScheduler &Fibers;
  std::array<Barrier, NumberedBarriers + 1> Barriers;

  /// Lets all go on if as many as are expected have come.
  bool complete(Barrier &B, unsigned Threads) {
    if (B.Open.Threads < (Threads ? Threads : Fibers.count()))
      return false;
    B.Closed = B.Open;
    B.Open = {};
    int First = B.Waiting.first();
    Fibers.wakeAll(B.Waiting);
    Fibers.continueWith(First < 0 ? Fibers.current() : First);
    return true;
  }
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_BLOCKBARRIERS_H
