//===- MachineExecutions.cpp - How often machine code is executed -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/MachineExecutions.h"
#include "gpuprune/Support/Counted.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuprune {

/// Of a block that is executed in some iterations, where PTX does not say in how many.
static constexpr double UnknownShare = 0.5;

namespace {

/// A block of PTX that not every iteration, or thread, passes.
struct ConditionalBlock {
  uint64_t Work;
  FlowAnchors Anchors;
  double Share; ///< Of the iterations.
  double Instructions;
};

/// Those of one loop, or outside of all.
class ConditionalBlocks {
public:
  void add(const ConditionalBlock &B) { Blocks.push_back(B); }
  double shareOf(const FlowBlock &Block) const;

private:
  std::vector<ConditionalBlock> Blocks;

  std::optional<double> mean(function_ref<bool(const ConditionalBlock &)> Counts) const;
};

/// The loops of PTX with their executions.
struct PtxLoops {
  std::vector<double> Iterations, Entries, Work;
  std::vector<ConditionalBlocks> Conditional;
  ConditionalBlocks TopConditional;
};

class ExecutionsOfMachine {
public:
  ExecutionsOfMachine(const KernelCode &Code, const FlowGraph &Machine, const FlowGraph &Ptx,
                      ArrayRef<PtxBlockExecutions> Counts)
      : Code(Code), Machine(Machine), Ptx(Ptx), Counts(Counts), Matches(matchLoops(Ptx, Machine)) {}
  MachineExecutions run();

private:
  const KernelCode &Code;
  const FlowGraph &Machine, &Ptx;
  ArrayRef<PtxBlockExecutions> Counts;
  LoopMatches Matches;
  PtxLoops OfPtx;
  MachineExecutions Result;
  std::vector<std::optional<size_t>> PtxOf; ///< The loop of PTX of each one of machine code.
  BitVector Never;                          ///< Blocks of functions, and those that call them.

  void readPtx();
  ConditionalBlocks conditionalBlocks(std::optional<size_t> Loop, double Executions,
                                      ArrayRef<std::optional<size_t>> Innermost,
                                      const DenseMap<unsigned, double> &Known) const;
  void findNever();
  /// Of the body of \p PtxLoop in an iteration of machine code. Without anchors, what the loop computes and
  /// loads tells it.
  double copiesOf(size_t PtxLoop) const;
  /// Of the loop of machine code that \p PtxLoop is: what is left over of copies runs outside.
  double iterationsOfMatch(size_t PtxLoop) const;
  void setIterations();
  void setUnmatched(ArrayRef<size_t> PtxLoops, ArrayRef<size_t> MachineLoops, double Around);
  double around(std::optional<size_t> Loop) const { return Loop ? Result.Iterations[*Loop] : 1; }
  uint64_t workOf(size_t MachineLoop) const;
  void setBlocks();
};

} // namespace

/// The innermost loop of each block; loops inside come after those around them.
static std::vector<std::optional<size_t>> innermostLoops(const FlowGraph &Graph) {
  std::vector<std::optional<size_t>> Innermost(Graph.Blocks.size());
  for (const auto &[Index, Loop] : enumerate(Graph.Loops))
    for (size_t Block : Loop.Blocks)
      Innermost[Block] = Index;
  return Innermost;
}

/// Weighted by instructions.
std::optional<double> ConditionalBlocks::mean(function_ref<bool(const ConditionalBlock &)> Counts) const {
  double Weight = 0, Sum = 0;
  for (const ConditionalBlock &B : Blocks)
    if (Counts(B)) {
      Weight += B.Instructions;
      Sum += B.Instructions * B.Share;
    }
  return Weight > 0 ? std::optional(Sum / Weight) : std::nullopt;
}

double ConditionalBlocks::shareOf(const FlowBlock &Block) const {
  if (Block.Work || Block.Anchors.any())
    if (std::optional<double> OfSame = mean(
            [&](const ConditionalBlock &B) { return B.Work == Block.Work && B.Anchors == Block.Anchors; }))
      return *OfSame;
  return mean([](const ConditionalBlock &) { return true; }).value_or(UnknownShare);
}

static BitVector unreachable(const FlowGraph &Graph) {
  BitVector Seen(Graph.Blocks.size());
  SmallVector<size_t> Work;
  if (!Graph.Blocks.empty())
    Work.push_back(0);
  while (!Work.empty()) {
    size_t At = Work.pop_back_val();
    if (Seen.test(At))
      continue;
    Seen.set(At);
    append_range(Work, Graph.Blocks[At].Successors);
  }
  return Seen.flip();
}

/// Whether each iteration of \p Loop, or each thread, passes \p Block. Blocks in \p Never are not passed.
static bool isAlways(const FlowGraph &Graph, size_t Block, std::optional<size_t> Loop,
                     const BitVector &Never) {
  size_t Entry = Loop ? Graph.Loops[*Loop].Header : 0;
  if (Block == Entry)
    return true;
  BitVector Seen(Graph.Blocks.size());
  SmallVector<size_t> Work{Entry};
  Seen.set(Entry);
  auto IsInside = [&](size_t B) {
    return !Loop || std::binary_search(Graph.Loops[*Loop].Blocks.begin(), Graph.Loops[*Loop].Blocks.end(), B);
  };
  while (!Work.empty()) {
    size_t At = Work.pop_back_val();
    ArrayRef<size_t> Successors = Graph.Blocks[At].Successors;
    if (Loop ? is_contained(Successors, Entry) : Successors.empty())
      return false;
    for (size_t Next : Successors)
      if (Next != Block && !Never.test(Next) && !Seen.test(Next) && IsInside(Next)) {
        Seen.set(Next);
        Work.push_back(Next);
      }
  }
  return true;
}

ConditionalBlocks ExecutionsOfMachine::conditionalBlocks(std::optional<size_t> Loop, double Executions,
                                                         ArrayRef<std::optional<size_t>> Innermost,
                                                         const DenseMap<unsigned, double> &Known) const {
  ConditionalBlocks Found;
  BitVector NotReached = unreachable(Ptx);
  for (const auto &[Index, Block] : enumerate(Ptx.Blocks)) {
    if (Innermost[Index] != Loop || !Block.Number || Executions <= 0 ||
        isAlways(Ptx, Index, Loop, NotReached))
      continue;
    Found.add({Block.Work, Block.Anchors, Known.lookup(*Block.Number) / Executions,
               double(Block.End - Block.Begin)});
  }
  return Found;
}

void ExecutionsOfMachine::readPtx() {
  DenseMap<unsigned, double> Known;
  for (const PtxBlockExecutions &B : Counts)
    Known[B.Number] = B.Executions;
  std::vector<std::optional<size_t>> Innermost = innermostLoops(Ptx);
  OfPtx.TopConditional = conditionalBlocks(std::nullopt, 1, Innermost, Known);
  for (const auto &[Index, Loop] : enumerate(Ptx.Loops)) {
    DenseSet<unsigned> Inside;
    double Work = 0;
    for (size_t Block : Loop.Blocks) {
      if (Ptx.Blocks[Block].Number)
        Inside.insert(*Ptx.Blocks[Block].Number);
      if (Innermost[Block] == Index)
        Work += double(Ptx.Blocks[Block].Work);
    }
    unsigned Header = Ptx.Blocks[Loop.Header].Number.value_or(~0u);
    double Entries = 0;
    for (const PtxBlockExecutions &B : Counts)
      for (auto [To, Times] : B.Successors)
        if (To == Header && !Inside.contains(B.Number))
          Entries += Times;
    double Iterations = Known.lookup(Header);
    OfPtx.Iterations.push_back(Iterations);
    OfPtx.Entries.push_back(Entries);
    OfPtx.Work.push_back(Work);
    OfPtx.Conditional.push_back(conditionalBlocks(Index, Iterations, Innermost, Known));
  }
}

/// ptxas puts its functions behind the kernel.
void ExecutionsOfMachine::findNever() {
  size_t FirstFunction = Code.Instructions.size();
  Never = unreachable(Machine);
  for (const DecodedInstruction &I : Code.Instructions)
    if (I.isNamed("CALL") && I.Target && *I.Target >= 0)
      FirstFunction = std::min(FirstFunction, size_t(*I.Target) / InstructionBytes);
  for (const auto &[Index, Block] : enumerate(Machine.Blocks)) {
    ArrayRef<DecodedInstruction> All = Code.Instructions;
    bool Calls = any_of(All.slice(Block.Begin, Block.End - Block.Begin),
                        [](const DecodedInstruction &I) { return I.isNamed("CALL"); });
    if (Block.Begin >= FirstFunction || Calls)
      Never.set(Index);
  }
}

uint64_t ExecutionsOfMachine::workOf(size_t MachineLoop) const {
  uint64_t Work = 0;
  for (size_t Block : Machine.Loops[MachineLoop].Blocks)
    if (Result.Innermost[Block] == MachineLoop)
      Work += Machine.Blocks[Block].Work;
  return Work;
}

/// Of loops beside each other, which go round together \p Around times at most once each where they are
/// entered.
void ExecutionsOfMachine::setUnmatched(ArrayRef<size_t> PtxLoops, ArrayRef<size_t> MachineLoops,
                                       double Around) {
  if (MachineLoops.empty())
    return;
  for (size_t Loop : MachineLoops)
    Result.Iterations[Loop] = Around;
  if (PtxLoops.empty())
    return;
  std::string Assumed =
      PtxLoops.size() == MachineLoops.size()
          ? formatv("{0} of PTX found in machine code by order alone", counted(PtxLoops.size(), "loop")).str()
          : formatv("{0} {1} in machine code", counted(PtxLoops.size(), "loop of PTX is", "loops of PTX are"),
                    MachineLoops.size())
                .str();
  if (!is_contained(Result.Assumed, Assumed)) // There may be several such groups.
    Result.Assumed.push_back(std::move(Assumed));
  if (PtxLoops.size() == MachineLoops.size()) {
    for (auto [P, M] : zip_equal(PtxLoops, MachineLoops)) {
      double Copies = OfPtx.Work[P] > 0 ? std::round(double(workOf(M)) / OfPtx.Work[P]) : 1;
      Result.Iterations[M] = OfPtx.Iterations[P] / std::max(1.0, Copies);
      PtxOf[M] = P;
    }
    return;
  }
  size_t Main = *max_element(MachineLoops, [&](size_t A, size_t B) { return workOf(A) < workOf(B); });
  double Work = 0, Iterations = 0;
  for (size_t P : PtxLoops) {
    Work += OfPtx.Iterations[P] * OfPtx.Work[P];
    Iterations = std::max(Iterations, OfPtx.Iterations[P]);
  }
  uint64_t Each = workOf(Main);
  Result.Iterations[Main] = Each ? Work / double(Each) : Iterations;
}

double ExecutionsOfMachine::copiesOf(size_t PtxLoop) const {
  const LoopMatch &Match = Matches.OfPtx[PtxLoop];
  if (Match.IsAnchored || OfPtx.Work[PtxLoop] <= 0)
    return double(Match.Copies);
  return std::max(1.0, std::round(double(workOf(*Match.Machine)) / OfPtx.Work[PtxLoop]));
}

double ExecutionsOfMachine::iterationsOfMatch(size_t PtxLoop) const {
  double All = OfPtx.Iterations[PtxLoop], Entries = OfPtx.Entries[PtxLoop], Copies = copiesOf(PtxLoop);
  return Copies > 1 && Entries > 0 ? Entries * std::floor(All / Entries / Copies) : All / Copies;
}

void ExecutionsOfMachine::setIterations() {
  Result.Iterations.assign(Machine.Loops.size(), 0);
  PtxOf.resize(Machine.Loops.size());
  std::vector<std::optional<size_t>> Levels{std::nullopt};
  for (size_t Loop = 0; Loop != Machine.Loops.size(); ++Loop)
    Levels.emplace_back(Loop);
  for (const auto &[Index, Match] : enumerate(Matches.OfPtx))
    if (Match.Machine)
      PtxOf[*Match.Machine] = Index;
  // Outer loops come first.
  for (std::optional<size_t> Level : Levels) {
    std::vector<size_t> LeftOfPtx, LeftOfMachine;
    for (size_t Loop = 0; Loop != Machine.Loops.size(); ++Loop) {
      if (Machine.Loops[Loop].Outer != Level)
        continue;
      if (!PtxOf[Loop]) {
        LeftOfMachine.push_back(Loop);
        continue;
      }
      Result.Iterations[Loop] = iterationsOfMatch(*PtxOf[Loop]);
    }
    if (!Level || PtxOf[*Level])
      for (size_t Loop = 0; Loop != Ptx.Loops.size(); ++Loop)
        if (!Matches.OfPtx[Loop].Machine && Ptx.Loops[Loop].Outer == (Level ? PtxOf[*Level] : std::nullopt))
          LeftOfPtx.push_back(Loop);
    setUnmatched(LeftOfPtx, LeftOfMachine, around(Level));
  }
}

void ExecutionsOfMachine::setBlocks() {
  Result.OfBlock.assign(Machine.Blocks.size(), 0);
  for (size_t Block = 0; Block != Machine.Blocks.size(); ++Block) {
    std::optional<size_t> Loop = Result.Innermost[Block];
    if (Never.test(Block))
      continue;
    double Share = 1;
    if (!isAlways(Machine, Block, Loop, Never)) {
      Share = UnknownShare;
      if (!Loop)
        Share = OfPtx.TopConditional.shareOf(Machine.Blocks[Block]);
      else if (PtxOf[*Loop])
        Share = OfPtx.Conditional[*PtxOf[*Loop]].shareOf(Machine.Blocks[Block]);
    }
    Result.OfBlock[Block] = Share * around(Loop);
  }
}

MachineExecutions ExecutionsOfMachine::run() {
  Result.Innermost = innermostLoops(Machine);
  readPtx();
  findNever();
  setIterations();
  setBlocks();
  return std::move(Result);
}

MachineExecutions machineExecutions(const KernelCode &Code, const FlowGraph &Machine, const FlowGraph &Ptx,
                                    ArrayRef<PtxBlockExecutions> Counts) {
  return ExecutionsOfMachine(Code, Machine, Ptx, Counts).run();
}

} // namespace gpuprune
