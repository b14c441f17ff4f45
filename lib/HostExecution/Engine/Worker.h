//===- Worker.h - Runs one block after another on one core ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_WORKER_H
#define GPUPRUNE_LIB_HOSTEXECUTION_WORKER_H

#include "AccessWatch.h"
#include "AsyncCopies.h"
#include "BlockBarriers.h"
#include "FiberScheduler.h"
#include "GuardedMapping.h"
#include "LaunchPlan.h"
#include "WarpOperations.h"

namespace gpuprune {

/// What one core needs to run blocks: stacks, shared memory, barriers. Used by one
/// thread of the operating system at a time, for one launch after another.
class Worker {
public:
  FiberScheduler Fibers;
  BlockBarriers Barriers{Fibers};
  WarpOperations Warps{Fibers};
  AsyncCopies Copies;
  AccessWatch Watch;
  std::string Output;      ///< What the block printed.
  uint64_t BlocksDone = 0; ///< Of this launch.

  /// Makes ready for blocks of \p Plan, which must outlive them.
  llvm::Error prepare(const LaunchPlan &Plan, unsigned WorkerIndex, unsigned Workers);
  /// Runs a block to its end or to a fault.
  std::optional<RawFault> runBlock(uint64_t LinearBlock);

  /// Ends the block on behalf of the running CUDA thread.
  GPUPRUNE_LEAVES_FIBER void raise(FaultKind Kind, std::string Text, uint64_t CodeAddress = 0);
  /// Ends the running CUDA thread, which has a fiber of its own.
  GPUPRUNE_LEAVES_FIBER void endThread();
  /// Checks and reports an access of the running thread, where memory is watched; who makes it is filled in.
  void watch(const ThreadContext &Thread, MemoryAccess Access, const char *Address, uint64_t CodeAddress);
  /// Lets other threads of the block run, which the running one may be spinning for.
  void yield();
  /// The running thread may have to wait for others; \p CodeAddress is where.
  void waitsAt(uint64_t CodeAddress) { LastMeeting[Fibers.current()] = CodeAddress; }
  const LaunchPlan &plan() const { return *Plan; }

private:
  const LaunchPlan *Plan = nullptr;
  BlockContext Block = {};
  GuardedMapping SharedMapping;
  std::optional<RawFault> Raised;
  unsigned CurrentThread = 0; ///< Where one fiber runs all threads in turn.
  std::vector<uint64_t> LastMeeting;
  uint64_t CurrentBlock = 0; ///< Linear.

  llvm::Error prepareShared();
  void setThread(ThreadContext &Context, unsigned Linear);
  char *shared() const;
  static void runThread(void *Self);
  static void runAllThreads(void *Self);
  unsigned currentThread() const { return Plan->ThreadsMeet ? Fibers.current() : CurrentThread; }
  RawFault standstill() const;
  RawFault describe(const CaughtSignal &Signal) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_WORKER_H
