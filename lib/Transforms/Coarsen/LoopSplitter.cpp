//===- LoopSplitter.cpp - A loop for all replicas, and one for the rest ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   guard:    br (for all: g), preheader, rest
//   loop:     ... br (for all: c), loop, rest
//   rest:     phis: the values that the loop's have where it was left
//             br (the guard held, or the loop goes on), rest loop, over
//   rest loop: ...
//   over:     br (the guard did not hold), past the loop, the loop's exit
//
//===----------------------------------------------------------------------===//
#include "LoopSplitter.h"
#include "Facts/ForAllReplicas.h"
#include "gpuprune/Transforms/LoopNumbers.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprune {

namespace {

class LoopSplitter {
public:
  LoopSplitter(Function &F, SplitLoop &Jammed);
  void run(SmallPtrSetImpl<const BasicBlock *> &Rests);

private:
  Function &F;
  Loop &L;
  BasicBlock *Header, *Latch, *Preheader;
  BranchInst *Guard;
  ArrayRef<BranchInst *> Exits;
  ValueToValueMapTy Clones; ///< In the rest.
  BasicBlock *Rest, *Over;
  PHINode *Enters;            ///< Whether the replica has a rest.
  PHINode *Skipped = nullptr; ///< Whether the guard led past the loop.
  SmallVector<PHINode *, 8> Starts;
  BranchInst *LatchExit = nullptr;

  PHINode *restPhi(Type *T, const Twine &Name);
  void cloneLoop();
  void enterFromLoop(BranchInst &Exit);
  void enterFromGuard();
  void leaveAtLatch(BasicBlock *Out);
  void arrive(BasicBlock *From, Value *Enter, bool Skip, function_ref<Value *(PHINode &)> StartOf);
  void startRest();
};

} // namespace

LoopSplitter::LoopSplitter(Function &F, SplitLoop &Jammed)
    : F(F), L(*Jammed.L), Header(L.getHeader()), Latch(L.getLoopLatch()), Preheader(L.getLoopPreheader()),
      Guard(Jammed.Guard), Exits(Jammed.Exits) {
  BasicBlock *After = Latch->getNextNode();
  Rest = BasicBlock::Create(F.getContext(), Header->getName() + ".rest", &F, After);
  Over = BasicBlock::Create(F.getContext(), Header->getName() + ".over", &F, After);
  for (BranchInst *Exit : Exits)
    if (Exit->getParent() == Latch)
      LatchExit = Exit;
  Enters = restPhi(Type::getInt1Ty(F.getContext()), "enters");
  if (Guard && LatchExit)
    Skipped = restPhi(Enters->getType(), "skipped");
  for (PHINode &Phi : Header->phis())
    Starts.push_back(restPhi(Phi.getType(), Phi.getName() + ".rest"));
}

PHINode *LoopSplitter::restPhi(Type *T, const Twine &Name) { return PHINode::Create(T, 2, Name, Rest); }

void LoopSplitter::cloneLoop() {
  SmallVector<BasicBlock *, 8> Copies;
  for (BasicBlock *BB : L.blocks()) {
    Copies.push_back(CloneBasicBlock(BB, Clones, ".rest", &F));
    Clones[BB] = Copies.back();
    Copies.back()->moveBefore(Over);
  }
  remapInstructionsInBlocks(Copies, Clones);
  SmallVector<MDNode *, 4> Scopes;
  identifyNoAliasScopesToClone(Copies, Scopes);
  cloneAndAdaptNoAliasScopes(Scopes, Copies, F.getContext(), "rest");
  for (BasicBlock *BB : Copies)
    forgetLoopNumber(*BB->getTerminator());
}

/// The way to the rest from \p From, where a replica has a rest if \p Enter holds.
void LoopSplitter::arrive(BasicBlock *From, Value *Enter, bool Skip,
                          function_ref<Value *(PHINode &)> StartOf) {
  Enters->addIncoming(Enter, From);
  if (Skipped)
    Skipped->addIncoming(ConstantInt::getBool(F.getContext(), Skip), From);
  for (auto [Phi, Start] : zip_equal(Header->phis(), Starts))
    Start->addIncoming(StartOf(Phi), From);
}

/// Lets \p Branch go to \p In where all replicas do, else to the rest. Returns the
/// condition of one replica.
static Value *askForAll(BranchInst &Branch, const BasicBlock *In, BasicBlock *Rest) {
  IRBuilder<> B(&Branch);
  Value *Own = Branch.getCondition();
  if (Branch.getSuccessor(0) != In) {
    Own = B.CreateNot(Own, "stays");
    Branch.swapSuccessors();
  }
  Branch.setCondition(B.CreateCall(forAllReplicas(*Branch.getModule()), {Own}, "for.all"));
  Branch.setSuccessor(1, Rest);
  return Own;
}

/// The exit's values are those of the last iteration of the loop or of the rest.
void LoopSplitter::leaveAtLatch(BasicBlock *Out) {
  auto *RestLatch = cast<BasicBlock>(Clones[Latch]);
  for (PHINode &Phi : Out->phis()) {
    Value *Last = Phi.getIncomingValueForBlock(Latch);
    Value *Copy = Clones.lookup(Last);
    PHINode *FromLoop = restPhi(Phi.getType(), Phi.getName() + ".loop");
    for (BasicBlock *From : predecessors(Rest))
      FromLoop->addIncoming(From == Latch ? Last : PoisonValue::get(Phi.getType()), From);
    Phi.addIncoming(Copy ? Copy : Last, RestLatch);
    Phi.setIncomingBlock(Phi.getBasicBlockIndex(Latch), Over);
    Phi.setIncomingValueForBlock(Over, FromLoop);
  }
}

void LoopSplitter::enterFromLoop(BranchInst &Exit) {
  BasicBlock *From = Exit.getParent();
  unsigned Inside = L.contains(Exit.getSuccessor(0)) ? 0 : 1;
  BasicBlock *In = Exit.getSuccessor(Inside), *Out = Exit.getSuccessor(1 - Inside);
  Value *Own = askForAll(Exit, In, Rest);
  if (From == Latch)
    return arrive(From, Own, false, [&](PHINode &Phi) { return Phi.getIncomingValueForBlock(Latch); });
  arrive(From, ConstantInt::getTrue(F.getContext()), false, [](PHINode &Phi) { return &Phi; });
  for (PHINode &Phi : Out->phis()) {
    Value *Copy = Clones.lookup(Phi.getIncomingValueForBlock(From));
    unsigned Index = Phi.getBasicBlockIndex(From);
    Phi.setIncomingBlock(Index, cast<BasicBlock>(Clones[From]));
    if (Copy)
      Phi.setIncomingValue(Index, Copy);
  }
}

/// What stands before the loop is computed before the guard, so that it is there for
/// the rest as well.
void LoopSplitter::enterFromGuard() {
  BasicBlock *From = Guard->getParent();
  FoldSingleEntryPHINodes(Preheader);
  for (Instruction &I : make_early_inc_range(*Preheader)) {
    if (I.isTerminator())
      break;
    I.moveBefore(Guard->getIterator());
    I.dropPoisonGeneratingAnnotations();
    I.dropUBImplyingAttrsAndMetadata();
  }
  BasicBlock *Past = Guard->getSuccessor(Guard->getSuccessor(0) == Preheader ? 1 : 0);
  Value *Own = askForAll(*Guard, Preheader, Rest);
  arrive(From, Own, true, [&](PHINode &Phi) { return Phi.getIncomingValueForBlock(Preheader); });
  Past->replacePhiUsesWith(From, Over);
}

/// A rest is short, as for the counting of instructions: most loops differ little.
void LoopSplitter::startRest() {
  auto *RestHeader = cast<BasicBlock>(Clones[Header]);
  for (auto [Phi, Start] : zip_equal(RestHeader->phis(), Starts)) {
    unsigned Index = Phi.getBasicBlockIndex(Preheader);
    Phi.setIncomingBlock(Index, Rest);
    Phi.setIncomingValue(Index, Start);
  }
  IRBuilder<> B(Rest);
  B.SetCurrentDebugLocation(Exits.front()->getDebugLoc());
  if (!Guard && !LatchExit) { // Left at the beginning of an iteration.
    B.CreateBr(RestHeader);
    Enters->eraseFromParent();
    Over->eraseFromParent();
    return;
  }
  B.CreateCondBr(Enters, RestHeader, Over, MDBuilder(F.getContext()).createUnlikelyBranchWeights());
}

void LoopSplitter::run(SmallPtrSetImpl<const BasicBlock *> &Rests) {
  BasicBlock *Past = Guard ? Guard->getSuccessor(Guard->getSuccessor(0) == Preheader ? 1 : 0) : nullptr;
  BasicBlock *Out =
      LatchExit ? LatchExit->getSuccessor(LatchExit->getSuccessor(0) == Header ? 1 : 0) : nullptr;
  cloneLoop();
  for (const BasicBlock *BB : L.blocks())
    Rests.insert(cast<BasicBlock>(Clones[BB]));
  for (BranchInst *Exit : Exits)
    enterFromLoop(*Exit);
  if (Guard)
    enterFromGuard();
  if (LatchExit)
    leaveAtLatch(Out);
  startRest();
  if (!Past && !Out)
    return;
  IRBuilder<> B(Over);
  B.SetCurrentDebugLocation(Exits.front()->getDebugLoc());
  if (Past && Out)
    B.CreateCondBr(Skipped, Past, Out);
  else if (Past || Out)
    B.CreateBr(Past ? Past : Out);
}

void splitLoop(Function &F, SplitLoop &Jammed, SmallPtrSetImpl<const BasicBlock *> &Rests) {
  assert(Jammed.L->getLoopPreheader() && Jammed.L->getLoopLatch() && "the loop is in simplified form");
  assert(!Jammed.Exits.empty() && "replicas leave it somewhere");
  assert(
      (!Jammed.Guard || is_contained(successors(Jammed.Guard->getParent()), Jammed.L->getLoopPreheader())) &&
      "the guard leads to the preheader or past the loop");
  LoopSplitter(F, Jammed).run(Rests);
}

} // namespace gpuprune
