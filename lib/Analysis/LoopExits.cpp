//===- LoopExits.cpp - When a loop ends under a concrete launch -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ScalarEvolution gives no count for a loop like "for (i = 0; i < n; i += 16)" with a
// barrier inside, for a barrier may not return, and so nothing forbids that i
// wraps. With the launch's numbers in place the question has an answer.
//
//===----------------------------------------------------------------------===//
#include "LaunchEvaluator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"

using namespace llvm;
using namespace gpuprune;

namespace {
/// Start + Step * k, compared with Bound. All of one width.
struct AffineComparison {
  CmpInst::Predicate Continues;
  APInt Start, Step, Bound;
};
} // namespace

/// The k from which on the values differ from \p C.Bound no longer: the smallest
/// with Step * k = Bound - Start, modulo the width.
static std::optional<uint64_t> solveInequality(const AffineComparison &C) {
  APInt Distance = C.Bound - C.Start, Step = C.Step;
  if (Distance.isZero())
    return 0;
  if (Step.isNegative()) {
    Step.negate();
    Distance.negate();
  }
  if (Step.isZero() || !Distance.urem(Step).isZero())
    return std::nullopt;
  return Distance.udiv(Step).getLimitedValue();
}

/// The first k for which \p C does not continue; none where the values wrap before.
static std::optional<uint64_t> solve(const AffineComparison &C) {
  if (C.Continues == CmpInst::ICMP_NE)
    return solveInequality(C);
  if (C.Continues == CmpInst::ICMP_EQ)
    return C.Start != C.Bound ? std::optional<uint64_t>(0)
           : C.Step.isZero()  ? std::nullopt
                              : std::optional<uint64_t>(1);
  bool Signed = CmpInst::isSigned(C.Continues);
  unsigned Bits = C.Start.getBitWidth(), Wide = 2 * Bits + 2;
  auto Extend = [&](const APInt &V) { return Signed ? V.sext(Wide) : V.zext(Wide); };
  APInt Start = Extend(C.Start), Bound = Extend(C.Bound), Step = C.Step.sext(Wide);
  APInt Low = Extend(Signed ? APInt::getSignedMinValue(Bits) : APInt::getMinValue(Bits));
  APInt High = Extend(Signed ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits));
  auto At = [&](const APInt &K) { return Start + Step * K; };
  auto Fits = [&](const APInt &V) { return V.sge(Low) && V.sle(High); };
  CmpInst::Predicate Wider = Signed ? C.Continues : ICmpInst::getSignedPredicate(C.Continues);
  auto Continues = [&](const APInt &K) {
    APInt V = At(K);
    return Fits(V) && ICmpInst::compare(V, Bound, Wider);
  };
  APInt From(Wide, 0), To = APInt::getOneBitSet(Wide, Bits);
  if (!Continues(From))
    return 0;
  if (Continues(To))
    return std::nullopt;
  // The values move one way, so that what continues is a beginning of the sequence.
  while ((To - From).ugt(1)) {
    APInt Middle = From + (To - From).lshr(1);
    (Continues(Middle) ? From : To) = Middle;
  }
  return Fits(At(To)) ? std::optional<uint64_t>(To.getLimitedValue()) : std::nullopt;
}

static const SCEVAddRecExpr *affineIn(const SCEV *S, const Loop *L) {
  auto *Recurrence = dyn_cast<SCEVAddRecExpr>(S);
  return Recurrence && Recurrence->getLoop() == L && Recurrence->isAffine() ? Recurrence : nullptr;
}

std::optional<uint64_t> LaunchEvaluator::solveExit(const Loop *L, BranchInst &Exit) {
  auto *Compare = dyn_cast<ICmpInst>(Exit.getCondition());
  if (!Compare || !Compare->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  CmpInst::Predicate Predicate =
      L->contains(Exit.getSuccessor(0)) ? Compare->getPredicate() : Compare->getInversePredicate();
  const SCEV *Left = Evolution.getSCEVAtScope(Compare->getOperand(0), L);
  const SCEV *Right = Evolution.getSCEVAtScope(Compare->getOperand(1), L);
  if (!affineIn(Left, L)) {
    std::swap(Left, Right);
    Predicate = CmpInst::getSwappedPredicate(Predicate);
  }
  const SCEVAddRecExpr *Moving = affineIn(Left, L);
  if (!Moving || !Evolution.isLoopInvariant(Right, L))
    return std::nullopt;
  ConstantRange Start = evaluate(Moving->getStart(), L), Bound = evaluate(Right, L);
  ConstantRange Step = evaluate(Moving->getStepRecurrence(Evolution), L);
  if (!Start.isSingleElement() || !Step.isSingleElement() || !Bound.isSingleElement())
    return std::nullopt;
  return solve({Predicate, *Start.getSingleElement(), *Step.getSingleElement(), *Bound.getSingleElement()});
}

/// Begins to follow the integers that \p L carries from iteration to iteration and
/// that ScalarEvolution does not understand; false where the loop's shape forbids it.
bool LaunchEvaluator::startTraces(const Loop *L) {
  BasicBlock *Before = L->getLoopPredecessor();
  if (!Before || !L->getLoopLatch())
    return false;
  // What earlier walks left behind does not hold in the iterations to be followed.
  for (BasicBlock *Block : L->blocks())
    for (BasicBlock *Successor : successors(Block))
      EdgeFlow.erase({Block, Successor});
  for (const Loop *Inner : L->getLoopsInPreorder())
    LastIteration.erase(Inner);
  for (PHINode &Phi : L->getHeader()->phis()) {
    Traces.erase(&Phi);
    if (!Phi.getType()->isIntegerTy() || !isa<SCEVUnknown>(Evolution.getSCEV(&Phi)))
      continue;
    ConstantRange First = evaluate(Phi.getIncomingValueForBlock(Before), L->getParentLoop());
    Traces[&Phi].push_back(First);
  }
  return true;
}

void LaunchEvaluator::advanceTraces(const Loop *L) {
  SmallVector<std::pair<PHINode *, ConstantRange>, 4> Next;
  for (PHINode &Phi : L->getHeader()->phis())
    if (Traces.contains(&Phi))
      Next.emplace_back(&Phi, evaluate(Phi.getIncomingValueForBlock(L->getLoopLatch()), L));
  for (auto &[Phi, Range] : Next)
    Traces.find(Phi)->second.push_back(Range);
}

std::optional<uint64_t> LaunchEvaluator::followExit(const Loop *L, BranchInst &Exit) {
  if (!startTraces(L))
    return std::nullopt;
  bool LeavesWhenTrue = !L->contains(Exit.getSuccessor(0));
  std::optional<uint64_t> Count;
  for (uint64_t K = 0; !Count && FollowBudget > 0; ++K, --FollowBudget) {
    Iteration[L] = K;
    ConstantRange Condition = evaluate(Exit.getCondition(), L);
    const APInt *Decided = Condition.getSingleElement();
    if (!Decided)
      break;
    if (Decided->isOne() == LeavesWhenTrue)
      Count = K;
    else
      advanceTraces(L);
  }
  Iteration.erase(L);
  Consulted.erase(L);
  if (!Count)
    for (PHINode &Phi : L->getHeader()->phis())
      Traces.erase(&Phi);
  return Count;
}

bool LaunchEvaluator::runsInEachIteration(const Loop *L, BasicBlock *Block) {
  BasicBlock *Latch = L->getLoopLatch();
  if (!Latch || Loops.getLoopFor(Block) != L)
    return false;
  if (Block == Latch || Block == L->getHeader())
    return true;
  if (!Dominators)
    Dominators = std::make_unique<DominatorTree>(*Block->getParent());
  return Dominators->dominates(Block, Latch);
}

std::optional<uint64_t> LaunchEvaluator::exitCount(const Loop *L, BasicBlock *Exiting) {
  const SCEV *Count = Evolution.getExitCount(L, Exiting);
  if (!isa<SCEVCouldNotCompute>(Count)) {
    ConstantRange Range = evaluate(Count, L->getParentLoop());
    if (const APInt *Single = Range.getSingleElement())
      return Single->getLimitedValue();
  }
  auto *Exit = dyn_cast<BranchInst>(Exiting->getTerminator());
  if (!Exit || !Exit->isConditional() || !runsInEachIteration(L, Exiting))
    return std::nullopt;
  if (std::optional<uint64_t> Solved = solveExit(L, *Exit))
    return Solved;
  return followExit(L, *Exit);
}
