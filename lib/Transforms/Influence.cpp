//===- Influence.cpp - What depends on some values of a kernel --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Influence.h"
#include "BlockReductions.h"
#include "Coarsening.h"
#include "FastPath.h"
#include "PureAssembly.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace gpuprune {

Influence::Influence(Function &F, Question IsSeed, Question Ends) : PostDominators(F) {
  for (Instruction &I : instructions(F))
    if (IsSeed(I))
      reach(I);
  while (!Worklist.empty()) {
    const Instruction *I = Worklist.pop_back_val();
    if (I->isTerminator())
      decide(*I->getParent());
    else if (!Ends(*I))
      reachUsers(*I);
  }
}

void Influence::reach(const Instruction &I) {
  if (Reached.insert(&I).second)
    Worklist.push_back(&I);
}

void Influence::reachUsers(const Instruction &I) {
  for (const User *U : I.users())
    if (const auto *User = dyn_cast<Instruction>(U))
      reach(*User);
}

/// The blocks between a branch and where its ways have met again.
void Influence::decide(const BasicBlock &Branching) {
  const auto *Node = PostDominators.getNode(&Branching);
  const BasicBlock *Met = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  SmallSetVector<const BasicBlock *, 16> Between;
  SmallPtrSet<const BasicBlock *, 16> Joined; // Where several of the ways lead.
  for (const BasicBlock *Way : successors(&Branching)) {
    SmallPtrSet<const BasicBlock *, 16> OnWay;
    SmallVector<const BasicBlock *, 8> Ahead{Way};
    while (!Ahead.empty()) {
      const BasicBlock *BB = Ahead.pop_back_val();
      if (BB == Met || !OnWay.insert(BB).second)
        continue;
      if (!Between.insert(BB))
        Joined.insert(BB);
      Ahead.append(succ_begin(BB), succ_end(BB));
    }
  }
  if (Met)
    for (const PHINode &Phi : Met->phis())
      reach(Phi);
  for (const BasicBlock *BB : Between) {
    Decided.insert(BB);
    for (const Instruction &I : *BB) {
      if (isa<PHINode>(I) && Joined.contains(BB))
        reach(I);
      // Of another iteration for each thread that left the loop.
      for (const User *U : I.users())
        if (const auto *User = dyn_cast<Instruction>(U); User && !Between.contains(User->getParent()))
          reach(*User);
    }
  }
}

/// Special registers that are the same for all threads of a block.
static bool isOfBlock(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
  case Intrinsic::nvvm_read_ptx_sreg_warpsize:
  case Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size:
  case Intrinsic::nvvm_read_ptx_sreg_total_smem_size:
  case Intrinsic::nvvm_read_ptx_sreg_aggr_smem_size:
    return true;
  default:
    return false;
  }
}

static bool isOfThread(const Value *Object) {
  return isa<AllocaInst>(Object) || Object->getType()->getPointerAddressSpace() == 5;
}

bool differsBetweenThreads(const Instruction &I) {
  if (isa<AllocaInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
    return true;
  // One address read by all threads holds one value, or it is a race.
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Load->getPointerOperand(), Objects, nullptr, /*MaxLookup=*/0);
    return Load->isVolatile() || Load->isAtomic() || any_of(Objects, isOfThread);
  }
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || isForAllReplicas(*Call) || isBlockReduction(*Call) || isPureAssembly(*Call))
    return false;
  const auto *Known = dyn_cast<IntrinsicInst>(Call);
  if (Known && isOfBlock(Known->getIntrinsicID()))
    return false;
  bool IsSpecialRegister = Known && Known->getCalledFunction()->getName().contains("sreg");
  return !Known || IsSpecialRegister || isMadeTogether(*Known) || !Known->doesNotAccessMemory();
}

Influence influenceOfThread(Function &F) { return Influence(F, differsBetweenThreads, isBlockReduction); }

/// A compare-and-exchange that compares with what the last attempt found: it
/// fails only where another one has succeeded.
static bool triesAgain(const AtomicCmpXchgInst &Exchange) {
  const auto *Expected = dyn_cast<PHINode>(Exchange.getCompareOperand());
  return Expected && any_of(Expected->incoming_values(), [&](const Value *V) {
           const auto *Found = dyn_cast<ExtractValueInst>(V);
           return Found && Found->getAggregateOperand() == &Exchange && Found->getIndices() == ArrayRef(0u);
         });
}

static Verdict checkLoopWaitsForNobody(Function &F, const Loop &L) {
  const Instruction *Sample = nullptr;
  auto Waits = [&](const Instruction &I) {
    const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
    bool Asks =
        isa<AtomicRMWInst>(I) || (Exchange && !triesAgain(*Exchange)) || (isa<LoadInst>(I) && I.isVolatile());
    bool Counts = L.contains(&I) && Asks;
    Sample = Counts && !Sample ? &I : Sample;
    return Counts;
  };
  if (none_of(L.blocks(), [&](const BasicBlock *BB) { return any_of(*BB, Waits); }))
    return std::nullopt;
  Influence OfAtomics(F, Waits);
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (const BasicBlock *BB : Exiting)
    if (OfAtomics.reaches(*BB->getTerminator()))
      return Refusal::at("InterBlockWait", *Sample,
                         "a loop goes on until this finds what another thread may have yet "
                         "to write, and one that waits for a later replica waits for ever");
  return std::nullopt;
}

Verdict checkWaitsForNobody(Function &F) {
  DominatorTree DT(F);
  LoopInfo Loops(DT);
  for (const Loop *L : Loops.getLoopsInPreorder())
    if (Verdict Refused = checkLoopWaitsForNobody(F, *L))
      return Refused;
  return std::nullopt;
}

} // namespace gpuprune
