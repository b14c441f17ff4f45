//===- GridFreedom.cpp - Whether a kernel may have another grid --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GridFreedom.h"
#include "Coarsen/Coarsening.h"
#include "Facts/LoadHazards.h"
#include "Facts/Operations.h"
#include "Facts/PureAssembly.h"
#include "Shape/ShapeMemory.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprune {

namespace {

class GridFreedom {
public:
  GridFreedom(Function &F, ArrayRef<GridStride> Loops) : F(F), Loops(Loops), From(F, Loops) {}
  Verdict check() const;
  const Origins &origins() const { return From; }

private:
  Function &F;
  ArrayRef<GridStride> Loops;
  Origins From;

  Verdict checkLoop(const GridStride &G) const;
  Verdict checkAccess(const Instruction &I) const;
  Verdict checkEffects(const Instruction &I) const;
  Verdict checkTypes() const;
  Verdict checkInLoop(const Instruction &I) const;
  Verdict checkOutside(const Instruction &I) const;
  Verdict checkPlace(const Instruction &I, const Use &Of) const;
  Verdict checkStore(const StoreInst &Store) const;
  Verdict checkAtomic(const AtomicRMWInst &Atomic) const;
  Verdict checkBranch(const Instruction &Last) const;
  bool skipsNothing(const BranchInst &Branch) const;
};

} // namespace

static Refusal showsBlock(const Instruction &I, const Twine &Why) {
  return Refusal::at(RefusalKind::BlockResult, I, Why);
}

static bool isOneOf(Origin Of, std::initializer_list<Origin> Some) { return is_contained(Some, Of); }

/// Additions, in any order.
static bool adds(const AtomicRMWInst &I) {
  return is_contained({AtomicRMWInst::Add, AtomicRMWInst::Sub, AtomicRMWInst::FAdd}, I.getOperation());
}

/// What two blocks leave that do it is what one leaves.
static bool isIdempotent(const AtomicRMWInst &I) {
  return is_contained({AtomicRMWInst::And, AtomicRMWInst::Or, AtomicRMWInst::Min, AtomicRMWInst::Max,
                       AtomicRMWInst::UMin, AtomicRMWInst::UMax},
                      I.getOperation());
}

/// A use of what is computed from ctaid.x or nctaid.x: arithmetic, the loop's index and bound.
Verdict GridFreedom::checkPlace(const Instruction &I, const Use &Of) const {
  for (const GridStride &G : Loops)
    if ((&I == G.Index && Of.get() == G.Start) || (&I == G.Next && Of.get() == G.Step) || &I == G.Entry ||
        &I == G.Guard)
      return std::nullopt;
  if (From.of(I) == Origin::Place && !isa<ICmpInst>(I))
    return std::nullopt;
  return Refusal::at(
      RefusalKind::BlockIndex, I,
      "this uses the index of the block, or the number of blocks, and is no loop over the grid "
      "(i = c * blockIdx.x + ...; i < bound; i += c * gridDim.x)");
}

/// Whether \p Branch only saves the atomic addition of a sum that is zero.
bool GridFreedom::skipsNothing(const BranchInst &Branch) const {
  const auto *Test = cast<ICmpInst>(Branch.getCondition());
  const Value *Sum = Test->getOperand(0);
  unsigned Way = From.of(*Test) == Origin::NonZero ? 0 : 1;
  const BasicBlock *Adding = Branch.getSuccessor(Way), *Behind = Branch.getSuccessor(!Way);
  if (Adding->getSinglePredecessor() != Branch.getParent() || Adding->getSingleSuccessor() != Behind ||
      !Behind->phis().empty())
    return false;
  return all_of(*Adding, [&](const Instruction &I) {
    const auto *Atomic = dyn_cast<AtomicRMWInst>(&I);
    return Atomic ? adds(*Atomic) && Atomic->getValOperand() == Sum : !I.mayHaveSideEffects();
  });
}

Verdict GridFreedom::checkBranch(const Instruction &Last) const {
  if (isa<UnreachableInst>(Last))
    return showsBlock(Last, "the thread ends here, and what it has added up would be lost");
  if (isa<ReturnInst>(Last) || Last.getNumSuccessors() == 1)
    return std::nullopt;
  const auto *Branch = dyn_cast<BranchInst>(&Last);
  const auto *Switch = dyn_cast<SwitchInst>(&Last);
  if (!Branch && !Switch)
    return showsBlock(Last, "it is not known where this leads");
  const Value &Condition = Branch ? *Branch->getCondition() : *Switch->getCondition();
  Origin Of = From.of(Condition, Last);
  bool IsGuard = any_of(Loops, [&](const GridStride &G) { return G.Guard == Branch && Branch; });
  bool IsSaving = Branch && isOneOf(Of, {Origin::NonZero, Origin::Zero}) && skipsNothing(*Branch);
  bool IsInner = From.loopOf(Last) && Of == Origin::Iteration;
  if (Of == Origin::Alike || IsGuard || IsSaving || IsInner)
    return std::nullopt;
  return showsBlock(Last, "where control goes depends on what the block has added up");
}

Verdict GridFreedom::checkStore(const StoreInst &Store) const {
  const Value &Stored = *Store.getValueOperand();
  const Value *Array = sharedArrayOf(*Store.getPointerOperand());
  Origin Of = From.of(Stored, Store);
  if (From.loopOf(Store))
    return Array ? Verdict(
                       showsBlock(Store, "an iteration leaves this to others of its block in shared memory"))
                 : std::nullopt;
  if (!Array)
    return Of == Origin::Alike
               ? std::nullopt
               : Verdict(showsBlock(Store, "a sum of the block is stored, and not added atomically"));
  bool FitsSum = Of == Origin::Sum || isSumOfNothing(Stored);
  if (From.ofArray(*Array) == Origin::Sum ? FitsSum : Of == Origin::Alike)
    return std::nullopt;
  return showsBlock(Store, "the array holds what blocks add up, and this is no sum");
}

Verdict GridFreedom::checkAtomic(const AtomicRMWInst &Atomic) const {
  const Value &Value = *Atomic.getValOperand();
  Origin Of = From.of(Value, Atomic);
  bool IsShared = sharedArrayOf(*Atomic.getPointerOperand()) != nullptr, InLoop = From.loopOf(Atomic);
  if (!Atomic.use_empty())
    return showsBlock(Atomic, "what was there before shows in which order blocks come");
  if (!IsShared && !isForAllBlocks(Atomic))
    return showsBlock(Atomic, "this is atomic for the threads of a block alone");
  bool Commutes = adds(Atomic) || isIdempotent(Atomic) || Atomic.getOperation() == AtomicRMWInst::Xor;
  bool Fits = InLoop ? (IsShared ? adds(Atomic) : Commutes)
              : IsShared
                  ? adds(Atomic) && Of == Origin::Sum
                  : (adds(Atomic) && Of == Origin::Sum) || (isIdempotent(Atomic) && Of == Origin::Alike);
  if (Fits)
    return std::nullopt;
  return showsBlock(Atomic, InLoop ? "this does not only add up what iterations give"
                                   : "every block does this once, so that it shows how many there are");
}

Verdict GridFreedom::checkInLoop(const Instruction &I) const {
  if (isSynchronisation(I) || isa<FenceInst>(I))
    return Refusal::at(RefusalKind::Synchronisation, I, "threads wait for each other in an iteration");
  if (isMadeTogether(I))
    return Refusal::at(
        RefusalKind::WarpOperation, I,
        "lanes of a warp make this together in an iteration, and others of them may have none");
  for (const Use &Operand : I.operands()) {
    Origin Of = From.of(*Operand, I);
    if (Of == Origin::Place)
      if (Verdict Refused = checkPlace(I, Operand))
        return Refused;
    bool IsInitial = isa<PHINode>(I) && Of == Origin::Sum;
    bool Continues =
        From.runningSum(I) && (isOneOf(Of, {Origin::Running, Origin::Iteration, Origin::Alike}) || IsInitial);
    if (!isOneOf(Of, {Origin::Alike, Origin::Iteration, Origin::Place}) && !Continues)
      return showsBlock(I, "what an iteration does depends on others that the block has made");
  }
  return std::nullopt;
}

/// What takes a sum has to be linear in it, and so itself a sum.
Verdict GridFreedom::checkOutside(const Instruction &I) const {
  for (const Use &Operand : I.operands()) {
    Origin Of = From.of(*Operand, I);
    if (Of == Origin::Place)
      if (Verdict Refused = checkPlace(I, Operand))
        return Refused;
    bool IsTest = isOneOf(Of, {Origin::NonZero, Origin::Zero}) && isa<BranchInst>(I);
    bool IsKept =
        Of == Origin::Sum &&
        ((isa<StoreInst, AtomicRMWInst>(I) &&
          Operand.getOperandNo() != unsigned(isa<StoreInst>(I) ? StoreInst::getPointerOperandIndex()
                                                               : AtomicRMWInst::getPointerOperandIndex())) ||
         isOneOf(From.of(I), {Origin::Sum, Origin::NonZero, Origin::Zero}));
    if (Of == Origin::Alike || Of == Origin::Place || IsTest || IsKept)
      continue;
    if (isa<PHINode>(I) && I.use_empty())
      continue;
    return showsBlock(I, "this is not linear in what the block has added up, or multiplies a floating-point "
                         "sum by what may be infinite");
  }
  return std::nullopt;
}

/// What the header carries from one iteration to the next has to be a sum.
Verdict GridFreedom::checkLoop(const GridStride &G) const {
  for (const PHINode &Phi : G.L->getHeader()->phis()) {
    if (&Phi == G.Index)
      continue;
    const Value &Before = *G.before(Phi), &After = *G.after(Phi);
    bool IsSum = From.of(Before, Phi) == Origin::Sum || isSumOfNothing(Before);
    if (!IsSum || From.runningSum(After) != &Phi)
      return showsBlock(
          Phi, "an iteration takes this from the one before, and it is no sum that begins with zero");
  }
  for (const User *U : G.Next->users())
    if (U != G.Index && U != G.Exit)
      return showsBlock(*cast<Instruction>(U), "this takes the index of the next iteration");
  for (const BasicBlock *BB : G.Between)
    for (const Instruction &I : *BB)
      if (I.mayHaveSideEffects())
        return showsBlock(I, "only blocks with iterations of this loop do this");
  return std::nullopt;
}

/// Whether \p Object is a thread's own copy of a parameter.
static bool isOwnParameter(const Value *Object) {
  const auto *Parameter = dyn_cast<Argument>(Object);
  return Parameter && Parameter->hasByValAttr();
}

/// Refuses what \p I accesses where Origins does not follow it.
Verdict GridFreedom::checkAccess(const Instruction &I) const {
  const Value *Pointer = accessedPointer(I);
  bool Keeps =
      isa<AllocaInst>(I) || (Pointer && I.mayWriteToMemory() && any_of(objectsOf(*Pointer), isOwnParameter));
  if (Keeps)
    return Refusal::at(RefusalKind::UnknownObject, I,
                       "what a thread keeps in memory of its own is not followed");
  if (Pointer && !sharedArrayOf(*Pointer) && any_of(objectsOf(*Pointer), isSharedArray))
    return Refusal::at(RefusalKind::UnknownObject, I,
                       "this may point into one shared array or into something else");
  return std::nullopt;
}

/// Refuses calls that leave something which is not followed: lines of printf, texels of a surface.
Verdict GridFreedom::checkEffects(const Instruction &I) const {
  if (isa<MemIntrinsic, AtomicCmpXchgInst>(I))
    return showsBlock(I, "this does not only add up what iterations give");
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call || Call->onlyReadsMemory() || Call->onlyAccessesInaccessibleMemory() || isSynchronisation(I) ||
      isPureAssembly(*Call) || isReadAssembly(*Call) || isWarpAssembly(*Call))
    return std::nullopt;
  const auto *Known = dyn_cast<IntrinsicInst>(&I);
  if ((Known && Known->isAssumeLikeIntrinsic()) || isOperation(I, OperationKind::Shuffle) ||
      isOperation(I, OperationKind::Vote) || isOperation(I, OperationKind::Prefetch))
    return std::nullopt;
  return Refusal::at(Known ? RefusalKind::UnsupportedIntrinsic : RefusalKind::Call, I,
                     "what this leaves may show how many blocks there are");
}

/// Parts of a sum, or two sums read as one number, are not linear in them.
Verdict GridFreedom::checkTypes() const {
  DenseMap<const Value *, const Type *> Types;
  for (const Instruction &I : instructions(F)) {
    const auto *Store = dyn_cast<StoreInst>(&I);
    const auto *Zero = Store ? dyn_cast<Constant>(Store->getValueOperand()) : nullptr;
    const Value *Pointer = isa<LoadInst, StoreInst, AtomicRMWInst>(I) ? accessedPointer(I) : nullptr;
    const Value *Array = Pointer ? sharedArrayOf(*Pointer) : nullptr;
    if (!Array || From.ofArray(*Array) != Origin::Sum || (Zero && Zero->isNullValue()))
      continue;
    const Type *Accessed = Store ? Store->getValueOperand()->getType() : I.getType();
    if (Types.try_emplace(Array, Accessed).first->second != Accessed)
      return showsBlock(I, "the array holds sums of another type");
  }
  return std::nullopt;
}

Verdict GridFreedom::check() const {
  for (const GridStride &G : Loops)
    if (Verdict Refused = checkLoop(G))
      return Refused;
  for (const Instruction &I : instructions(F)) {
    if (Verdict Refused = checkAccess(I))
      return Refused;
    if (Verdict Refused = checkEffects(I))
      return Refused;
    if (Verdict Refused = From.loopOf(I) ? checkInLoop(I) : checkOutside(I))
      return Refused;
    const auto *Store = dyn_cast<StoreInst>(&I);
    const auto *Atomic = dyn_cast<AtomicRMWInst>(&I);
    Verdict Refused = Store ? checkStore(*Store) : Atomic ? checkAtomic(*Atomic) : Verdict();
    if (!Refused && I.isTerminator())
      Refused = checkBranch(I);
    if (Refused)
      return Refused;
    if (From.of(I) == Origin::Other && !I.use_empty() && !Atomic)
      return showsBlock(I, "it is not known that this is the same in all blocks");
  }
  return checkTypes();
}

Verdict checkGridFreedom(Function &F, ArrayRef<GridStride> Loops, const IndexTerms &Terms) {
  if (Verdict Refused = checkLegality(F, Coarsening()))
    return Refused;
  if (Loops.empty())
    return Refusal::inFunction(RefusalKind::NoGridLoop, F,
                               "no loop begins at c * blockIdx.x + ... and steps by c * gridDim.x");
  GridFreedom Freedom(F, Loops);
  if (Verdict Refused = Freedom.check())
    return Refused;
  return checkIterationPlaces(F, Freedom.origins(), Terms);
}

} // namespace gpuprune
