//===- CountedLoop.cpp - Iterations that are sure to come --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CountedLoop.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace gpuprune {

/// Whether the step is read again each time, as `gridDim.x * blockDim.x` is before -O3, does not matter.
static void hoistInvariants(ICmpInst &Test, const Loop &L, ScalarEvolution &SE) {
  bool Changed = false;
  for (Value *Operand : Test.operands()) {
    auto *Sum = dyn_cast<BinaryOperator>(Operand);
    if (Sum && L.contains(Sum))
      for (Value *Part : Sum->operands())
        L.makeLoopInvariant(Part, Changed, nullptr, nullptr, &SE);
    L.makeLoopInvariant(Operand, Changed, nullptr, nullptr, &SE);
  }
  if (Changed)
    SE.forgetLoop(&L);
}

bool isUncounted(const Loop &L, ScalarEvolution &SE) {
  return L.getLoopLatch() && isa<SCEVCouldNotCompute>(SE.getExitCount(&L, L.getLoopLatch()));
}

std::optional<LatchTest> findLatchTest(const Loop &L, ScalarEvolution &SE) {
  if (!isUncounted(L, SE))
    return std::nullopt;
  auto *Branch = dyn_cast<BranchInst>(L.getLoopLatch()->getTerminator());
  auto *Test = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
  if (!Test || !L.isLoopExiting(L.getLoopLatch()) || !Test->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  hoistInvariants(*Test, L, SE);
  CmpInst::Predicate Continues = Test->getPredicate();
  if (Branch->getSuccessor(0) != L.getHeader())
    Continues = CmpInst::getInversePredicate(Continues);
  const SCEV *Next = SE.getSCEV(Test->getOperand(0)), *Bound = SE.getSCEV(Test->getOperand(1));
  if (SE.isLoopInvariant(Next, &L)) {
    std::swap(Next, Bound);
    Continues = CmpInst::getSwappedPredicate(Continues);
  }
  const auto *Steps = dyn_cast<SCEVAddRecExpr>(Next);
  bool IsLess =
      is_contained({CmpInst::ICMP_SLT, CmpInst::ICMP_SLE, CmpInst::ICMP_ULT, CmpInst::ICMP_ULE}, Continues);
  if (!IsLess || !Steps || Steps->getLoop() != &L || !Steps->isAffine() || !SE.isLoopInvariant(Bound, &L))
    return std::nullopt;
  return LatchTest{Continues, Steps, Bound};
}

/// How many iterations are sure to come, rounded down to a multiple of \p Factor; 0 where that is not known.
static Value *countBefore(Instruction &Before, const LatchTest &Test, unsigned Factor, ScalarEvolution &SE) {
  SCEVExpander Expander(SE, "iterations");
  IRBuilder<> B(&Before);
  auto Expanded = [&](const SCEV *S) {
    return B.CreateFreeze(Expander.expandCodeFor(S, S->getType(), &Before));
  };
  // The loop itself may end before it comes to its test.
  Value *First = Expanded(Test.Next->getStart()), *Step = Expanded(Test.Next->getStepRecurrence(SE)),
        *Bound = Expanded(Test.Bound);
  Type *T = First->getType();
  unsigned Bits = T->getIntegerBitWidth();
  bool Signed = CmpInst::isSigned(Test.Continues);
  Value *Zero = ConstantInt::get(T, 0), *One = ConstantInt::get(T, 1);
  Value *Most = ConstantInt::get(T, Signed ? APInt::getSignedMaxValue(Bits) : APInt::getMaxValue(Bits));
  Value *Upwards = Signed ? B.CreateICmpSGT(Step, Zero) : B.CreateICmpNE(Step, Zero);
  // From below the bound, one step does not wrap.
  Value *Furthest = B.CreateSub(Most, Test.isStrict() ? B.CreateSub(Step, One) : Step);
  Value *Ends = B.CreateICmp(Signed ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE, Bound, Furthest);
  Value *Distance = B.CreateSub(Test.isStrict() ? B.CreateSub(Bound, One) : Bound, First);
  Value *Steps = B.CreateAdd(B.CreateUDiv(Distance, B.CreateSelect(Upwards, Step, One)), One);
  // The loop is entered behind its first test.
  Value *Count = B.CreateAdd(B.CreateSelect(B.CreateICmp(Test.Continues, First, Bound), Steps, Zero), One);
  Value *Multiples = B.CreateUDiv(Count, ConstantInt::get(T, Factor));
  Value *Known = B.CreateSelect(B.CreateAnd(Upwards, Ends), Multiples, Zero);
  return B.CreateNUWMul(Known, ConstantInt::get(T, Factor), "iterations");
}

static void stayRolled(Loop &L) {
  L.setLoopAlreadyUnrolled();
  for (Loop *Inner : L)
    stayRolled(*Inner);
}

/// What leaves the copy of a loop comes where that leads which leaves the loop.
static void addIncoming(ArrayRef<BasicBlock *> Exits, const Loop &L, ValueToValueMapTy &Copies) {
  for (BasicBlock *Exit : Exits)
    for (PHINode &Phi : Exit->phis())
      for (unsigned I = 0, E = Phi.getNumIncomingValues(); I != E; ++I) {
        if (!L.contains(Phi.getIncomingBlock(I)))
          continue;
        Value *Incoming = Copies.lookup(Phi.getIncomingValue(I));
        Phi.addIncoming(Incoming ? Incoming : Phi.getIncomingValue(I),
                        cast<BasicBlock>(Copies[Phi.getIncomingBlock(I)]));
      }
}

/// \p L runs \p Count times, and where its own test says that it is to go on, \p Rest follows.
static void leaveCounted(Loop &L, Value &Count, BasicBlock &Before, BasicBlock &Rest,
                         ValueToValueMapTy &Copies) {
  BasicBlock *Latch = L.getLoopLatch(), *Header = L.getHeader();
  auto *Own = cast<BranchInst>(Latch->getTerminator());
  unsigned Back = Own->getSuccessor(0) == Header ? 0 : 1;
  BasicBlock *Exit = Own->getSuccessor(1 - Back);
  BasicBlock *Counted = BasicBlock::Create(Header->getContext(), "counted", Header->getParent(), &Rest);
  for (PHINode &Phi : Header->phis()) {
    auto *Copy = cast<PHINode>(Copies[&Phi]);
    PHINode *Begin = PHINode::Create(Phi.getType(), 2, "rest", Rest.begin());
    Begin->addIncoming(Phi.getIncomingValueForBlock(L.getLoopPreheader()), &Before);
    Begin->addIncoming(Phi.getIncomingValueForBlock(Latch), Counted);
    Copy->setIncomingValueForBlock(&Rest, Begin);
  }
  IRBuilder<> B(&*Header->begin());
  PHINode *Number = B.CreatePHI(Count.getType(), 2, "number");
  B.SetInsertPoint(Own);
  Value *Next = B.CreateAdd(Number, ConstantInt::get(Count.getType(), 1), "", /*HasNUW=*/true);
  Number->addIncoming(ConstantInt::get(Count.getType(), 0), L.getLoopPreheader());
  Number->addIncoming(Next, Latch);
  BranchInst *Test =
      BranchInst::Create(Back == 0 ? &Rest : Exit, Back == 0 ? Exit : &Rest, Own->getCondition(), Counted);
  Test->setDebugLoc(Own->getDebugLoc());
  Own->setCondition(B.CreateICmpEQ(Next, &Count));
  Own->setSuccessor(0, Counted);
  Own->setSuccessor(1, Header);
  Exit->replacePhiUsesWith(Latch, Counted);
}

Loop &runCounted(Loop &L, Value &Count, LoopAnalyses &A) {
  BasicBlock *Choice = L.getLoopPreheader();
  BasicBlock *With = SplitEdge(Choice, L.getHeader(), &A.DT, &A.LI);
  SmallVector<BasicBlock *, 4> Exits;
  L.getUniqueExitBlocks(Exits);
  ValueToValueMapTy Copies;
  SmallVector<BasicBlock *, 16> Blocks;
  Loop *Rest = cloneLoopWithPreheader(With, Choice, &L, Copies, ".rest", &A.LI, &A.DT, Blocks);
  remapInstructionsInBlocks(Blocks, Copies);
  addIncoming(Exits, L, Copies);
  auto *Without = cast<BasicBlock>(Copies[With]);
  leaveCounted(L, Count, *Choice, *Without, Copies);
  IRBuilder<> B(Choice->getTerminator());
  B.CreateCondBr(B.CreateIsNull(&Count), Without, With);
  Choice->getTerminator()->eraseFromParent();
  return *Rest;
}

bool countIterations(Loop &L, const LatchTest &Test, unsigned Factor, LoopAnalyses &A) {
  assert(L.getLoopPreheader() && L.getLoopLatch() && "bringIntoForm sees to it");
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  SCEVExpander Expander(A.SE, "");
  // The number of iterations has the counter's type, and the factor does, too.
  if (!isUIntN(Test.Bound->getType()->getIntegerBitWidth(), Factor))
    return false;
  if (!all_of(ArrayRef<const SCEV *>{Test.Next->getStart(), Test.Next->getStepRecurrence(A.SE), Test.Bound},
              [&](const SCEV *S) { return Expander.isSafeToExpandAt(S, Before); }))
    return false;
  Value *Count = countBefore(*Before, Test, Factor, A.SE);
  stayRolled(runCounted(L, *Count, A));
  return true;
}

} // namespace gpuprune
