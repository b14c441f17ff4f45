//===- Influence.cpp - What depends on some values of a kernel --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Influence.h"
#include "BlockReductions.h"
#include "ForAllReplicas.h"
#include "LoadHazards.h"
#include "Operations.h"
#include "PureAssembly.h"
#include "PureFunctions.h"
#include "RoundedBounds.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ValueTracking.h"

using namespace llvm;

namespace gpuprune {

/// The blocks of \p F from which a thread may come to an end.
static DenseSet<const BasicBlock *> blocksThatEnd(const Function &F) {
  DenseSet<const BasicBlock *> Ending;
  SmallVector<const BasicBlock *, 16> Back;
  for (const BasicBlock &BB : F)
    if (succ_empty(&BB))
      Back.push_back(&BB);
  while (!Back.empty()) {
    const BasicBlock *BB = Back.pop_back_val();
    if (Ending.insert(BB).second)
      Back.append(pred_begin(BB), pred_end(BB));
  }
  return Ending;
}

Influence::Influence(Function &F, Question IsSeed, Question Ends)
    : PostDominators(F), Ending(blocksThatEnd(F)) {
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

/// \p I is executed by threads that came on different ways, or with values of different iterations.
void Influence::part(const Instruction &I) {
  Parted.insert(&I);
  reach(I);
}

void Influence::reachUsers(const Instruction &I) {
  for (const User *U : I.users())
    if (const auto *User = dyn_cast<Instruction>(U))
      reach(*User);
}

/// Where all ways from \p Branching meet, null where they may not. LLVM's tree picks a block of each loop
/// without end that would be the last one; behind no branch does everybody come there.
const BasicBlock *Influence::meetingOf(const BasicBlock &Branching) const {
  const auto *Node = PostDominators.getNode(&Branching);
  const BasicBlock *Met = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  return Met && Ending.contains(Met) ? Met : nullptr;
}

namespace {

/// The blocks between a branch and where its ways have met again.
struct BetweenWays {
  SmallSetVector<const BasicBlock *, 16> Blocks;
  SmallPtrSet<const BasicBlock *, 16> Joined; ///< Where several of the ways lead.
  SmallPtrSet<const BasicBlock *, 16> Around; ///< From where one comes to the branch again.

  BetweenWays(const BasicBlock &Branching, const BasicBlock *Met);
};

} // namespace

BetweenWays::BetweenWays(const BasicBlock &Branching, const BasicBlock *Met) {
  SmallSetVector<const BasicBlock *, 4> Ways(succ_begin(&Branching), succ_end(&Branching));
  for (const BasicBlock *Way : Ways) {
    SmallPtrSet<const BasicBlock *, 16> OnWay;
    SmallVector<const BasicBlock *, 8> Ahead{Way};
    while (!Ahead.empty()) {
      const BasicBlock *BB = Ahead.pop_back_val();
      if (BB == Met || !OnWay.insert(BB).second)
        continue;
      if (!Blocks.insert(BB))
        Joined.insert(BB);
      Ahead.append(succ_begin(BB), succ_end(BB));
    }
  }
  SmallVector<const BasicBlock *, 8> Back{&Branching};
  while (!Back.empty()) {
    const BasicBlock *BB = Back.pop_back_val();
    if (Blocks.contains(BB) && Around.insert(BB).second)
      Back.append(pred_begin(BB), pred_end(BB));
  }
}

void Influence::decide(const BasicBlock &Branching) {
  const BasicBlock *Met = meetingOf(Branching);
  BetweenWays Between(Branching, Met);
  if (Met)
    for (const PHINode &Phi : Met->phis())
      part(Phi);
  for (const BasicBlock *BB : Between.Blocks) {
    Decided.insert(BB);
    bool IsAround = Between.Around.contains(BB);
    for (const Instruction &I : *BB) {
      if (isa<PHINode>(I) && Between.Joined.contains(BB))
        part(I);
      // Of another iteration for each thread that left the loop.
      for (const User *U : I.users()) {
        const auto *User = dyn_cast<Instruction>(U);
        const BasicBlock *Used = User ? User->getParent() : BB;
        if (!Between.Blocks.contains(Used) || (IsAround && !Between.Around.contains(Used)))
          part(*User);
      }
    }
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
  if (!Call || isForAllReplicas(*Call) || isBlockReduction(*Call) || isPureAssembly(*Call) ||
      isReadAssembly(*Call) || isPureCall(*Call))
    return false;
  const auto *Known = dyn_cast<IntrinsicInst>(Call);
  if (isOperation(*Call, OperationKind::SpecialRegister))
    return classify(*Call)->UniformOver < OperationScope::Block;
  return !Known || isMadeTogether(*Known) || !Known->doesNotAccessMemory();
}

Influence influenceOfThread(Function &F) {
  // It is assumed that threads part nowhere on the way to such a comparison, as long as nothing shows
  // that they do. The first place where they part, in the order of time, cannot follow from an assumption.
  MapVector<const Instruction *, SmallPtrSet<const Instruction *, 8>> Alike;
  for (const Instruction &I : instructions(F))
    if (SmallPtrSet<const Instruction *, 8> Steps; comparesWholeBlocks(I, Steps))
      Alike[&I] = std::move(Steps);
  while (true) {
    Influence Found(F, differsBetweenThreads,
                    [&](const Instruction &I) { return isBlockReduction(I) || Alike.contains(&I); });
    size_t Before = Alike.size();
    Alike.remove_if([&](const auto &Comparison) {
      return any_of(Comparison.second, [&](const Instruction *Step) { return Found.parts(*Step); });
    });
    if (Alike.size() == Before)
      return Found;
  }
}

/// A compare-and-exchange that compares with what the last attempt found: it
/// fails only where another one has succeeded.
static bool triesAgain(const AtomicCmpXchgInst &Exchange) {
  const auto *Expected = dyn_cast<PHINode>(Exchange.getCompareOperand());
  return Expected && any_of(Expected->incoming_values(), [&](const Value *V) {
           const auto *Found = dyn_cast<ExtractValueInst>(V);
           return Found && Found->getAggregateOperand() == &Exchange && Found->getIndices() == ArrayRef(0u);
         });
}

/// An addition to one counter that every iteration of \p L makes.
static bool countsIterations(const Value &V, const Loop &L, const DominatorTree &DT) {
  const auto *Addition = dyn_cast<AtomicRMWInst>(&V);
  const auto *Step = Addition ? dyn_cast<ConstantInt>(Addition->getValOperand()) : nullptr;
  const Value *Counter = Addition ? Addition->getPointerOperand() : nullptr;
  return Step && Addition->getOperation() == AtomicRMWInst::Add && Step->getValue().isStrictlyPositive() &&
         L.contains(Addition) && L.isLoopInvariant(Counter) && L.getLoopLatch() &&
         DT.dominates(Addition->getParent(), L.getLoopLatch()) &&
         all_of(Counter->users(), [&](const User *U) {
           const auto *Other = dyn_cast<Instruction>(U);
           return U == Addition || !Other || !L.contains(Other) || !Other->mayWriteToMemory();
         });
}

/// Whether \p I lets \p L go on until the counter, to which each iteration adds, is at a bound: a thread
/// alone gets there by itself. What it was given before is the number of its next piece of work.
static bool asksForLastSlot(const Instruction &I, const Loop &L, const DominatorTree &DT) {
  const auto *Test = dyn_cast<ICmpInst>(&I);
  const auto *Branch = Test && Test->hasOneUse() ? dyn_cast<BranchInst>(Test->user_back()) : nullptr;
  if (!Branch || !L.contains(Branch) || !L.isLoopExiting(Branch->getParent()))
    return false;
  CmpInst::Predicate Stays = Test->getPredicate();
  if (!L.contains(Branch->getSuccessor(0)))
    Stays = CmpInst::getInversePredicate(Stays);
  const Value *Slot = Test->getOperand(0), *Bound = Test->getOperand(1);
  if (L.isLoopInvariant(Slot)) {
    std::swap(Slot, Bound);
    Stays = CmpInst::getSwappedPredicate(Stays);
  }
  return (Stays == CmpInst::ICMP_SLT || Stays == CmpInst::ICMP_ULT) && L.isLoopInvariant(Bound) &&
         countsIterations(*Slot, L, DT);
}

static bool mayBeSameObject(const Value *A, const Value *B) {
  auto IsNamed = [](const Value *V) { return isa<Argument, GlobalVariable, AllocaInst>(V); };
  return A == B || (!IsNamed(A) && !IsNamed(B)); // The latter come from memory.
}

/// Whether \p Load reads, of memory that is not its thread's alone, what \p F also writes. Distinct
/// parameters are taken for distinct arrays: a flag is set by the name by which it is read.
static bool readsWhatIsWritten(const LoadInst &Load, Function &F) {
  SmallVector<const Value *, 4> Read = objectsOf(*Load.getPointerOperand());
  erase_if(Read, isOfThread);
  return any_of(instructions(F), [&](const Instruction &I) {
    std::optional<MemoryLocation> Written;
    if (I.mayWriteToMemory())
      Written = MemoryLocation::getOrNone(&I);
    return Written && any_of(objectsOf(*Written->Ptr), [&](const Value *W) {
             return any_of(Read, [&](const Value *R) { return mayBeSameObject(R, W); });
           });
  });
}

static Verdict checkLoopWaitsForNobody(Function &F, const Loop &L, const DominatorTree &DT) {
  const Instruction *Sample = nullptr;
  // Behind one a plain load sees what other threads have written in the meantime.
  bool HasFence = any_of(L.blocks(), [](const BasicBlock *BB) {
    return any_of(*BB, [](const Instruction &I) { return isOperation(I, OperationKind::Fence); });
  });
  auto Waits = [&](const Instruction &I) {
    const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(&I);
    const auto *Load = dyn_cast<LoadInst>(&I);
    bool Asks = isa<AtomicRMWInst>(I) || (Exchange && !triesAgain(*Exchange)) ||
                (Load && (Load->isVolatile() || (HasFence && readsWhatIsWritten(*Load, F))));
    bool Counts = L.contains(&I) && Asks;
    Sample = Counts && !Sample ? &I : Sample;
    return Counts;
  };
  if (none_of(L.blocks(), [&](const BasicBlock *BB) { return any_of(*BB, Waits); }))
    return std::nullopt;
  Influence OfAtomics(F, Waits, [&](const Instruction &I) { return asksForLastSlot(I, L, DT); });
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  for (const BasicBlock *BB : Exiting)
    if (OfAtomics.reaches(*BB->getTerminator()))
      return Refusal::at(RefusalKind::InterBlockWait, *Sample,
                         "a loop goes on until this finds what another thread may have yet "
                         "to write, and one that waits for a later replica waits for ever");
  return std::nullopt;
}

Verdict checkWaitsForNobody(Function &F) {
  DominatorTree DT(F);
  LoopInfo Loops(DT);
  for (const Loop *L : Loops.getLoopsInPreorder())
    if (Verdict Refused = checkLoopWaitsForNobody(F, *L, DT))
      return Refused;
  return std::nullopt;
}

} // namespace gpuprune
