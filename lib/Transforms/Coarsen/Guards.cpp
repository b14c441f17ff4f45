//===- Guards.cpp - Branches past work that does not exist ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Guards.h"
#include "Facts/Influence.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprune {

/// Conditions longer than that are no guards but work.
static constexpr unsigned LongestCondition = 64;

/// Work that a barrier more is worth: a barrier takes some 20 to 30 cycles.
static constexpr unsigned WorthABarrier = 16;

bool canComputeAnywhere(const Instruction &I) {
  return !isa<PHINode, AllocaInst>(I) && !I.isTerminator() && !I.mayReadOrWriteMemory() &&
         isSafeToSpeculativelyExecute(&I) && !(isa<CallBase>(I) && cast<CallBase>(I).isConvergent());
}

Value *computeAt(IRBuilder<> &B, Value *V, DenseMap<Value *, Value *> &Hoisted, bool &Varies) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  if (Value *Known = Hoisted.lookup(I))
    return Known;
  Varies |= differsBetweenThreads(*I);
  bool IsThere = I->getParent() == B.GetInsertBlock();
  Instruction *Clone = IsThere ? I : I->clone();
  for (Use &Operand : I->operands()) {
    Value *Computed = computeAt(B, Operand.get(), Hoisted, Varies);
    if (!IsThere)
      Clone->setOperand(Operand.getOperandNo(), Computed);
  }
  if (!IsThere) {
    B.Insert(Clone);
    Clone->dropPoisonGeneratingAnnotations();
    Clone->dropUBImplyingAttrsAndMetadata();
  }
  return Hoisted[I] = Clone;
}

namespace {

class GuardFinder {
public:
  GuardFinder(Function &F, const Coarsening &C, bool Together)
      : F(F), C(C), Together(Together), DT(F), Loops(DT), PDT(F) {}
  SmallVector<Guard, 4> run();

private:
  Function &F;
  const Coarsening &C;
  bool Together;
  DominatorTree DT;
  LoopInfo Loops;
  PostDominatorTree PDT;

  std::optional<unsigned> wayToWork(const BranchInst &Branch) const;
  bool isWorth(const BranchInst &Branch, unsigned Way) const;
  void collectLeaves(Value *Condition, bool Expected, Guard &G) const;
  bool isUsual(const GuardLeaf &Leaf) const;
  bool collectSlice(Value *V, SmallPtrSetImpl<Instruction *> &Slice) const;
  bool dependsOnReplica(const SmallPtrSetImpl<Instruction *> &Slice) const;
  bool isGuard(const Guard &G) const;
};

} // namespace

/// The successor with work, where the other one leads past it.
std::optional<unsigned> GuardFinder::wayToWork(const BranchInst &Branch) const {
  const auto *Node = PDT.getNode(Branch.getParent());
  const BasicBlock *Met = Node && Node->getIDom() ? Node->getIDom()->getBlock() : nullptr;
  auto LeadsPast = [&](const BasicBlock *BB) {
    return BB == Met || (BB->getSingleSuccessor() == Met && &BB->front() == BB->getTerminator());
  };
  bool First = LeadsPast(Branch.getSuccessor(0)), Second = LeadsPast(Branch.getSuccessor(1));
  if (!Met || First == Second)
    return std::nullopt;
  return First ? 1 : 0;
}

/// Whether there is something to overlap between replicas.
bool GuardFinder::isWorth(const BranchInst &Branch, unsigned Way) const {
  const BasicBlock *Met = PDT.getNode(Branch.getParent())->getIDom()->getBlock();
  SmallVector<const BasicBlock *, 8> Ahead{Branch.getSuccessor(Way)};
  SmallPtrSet<const BasicBlock *, 8> Seen;
  unsigned Size = 0;
  bool Loads = false, InLoop = Loops.getLoopFor(Branch.getParent());
  while (!Ahead.empty()) {
    const BasicBlock *BB = Ahead.pop_back_val();
    if (BB == Met || BB == Branch.getParent() || !Seen.insert(BB).second)
      continue;
    Size += BB->size();
    Loads |= any_of(*BB, [](const Instruction &I) { return I.mayReadOrWriteMemory(); });
    InLoop |= bool(Loops.getLoopFor(BB));
    Ahead.append(succ_begin(BB), succ_end(BB));
  }
  return Together ? InLoop || Size >= WorthABarrier : Loads || InLoop;
}

void GuardFinder::collectLeaves(Value *Condition, bool Expected, Guard &G) const {
  Value *A = nullptr, *B = nullptr;
  if (Expected ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
               : match(Condition, m_LogicalOr(m_Value(A), m_Value(B)))) {
    collectLeaves(A, Expected, G);
    collectLeaves(B, Expected, G);
  } else if (match(Condition, m_Not(m_Value(A)))) {
    collectLeaves(A, !Expected, G);
  } else {
    G.Leaves.push_back({Condition, Expected});
  }
}

/// `i < n`, `x > 0`, `x != 0`: what most threads pass. `i == 0` is none of them.
bool GuardFinder::isUsual(const GuardLeaf &Leaf) const {
  const auto *Compare = dyn_cast<ICmpInst>(Leaf.Condition);
  return Compare && Compare->getPredicate() != (Leaf.Expected ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE);
}

bool GuardFinder::collectSlice(Value *V, SmallPtrSetImpl<Instruction *> &Slice) const {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Slice.contains(I))
    return true;
  if (!canComputeAnywhere(*I) || Slice.size() == LongestCondition)
    return false;
  Slice.insert(I);
  return all_of(I->operands(), [&](Value *Operand) { return collectSlice(Operand, Slice); });
}

/// A condition on the thread's index in its block alone (`tid < 32`) chooses
/// threads, it does not keep the surplus ones of the last block out.
bool GuardFinder::dependsOnReplica(const SmallPtrSetImpl<Instruction *> &Slice) const {
  auto Reads = [&](auto RegisterOf, bool OfCoarsened) {
    return any_of(Slice, [&](const Instruction *I) {
      const auto *Read = dyn_cast<IntrinsicInst>(I);
      for (unsigned D = 0; Read && D < 3; ++D)
        if (Read->getIntrinsicID() == RegisterOf(D) && (!OfCoarsened || C.Factor[D] > 1))
          return true;
      return false;
    });
  };
  Coarsening Blocks;
  return Reads([&](unsigned D) { return C.indexRegister(D); }, true) &&
         Reads([&](unsigned D) { return Blocks.indexRegister(D); }, false);
}

bool GuardFinder::isGuard(const Guard &G) const {
  bool Depends = false;
  for (const GuardLeaf &Leaf : G.Leaves) {
    SmallPtrSet<Instruction *, 16> Slice;
    if (!isUsual(Leaf) || !collectSlice(Leaf.Condition, Slice))
      return false;
    Depends |= dependsOnReplica(Slice);
  }
  return Depends;
}

SmallVector<Guard, 4> GuardFinder::run() {
  SmallVector<Guard, 4> Guards;
  for (BasicBlock &BB : F) {
    auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
    if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    std::optional<unsigned> Way = wayToWork(*Branch);
    if (!Way || !isWorth(*Branch, *Way))
      continue;
    Guard G{Branch, *Way, {}};
    collectLeaves(Branch->getCondition(), *Way == 0, G);
    if (isGuard(G))
      Guards.push_back(std::move(G));
  }
  return Guards;
}

SmallVector<Guard, 4> findGuards(Function &F, const Coarsening &C, bool Together) {
  return GuardFinder(F, C, Together).run();
}

} // namespace gpuprune
