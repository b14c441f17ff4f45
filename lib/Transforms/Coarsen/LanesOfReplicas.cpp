//===- LanesOfReplicas.cpp - Lanes that end for one replica -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LanesOfReplicas.h"
#include "Facts/LanesThatEnded.h"
#include "ReplicaInfluence.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprune {

namespace {

class LastGuards {
public:
  LastGuards(const Coarsening &C, const Influence &OfReplica) : C(C), OfReplica(OfReplica) {}

  /// Whether \p I lets a thread end that it lets end for all later replicas, too.
  bool contains(const Instruction &I) const;

private:
  const Coarsening &C;
  const Influence &OfReplica;

  bool isSame(const Value &V) const;
  bool grows(const Value &V) const;
};

} // namespace

bool LastGuards::isSame(const Value &V) const {
  const auto *I = dyn_cast<Instruction>(&V);
  return !I || !OfReplica.reaches(*I);
}

static bool isExtentOrPositive(const Value &V) {
  if (const auto *Number = dyn_cast<ConstantInt>(&V))
    return Number->getValue().isStrictlyPositive();
  const auto *I = dyn_cast<Instruction>(&V);
  const SpecialRegister *Read = I ? specialRegister(*I) : nullptr;
  return Read && (Read->Family == RegisterFamily::BlockExtent || Read->Family == RegisterFamily::GridExtent);
}

/// Whether \p V is never smaller for a later replica. An index in the grid does not wrap.
bool LastGuards::grows(const Value &V) const {
  if (isSame(V))
    return true;
  const auto &I = cast<Instruction>(V);
  Value *A = nullptr, *B = nullptr;
  if (is_contained({C.indexRegister(0), C.indexRegister(1), C.indexRegister(2)},
                   isa<IntrinsicInst>(I) ? cast<IntrinsicInst>(I).getIntrinsicID()
                                         : Intrinsic::not_intrinsic))
    return true;
  if (match(&I, m_Add(m_Value(A), m_Value(B))) || match(&I, m_DisjointOr(m_Value(A), m_Value(B))))
    return grows(*A) && grows(*B);
  if (match(&I, m_Mul(m_Value(A), m_Value(B))))
    return (grows(*A) && isExtentOrPositive(*B)) || (grows(*B) && isExtentOrPositive(*A));
  if (match(&I, m_Shl(m_Value(A), m_ConstantInt())) || match(&I, m_Shr(m_Value(A), m_ConstantInt())) ||
      match(&I, m_ZExtOrSExt(m_Value(A))) || match(&I, m_Freeze(m_Value(A))))
    return grows(*A);
  if (match(&I, m_IDiv(m_Value(A), m_Value(B))))
    return grows(*A) && isExtentOrPositive(*B);
  return false;
}

/// Whether \p BB and what follows it does nothing.
static bool isEnd(const BasicBlock &BB) {
  const BasicBlock *At = &BB;
  for (unsigned Steps = 0; Steps != 4 && At && &*At->getFirstNonPHIIt() == At->getTerminator(); ++Steps) {
    if (isa<ReturnInst>(At->getTerminator()))
      return true;
    At = At->getSingleSuccessor();
  }
  return false;
}

/// Whether all that \p Condition decides is that a thread ends where it is \p When.
static bool endsWhen(const Value &Condition, bool When) {
  return all_of(Condition.users(), [&](const User *U) {
    if (const auto *Branch = dyn_cast<BranchInst>(U))
      return isEnd(*Branch->getSuccessor(When ? 0 : 1));
    if (match(U, m_Not(m_Value())))
      return endsWhen(*U, !When);
    bool Joins =
        When ? match(U, m_LogicalOr(m_Value(), m_Value())) : match(U, m_LogicalAnd(m_Value(), m_Value()));
    return Joins && endsWhen(*U, When);
  });
}

/// In a loop a later replica begins with the first iteration again.
static bool isInLoop(const BasicBlock &BB) {
  SmallVector<BasicBlock *, 4> Next(successors(const_cast<BasicBlock *>(&BB)));
  return isPotentiallyReachableFromMany(Next, &BB, nullptr);
}

bool LastGuards::contains(const Instruction &I) const {
  const auto *Compare = dyn_cast<ICmpInst>(&I);
  if (!Compare || Compare->isEquality() || isInLoop(*I.getParent()))
    return false;
  const Value &Left = *Compare->getOperand(0), &Right = *Compare->getOperand(1);
  bool Grows = isSame(Right) && grows(Left);
  if (!Grows && !(isSame(Left) && grows(Right)))
    return false;
  bool IsGreater = ICmpInst::isGT(Compare->getPredicate()) || ICmpInst::isGE(Compare->getPredicate());
  return endsWhen(I, IsGreater == Grows);
}

/// Of several dimensions the faster one begins anew for each step of the other.
static bool isOneDimension(const Coarsening &C, const Dim3 &Divisor) {
  return count_if(seq(3u), [&](unsigned D) { return C.Factor[D] > 1 || Divisor[D] > 1; }) == 1;
}

Verdict checkLanesOfReplicas(Function &F, const Coarsening &C, const Dim3 &Divisor, const Untouched &Skip) {
  if (!C.blocks())
    return std::nullopt;
  Influence OfReplica = influenceOfReplica(F, C, Skip);
  LastGuards Guards(C, OfReplica);
  return checkNoLaneEnds(
      F, [&](const Instruction &I) { return isOneDimension(C, Divisor) && Guards.contains(I); },
      [&](const BasicBlock &BB) { return OfReplica.decides(BB); });
}

} // namespace gpuprune
