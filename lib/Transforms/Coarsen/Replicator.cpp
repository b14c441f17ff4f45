//===- Replicator.cpp - Carries out a plan of replication -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Replicator.h"
#include "Facts/BlockReductions.h"
#include "FastPath.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace gpuprune {

namespace {

class Replicator {
public:
  Replicator(Function &F, const Coarsening &C, ReplicaPlan &Plan, Untouched &Skip, DynamicMemory &Dynamic)
      : F(F), C(C), Plan(Plan), Skip(Skip), Dynamic(Dynamic), Replicas(Plan.Factor - 1) {}
  void run(TouchedArrays &Arrays);

private:
  using ScopeMap = DenseMap<MDNode *, MDNode *>;

  Function &F;
  const Coarsening &C;
  ReplicaPlan &Plan;
  Untouched &Skip;
  DynamicMemory &Dynamic;
  /// What stands for a value in replica r, at index r-1; for a block of a
  /// region as well.
  std::vector<DenseMap<Value *, Value *>> Replicas;
  std::vector<ScopeMap> Scopes;
  DenseSet<const BasicBlock *> InRegions;

  DenseMap<Instruction *, CopyPlaces> privatiseArrays(TouchedArrays &Arrays);
  void scaleExtents();
  void replicateIndex(Instruction &Read);
  void cloneScopes();
  void cloneInstruction(Instruction &I);
  void cloneRegion(ControlRegion &R);
  void connect(Instruction &Original, unsigned Replica, const CopyPlaces &Places);
  void chain(ControlRegion &R);
  void askForAll(CallInst &Call);
  void addCounts(Instruction &Count);
};

} // namespace

/// Where the replicas of each access to a privatised array go; what stands for arrays that are
/// Based in other replicas.
DenseMap<Instruction *, CopyPlaces> Replicator::privatiseArrays(TouchedArrays &Arrays) {
  DenseMap<Instruction *, CopyPlaces> Places;
  for (PrivateArray &Array : Plan.Privatised) {
    Arrays.emplace_back(Array.Uses.Object);
    SmallVector<Value *, 8> Bases;
    CopyPlaces OfArray = privatise(Array, Plan.Factor, Dynamic, Bases);
    Arrays.emplace_back(Array.Uses.Object);
    for (Instruction *Access : Array.Uses.Accesses)
      Places[Access] = OfArray;
    for (auto [R, Base] : enumerate(Bases))
      if (Base != Array.Uses.Object)
        Replicas[R][Array.Uses.Object] = Base;
  }
  return Places;
}

/// The physical extent times the factor is the author's, which fits: a signed
/// 32-bit number (CUDA programming guide, maximum dimensions).
void Replicator::scaleExtents() {
  for (Instruction *Read : Plan.ExtentReads) {
    IRBuilder<> Builder(Read->getNextNode());
    Value *Scaled =
        Builder.CreateMul(Read, Builder.getInt32(Plan.Factor), C.blocks() ? "grid.size" : "block.size",
                          /*HasNUW=*/true, /*HasNSW=*/true);
    Read->replaceUsesWithIf(Scaled, [&](Use &U) { return U.getUser() != Scaled; });
  }
}

void Replicator::replicateIndex(Instruction &Read) {
  IRBuilder<> Builder(Read.getNextNode());
  // Its users now, not those that computing the replicas adds.
  SmallVector<Use *, 8> Uses(make_pointer_range(Read.uses()));
  ReplicaIndices Indices(Builder, C, Plan.Dimension, Read, Skip);
  Value *First = Indices.first();
  for (unsigned R = 0; R < Replicas.size(); ++R)
    Replicas[R][First] = Indices.at(Builder.getInt32(R + 1));
  if (First != &Read)
    for (Use *U : Uses)
      U->set(First);
}

/// Scopes of inlined restrict parameters hold within one replica, so each gets
/// its own.
void Replicator::cloneScopes() {
  SmallVector<NoAliasScopeDeclInst *, 8> Declarations;
  SmallVector<MDNode *, 8> Lists;
  for (Instruction &I : instructions(F))
    if (auto *Declaration = dyn_cast<NoAliasScopeDeclInst>(&I)) {
      Lists.push_back(Declaration->getScopeList());
      if (!InRegions.contains(I.getParent())) // Those are cloned with their region.
        Declarations.push_back(Declaration);
    }
  Scopes.resize(Replicas.size());
  for (auto [R, Map] : enumerate(Scopes)) {
    cloneNoAliasScopes(Lists, Map, formatv("replica{0}", R + 1).str(), F.getContext());
    for (NoAliasScopeDeclInst *Declaration : Declarations) {
      Instruction *Clone = Declaration->clone();
      Clone->insertAfter(Declaration->getIterator());
      adaptNoAliasScopes(Clone, Map, F.getContext());
    }
  }
}

void Replicator::cloneInstruction(Instruction &I) {
  Instruction *Last = &I;
  for (unsigned R = 0; R < Replicas.size(); ++R) {
    Instruction *Clone = I.clone();
    if (I.hasName())
      Clone->setName(I.getName() + ".r" + Twine(R + 1));
    Clone->insertAfter(Last->getIterator());
    adaptNoAliasScopes(Clone, Scopes[R], F.getContext());
    Replicas[R][&I] = Last = Clone;
  }
}

void Replicator::cloneRegion(ControlRegion &R) {
  assert(&R.Head->front() == R.Head->getTerminator() && "what is before it is executed once");
  assert(R.Join->getSingleSuccessor() == R.Exit && "replica after replica goes on there");
  BasicBlock *Before = R.Exit;
  for (unsigned Replica = 0; Replica < Replicas.size(); ++Replica)
    for (BasicBlock *BB : R.Blocks) {
      BasicBlock *Clone = BasicBlock::Create(
          F.getContext(), BB->hasName() ? BB->getName() + ".r" + Twine(Replica + 1) : Twine(), &F, Before);
      Replicas[Replica][BB] = Clone;
      for (Instruction &I : *BB) {
        Instruction *Copy = I.clone();
        if (I.hasName())
          Copy->setName(I.getName() + ".r" + Twine(Replica + 1));
        Copy->insertInto(Clone, Clone->end());
        adaptNoAliasScopes(Copy, Scopes[Replica], F.getContext());
        Replicas[Replica][&I] = Copy;
      }
    }
}

/// Lets replica \p R + 1 of \p Original use that replica's values, blocks and
/// copies of arrays.
void Replicator::connect(Instruction &Original, unsigned R, const CopyPlaces &Places) {
  assert(Replicas[R].contains(&Original) && "outside of regions only what is in the plan has replicas");
  auto *Clone = cast<Instruction>(Replicas[R].lookup(&Original));
  for (Use &Operand : Clone->operands())
    if (Value *Replica = Replicas[R].lookup(Operand.get()))
      Operand.set(Replica);
  if (auto *Phi = dyn_cast<PHINode>(Clone); Phi && InRegions.contains(Original.getParent()))
    for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
      Phi->setIncomingBlock(I, cast<BasicBlock>(Replicas[R].lookup(Phi->getIncomingBlock(I))));
  if (uint64_t Displacement = Places.displacement(R + 1))
    displaceAccess(*Clone, Displacement);
}

/// Replica after replica, and after the last one what follows the region.
void Replicator::chain(ControlRegion &R) {
  BasicBlock *Join = R.Join;
  for (auto &Replica : Replicas) {
    Join->getTerminator()->setSuccessor(0, cast<BasicBlock>(Replica.lookup(R.Head)));
    Join = cast<BasicBlock>(Replica.lookup(R.Join));
  }
  Join->getTerminator()->setSuccessor(0, R.Exit);
  R.Exit->replacePhiUsesWith(R.Join, Join);
}

/// What is asked of one replica is asked of all.
void Replicator::askForAll(CallInst &Call) {
  IRBuilder<> Builder(&Call);
  Value *Asked = Call.getArgOperand(0);
  Value *All = Asked;
  for (auto &Replica : Replicas)
    if (Value *Same = Replica.lookup(Asked))
      All = Builder.CreateAnd(All, Same, "inside");
  Call.setArgOperand(0, All);
}

/// What the replicas of a thread count together is the result of each of them.
void Replicator::addCounts(Instruction &Count) {
  IRBuilder<> Builder(cast<Instruction>(Replicas.back().lookup(&Count))->getNextNode());
  Value *Sum = &Count;
  SmallPtrSet<const User *, 4> Sums;
  for (auto &Replica : Replicas)
    Sums.insert(cast<User>(Sum = Builder.CreateAdd(Sum, Replica.lookup(&Count), "counted")));
  auto IsNoSum = [&](const Use &U) { return !Sums.contains(U.getUser()); };
  Count.replaceUsesWithIf(Sum, IsNoSum);
  for (auto &Replica : Replicas)
    Replica.lookup(&Count)->replaceUsesWithIf(Sum, IsNoSum);
}

void Replicator::run(TouchedArrays &Arrays) {
  for (ControlRegion &R : Plan.Regions)
    InRegions.insert_range(R.Blocks);
  DenseMap<Instruction *, CopyPlaces> Places = privatiseArrays(Arrays);
  scaleExtents();
  for (Instruction *Read : Plan.IndexReads)
    replicateIndex(*Read);
  cloneScopes();
  SmallVector<CallInst *, 4> ForAll;
  // In a region each replica asks for itself: it is alone there.
  Plan.Replicated.remove_if([&](Instruction *I) {
    bool Together = isForAllReplicas(*I) && !InRegions.contains(I->getParent());
    if (Together)
      ForAll.push_back(cast<CallInst>(I));
    return Together;
  });
  for (Instruction *I : Plan.Replicated)
    if (!InRegions.contains(I->getParent()))
      cloneInstruction(*I);
  for (ControlRegion &R : Plan.Regions)
    cloneRegion(R);
  for (Instruction *I : Plan.Replicated)
    for (unsigned R = 0; R < Replicas.size(); ++R)
      connect(*I, R, Places.lookup(I));
  for (Instruction *I : Plan.Replicated)
    if (!C.blocks() && isBlockCount(*I))
      addCounts(*I);
  for (ControlRegion &R : Plan.Regions)
    chain(R);
  for (CallInst *Call : ForAll)
    askForAll(*Call);
}

void replicate(Function &F, const Coarsening &C, ReplicaPlan &Plan, Untouched &Skip, TouchedArrays &Arrays,
               DynamicMemory &Dynamic) {
  assert(Plan.Factor > 1 && "replica 0 is there already");
  Replicator(F, C, Plan, Skip, Dynamic).run(Arrays);
}

} // namespace gpuprune
