//===- ShortenLives.cpp - Values moved or computed again ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ShortenLives.h"
#include "Facts/UseGroups.h"
#include "PlacedValue.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprune {

/// Moves in one kernel at most: each is chosen by a new look at the whole of it.
static constexpr unsigned MostMoves = 64;

/// Computes its result from its operands alone.
static bool isPure(const Instruction &I) {
  return !isa<PHINode, AllocaInst, CallBase>(I) && !I.isTerminator() && !I.mayReadOrWriteMemory() &&
         !I.getType()->isVoidTy() && isSafeToSpeculativelyExecute(&I);
}

using Peak = LiveValues::Point;

/// The different instructions among \p I's operands.
static SmallPtrSet<Instruction *, 4> operandsOf(const Instruction &I) {
  SmallPtrSet<Instruction *, 4> Result;
  for (Value *Operand : I.operands())
    if (auto *Computed = dyn_cast<Instruction>(Operand))
      Result.insert(Computed);
  return Result;
}

static size_t usesIn(ArrayRef<UseGroup> Groups) {
  size_t Uses = 0;
  for (const UseGroup &Group : Groups)
    Uses += Group.Uses.size();
  return Uses;
}

//===----------------------------------------------------------------------===//
// Sinking
//===----------------------------------------------------------------------===//

/// Where all of \p Groups can still get the value, as late as possible.
static Instruction *latestPlace(ArrayRef<UseGroup> Groups, const DominatorTree &Dominators,
                                const LiveValues &Lives) {
  BasicBlock *Block = Groups.front().Before->getParent();
  for (const UseGroup &Group : Groups.drop_front())
    Block = Dominators.findNearestCommonDominator(Block, Group.Before->getParent());
  Instruction *Place = Block->getTerminator();
  for (const UseGroup &Group : Groups)
    if (Group.Before->getParent() == Block && Lives.position(*Group.Before) < Lives.position(*Place))
      Place = Group.Before;
  return Place;
}

/// Whether a value defined before \p Place is not live at \p P any more.
static bool isBehind(const Instruction &Place, const Peak &P, const DominatorTree &Dominators,
                     const LiveValues &Lives) {
  if (Place.getParent() == P.Before->getParent())
    return Lives.position(Place) > Lives.position(*P.Before);
  return !Dominators.dominates(Place.getParent(), P.Before->getParent());
}

/// Where to put \p V; null where that would free nothing.
static Instruction *placeToSink(Instruction &V, const MovedIn &In, const LiveValues &Lives, const Peak &P) {
  if (!Lives.isLiveAt(V, P) || !isPure(V))
    return nullptr;
  SmallVector<UseGroup, 4> Groups = farUses(V, Lives, P);
  if (Groups.empty() || usesIn(Groups) != V.getNumUses())
    return nullptr;
  Instruction *Place = latestPlace(Groups, In.Dominators, Lives);
  if (!isBehind(*Place, P, In.Dominators, Lives) ||
      In.Frequencies.of(Place->getParent()) > Lives.executions(V))
    return nullptr;
  unsigned Begun = 0; // Operands that would live at the peak from now on.
  for (Instruction *Operand : operandsOf(V))
    if (!Lives.isLiveAt(*Operand, P))
      Begun += wordsOf(*Operand);
  return Begun < wordsOf(V) ? Place : nullptr;
}

static bool sinkOne(const MovedIn &In, std::vector<std::string> &Done) {
  LiveValues Lives(In.F, In.Frequencies);
  Peak P = Lives.peak(In.Loops);
  if (!P.Before)
    return false;
  for (Instruction *V : reverse(Lives.values())) // Users before their operands.
    if (Instruction *Place = placeToSink(*V, In, Lives, P)) {
      V->moveBefore(Place->getIterator());
      Done.push_back("computed after the point where most registers are live: " + nameOfValue(*V));
      return true;
    }
  return false;
}

void sinkValues(const MovedIn &In, std::vector<std::string> &Done) {
  for (unsigned I = 0; I < MostMoves && sinkOne(In, Done); ++I) {
  }
}

//===----------------------------------------------------------------------===//
// Hoisting
//===----------------------------------------------------------------------===//

namespace {

/// Who alone needs a value far from its definition. Asked for every instruction of which it is an operand,
/// and found out once: a pointer may have a thousand uses.
class FarUsers {
public:
  FarUsers(const LiveValues &Lives, const Peak &P) : Lives(Lives), P(P) {}

  /// Null where nobody or several do.
  const User *only(Instruction &V) {
    auto [Known, IsNew] = Found.try_emplace(&V, nullptr);
    if (IsNew)
      Known->second = find(V);
    return Known->second;
  }

private:
  const LiveValues &Lives;
  const Peak &P;
  DenseMap<const Instruction *, const User *> Found;

  const User *find(Instruction &V) const {
    const User *Only = nullptr;
    for (const UseGroup &Group : farUses(V, Lives, P))
      for (const Use *U : Group.Uses)
        if (const User *Other = std::exchange(Only, U->getUser()); Other && Other != Only)
          return nullptr;
    return Only;
  }
};

} // namespace

/// The last of \p I's operands to be computed, where moving \p I behind it frees
/// registers at the peak; else null.
static Instruction *lastOperandToHoistTo(Instruction &I, const MovedIn &In, const LiveValues &Lives,
                                         const Peak &P, FarUsers &Far) {
  if (Lives.isLiveAt(I, P) || wordsOf(I) == 0 || !isPure(I))
    return nullptr;
  Instruction *Last = nullptr;
  unsigned Ended = 0;
  for (Instruction *Operand : operandsOf(I)) {
    if (!Lives.isLiveAt(*Operand, P))
      return nullptr;
    if (!Last || In.Dominators.dominates(Last, Operand))
      Last = Operand;
    if (Far.only(*Operand) == &I)
      Ended += wordsOf(*Operand);
  }
  return Ended > wordsOf(I) && Lives.executions(*Last) <= Lives.executions(I) ? Last : nullptr;
}

static bool hoistOne(const MovedIn &In, std::vector<std::string> &Done) {
  LiveValues Lives(In.F, In.Frequencies);
  Peak P = Lives.peak(In.Loops);
  if (!P.Before)
    return false;
  FarUsers Far(Lives, P);
  for (Instruction *I : Lives.values())
    if (Instruction *Last = lastOperandToHoistTo(*I, In, Lives, P, Far)) {
      I->moveBefore(*Last->getInsertionPointAfterDef());
      Done.push_back("computed before where most registers are live: " + nameOfValue(*I));
      return true;
    }
  return false;
}

void hoistValues(const MovedIn &In, std::vector<std::string> &Done) {
  for (unsigned I = 0; I < MostMoves && hoistOne(In, Done); ++I) {
  }
}

//===----------------------------------------------------------------------===//
// Computing again
//===----------------------------------------------------------------------===//

/// Instructions that computing a value again may take.
static constexpr unsigned MostRecomputed = 6;
/// Instructions for which a value has to live for each that computes it again.
static constexpr double LeastLifePerInstruction = 32;

/// Whether \p I reads an index or an extent of the launch, which costs a move.
static bool readsGeometry(const Instruction &I) {
  const SpecialRegister *Register = specialRegister(I);
  return Register && Register->isGeometry();
}

using Recipe = SmallSetVector<Instruction *, 4>;

/// Adds what computes \p I from special registers, parameters and constants, operands
/// first; false where it is more.
static bool addToRecipe(Instruction &I, Recipe &Steps) {
  if (Steps.contains(&I))
    return true;
  if (Steps.size() >= MostRecomputed || (!readsGeometry(I) && !isPure(I)))
    return false;
  for (Value *Operand : I.operands())
    if (auto *Computed = dyn_cast<Instruction>(Operand); Computed && !addToRecipe(*Computed, Steps))
      return false;
  Steps.insert(&I);
  return Steps.size() <= MostRecomputed;
}

/// Nothing where no special register is read: then the code generator would take the
/// first result for the second.
static Recipe recipeOf(Instruction &V) {
  Recipe Steps;
  auto ReadsRegister = [](const Instruction *I) { return readsGeometry(*I); };
  if (!addToRecipe(V, Steps) || none_of(Steps, ReadsRegister))
    return {};
  return Steps;
}

/// A second read of a special register, not to be taken for the first.
static Value *readAgain(IRBuilder<> &B, const Instruction &Read) {
  auto *T = FunctionType::get(B.getInt32Ty(), false);
  return B.CreateCall(
      InlineAsm::get(T, ("mov.u32 $0, %" + specialRegister(Read)->Name + ";").str(), "=r", true));
}

static Value *computeAgain(IRBuilder<> &B, const Recipe &Steps) {
  DenseMap<Value *, Value *> Again;
  Value *Result = nullptr;
  for (Instruction *I : Steps) {
    if (readsGeometry(*I)) {
      Result = readAgain(B, *I);
    } else {
      Instruction *Copy = B.Insert(I->clone());
      for (Use &Operand : Copy->operands())
        if (Value *V = Again.lookup(Operand.get()))
          Operand.set(V);
      Result = Copy;
    }
    Again[I] = Result;
  }
  return Result;
}

static bool recomputeOne(const MovedIn &In, std::vector<std::string> &Done) {
  LiveValues Lives(In.F, In.Frequencies);
  Peak P = Lives.peak(In.Loops);
  if (!P.Before)
    return false;
  for (Instruction *V : Lives.values()) {
    Recipe Steps;
    if (Lives.isLiveAt(*V, P))
      Steps = recipeOf(*V);
    if (Steps.empty())
      continue;
    SmallVector<UseGroup, 4> Groups = farUses(*V, Lives, P);
    if (isUsedAt(P, Groups))
      continue;
    double Instructions = 0;
    for (const UseGroup &Group : Groups)
      Instructions += double(Steps.size()) * In.Frequencies.of(Group.Before->getParent());
    if (Groups.empty() || Lives.lifetime(*V) < LeastLifePerInstruction * Instructions ||
        decidesControl(Groups))
      continue;
    Done.push_back("computed again: " + nameOfValue(*V));
    for (const UseGroup &Group : Groups) {
      IRBuilder<> B(Group.Before);
      Value *Again = computeAgain(B, Steps);
      for (Use *U : Group.Uses)
        U->set(Again);
    }
    if (V->use_empty())
      V->eraseFromParent();
    return true;
  }
  return false;
}

void rematerialiseValues(const MovedIn &In, std::vector<std::string> &Done) {
  for (unsigned I = 0; I < MostMoves && recomputeOne(In, Done); ++I) {
  }
}

} // namespace gpuprune
