//===- WarpRunner.h - Executes a WarpProgram --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRACE_WARPRUNNER_H
#define GPUPRUNE_LIB_TRACE_WARPRUNNER_H

#include "WarpProgram.h"

namespace gpuprune {

/// The lanes of a warp that are at one place.
struct LaneGroup {
  std::optional<uint32_t> Block;   ///< Where they go on; none: they end.
  std::optional<uint32_t> Meeting; ///< Where they wait for the group below.
  uint32_t Lanes = 0;
};

/// Of one warp, what it leaves off at and goes on with.
struct WarpState {
  uint32_t Number = 0;
  uint32_t Lanes = 0;               ///< That have not ended.
  std::vector<LaneGroup> Groups;    ///< The last one runs.
  uint32_t Step = 0;                ///< Of its block, where a barrier was; 0: at its begin.
  bool IsInside = false;            ///< Step is meant.
  std::vector<uint64_t> Iterations; ///< By loop.
  std::vector<uint64_t> Registers;
  std::vector<char> Local; ///< Lane by lane.
};

/// The warps of one block after another.
class BlockRunner {
public:
  BlockRunner(const WarpProgram &Program, const TracedLaunch &Launch, TraceMemory &Memory);

  llvm::Expected<TracedBlock> run(uint64_t Block, const TraceLimits &Limits, const TraceSink &Sink);

private:
  const WarpProgram &Program;
  const TracedLaunch &Launch;
  TraceMemory &Memory;
  std::vector<uint64_t> Constants; ///< Each for all lanes.
  std::vector<char> Shared;
  std::vector<WarpState> Warps;
  uint64_t AllThreads;

  // Of the run.
  TraceLimits Limits;
  const TraceSink *Sink = nullptr;
  TracedBlock Result;
  WarpState *Warp = nullptr;
  /// Of all threads that have come to a barrier: whose predicates are true, in this round and the last one.
  struct Votes {
    uint64_t Yes = 0, All = 0;
  } Present, Last;
  uint32_t Active = 0; ///< Lanes of the group that runs.
  std::string Problem; ///< Not empty: the run has failed.

  void start(WarpState &W, uint32_t Number, uint64_t Block);
  bool runWarp(WarpState &W);
  bool runSteps(const TraceBlock &Block);
  void leave(const TraceBlock &Block);
  void settle();
  void go(LaneGroup &Group, std::optional<uint32_t> To, uint32_t From);
  bool leavesLoop(LaneGroup &Group);
  bool execute(const TraceStep &Step);
  uint32_t lanesWhere(uint32_t Register, bool IsInverted) const;

  const uint64_t *read(uint32_t Register) const {
    return Register & ConstantBit ? &Constants[size_t(Register & ~ConstantBit) * TraceLanes]
                                  : &Warp->Registers[size_t(Register) * TraceLanes];
  }
  void write(uint32_t Register, const uint64_t *Values, uint32_t Lanes);
  void vote(const TraceStep &Step, uint32_t Lanes);
  void resume(const TraceStep &Barrier);
  void compute(const TraceStep &Step, uint32_t Lanes);
  void divide(const TraceStep &Step, uint32_t Lanes);
  void shuffle(const TraceStep &Step, uint32_t Lanes);
  void access(const TraceAccess &A, uint32_t Lanes);
  void tell(const TraceAccess &A, uint32_t Lanes, const uint64_t *Addresses);
  void move(const TraceAccess &A, uint32_t Lanes, const uint64_t *Addresses);
  uint64_t &valueOf(uint32_t Register, unsigned Lane);
  /// Of one lane; false where there is no such memory.
  bool load(const TraceAccess &A, unsigned Lane, uint64_t Address);
  bool store(const TraceAccess &A, unsigned Lane, uint64_t Address);
  bool update(const TraceAccess &A, unsigned Lane, uint64_t Address);
  bool transfer(const TraceAccess &A, unsigned Lane, uint64_t Address, bool IsWrite, uint64_t *Values);
  llvm::MutableArrayRef<char> placeOf(PtxSpace Space, unsigned Lane, uint64_t Address, uint64_t Bytes);
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRACE_WARPRUNNER_H
