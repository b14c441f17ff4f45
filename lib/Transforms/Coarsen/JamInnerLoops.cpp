//===- JamInnerLoops.cpp - Two loops that follow one another become one -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "JamInnerLoops.h"
#include "Facts/LoadHazards.h"
#include "Facts/PureAssembly.h"
#include "FastPath.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprune {

bool endsAtEnd(const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch();
  return L.getLoopPreheader() && Latch && L.getExitingBlock() == Latch && L.getExitBlock() &&
         isa<BranchInst>(Latch->getTerminator());
}

/// The question that \p BB asks for all replicas at its end.
static CallInst *questionOf(const BasicBlock *BB) {
  auto *Branch = BB ? dyn_cast<BranchInst>(BB->getTerminator()) : nullptr;
  auto *Asked = Branch && Branch->isConditional() ? dyn_cast<CallInst>(Branch->getCondition()) : nullptr;
  return Asked && isForAllReplicas(*Asked) ? Asked : nullptr;
}

const BasicBlock *entryOf(const Loop &L) {
  const BasicBlock *Before = L.getLoopPreheader() ? L.getLoopPreheader()->getSinglePredecessor() : nullptr;
  return questionOf(Before) ? Before : L.getHeader();
}

bool runEquallyOften(const Loop &A, const Loop &B, ScalarEvolution &SE) {
  const SCEV *CountA = SE.getExitCount(&A, A.getLoopLatch()), *CountB = SE.getExitCount(&B, B.getLoopLatch());
  return CountA == CountB && !isa<SCEVCouldNotCompute>(CountA);
}

static Verdict checkOrder(const Instruction &I) {
  if (I.isVolatile())
    return Refusal::at(RefusalKind::Volatile, I, "this would be before or after another of them");
  const auto *Call = dyn_cast<CallBase>(&I);
  if (Call && (isPureAssembly(*Call) || isReadAssembly(*Call)))
    return std::nullopt;
  if (Call && Call->isInlineAsm())
    return Refusal::at(RefusalKind::InlineAsm, I, "what inline assembly does is not known");
  if (I.isAtomic() || isBlockBarrier(I) || (Call && Call->isConvergent()))
    return Refusal::at(RefusalKind::Synchronisation, I, "the next iteration's accesses would be before this");
  if (Call && (Call->mayHaveSideEffects() || !Call->doesNotAccessMemory()) && !isa<MemIntrinsic>(Call))
    return Refusal::at(RefusalKind::Call, I, "what the call does would be before or after another iteration");
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

/// An inner loop with what belongs to it. A loop that replicas leave at different times:
///
///   Before:  br Entry
///   Entry:   br (for all: g), preheader, Rest    // if it has a guard, else Entry is the header
///   loop:    ... br (for all: c), loop, Out
///   Out:     br Rest                             // without a guard this is Rest
///   Rest:    ... the replica's own rest
///   Last:    br After
///
/// Any other has no guard and no rest; Out is After.
struct InnerLoop {
  Loop &L;
  BasicBlock *Preheader = L.getLoopPreheader(), *Header = L.getHeader(), *Latch = L.getLoopLatch();
  CallInst *Leaves = questionOf(Latch), *Guard = nullptr;
  BasicBlock *Before = Preheader, *Entry = Header, *Out = L.getExitBlock(), *Rest = nullptr, *Last = Latch,
             *After = Out;
  SmallSetVector<BasicBlock *, 16> Blocks;

  InnerLoop(Loop &L, BasicBlock *Join, DominatorTree &DT, LoopInfo &LI);
};

class LoopJammer {
public:
  LoopJammer(Function &F, InnerLoop &A, InnerLoop &B, FunctionAnalysisManager &FAM)
      : A(A), B(B), DT(FAM.getResult<DominatorTreeAnalysis>(F)), Hazards(F, nullptr, FAM) {}
  Verdict check();
  void run();

private:
  InnerLoop &A, &B;
  DominatorTree &DT;
  LoadHazards Hazards;
  SmallSetVector<BasicBlock *, 8> Between;  ///< From behind A to before B.
  SmallSetVector<Instruction *, 16> Needed; ///< Of those, what B needs; operands first.
  /// Where what is chosen between by control and B needs begins: the terminator of Fork,
  /// and Moved, all blocks from there to before B.
  BasicBlock *Fork = nullptr;
  SmallSetVector<BasicBlock *, 8> Moved;
  /// Accesses to memory; ahead of A will be those of Ahead, behind it those of InM.
  SmallVector<Instruction *, 16> InA, InB, Ahead, InM;

  Verdict collectBetween();
  bool moveChoice(const BasicBlock &Joined);
  Verdict require(Value *V, const Instruction &User, bool &Grown);
  Verdict requireFor(BasicBlock &BB, bool &Grown);
  Verdict collectNeeded();
  void collectAccesses(BasicBlock &BB, SmallVectorImpl<Instruction *> &Accesses) const;
  Verdict checkApart(ArrayRef<Instruction *> Some, ArrayRef<Instruction *> Others) const;
  Verdict checkMemory();
  BasicBlock *moveAhead();
  void splitLoops();
  void jamQuestions(CallInst &Question, CallInst &Other);
  void joinRests();
};

} // namespace

InnerLoop::InnerLoop(Loop &Inner, BasicBlock *Join, DominatorTree &DT, LoopInfo &LI) : L(Inner) {
  Blocks.insert_range(L.blocks());
  if (!Leaves)
    return;
  Rest = Out;
  Last = Join;
  Guard = questionOf(Preheader->getSinglePredecessor());
  if (Guard) {
    Before = Preheader->getSinglePredecessor();
    FoldSingleEntryPHINodes(Preheader);
    for (Instruction &I : make_early_inc_range(*Preheader))
      if (!I.isTerminator()) // Of what SplitLoops.h lets stand there.
        I.moveBefore(Before->getTerminator()->getIterator());
    Entry = SplitBlock(Before, Before->getTerminator(), &DT, &LI);
    Guard->moveBefore(Entry->getTerminator()->getIterator());
    Rest = Entry->getTerminator()->getSuccessor(1);
  }
  After = Last->getSingleSuccessor();
  Blocks.insert(Out);
  for (size_t I = Blocks.size() - 1; I != Blocks.size(); ++I)
    if (Blocks[I] != Last)
      Blocks.insert_range(successors(Blocks[I]));
}

Verdict LoopJammer::collectBetween() {
  BasicBlock *First = A.After, *Last = B.Before;
  bool Whole = First != B.Entry && DT.dominates(First, Last);
  Between.insert(First);
  for (size_t I = 0; Whole && I != Between.size(); ++I) {
    if (Between[I] == Last)
      continue;
    Whole = DT.dominates(First, Between[I]) && !succ_empty(Between[I]);
    for (BasicBlock *Next : successors(Between[I]))
      Between.insert(Next);
  }
  if (Whole && Between.contains(Last) && !Between.contains(B.Entry))
    return std::nullopt;
  return Refusal::inLoop(RefusalKind::DependentControl, B.L,
                         "an iteration of the outer loop may be its last one, which that itself decides: the "
                         "next would have begun");
}

/// Moves all from the branch whose ways meet in \p Joined to B.
bool LoopJammer::moveChoice(const BasicBlock &Joined) {
  BasicBlock *Last = B.Before;
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
  if (A.Blocks.contains(I->getParent()))
    return Refusal::at(RefusalKind::CarriedValue, User,
                       "this needs what the inner loop of the iteration before computes");
  if (!Between.contains(I->getParent()))
    return std::nullopt;
  if (isa<PHINode>(I) && moveChoice(*I->getParent())) {
    Grown = true;
    return std::nullopt;
  }
  bool Loads = isa<LoadInst>(I) && DT.dominates(I->getParent(), B.Before);
  if (isa<PHINode>(I) || (!Loads && !isSafeToSpeculativelyExecute(I)))
    return Refusal::at(RefusalKind::CarriedValue, *I,
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
    SmallVector<BasicBlock *, 16> Users(B.Blocks.begin(), B.Blocks.end());
    if (B.Guard)
      Users.push_back(B.Entry);
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
          return Refusal::at(RefusalKind::MayBeWritten, *Write,
                             "this may write what another iteration of the loop would access too early");
  return std::nullopt;
}

Verdict LoopJammer::checkMemory() {
  for (BasicBlock *BB : A.Blocks)
    collectAccesses(*BB, InA);
  for (BasicBlock *BB : B.Blocks)
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
  if (Verdict Refused = collectBetween())
    return Refused;
  if (Verdict Refused = collectNeeded())
    return Refused;
  return checkMemory();
}

/// What B needs goes before A; control no longer comes to B by itself. Returns the block from which it goes
/// on behind B.
BasicBlock *LoopJammer::moveAhead() {
  for (Instruction *I : Needed) {
    I->moveBefore(A.Before->getTerminator()->getIterator());
    // In another place it may be computed for an iteration that does not come to it.
    I->dropPoisonGeneratingAnnotations();
    I->dropUBImplyingAttrsAndMetadata();
  }
  if (!Fork) {
    B.Before->getTerminator()->replaceSuccessorWith(B.Entry, B.After);
    return B.Before;
  }
  BasicBlock *Choice = Fork->splitBasicBlock(Fork->getTerminator()->getIterator(), "ahead");
  A.Before->getTerminator()->replaceSuccessorWith(A.Entry, Choice);
  B.Before->getTerminator()->replaceSuccessorWith(B.Entry, A.Entry);
  Fork->getTerminator()->replaceSuccessorWith(Choice, B.After);
  A.Entry->replacePhiUsesWith(A.Before, B.Before);
  A.Before = B.Before;
  return Fork;
}

/// An iteration of A and then one of B.
void LoopJammer::splitLoops() {
  A.Header->replacePhiUsesWith(A.Latch, B.Latch);
  B.Header->replacePhiUsesWith(B.Preheader, A.Guard ? A.Preheader : A.Before);
  while (auto *Phi = dyn_cast<PHINode>(&B.Header->front()))
    Phi->moveBefore(A.Header->getFirstNonPHIIt());
  BasicBlock *Above = A.Latch;
  for (BasicBlock *BB : B.L.blocks()) {
    BB->moveAfter(Above);
    Above = BB;
  }
  Instruction *EndA = A.Latch->getTerminator();
  BranchInst::Create(B.Header, EndA->getIterator())->setDebugLoc(EndA->getDebugLoc());
  EndA->eraseFromParent();
  B.Latch->getTerminator()->replaceSuccessorWith(B.Header, A.Header);
  B.Latch->getTerminator()->replaceSuccessorWith(B.Out, A.Out);
  A.Out->replacePhiUsesWith(A.Latch, B.Latch);
  while (auto *Phi = A.Guard ? dyn_cast<PHINode>(&B.Out->front()) : nullptr)
    Phi->moveBefore(A.Out->begin());
}

/// Lets \p Question be asked for what \p Other asks as well, which goes.
void LoopJammer::jamQuestions(CallInst &Question, CallInst &Other) {
  IRBuilder<> Builder(&Question);
  Question.setArgOperand(0, Builder.CreateAnd(Question.getArgOperand(0), Other.getArgOperand(0)));
  Other.replaceAllUsesWith(&Question);
}

/// B's rest follows A's. What it begins with is what the loop left, or, where that was passed, what B would
/// have begun with.
void LoopJammer::joinRests() {
  for (PHINode &Phi : make_early_inc_range(B.Rest->phis())) {
    auto *Left = PHINode::Create(Phi.getType(), 2, Phi.getName() + ".left", A.Rest->begin());
    Left->addIncoming(Phi.getIncomingValueForBlock(A.Guard ? B.Out : B.Latch), A.Guard ? A.Out : B.Latch);
    Value *Begins = Left;
    if (A.Guard) {
      Left->addIncoming(PoisonValue::get(Phi.getType()), A.Entry);
      IRBuilder<> Builder(A.Last->getTerminator());
      Begins = Builder.CreateSelect(A.Guard, Left, Phi.getIncomingValueForBlock(B.Entry));
    }
    Phi.replaceAllUsesWith(Begins);
    Phi.eraseFromParent();
  }
  A.Last->getTerminator()->replaceSuccessorWith(A.After, B.Rest);
  A.After->replacePhiUsesWith(A.Last, B.Last);
  B.Last->getTerminator()->replaceSuccessorWith(B.After, A.After);
}

void LoopJammer::run() {
  BasicBlock *GoesOn = moveAhead();
  splitLoops();
  B.After->replacePhiUsesWith(B.Last, GoesOn);
  if (!A.Rest)
    return;
  jamQuestions(*B.Leaves, *A.Leaves);
  A.Leaves->eraseFromParent();
  if (A.Guard)
    jamQuestions(*A.Guard, *B.Guard);
  joinRests();
  if (B.Guard) // With the way into the loop.
    DeleteDeadBlocks({B.Entry, B.Preheader, B.Out});
}

Verdict jamInnerLoops(Function &F, JamPair Pair, FunctionAnalysisManager &FAM) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  InnerLoop A(Pair.A, Pair.JoinA, DT, LI), B(Pair.B, Pair.JoinB, DT, LI);
  LoopJammer Jammer(F, A, B, FAM);
  if (Verdict Refused = Jammer.check())
    return Refused;
  Jammer.run();
  return std::nullopt;
}

} // namespace gpuprune
