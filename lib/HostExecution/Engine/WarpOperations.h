//===- WarpOperations.h - Shuffles, votes and the like -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_WARPOPERATIONS_H
#define GPUPRUNE_LIB_HOSTEXECUTION_WARPOPERATIONS_H

#include "FiberScheduler.h"
#include "ThreadContext.h"
#include <array>
#include <string>

namespace gpuprune {

enum class WarpOperation : uint8_t {
  Sync,
  ShuffleUp,
  ShuffleDown,
  ShuffleButterfly,
  ShuffleIndex,
  VoteAll,
  VoteAny,
  VoteUniform,
  VoteBallot,
  MatchAny,
  MatchAll,
  ReduceAdd,
  ReduceMinSigned,
  ReduceMaxSigned,
  ReduceMinUnsigned,
  ReduceMaxUnsigned,
  ReduceAnd,
  ReduceOr,
  ReduceXor,
  Elect,
  ActiveMask,
};

/// What a lane brings to an operation, and what it takes from it.
struct LaneRequest {
  WarpOperation Operation = WarpOperation::Sync;
  uint32_t Mask = 0;
  uint64_t Value = 0;
  uint32_t Lane = 0;  ///< Second operand of a shuffle.
  uint32_t Clamp = 0; ///< Third operand of a shuffle: clamp and segment mask.
  uint64_t Result = 0;
  bool Predicate = false;
};

/// The operations of the warps of a block. Lanes meet among those of the mask that
/// have not ended, wherever the others are. A value of a lane that does not take
/// part has all bits set: PTX leaves it undefined.
class WarpOperations {
public:
  explicit WarpOperations(FiberScheduler &Fibers) : Fibers(Fibers) {}
  void reset(unsigned Threads);

  /// The running thread meets the lanes of its mask; false if it is not itself in
  /// the mask.
  bool meet(LaneRequest &Request);
  /// The lanes of the running thread's warp that are at \p Site with it. As on the
  /// GPU, lanes stay together as far as they can: the answer waits until all
  /// other lanes wait for something or have ended.
  uint32_t activeMask(uint64_t Site);
  /// The running thread is about to wait at a barrier.
  void waitsElsewhere() {
    if (Asking)
      settle(currentWarp());
  }
  /// The running thread has ended.
  void ended();

  std::string describeWaiting() const;
  int firstWaiting() const;

private:
  struct Warp {
    std::array<LaneRequest *, WarpSize> Waiting = {};
    uint32_t Lanes = 0; ///< Those that exist.
    uint32_t Ended = 0;
    uint32_t Meeting = 0; ///< Those with a request in Waiting.
  };
  FiberScheduler &Fibers;
  std::vector<Warp> Warps;
  unsigned Asking = 0; ///< Threads that wait in activeMask().

  Warp &currentWarp() { return Warps[Fibers.current() / WarpSize]; }
  bool completeIfAllCame(Warp &W, const LaneRequest &Request);
  void finish(Warp &W, WarpOperation Operation, uint32_t Lanes);
  void settle(Warp &W);
};

/// Computes \p Operation for the lanes in \p Lanes.
void computeWarpOperation(WarpOperation Operation, llvm::MutableArrayRef<LaneRequest *> Requests,
                          uint32_t Lanes);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_WARPOPERATIONS_H
