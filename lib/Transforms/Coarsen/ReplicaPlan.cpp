//===- ReplicaPlan.cpp - What coarsening a dimension replicates -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ReplicaPlan.h"
#include "Facts/BlockReductions.h"
#include "FastPath.h"
#include "ReplicaInfluence.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

/// The pointer \p I writes through, or nullptr.
static Value *writtenPointer(const Instruction &I) {
  if (const auto *Mem = dyn_cast<MemIntrinsic>(&I))
    return Mem->getRawDest();
  return I.mayWriteToMemory() ? accessedPointer(I) : nullptr;
}

namespace {

/// Everything that differs between replicas: through operands, through memory of
/// a thread or block alone that such values are stored to, and through control.
class DifferenceClosure {
public:
  DifferenceClosure(Function &F, const Coarsening &C, const Untouched &Skip, ReplicaPlan &Plan);
  Verdict run();

private:
  Function &F;
  const Coarsening &C;
  const Untouched &Skip;
  ReplicaPlan &Plan;
  RegionFinder Regions;
  /// Memory of a thread or block alone: shared arrays, local variables, the
  /// kernel's own copies of parameters passed by value.
  DenseMap<Value *, ObjectUses> Objects;
  SetVector<Value *> DependentArrays;
  SmallPtrSet<const Value *, 2> JointArrays;
  SmallPtrSet<const Instruction *, 8> JointAdditions, Flushes;
  SmallVector<Instruction *, 32> Worklist;

  Verdict collectObjects();
  bool differsByItself(const Instruction &I) const;
  void add(Instruction *I);
  void addUsers(Instruction &I);
  Verdict addWrittenObjects(Instruction &I);
  Verdict addWrittenObject(Instruction &I, Value &Object);
  Verdict addRegion(Instruction &Branch);
  Verdict visit(Instruction &I);
  Verdict checkBarriers();
  Verdict checkSharedSize() const;
  Verdict planArrays();
};

} // namespace

DifferenceClosure::DifferenceClosure(Function &F, const Coarsening &C, const Untouched &Skip,
                                     ReplicaPlan &Plan)
    : F(F), C(C), Skip(Skip), Plan(Plan), Regions(F) {
  for (const JointSum &Sum : Plan.Joint.Arrays) {
    JointArrays.insert(Sum.Array);
    JointAdditions.insert_range(Sum.Additions);
    Flushes.insert_range(Sum.Flushes);
  }
}

bool DifferenceClosure::differsByItself(const Instruction &I) const {
  if (Skip.Blocks.contains(I.getParent()) || Flushes.contains(&I))
    return false;
  return JointAdditions.contains(&I) || isOncePerReplica(I, C);
}

Verdict DifferenceClosure::collectObjects() {
  SetVector<Value *> Found;
  for (Argument &Parameter : F.args())
    if (Parameter.hasByValAttr())
      Found.insert(&Parameter);
  for (Instruction &I : instructions(F)) {
    if (isa<AllocaInst>(I))
      Found.insert(&I);
    for (Value *Operand : I.operands())
      if (C.blocks() && isSharedArray(Operand))
        Found.insert(Operand);
  }
  for (Value *Object : Found)
    if (Verdict Refused = collectUses(*Object, F, Objects[Object]))
      return Refused;
  return std::nullopt;
}

void DifferenceClosure::add(Instruction *I) {
  if (!Skip.Blocks.contains(I->getParent()) && Plan.Replicated.insert(I))
    Worklist.push_back(I);
}

void DifferenceClosure::addUsers(Instruction &I) {
  for (User *U : I.users())
    add(cast<Instruction>(U));
}

static bool mayBeSharedBetweenReplicas(const Value &Object, const Coarsening &C) {
  unsigned Space = Object.getType()->isPointerTy() ? Object.getType()->getPointerAddressSpace() : 0;
  return Space == NVPTXAS::ADDRESS_SPACE_GENERIC || Space == NVPTXAS::ADDRESS_SPACE_GLOBAL ||
         (!C.blocks() && Space == NVPTXAS::ADDRESS_SPACE_SHARED);
}

/// \p I writes \p Object, and whether, what or where differs between replicas.
Verdict DifferenceClosure::addWrittenObject(Instruction &I, Value &Object) {
  if (JointArrays.contains(&Object))
    return std::nullopt;
  auto Known = Objects.find(&Object);
  if (Known == Objects.end()) {
    if (mayBeSharedBetweenReplicas(Object, C))
      return std::nullopt;
    return Refusal::at(RefusalKind::UnknownObject, I,
                       "it is not known which shared or local variable this writes");
  }
  if (isa<Argument>(Object))
    return Refusal::at(RefusalKind::ParameterWritten, I,
                       formatv("the kernel changes its copy of a parameter differently in each {0}", C.Noun));
  if (auto *Local = dyn_cast<AllocaInst>(&Object))
    add(Local);
  else if (DependentArrays.insert(&Object))
    for (Instruction *Access : Known->second.Accesses)
      add(Access);
  return std::nullopt;
}

Verdict DifferenceClosure::addWrittenObjects(Instruction &I) {
  Value *Pointer = writtenPointer(I);
  if (!Pointer)
    return std::nullopt;
  SmallVector<const Value *, 4> Written;
  getUnderlyingObjects(Pointer, Written, nullptr, /*MaxLookup=*/0);
  for (const Value *Object : Written)
    if (Verdict Refused = addWrittenObject(I, *const_cast<Value *>(Object)))
      return Refused;
  return std::nullopt;
}

/// Which way \p Branch goes differs: what it decides is run replica by replica.
Verdict DifferenceClosure::addRegion(Instruction &Branch) {
  std::optional<ControlRegion> R;
  SmallVector<BasicBlock *, 16> Inside{Branch.getParent()};
  auto Overlaps = [&](const ControlRegion &Other) {
    return any_of(Other.Blocks, [&](BasicBlock *BB) { return R->Blocks.contains(BB); });
  };
  for (bool Alone = false; !Alone;) {
    R = Regions.isolate(Inside);
    if (!R)
      return Refusal::at(
          RefusalKind::DependentControl, Branch,
          formatv("this branch depends on the {0} index and may lead into a loop without an exit, "
                  "after which the next replica could not run",
                  C.Noun));
    Alone = true;
    Inside.assign(R->Blocks.begin(), R->Blocks.end());
    erase_if(Plan.Regions, [&](const ControlRegion &Other) {
      if (!Overlaps(Other))
        return false;
      Alone &= all_of(Other.Blocks, [&](BasicBlock *BB) { return R->Blocks.contains(BB); });
      Inside.append(Other.Blocks.begin(), Other.Blocks.end());
      return true;
    });
  }
  for (BasicBlock *BB : R->Blocks)
    for (Instruction &I : *BB)
      add(&I);
  Plan.Regions.push_back(std::move(*R));
  return std::nullopt;
}

Verdict DifferenceClosure::visit(Instruction &I) {
  if (I.isTerminator())
    return Plan.inRegion(I.getParent()) ? std::nullopt : addRegion(I);
  bool Reduces = isBlockReduction(I) && isa<Constant>(I.getOperand(0));
  if (isSynchronisation(I) && !Reduces && !Plan.inRegion(I.getParent()))
    return Refusal::at(RefusalKind::DependentBarrier, I,
                       formatv("an operand of this synchronisation depends on the {0} index", C.Noun));
  if (!isSameForAllReplicas(I, C))
    addUsers(I);
  return addWrittenObjects(I);
}

/// In a region the barriers of one replica come after those of another, for all
/// threads alike: only where all threads come to them alike.
Verdict DifferenceClosure::checkBarriers() {
  SmallVector<Instruction *, 4> Barriers;
  for (const ControlRegion &R : Plan.Regions)
    for (BasicBlock *BB : R.Blocks)
      for (Instruction &I : *BB)
        if (meetsBlock(I))
          Barriers.push_back(&I);
  return checkReachedAlike(
      F, Barriers, C, "a barrier under control that differs between the threads that become one",
      "a barrier under control that differs between replicas and is not proved to be the "
      "same for all threads of a block");
}

/// With copies it is none that follows from the author's launch.
Verdict DifferenceClosure::checkSharedSize() const {
  for (const Instruction &I : instructions(F)) {
    const SpecialRegister *Register = specialRegister(I);
    if (Register && is_contained({"total_smem_size", "aggr_smem_size"}, Register->Name))
      return Refusal::at(
          RefusalKind::UnsupportedIntrinsic, I,
          "the shared memory of a block, static and dynamic together, is that of all replicas");
  }
  return std::nullopt;
}

Verdict DifferenceClosure::planArrays() {
  for (Value *Array : DependentArrays) {
    PrivateArray &Private = Plan.Privatised.emplace_back();
    Private.Uses = std::move(Objects[Array]);
    if (Verdict Refused = planPrivate(Private, C.Layout, Plan.Factor))
      return Refused;
    // They decide nothing that would differ for it: where they are compared, replica 0's answer is that of
    // all.
    for (Instruction *Pointer : Private.Uses.Pointers)
      if (Private.Based && !Skip.Blocks.contains(Pointer->getParent()))
        Plan.Replicated.insert(Pointer);
  }
  return Plan.Privatised.empty() ? std::nullopt : checkSharedSize();
}

Verdict DifferenceClosure::run() {
  if (Verdict Refused = collectObjects())
    return Refused;
  for (Instruction *Read : Plan.IndexReads)
    addUsers(*Read);
  for (Instruction &I : instructions(F))
    if (differsByItself(I))
      add(&I);
  while (!Worklist.empty())
    if (Verdict Refused = visit(*Worklist.pop_back_val()))
      return Refused;
  // An access that was found before its block became part of a region.
  for (ControlRegion &R : Plan.Regions)
    for (BasicBlock *BB : R.Blocks)
      for (Instruction &I : *BB)
        Plan.Replicated.insert(&I);
  if (Verdict Refused = checkBarriers())
    return Refused;
  return planArrays();
}

/// Removes from \p Joint what \p Replicated shows not to be joint; returns whether there was any.
static bool dropDifferent(JointSums &Joint, const SetVector<Instruction *> &Replicated) {
  size_t Before = Joint.Arrays.size();
  erase_if(Joint.Arrays, [&](const JointSum &Sum) {
    Verdict Differs = checkOnceForAll(Sum, Replicated);
    if (!Joint.WhyNot)
      Joint.WhyNot = Differs;
    return Differs.has_value();
  });
  return Joint.Arrays.size() != Before;
}

/// What differs between replicas where the arrays of \p Plan are joint decides which of them are; without
/// those that are not, more differs.
static Verdict planAround(Function &F, const Coarsening &C, const Untouched &Skip, ReplicaPlan &Plan) {
  while (true) {
    ReplicaPlan Trial = Plan;
    if (Verdict Refused = DifferenceClosure(F, C, Skip, Trial).run())
      return Refused;
    if (!dropDifferent(Plan.Joint, Trial.Replicated)) {
      Plan = std::move(Trial);
      return std::nullopt;
    }
  }
}

Verdict planReplicas(Function &F, const Coarsening &C, const Untouched &Skip, ReplicaPlan &Plan) {
  assert(Plan.Factor == C.Factor[Plan.Dimension] && Plan.Factor > 1 && "a plan of a coarsened dimension");
  for (Instruction &I : instructions(F)) {
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
    if (!Intrinsic || Skip.Reads.contains(&I))
      continue;
    if (Intrinsic->getIntrinsicID() == C.extentRegister(Plan.Dimension))
      Plan.ExtentReads.push_back(&I);
    else if (Intrinsic->getIntrinsicID() == C.indexRegister(Plan.Dimension) &&
             !Skip.Blocks.contains(I.getParent()))
      Plan.IndexReads.push_back(&I);
  }
  // What follows from them has to be there for all replicas of a region.
  for (const auto &Reads : {Plan.IndexReads, Plan.ExtentReads})
    for (Instruction *Read : Reads)
      if (!Read->getParent()->isEntryBlock())
        Read->moveBefore(F.getEntryBlock().getFirstInsertionPt());
  if (C.JointSums)
    Plan.Joint = findJointSums(F, Skip);
  return planAround(F, C, Skip, Plan);
}

} // namespace gpuprune
