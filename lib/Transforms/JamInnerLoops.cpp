//===- JamInnerLoops.cpp - Two loops that follow one another become one -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "JamInnerLoops.h"
#include "LoadHazards.h"
#include "PureAssembly.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

Verdict checkJamForm(const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  if (L.getLoopPreheader() && Latch && L.getExitingBlock() == Latch && L.getExitBlock() &&
      L.getExitBlock()->getSinglePredecessor() == Latch && isa<BranchInst>(Latch->getTerminator()))
    return std::nullopt;
  return Refusal::inLoop("LoopForm", L, "an inner loop can end at another place than its end");
}

static Verdict checkOrder(const Instruction &I) {
  if (I.isVolatile())
    return Refusal::at("Volatile", I, "this would be before or after another of them");
  const auto *Call = dyn_cast<CallBase>(&I);
  if (Call && isPureAssembly(*Call))
    return std::nullopt;
  if (Call && Call->isInlineAsm())
    return Refusal::at("InlineAsm", I, "what inline assembly does is not known");
  if (I.isAtomic() || isBlockBarrier(I) || (Call && Call->isConvergent()))
    return Refusal::at("Synchronisation", I, "the next iteration's accesses would be before this");
  if (Call && (Call->mayHaveSideEffects() || !Call->doesNotAccessMemory()) && !isa<MemIntrinsic>(Call))
    return Refusal::at("Call", I, "what the call does would be before or after another iteration");
  return std::nullopt;
}

Verdict checkOrder(const Loop &L) {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
      if (Intrinsic && Intrinsic->isAssumeLikeIntrinsic())
        continue;
      if (Verdict Refused = checkOrder(I))
        return Refused;
    }
  return std::nullopt;
}

namespace {

class LoopJammer {
public:
  LoopJammer(Function &F, Loop &A, Loop &B, FunctionAnalysisManager &FAM)
      : A(A), B(B), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)), Hazards(F, nullptr, FAM) {}
  Verdict check();
  void run();

private:
  Loop &A, &B;
  ScalarEvolution &SE;
  DominatorTree &DT;
  LoadHazards Hazards;
  SmallSetVector<BasicBlock *, 8> Between;  ///< From A's exit to B's preheader.
  SmallSetVector<Instruction *, 16> Needed; ///< Of those, what B needs; operands first.
  /// Where what is chosen between by control and B needs begins: the terminator of Fork,
  /// and Moved, all blocks from there to B's preheader.
  BasicBlock *Fork = nullptr;
  SmallSetVector<BasicBlock *, 8> Moved;
  /// Accesses to memory; ahead of A will be those of Ahead, behind it those of InM.
  SmallVector<Instruction *, 16> InA, InB, Ahead, InM;

  Verdict checkTripCounts() const;
  Verdict collectBetween();
  bool moveChoice(const BasicBlock &Joined);
  Verdict require(Value *V, const Instruction &User, bool &Grown);
  Verdict requireFor(BasicBlock &BB, bool &Grown);
  Verdict collectNeeded();
  void collectAccesses(BasicBlock &BB, SmallVectorImpl<Instruction *> &Accesses) const;
  Verdict checkApart(ArrayRef<Instruction *> Some, ArrayRef<Instruction *> Others) const;
  Verdict checkMemory();
};

} // namespace

Verdict LoopJammer::checkTripCounts() const {
  const SCEV *CountA = SE.getExitCount(&A, A.getLoopLatch()), *CountB = SE.getExitCount(&B, B.getLoopLatch());
  if (CountA == CountB && !isa<SCEVCouldNotCompute>(CountA))
    return std::nullopt;
  return Refusal::inLoop(
      "TripCountsDiffer", B,
      "the inner loop is not proved to run equally often in all iterations that are jammed");
}

Verdict LoopJammer::collectBetween() {
  BasicBlock *First = A.getExitBlock(), *Last = B.getLoopPreheader();
  bool Whole = First != B.getHeader() && DT.dominates(First, Last);
  Between.insert(First);
  for (size_t I = 0; Whole && I != Between.size(); ++I) {
    if (Between[I] == Last)
      continue;
    Whole = DT.dominates(First, Between[I]) && !succ_empty(Between[I]);
    for (BasicBlock *Next : successors(Between[I]))
      Between.insert(Next);
  }
  if (Whole && Between.contains(Last) && !Between.contains(B.getHeader()))
    return std::nullopt;
  return Refusal::inLoop(
      "DependentControl", B,
      "an iteration of the outer loop may end, or go past the inner loop, before the next");
}

/// Moves all from the branch whose ways meet in \p Joined to B's preheader.
bool LoopJammer::moveChoice(const BasicBlock &Joined) {
  BasicBlock *Last = B.getLoopPreheader();
  for (auto *Node = DT.getNode(&Joined)->getIDom(); Node && Between.contains(Node->getBlock());
       Node = Node->getIDom()) {
    if (!DT.dominates(Node->getBlock(), Last))
      continue;
    Fork = Node->getBlock();
    Moved.clear();
    Moved.insert_range(successors(Fork));
    for (size_t I = 0; I != Moved.size(); ++I)
      if (Moved[I] != Last)
        Moved.insert_range(successors(Moved[I]));
    if (!Moved.contains(Fork)) // Else it lies in a loop.
      return true;
  }
  return false;
}

/// That B, and what is moved with it, has \p V before A. \p Grown: more has to be moved, and all
/// looked at again.
Verdict LoopJammer::require(Value *V, const Instruction &User, bool &Grown) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Grown || Needed.contains(I) || Moved.contains(I->getParent()))
    return std::nullopt;
  if (A.contains(I))
    return Refusal::at("CarriedValue", User,
                       "this needs what the inner loop of the iteration before computes");
  if (!Between.contains(I->getParent()))
    return std::nullopt;
  if (isa<PHINode>(I) && moveChoice(*I->getParent())) {
    Grown = true;
    return std::nullopt;
  }
  bool Loads = isa<LoadInst>(I) && DT.dominates(I->getParent(), B.getLoopPreheader());
  if (isa<PHINode>(I) || (!Loads && !isSafeToSpeculativelyExecute(I)))
    return Refusal::at("CarriedValue", *I,
                       "the inner loop needs this, which is known only after that of the iteration before");
  for (Value *Operand : I->operands())
    if (Verdict Refused = require(Operand, *I, Grown))
      return Refused;
  Needed.insert(I);
  return std::nullopt;
}

Verdict LoopJammer::requireFor(BasicBlock &BB, bool &Grown) {
  for (Instruction &I : BB)
    for (Value *Operand : I.operands())
      if (Verdict Refused = require(Operand, I, Grown))
        return Refused;
  return std::nullopt;
}

Verdict LoopJammer::collectNeeded() {
  bool Grown = true;
  while (Grown) {
    Grown = false;
    Needed.clear();
    SmallVector<BasicBlock *, 16> Users(B.blocks());
    Users.append(Moved.begin(), Moved.end());
    for (BasicBlock *BB : Users)
      if (Verdict Refused = requireFor(*BB, Grown))
        return Refused;
    if (Fork)
      for (Value *Operand : Fork->getTerminator()->operands())
        if (Verdict Refused = require(Operand, *Fork->getTerminator(), Grown))
          return Refused;
  }
  return std::nullopt;
}

void LoopJammer::collectAccesses(BasicBlock &BB, SmallVectorImpl<Instruction *> &Accesses) const {
  for (Instruction &I : BB) {
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
    bool Counts = I.mayReadOrWriteMemory() && !(Intrinsic && Intrinsic->isAssumeLikeIntrinsic()) &&
                  !I.hasMetadata(LLVMContext::MD_invariant_load);
    if (Counts && !Needed.contains(&I))
      Accesses.push_back(&I);
  }
}

Verdict LoopJammer::checkApart(ArrayRef<Instruction *> Some, ArrayRef<Instruction *> Others) const {
  for (Instruction *One : Some)
    for (Instruction *Other : Others)
      for (auto [Write, Access] : {std::pair(One, Other), std::pair(Other, One)})
        if (Write->mayWriteToMemory() && Hazards.mayTouch(*Write, *Access))
          return Refusal::at("MayBeWritten", *Write,
                             "this may write what another iteration of the loop would access too early");
  return std::nullopt;
}

Verdict LoopJammer::checkMemory() {
  for (BasicBlock *BB : A.blocks())
    collectAccesses(*BB, InA);
  for (BasicBlock *BB : B.blocks())
    collectAccesses(*BB, InB);
  for (BasicBlock *BB : Between)
    collectAccesses(*BB, Moved.contains(BB) ? Ahead : InM);
  for (Instruction *I : Needed)
    if (I->mayReadFromMemory() && !I->hasMetadata(LLVMContext::MD_invariant_load))
      Ahead.push_back(I);
  for (auto [Some, Others] :
       {std::pair(&InB, &InM), std::pair(&InA, &InB), std::pair(&Ahead, &InA), std::pair(&Ahead, &InM)})
    if (Verdict Refused = checkApart(*Some, *Others))
      return Refused;
  return std::nullopt;
}

Verdict LoopJammer::check() {
  if (Verdict Refused = checkTripCounts())
    return Refused;
  if (Verdict Refused = collectBetween())
    return Refused;
  if (Verdict Refused = collectNeeded())
    return Refused;
  return checkMemory();
}

void LoopJammer::run() {
  BasicBlock *Before = A.getLoopPreheader(), *HeadA = A.getHeader(), *LatchA = A.getLoopLatch();
  BasicBlock *First = A.getExitBlock(), *Last = B.getLoopPreheader();
  BasicBlock *HeadB = B.getHeader(), *LatchB = B.getLoopLatch(), *After = B.getExitBlock();
  for (Instruction *I : Needed) {
    I->moveBefore(Before->getTerminator()->getIterator());
    // In another place it may be computed for an iteration that does not come to it.
    I->dropPoisonGeneratingAnnotations();
    I->dropUBImplyingAttrsAndMetadata();
  }
  BasicBlock *Entry = Before, *Rest = Last; // The last ones before the loop and before B's exit.
  if (Fork) {
    BasicBlock *Choice = Fork->splitBasicBlock(Fork->getTerminator()->getIterator(), "ahead");
    Before->getTerminator()->replaceSuccessorWith(HeadA, Choice);
    Last->getTerminator()->replaceSuccessorWith(HeadB, HeadA);
    Fork->getTerminator()->replaceSuccessorWith(Choice, After);
    Entry = Last;
    Rest = Fork;
  } else {
    Last->getTerminator()->replaceSuccessorWith(HeadB, After);
  }
  HeadA->replacePhiUsesWith(LatchA, LatchB);
  HeadA->replacePhiUsesWith(Before, Entry);
  First->replacePhiUsesWith(LatchA, LatchB);
  After->replacePhiUsesWith(LatchB, Rest);
  HeadB->replacePhiUsesWith(Last, Entry);
  while (auto *Phi = dyn_cast<PHINode>(&HeadB->front()))
    Phi->moveBefore(HeadA->getFirstNonPHIIt());
  Instruction *EndA = LatchA->getTerminator();
  BranchInst::Create(HeadB, EndA->getIterator())->setDebugLoc(EndA->getDebugLoc());
  EndA->eraseFromParent();
  LatchB->getTerminator()->replaceSuccessorWith(HeadB, HeadA);
  LatchB->getTerminator()->replaceSuccessorWith(After, First);
}

Verdict jamInnerLoops(Function &F, Loop &A, Loop &B, FunctionAnalysisManager &FAM) {
  for (const Loop *L : {&A, &B})
    if (Verdict Refused = checkJamForm(*L))
      return Refused;
  LoopJammer Jammer(F, A, B, FAM);
  if (Verdict Refused = Jammer.check())
    return Refused;
  Jammer.run();
  return std::nullopt;
}

} // namespace gpuprune
