//===- WarpRunner.cpp - Executes a WarpProgram ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WarpRunner.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

BlockRunner::BlockRunner(const WarpProgram &Program, const TracedLaunch &Launch, TraceMemory &Memory)
    : Program(Program), Launch(Launch), Memory(Memory),
      AllThreads(uint64_t(Launch.Block.X) * Launch.Block.Y * Launch.Block.Z) {
  for (uint64_t Constant : Program.Constants)
    Constants.insert(Constants.end(), TraceLanes, Constant);
  Warps.resize(Program.TakesTurns ? divideCeil(AllThreads, TraceLanes) : 1);
}

void BlockRunner::start(WarpState &W, uint32_t Number, uint64_t Block) {
  W.Number = Number;
  uint64_t First = uint64_t(Number) * TraceLanes;
  W.Lanes = maskTrailingOnes<uint32_t>(unsigned(std::min<uint64_t>(TraceLanes, AllThreads - First)));
  W.Groups.assign(1, LaneGroup{0, std::nullopt, W.Lanes});
  W.IsInside = false;
  W.Iterations.assign(Program.Loops.size(), 0);
  W.Registers.assign(size_t(Program.Registers) * TraceLanes, 0);
  W.Local.assign(size_t(Program.LocalBytes) * TraceLanes, 0);
  uint64_t Width = uint64_t(Launch.Grid.X), Height = uint64_t(Launch.Grid.Y);
  uint64_t ThreadsX = uint64_t(Launch.Block.X), ThreadsY = uint64_t(Launch.Block.Y);
  auto Set = [&](uint32_t Register, unsigned Of, uint64_t Value) {
    W.Registers[size_t(Register) * TraceLanes + Of] = Value;
  };
  for (unsigned Of = 0; Of != TraceLanes; ++Of) {
    uint64_t Thread = First + Of;
    Set(BlockX, Of, Block % Width);
    Set(BlockY, Of, Block / Width % Height);
    Set(BlockZ, Of, Block / Width / Height);
    Set(ThreadX, Of, Thread % ThreadsX);
    Set(ThreadY, Of, Thread / ThreadsX % ThreadsY);
    Set(ThreadZ, Of, Thread / ThreadsX / ThreadsY);
    Set(Lane, Of, Of);
    Set(WarpNumber, Of, Number);
  }
}

uint32_t BlockRunner::lanesWhere(uint32_t Register, bool IsInverted) const {
  const uint64_t *Values = read(Register);
  uint32_t Mask = 0;
  for (unsigned Of = 0; Of != TraceLanes; ++Of)
    Mask |= uint32_t(Values[Of] & 1) << Of;
  return IsInverted ? ~Mask : Mask;
}

/// Lanes that have met, or ended, join the group below.
void BlockRunner::settle() {
  std::vector<LaneGroup> &Groups = Warp->Groups;
  while (!Groups.empty()) {
    LaneGroup &Last = Groups.back();
    Last.Lanes &= Warp->Lanes;
    if (Last.Lanes && !Last.Block) {
      Warp->Lanes &= ~Last.Lanes;
      Last.Lanes = 0;
    }
    // The lowest group meets nobody.
    if (Last.Lanes && (Groups.size() == 1 || Last.Block != Last.Meeting))
      return;
    Groups.pop_back();
  }
}

void BlockRunner::go(LaneGroup &Group, std::optional<uint32_t> To, uint32_t From) {
  Group.Block = To;
  if (!To || !Program.Blocks[*To].Loop)
    return;
  uint32_t Loop = *Program.Blocks[*To].Loop;
  if (!Program.Loops[Loop].Contains[From])
    Warp->Iterations[Loop] = 0;
}

void BlockRunner::leave(const TraceBlock &Block) {
  uint32_t From = uint32_t(&Block - Program.Blocks.data());
  LaneGroup &Last = Warp->Groups.back();
  if (Block.Condition == TracedInstruction::Unused) {
    go(Last, Block.Taken ? Block.Taken : Block.Next, From);
    return;
  }
  WarpAccess Branch;
  Branch.Kind = AccessKind::Branch;
  Branch.Site = Block.Site;
  Branch.Warp = Warp->Number;
  Branch.Lanes = Last.Lanes;
  (*Sink)(Branch);
  uint32_t Taken = lanesWhere(Block.Condition, Block.IsInverted) & Last.Lanes;
  if (Taken == Last.Lanes || Taken == 0) {
    go(Last, Taken ? Block.Taken : Block.Next, From);
    return;
  }
  uint32_t Others = Last.Lanes & ~Taken;
  Last.Block = Block.Meeting;
  LaneGroup Parts[2] = {{std::nullopt, Block.Meeting, Taken}, {std::nullopt, Block.Meeting, Others}};
  go(Parts[0], Block.Taken, From);
  go(Parts[1], Block.Next, From);
  append_range(Warp->Groups, Parts);
}

/// Counts an iteration of a loop whose header \p Group is at; true: it has left the loop instead.
bool BlockRunner::leavesLoop(LaneGroup &Group) {
  const TraceBlock &Block = Program.Blocks[*Group.Block];
  if (!Block.Loop)
    return false;
  const TraceLoop &Loop = Program.Loops[*Block.Loop];
  if (Warp->Iterations[*Block.Loop]++ < Limits.Iterations || !Loop.Exit)
    return false;
  Result.LeftLoops = true;
  uint32_t Header = *Group.Block;
  go(Group, Loop.Exit, Header);
  return true;
}

/// False where the warp waits at a barrier.
bool BlockRunner::runSteps(const TraceBlock &Block) {
  uint32_t Step = Warp->IsInside ? Warp->Step : Block.Begin;
  Active = Warp->Groups.back().Lanes;
  if (Warp->IsInside)
    resume(Program.Steps[Step - 1]);
  Warp->IsInside = false;
  Result.Steps += Block.End - Step + 1;
  for (; Step != Block.End; ++Step)
    if (!execute(Program.Steps[Step])) {
      Warp->IsInside = true;
      Warp->Step = Step + 1;
      return false;
    }
  return true;
}

/// Up to a barrier or to its end; false at its end.
bool BlockRunner::runWarp(WarpState &W) {
  Warp = &W;
  if (!W.IsInside)
    settle();
  while (!W.Groups.empty() && Problem.empty()) {
    if (Result.Steps >= Limits.Steps) {
      Result.RanOutOfSteps = true;
      return false;
    }
    if (!W.IsInside && leavesLoop(W.Groups.back())) {
      settle();
      continue;
    }
    const TraceBlock &Block = Program.Blocks[*W.Groups.back().Block];
    if (!runSteps(Block))
      return true;
    leave(Block);
    settle();
  }
  return false;
}

Expected<TracedBlock> BlockRunner::run(uint64_t Block, const TraceLimits &NewLimits,
                                       const TraceSink &NewSink) {
  Limits = NewLimits;
  Sink = &NewSink;
  Result = TracedBlock();
  Problem.clear();
  Shared.assign(size_t(Program.TakesTurns ? Program.SharedBytes : 0), 0);
  uint32_t Number = uint32_t(divideCeil(AllThreads, TraceLanes));
  if (!Program.TakesTurns)
    for (uint32_t W = 0; W != Number && Problem.empty(); ++W) {
      start(Warps.front(), W, Block);
      while (runWarp(Warps.front()))
        ;
    }
  else {
    SmallVector<WarpState *, 32> Running;
    for (uint32_t W = 0; W != Number; ++W) {
      start(Warps[W], W, Block);
      Running.push_back(&Warps[W]);
    }
    while (!Running.empty() && Problem.empty()) {
      Last = Present;
      Present = Votes();
      erase_if(Running, [&](WarpState *W) { return !runWarp(*W); });
    }
  }
  if (!Problem.empty())
    return makeError(ErrorKind::Refused, Problem);
  return Result;
}

bool BlockRunner::execute(const TraceStep &Step) {
  uint32_t Lanes = Active;
  if (Step.Guard != TracedInstruction::Unused)
    Lanes &= lanesWhere(Step.Guard, Step.IsGuardInverted);
  if (!Lanes)
    return true;
  switch (Step.Is) {
  case TraceStep::Form::Compute:
    compute(Step, Lanes);
    return true;
  case TraceStep::Form::Split:
  case TraceStep::Form::Join:
    divide(Step, Lanes);
    return true;
  case TraceStep::Form::Shuffle:
    shuffle(Step, Lanes);
    return true;
  case TraceStep::Form::Access:
    access(Program.Accesses[Step.Access], Lanes);
    return true;
  case TraceStep::Form::Barrier:
    if (!Program.TakesTurns)
      return true;
    if (Lanes != Warp->Lanes)
      Problem = "not all threads of a warp are at a barrier together";
    vote(Step, Lanes);
    return false;
  }
  return true;
}

} // namespace gpuprune
