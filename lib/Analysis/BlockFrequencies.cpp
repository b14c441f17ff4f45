//===- BlockFrequencies.cpp - Executions of each block by one thread ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/BlockFrequencies.h"
#include "LaunchEvaluator.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/ProfDataUtils.h"

using namespace llvm;
using namespace gpuprune;

namespace {

/// Executions within one run of a scope: of a loop's body or of the function.
struct Tally {
  DenseMap<const BasicBlock *, double> Blocks;
  DenseMap<BlockEdge, double> Edges;
  /// Executions of the header, and entries.
  DenseMap<const Loop *, std::pair<double, double>> Loops;

  void add(const Tally &Other, double Times) {
    for (auto &[Block, Count] : Other.Blocks)
      Blocks[Block] += Times * Count;
    for (auto &[Edge, Count] : Other.Edges)
      Edges[Edge] += Times * Count;
    for (auto &[L, Counts] : Other.Loops) {
      auto &[Iterations, Entries] = Loops[L];
      Iterations += Times * Counts.first;
      Entries += Times * Counts.second;
    }
  }
};

/// How one entry into a loop ends: after so many backedges, in this block (null:
/// not known where).
struct LoopEnd {
  uint64_t Backedges = 0;
  const BasicBlock *Exiting = nullptr;
};

/// Which iteration of a loop is walked: one that goes on, or the last one.
struct BodyKind {
  bool Last = false;
  const BasicBlock *Exiting = nullptr;
};

class FrequencyWalker {
public:
  FrequencyWalker(Function &F, LoopInfo &Loops, ScalarEvolution &Evolution, const LaunchContext &Launch)
      : F(F), Loops(Loops), Values(Loops, Evolution, Launch) {}
  BlockFrequencies run();

private:
  void findMembers();
  Tally walkBody(const Loop *L, BodyKind Kind);
  Tally walkLoop(const Loop *L);
  void passOn(BasicBlock *Block, const Loop *L, BodyKind Kind, double Flow, Tally &Counts);
  void enterLoop(const Loop *Child, const Loop *L, double Flow, Tally &Counts);
  void leaveSomewhere(const Loop *L, Tally &Counts);

  LoopEnd findEnd(const Loop *L);
  void considerExit(const Loop *L, BasicBlock *Exiting, std::optional<LoopEnd> &End);
  bool isNeverTaken(const Loop *L, BasicBlock *Exiting);

  using Shares = SmallVector<double, 4>;
  Shares shares(BasicBlock *Block, const Loop *L, BodyKind Kind);
  bool decide(BasicBlock *Block, const Loop *L, Shares &Result);
  void assume(BasicBlock *Block, Shares &Result);
  bool isSkippedSide(BasicBlock *Block, BasicBlock *Successor);

  void estimate(const Twine &Reason);
  void estimateLoop(const Loop *L, const Twine &Reason);

  Function &F;
  LoopInfo &Loops;
  LaunchEvaluator Values;
  std::unique_ptr<PostDominatorTree> PostDominators;
  /// Per loop (null: the function) its own blocks and the headers of the loops
  /// directly inside, in reverse post-order.
  DenseMap<const Loop *, std::vector<BasicBlock *>> Members;
  DenseMap<const BasicBlock *, unsigned> Order;
  /// Flow into the blocks of the scopes being walked.
  DenseMap<const BasicBlock *, double> Incoming;
  DenseSet<const Loop *> InexactLoops;
  unsigned Budget = IterationBudget;
  BlockFrequencies Result;
};

} // namespace

static unsigned lineOf(const Instruction *I) { return I->getDebugLoc() ? I->getDebugLoc().getLine() : 0; }

static unsigned lineOf(const Loop *L) {
  if (DebugLoc Start = L->getStartLoc())
    return Start.getLine();
  return lineOf(L->getHeader()->getTerminator());
}

static std::string atLine(unsigned Line) { return Line ? " at line " + utostr(Line) : ""; }

void FrequencyWalker::estimate(const Twine &Reason) {
  Result.Exact = false;
  std::string Text = Reason.str();
  if (!is_contained(Result.Reasons, Text))
    Result.Reasons.push_back(std::move(Text));
}

void FrequencyWalker::estimateLoop(const Loop *L, const Twine &Reason) {
  InexactLoops.insert(L);
  estimate("loop" + atLine(lineOf(L)) + ": " + Reason);
}

void FrequencyWalker::findMembers() {
  ReversePostOrderTraversal<Function *> Traversal(&F);
  for (BasicBlock *Block : Traversal) {
    Order.try_emplace(Block, Order.size());
    Loop *L = Loops.getLoopFor(Block);
    Members[L].push_back(Block);
    if (L && L->getHeader() == Block)
      Members[L->getParentLoop()].push_back(Block);
  }
}

/// Walks one iteration of \p L (the function, where null) with one execution of
/// its first block. Flow that leaves L stays in Incoming of the block it goes to.
Tally FrequencyWalker::walkBody(const Loop *L, BodyKind Kind) {
  Tally Counts;
  std::vector<BasicBlock *> &Blocks = Members[L];
  for (BasicBlock *Block : Blocks)
    Incoming[Block] = 0;
  Incoming[L ? L->getHeader() : &F.getEntryBlock()] = 1;
  for (BasicBlock *Block : Blocks) {
    double Flow = Incoming.lookup(Block);
    if (const Loop *Inner = Loops.getLoopFor(Block); Inner != L) {
      enterLoop(Inner, L, Flow, Counts);
      continue;
    }
    if (Flow > 0)
      Counts.Blocks[Block] += Flow;
    passOn(Block, L, Kind, Flow, Counts);
  }
  return Counts;
}

void FrequencyWalker::passOn(BasicBlock *Block, const Loop *L, BodyKind Kind, double Flow, Tally &Counts) {
  SmallVector<BasicBlock *, 4> Targets(successors(Block));
  for (BasicBlock *Target : Targets)
    Values.EdgeFlow[{Block, Target}] = 0;
  if (Flow == 0)
    return;
  Shares Parts = shares(Block, L, Kind);
  for (auto [Target, Part] : zip_equal(Targets, Parts)) {
    if (Part == 0)
      continue;
    Values.EdgeFlow[{Block, Target}] += Flow * Part;
    Counts.Edges[{Block, Target}] += Flow * Part;
    if (L && Target == L->getHeader())
      continue;
    if (Order.lookup(Target) <= Order.lookup(Block))
      estimate("control flow" + atLine(lineOf(Block->getTerminator())) +
               " is irreducible: its repetitions are not counted");
    if (!L || L->contains(Target))
      Incoming[Target] += Flow * Part;
  }
}

void FrequencyWalker::enterLoop(const Loop *Child, const Loop *L, double Flow, Tally &Counts) {
  SmallVector<Loop::Edge, 4> Exits;
  Child->getExitEdges(Exits);
  for (auto &[From, To] : Exits)
    Values.EdgeFlow[{From, To}] = 0;
  if (Flow == 0) {
    Values.forgetEnd(Child);
    return;
  }
  Tally Inner = walkLoop(Child);
  Counts.add(Inner, Flow);
  SmallDenseSet<BlockEdge, 4> Seen;
  for (auto &[From, To] : Exits) {
    if (!Seen.insert({From, To}).second)
      continue;
    double Leaving = Flow * Inner.Edges.lookup({From, To});
    Values.EdgeFlow[{From, To}] = Leaving;
    if (!L || L->contains(To))
      Incoming[To] += Leaving;
  }
}

/// One entry into \p L: all its iterations and the way out.
Tally FrequencyWalker::walkLoop(const Loop *L) {
  Values.forgetEnd(L);
  LoopEnd End = findEnd(L);
  Tally Counts;
  Values.Iteration[L] = 0;
  Values.Consulted.erase(L);
  if (End.Backedges > 0) {
    Tally First = walkBody(L, {});
    bool Varies = Values.Consulted.erase(L);
    if (!Varies) {
      Counts.add(First, double(End.Backedges));
    } else if (End.Backedges <= Budget) {
      Budget -= End.Backedges;
      Counts.add(First, 1);
      for (uint64_t Iteration = 1; Iteration != End.Backedges; ++Iteration) {
        Values.Iteration[L] = Iteration;
        Counts.add(walkBody(L, {}), 1);
      }
    } else {
      Values.Iteration[L] = End.Backedges / 2;
      Counts.add(walkBody(L, {}), double(End.Backedges));
      estimateLoop(L, "its iterations differ and are too many to follow; the middle one stands for all");
    }
  }
  Values.Iteration[L] = End.Backedges;
  Counts.add(walkBody(L, {true, End.Exiting}), 1);
  Values.Iteration.erase(L);
  Values.Consulted.erase(L);
  Values.LastIteration[L] = End.Backedges;
  leaveSomewhere(L, Counts);
  Counts.Loops[L] = {double(End.Backedges) + 1, 1};
  return Counts;
}

/// A loop that is entered is left: what has not gone through a known exit leaves
/// through all of them alike.
void FrequencyWalker::leaveSomewhere(const Loop *L, Tally &Counts) {
  SmallVector<Loop::Edge, 4> Exits;
  L->getExitEdges(Exits);
  double Missing = 1;
  for (auto &[From, To] : Exits)
    Missing -= Counts.Edges.lookup({From, To});
  if (Exits.empty() || Missing < 1e-9)
    return;
  for (auto &[From, To] : Exits)
    Counts.Edges[{From, To}] += Missing / double(Exits.size());
}

LoopEnd FrequencyWalker::findEnd(const Loop *L) {
  std::optional<LoopEnd> End;
  SmallVector<BasicBlock *, 4> Exiting;
  L->getExitingBlocks(Exiting);
  sort(Exiting, [&](BasicBlock *A, BasicBlock *B) { return Order.lookup(A) < Order.lookup(B); });
  for (BasicBlock *Block : Exiting)
    considerExit(L, Block, End);
  if (End)
    return *End;
  estimateLoop(L, "its trip count is not known; " + Twine(unsigned(AssumedTripCount)) + " is assumed");
  const BasicBlock *Last = nullptr;
  for (BasicBlock *Block : Exiting)
    if (Loops.getLoopFor(Block) == L)
      Last = Block;
  return {uint64_t(AssumedTripCount) - 1, Last};
}

/// Takes the exit of \p Exiting into \p End where it is the earliest so far.
void FrequencyWalker::considerExit(const Loop *L, BasicBlock *Exiting, std::optional<LoopEnd> &End) {
  if (isNeverTaken(L, Exiting))
    return;
  std::optional<uint64_t> Backedges = Values.exitCount(L, Exiting);
  if (!Backedges) {
    Values.FirstThreadOnly = true;
    Backedges = Values.exitCount(L, Exiting);
    Values.FirstThreadOnly = false;
    if (Backedges)
      estimateLoop(L, "its trip count depends on the thread; that of the first thread is taken");
  }
  if (!Backedges) {
    estimateLoop(L, "the exit" + atLine(lineOf(Exiting->getTerminator())) +
                        " depends on data; it is assumed not to be taken early");
    return;
  }
  if (!End || *Backedges < End->Backedges)
    End = LoopEnd{*Backedges, Exiting};
}

bool FrequencyWalker::isNeverTaken(const Loop *L, BasicBlock *Exiting) {
  auto *Branch = dyn_cast<BranchInst>(Exiting->getTerminator());
  if (!Branch || !Branch->isConditional())
    return false;
  ConstantRange Condition = Values.evaluate(Branch->getCondition(), L);
  const APInt *Decided = Condition.getSingleElement();
  return Decided && L->contains(Branch->getSuccessor(Decided->isZero() ? 1 : 0));
}

/// Which part of the flow through \p Block goes to each of its successors.
FrequencyWalker::Shares FrequencyWalker::shares(BasicBlock *Block, const Loop *L, BodyKind Kind) {
  Instruction *Terminator = Block->getTerminator();
  Shares Result(Terminator->getNumSuccessors(), 1);
  if (L) {
    bool Leaves = Kind.Last && Kind.Exiting == Block;
    for (unsigned S = 0; S != Result.size(); ++S)
      Result[S] = L->contains(Terminator->getSuccessor(S)) != Leaves;
  }
  if (count(Result, 1.0) > 1 && !decide(Block, L, Result))
    assume(Block, Result);
  return Result;
}

/// Evaluates the branch of \p Block among the successors that \p Result still
/// allows; false where the launch does not decide it.
bool FrequencyWalker::decide(BasicBlock *Block, const Loop *L, Shares &Result) {
  Instruction *Terminator = Block->getTerminator();
  auto Take = [&](unsigned Successor) {
    if (Result[Successor] == 0)
      return false;
    fill(Result, 0.0);
    Result[Successor] = 1;
    return true;
  };
  if (all_of(successors(Block), [&](BasicBlock *S) { return S == *succ_begin(Block); }))
    return Take(0);
  if (auto *Branch = dyn_cast<BranchInst>(Terminator)) {
    ConstantRange Condition = Values.evaluate(Branch->getCondition(), L);
    const APInt *Decided = Condition.getSingleElement();
    return Decided && Take(Decided->isZero() ? 1 : 0);
  }
  if (auto *Switch = dyn_cast<SwitchInst>(Terminator)) {
    ConstantRange Condition = Values.evaluate(Switch->getCondition(), L);
    const APInt *Decided = Condition.getSingleElement();
    if (!Decided)
      return false;
    ConstantInt *Value = ConstantInt::get(F.getContext(), *Decided);
    return Take(Switch->findCaseValue(Value)->getSuccessorIndex());
  }
  return false;
}

/// What a pass or __builtin_expect says of the branch: so much less than the other
/// sides together.
static bool isUnlikely(const Instruction &Branch, const BasicBlock *Successor) {
  static constexpr uint64_t Unlikely = 1000;
  SmallVector<uint32_t, 4> Weights;
  if (!extractBranchWeights(Branch, Weights) || Weights.size() != Branch.getNumSuccessors())
    return false;
  uint64_t All = 0, Its = 0;
  for (auto [I, Weight] : enumerate(Weights)) {
    All += Weight;
    Its += Branch.getSuccessor(I) == Successor ? Weight : 0;
  }
  return Its * Unlikely < All;
}

/// The shares of a branch that the launch does not decide; see the header.
void FrequencyWalker::assume(BasicBlock *Block, Shares &Result) {
  Instruction *Terminator = Block->getTerminator();
  estimate("branch" + atLine(lineOf(Terminator)) + " depends on the thread or on data");
  auto Drop = [&](auto Condition) {
    Shares Kept = Result;
    for (unsigned S = 0; S != Kept.size(); ++S)
      if (Kept[S] != 0 && Condition(Terminator->getSuccessor(S)))
        Kept[S] = 0;
    if (count(Kept, 1.0) > 0)
      Result = Kept;
  };
  Drop([&](BasicBlock *S) { return isUnlikely(*Terminator, S); });
  Drop([](BasicBlock *S) { return isa<UnreachableInst>(S->getTerminator()); });
  Drop([&](BasicBlock *S) { return isSkippedSide(Block, S); });
  double Allowed = double(count(Result, 1.0));
  for (double &Part : Result)
    Part /= Allowed;
}

/// True where \p Successor is merely where both sides of the branch meet, or
/// returns at once.
bool FrequencyWalker::isSkippedSide(BasicBlock *Block, BasicBlock *Successor) {
  if (!PostDominators)
    PostDominators = std::make_unique<PostDominatorTree>(F);
  auto *Node = PostDominators->getNode(Block);
  if (Node && Node->getIDom() && Node->getIDom()->getBlock() == Successor)
    return true;
  return isa<ReturnInst>(Successor->getFirstNonPHIOrDbg());
}

BlockFrequencies FrequencyWalker::run() {
  findMembers();
  Tally Counts = walkBody(nullptr, {});
  Result.Blocks = std::move(Counts.Blocks);
  Result.Edges = std::move(Counts.Edges);
  for (const Loop *L : Loops.getLoopsInPreorder()) {
    auto [Iterations, Entries] = Counts.Loops.lookup(L);
    LoopTrips Trips;
    Trips.Header = L->getHeader();
    Trips.Number = loopNumber(*L);
    Trips.Depth = L->getLoopDepth();
    Trips.Line = lineOf(L);
    Trips.Iterations = Iterations;
    Trips.Entries = Entries;
    Trips.Exact = !InexactLoops.contains(L);
    Result.Loops.push_back(Trips);
  }
  return std::move(Result);
}

BlockFrequencies gpuprune::computeBlockFrequencies(Function &F, LoopInfo &Loops, ScalarEvolution &Evolution,
                                                   const LaunchContext &Launch) {
  return FrequencyWalker(F, Loops, Evolution, Launch).run();
}
