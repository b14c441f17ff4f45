//===- LanesThatEnded.cpp - Operations that wait for lanes unless they ended ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LanesThatEnded.h"
#include "BlockReductions.h"
#include "Influence.h"
#include "Operations.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprune {

static constexpr unsigned Lanes = 32;

/// Whether \p I compares the thread's index in x with the end of a warp, or is its warp's number. In a block
/// of several rows a warp may have parts of two; then no thread reads which row it is in.
static bool isAlikeInWarp(const Instruction &I) {
  auto IsThread = [](const Value *V) {
    const auto *Read = dyn_cast<Instruction>(V);
    return Read && readsRegister(*Read, RegisterFamily::ThreadIndex, 0);
  };
  const APInt *Number = nullptr;
  Value *Thread = nullptr;
  if (match(&I, m_LShr(m_Value(Thread), m_APInt(Number))))
    return IsThread(Thread) && Number->uge(5);
  if (match(&I, m_UDiv(m_Value(Thread), m_APInt(Number))))
    return IsThread(Thread) && Number->urem(Lanes) == 0;
  CmpPredicate Predicate;
  if (!match(&I, m_ICmp(Predicate, m_Value(Thread), m_APInt(Number))) || !IsThread(Thread))
    return false;
  switch (Predicate) {
  case ICmpInst::ICMP_ULT:
  case ICmpInst::ICMP_SLT:
  case ICmpInst::ICMP_UGE:
  case ICmpInst::ICMP_SGE:
    return Number->urem(Lanes) == 0;
  case ICmpInst::ICMP_ULE:
  case ICmpInst::ICMP_SLE:
  case ICmpInst::ICMP_UGT:
  case ICmpInst::ICMP_SGT:
    return (*Number + 1).urem(Lanes) == 0;
  default:
    return false;
  }
}

/// Whether \p I has one answer for all lanes of a warp.
static bool isVoteOfAll(const Instruction &I) {
  const auto *Vote = dyn_cast<IntrinsicInst>(&I);
  switch (Vote ? Vote->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_vote_all_sync:
  case Intrinsic::nvvm_vote_any_sync:
  case Intrinsic::nvvm_vote_uni_sync:
  case Intrinsic::nvvm_vote_ballot_sync:
    return match(Vote->getArgOperand(0), m_AllOnes());
  default:
    return false;
  }
}

static bool readsRow(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    return readsRegister(I, RegisterFamily::ThreadIndex, 1) ||
           readsRegister(I, RegisterFamily::ThreadIndex, 2);
  });
}

/// Which lanes take part in \p I; null where that is not known.
static const Value *maskOf(const Instruction &I) {
  const auto *Known = dyn_cast<IntrinsicInst>(&I);
  StringRef Name = Known ? Intrinsic::getBaseName(Known->getIntrinsicID()) : "";
  Name.consume_front("llvm.nvvm.");
  if (Name.starts_with("redux.sync."))
    return Known->getArgOperand(1);
  bool ComesFirst = any_of(ArrayRef<StringRef>{"shfl.sync.", "vote.", "match.", "bar.warp.sync"},
                           [&](StringRef Prefix) { return Name.starts_with(Prefix); });
  return ComesFirst ? Known->getArgOperand(0) : nullptr;
}

/// Whether \p I waits for no other lanes than those that were active before it, and come to it all.
static bool waitsForActive(const Instruction &I, const PostDominatorTree &PDT, const LoopInfo &Loops) {
  if (isOperation(I, OperationKind::ActiveMask))
    return true;
  const auto *Mask = dyn_cast_or_null<Instruction>(maskOf(I));
  if (!Mask || !isOperation(*Mask, OperationKind::ActiveMask))
    return false;
  const Loop *Around = Loops.getLoopFor(I.getParent());
  return PDT.dominates(I.getParent(), Mask->getParent()) && (!Around || Around->contains(Mask));
}

/// Whether all threads of the block come to a barrier behind \p I: who is waited for there has not ended.
static bool comesBeforeBarrier(const Instruction &I, ArrayRef<const Instruction *> Barriers,
                               const PostDominatorTree &PDT) {
  return any_of(Barriers, [&](const Instruction *Barrier) { return PDT.dominates(Barrier, &I); });
}

/// The condition that chooses the lanes of \p I: its mask is a vote of all lanes on it.
static const Instruction *conditionOfMask(const Instruction &I) {
  const auto *Vote = dyn_cast_or_null<IntrinsicInst>(maskOf(I));
  if (!Vote || Vote->getIntrinsicID() != Intrinsic::nvvm_vote_ballot_sync || !isVoteOfAll(*Vote))
    return nullptr;
  return dyn_cast<Instruction>(Vote->getArgOperand(1));
}

Verdict checkNoLaneEnds(Function &F, Influence::Question StaysEnded,
                        function_ref<bool(const BasicBlock &)> Concerns) {
  SmallVector<const Instruction *, 4> Together, Barriers;
  PostDominatorTree PDT(F);
  DominatorTree DT(F);
  LoopInfo Loops(DT);
  for (const Instruction &I : instructions(F))
    if (isBlockBarrierOfAll(I))
      Barriers.push_back(&I);
    else if (isMadeTogether(I) && !meetsBlock(I) && !waitsForActive(I, PDT, Loops) &&
             Concerns(*I.getParent()))
      Together.push_back(&I);
  if (Together.empty())
    return std::nullopt;
  Influence OfThread = influenceOfThread(F);
  bool HasRows = readsRow(F);
  auto OfLane = [&](const Instruction *Chosen) {
    return Influence(F, differsBetweenThreads, [&](const Instruction &I) {
      return &I == Chosen || isBlockReduction(I) || isVoteOfAll(I) || (!HasRows && isAlikeInWarp(I)) ||
             StaysEnded(I);
    });
  };
  Influence OfAnyLane = OfLane(nullptr);
  auto LeavesOut = [&](const Instruction &I) {
    const Instruction *Chosen = conditionOfMask(I);
    return !Chosen || OfLane(Chosen).decides(*I.getParent());
  };
  for (const Instruction *I : Together)
    if (OfThread.decides(*I->getParent()) && OfAnyLane.decides(*I->getParent()) &&
        !comesBeforeBarrier(*I, Barriers, PDT) && LeavesOut(*I))
      return Refusal::at(
          RefusalKind::DependentBarrier, *I,
          "some lanes of a warp may have ended before this operation, which then does not wait "
          "for them; they would go on with the next block");
  return std::nullopt;
}

} // namespace gpuprune
