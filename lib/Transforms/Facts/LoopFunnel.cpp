//===- LoopFunnel.cpp - All ways past an inner loop lead through one test ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Control is changed while all values wait in variables, which are promoted again.
//
//===----------------------------------------------------------------------===//
#include "LoopFunnel.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// A way out of a block, by its terminator's successor.
struct Way {
  Instruction *From;
  unsigned Successor;
  BasicBlock *to() const { return From->getSuccessor(Successor); }
};

class Funnel {
public:
  Funnel(Function &F, Loop &Outer, Loop &Inner)
      : F(F), Outer(Outer), Header(Inner.getHeader()), Latch(Inner.getLoopLatch()),
        Preheader(Inner.getLoopPreheader()), LoopId(Inner.getLoopID()), Where(Inner.getStartLoc()),
        OuterBlocks(Outer.blocks()), InnerBlocks(Inner.blocks()) {}
  Verdict find();
  FunnelledLoop run();
  void promote(DominatorTree &DT);

private:
  Function &F;
  Loop &Outer;
  BasicBlock *Header, *Latch, *Preheader;
  MDNode *LoopId;
  DebugLoc Where;
  SmallVector<BasicBlock *, 16> OuterBlocks, InnerBlocks;
  SmallVector<Way, 4> Past, Exits;
  SmallVector<AllocaInst *, 32> Slots;
  SetVector<BasicBlock *> Targets; ///< Where it goes on behind the loop.
  AllocaInst *Enters = nullptr, *Stays = nullptr, *Target = nullptr;

  SetVector<BasicBlock *> blocksBefore() const;
  bool addWays(ArrayRef<BasicBlock *> Blocks, SmallVectorImpl<Way> &Ways);
  bool isInner(const BasicBlock *BB) const { return is_contained(InnerBlocks, BB); }
  AllocaInst *slot(Type *T, const Twine &Name);
  void demote();
  void demoteIn(const BasicBlock &Own, AllocaInst &Slot, const BasicBlock *NotIn);
  void lead(Way W, AllocaInst *Flag, bool Value, BasicBlock *To, bool Leaves);
  BasicBlock *block(const Twine &Name, BasicBlock *Before);
  void oneEnd(BasicBlock *Out);
};

} // namespace

/// The blocks of an iteration of the outer loop from which the loop can be entered.
SetVector<BasicBlock *> Funnel::blocksBefore() const {
  SetVector<BasicBlock *> Before;
  Before.insert(Preheader);
  for (size_t I = 0; I != Before.size(); ++I)
    if (Before[I] != Outer.getHeader())
      Before.insert(pred_begin(Before[I]), pred_end(Before[I]));
  return Before;
}

/// Adds the ways out of \p Blocks that do not enter the loop; false where one ends the iteration of the outer
/// loop.
bool Funnel::addWays(ArrayRef<BasicBlock *> Blocks, SmallVectorImpl<Way> &Ways) {
  for (BasicBlock *BB : Blocks)
    for (unsigned I = 0, E = BB->getTerminator()->getNumSuccessors(); I != E; ++I) {
      Way W{BB->getTerminator(), I};
      if (isInner(W.to()) || is_contained(Blocks, W.to()))
        continue;
      if (!Outer.contains(W.to()) || W.to() == Outer.getHeader())
        return false;
      Ways.push_back(W);
      Targets.insert(W.to());
    }
  return true;
}

/// The ways past the loop and out of it.
Verdict Funnel::find() {
  SetVector<BasicBlock *> Before = blocksBefore();
  bool SeveralEntries = any_of(Before, [&](BasicBlock *BB) { return isInner(BB) || !Outer.contains(BB); });
  if (!SeveralEntries && addWays(Before.getArrayRef(), Past) && addWays(InnerBlocks, Exits) && !Exits.empty())
    return std::nullopt;
  return Refusal::at(RefusalKind::DependentControl, *Header->getFirstNonPHIIt(),
                     "an iteration of the outer loop may be its last one, which that itself decides: the "
                     "next would have begun");
}

AllocaInst *Funnel::slot(Type *T, const Twine &Name) {
  auto *Slot = new AllocaInst(T, 0, Name, F.getEntryBlock().begin());
  demoteIn(*Header, *Slot, nullptr);
  return Slot;
}

/// What an iteration leaves in \p Slot, of an instruction in \p Own, is no value of the next one; \p NotIn's
/// PHI takes it there.
void Funnel::demoteIn(const BasicBlock &Own, AllocaInst &Slot, const BasicBlock *NotIn) {
  Slots.push_back(&Slot);
  auto Forget = [&](BasicBlock *Begin) {
    new StoreInst(PoisonValue::get(Slot.getAllocatedType()), &Slot, Begin->begin());
  };
  if (NotIn != Outer.getHeader())
    Forget(Outer.getHeader());
  if (isInner(&Own) && NotIn != Header)
    Forget(Header);
}

void Funnel::demote() {
  SmallVector<Instruction *, 32> Values;
  SmallVector<PHINode *, 16> Phis;
  for (BasicBlock *BB : OuterBlocks)
    for (Instruction &I : *BB)
      if (any_of(I.users(),
                 [&](const User *U) { return isa<PHINode>(U) || cast<Instruction>(U)->getParent() != BB; }))
        Values.push_back(&I);
  // A header's slots are forgotten before anything there is stored.
  SmallVector<std::pair<AllocaInst *, std::pair<BasicBlock *, BasicBlock *>>, 32> Made;
  for (Instruction *I : Values) {
    BasicBlock *Own = I->getParent();
    Made.push_back({DemoteRegToStack(*I), {Own, nullptr}});
  }
  for (BasicBlock *BB : OuterBlocks)
    for (PHINode &Phi : BB->phis())
      Phis.push_back(&Phi);
  for (PHINode *Phi : Phis) {
    BasicBlock *Own = Phi->getParent();
    if (AllocaInst *Slot = DemotePHIToStack(Phi))
      Made.push_back({Slot, {Own, Own}});
  }
  for (auto [Slot, Blocks] : Made)
    demoteIn(*Blocks.first, *Slot, Blocks.second);
}

BasicBlock *Funnel::block(const Twine &Name, BasicBlock *Before) {
  return BasicBlock::Create(F.getContext(), Header->getName() + Name, &F, Before);
}

/// Lets \p W lead to \p To, with \p Value in \p Flag; where it \p Leaves, its target is kept.
void Funnel::lead(Way W, AllocaInst *Flag, bool Value, BasicBlock *To, bool Leaves) {
  BasicBlock *Onto = block(".way", To);
  IRBuilder<> B(Onto);
  B.SetCurrentDebugLocation(W.From->getDebugLoc());
  if (Flag)
    B.CreateStore(B.getInt1(Value), Flag);
  if (Leaves)
    B.CreateStore(B.getInt32(std::distance(Targets.begin(),
                                           find_if(Targets, [&](BasicBlock *T) { return T == W.to(); }))),
                  Target);
  B.CreateBr(To);
  W.From->setSuccessor(W.Successor, Onto);
}

/// Lets the loop end at its latch alone, and go to \p Out then.
void Funnel::oneEnd(BasicBlock *Out) {
  auto *Usual = dyn_cast<BranchInst>(Latch->getTerminator());
  if (Exits.size() == 1 && Exits.front().From == Usual)
    return lead(Exits.front(), nullptr, false, Out, /*Leaves=*/true);
  Stays = slot(Type::getInt1Ty(F.getContext()), "stays");
  BasicBlock *End = block(".end", Out);
  for (Way W : Exits)
    lead(W, Stays, false, End, /*Leaves=*/true);
  Instruction *Back = Latch->getTerminator();
  Back->setMetadata(LLVMContext::MD_loop, nullptr);
  for (unsigned I = 0, E = Back->getNumSuccessors(); I != E; ++I)
    if (Back->getSuccessor(I) == Header)
      lead({Back, I}, Stays, true, End, /*Leaves=*/false);
  IRBuilder<> B(End);
  B.SetCurrentDebugLocation(Back->getDebugLoc());
  B.CreateCondBr(B.CreateLoad(B.getInt1Ty(), Stays), Header, Out)->setMetadata(LLVMContext::MD_loop, LoopId);
}

FunnelledLoop Funnel::run() {
  demote();
  FunnelledLoop Result;
  Result.Header = Header;
  Target = slot(Type::getInt32Ty(F.getContext()), "target");
  BasicBlock *Behind = Latch->getNextNode();
  BasicBlock *Out = block(".out", Behind), *Join = block(".join", Behind), *Go = block(".on", Behind);
  Result.Join = Join;
  IRBuilder<> B(Out);
  B.SetCurrentDebugLocation(Where);
  B.CreateBr(Join);
  B.SetInsertPoint(Join);
  B.CreateBr(Go);
  B.SetInsertPoint(Go);
  if (Targets.size() == 1) {
    B.CreateBr(Targets.front());
  } else {
    SwitchInst *Switch = B.CreateSwitch(B.CreateLoad(B.getInt32Ty(), Target), Targets.front());
    for (unsigned I = 1; I != Targets.size(); ++I)
      Switch->addCase(B.getInt32(I), Targets[I]);
  }
  oneEnd(Out);
  if (Past.empty())
    return Result;
  Enters = slot(B.getInt1Ty(), "enters");
  BasicBlock *Test = block(".test", Header), *In = block(".in", Header);
  for (Way W : Past)
    lead(W, Enters, false, Test, /*Leaves=*/true);
  lead({Preheader->getTerminator(), 0}, Enters, true, Test, /*Leaves=*/false);
  B.SetInsertPoint(In);
  B.CreateBr(Header);
  B.SetInsertPoint(Test);
  Result.Guard = B.CreateCondBr(B.CreateLoad(B.getInt1Ty(), Enters), In, Join);
  return Result;
}

/// Where a value goes past on one way and is not there on the other, it needs no choice.
void Funnel::promote(DominatorTree &DT) {
  DT.recalculate(F);
  PromoteMemToReg(Slots, DT);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock &BB : F)
      for (PHINode &Phi : make_early_inc_range(BB.phis()))
        if (Value *Same = simplifyInstruction(&Phi, {F.getDataLayout(), &DT})) {
          Phi.replaceAllUsesWith(Same);
          Phi.eraseFromParent();
          Changed = true;
        }
  }
}

Verdict funnelLoop(Function &F, Loop &Outer, Loop &Inner, DominatorTree &DT, FunnelledLoop &Result) {
  assert(Inner.getParentLoop() == &Outer && "the loop is directly in the other one");
  assert(Inner.getLoopPreheader() && Inner.getLoopLatch() && "bringIntoForm sees to it");
  Funnel Ways(F, Outer, Inner);
  if (Verdict Refused = Ways.find())
    return Refused;
  Result = Ways.run();
  Ways.promote(DT);
  return std::nullopt;
}

} // namespace gpuprune
