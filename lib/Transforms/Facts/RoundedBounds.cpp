//===- RoundedBounds.cpp - Comparisons that all threads of a block answer alike
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RoundedBounds.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "gpuprune/Support/Dim3.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprune {

namespace {

using StepSet = SmallPtrSetImpl<const Instruction *>;

/// Looks at values as multiples of the extent of a block in one dimension.
class WholeBlocks {
public:
  explicit WholeBlocks(unsigned Dimension) : Dimension(Dimension) {}
  /// The thread's index in the dimension, a multiple of the extent further that all threads share.
  bool isThreadOfSome(const Value &V, StepSet &Steps) const;
  bool isMultiple(const Value &V) const;

private:
  unsigned Dimension;

  bool isRemainder(const Value &V, const Value &Dividend) const;
  bool reads(const Value &V, RegisterFamily Family) const {
    const auto *Read = dyn_cast<IntrinsicInst>(&V);
    return Read && readsRegister(*Read, Family, Dimension);
  }
};

} // namespace

/// Whether the operands say that \p V is the same for all threads of a block.
static bool isOfBlock(const Value &V, unsigned Depth = 0) {
  constexpr unsigned MostDepth = 8;
  if (isa<Constant, Argument>(V))
    return true;
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || Depth == MostDepth)
    return false;
  if (const SpecialRegister *Register = specialRegister(*I))
    return Register->UniformOver >= OperationScope::Block;
  return (isa<BinaryOperator>(I) || isa<CastInst>(I)) &&
         all_of(I->operand_values(), [&](const Value *Operand) { return isOfBlock(*Operand, Depth + 1); });
}

static bool isWidening(const Value &V) { return isa<ZExtInst, SExtInst>(V); }

/// Whether \p V is what division of \p Dividend by a multiple leaves; as InstCombine has x / y * y.
bool WholeBlocks::isRemainder(const Value &V, const Value &Dividend) const {
  const auto *Rest = dyn_cast<BinaryOperator>(&V);
  return Rest && is_contained({Instruction::URem, Instruction::SRem}, Rest->getOpcode()) &&
         Rest->getOperand(0) == &Dividend && isMultiple(*Rest->getOperand(1));
}

bool WholeBlocks::isMultiple(const Value &V) const {
  if (const auto *Number = dyn_cast<ConstantInt>(&V))
    return Number->isZero();
  if (reads(V, RegisterFamily::BlockExtent))
    return true;
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || !isOfBlock(V))
    return false;
  if (isWidening(*I))
    return isMultiple(*I->getOperand(0));
  bool First = I->getNumOperands() == 2 && isMultiple(*I->getOperand(0)),
       Second = I->getNumOperands() == 2 && isMultiple(*I->getOperand(1));
  switch (I->getOpcode()) {
  case Instruction::Mul:
    return First || Second;
  case Instruction::Shl:
    return First;
  case Instruction::Add:
    return First && Second;
  case Instruction::Sub:
    return (First && Second) || isRemainder(*I->getOperand(1), *I->getOperand(0));
  default:
    return false;
  }
}

bool WholeBlocks::isThreadOfSome(const Value &V, StepSet &Steps) const {
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I)
    return false;
  if (reads(V, RegisterFamily::ThreadIndex) || !Steps.insert(I).second)
    return true;
  if (isWidening(V))
    return isThreadOfSome(*I->getOperand(0), Steps);
  if (const auto *Phi = dyn_cast<PHINode>(I))
    return all_of(Phi->incoming_values(),
                  [&](const Value *Incoming) { return isThreadOfSome(*Incoming, Steps); });
  if (I->getOpcode() != Instruction::Add)
    return false;
  const Value &A = *I->getOperand(0), &B = *I->getOperand(1);
  return isMultiple(A) ? isThreadOfSome(B, Steps) : isMultiple(B) && isThreadOfSome(A, Steps);
}

bool comparesWholeBlocks(const Instruction &I, SmallPtrSetImpl<const Instruction *> &Steps) {
  const auto *Test = dyn_cast<ICmpInst>(&I);
  if (!Test)
    return false;
  auto Compares = [&](CmpInst::Predicate Predicate, const Value &Thread, const Value &Bound) {
    bool Parts =
        is_contained({CmpInst::ICMP_SLT, CmpInst::ICMP_ULT, CmpInst::ICMP_SGE, CmpInst::ICMP_UGE}, Predicate);
    return Parts && any_of(seq(Dim3::size()), [&](unsigned Dimension) {
             WholeBlocks Blocks(Dimension);
             Steps.clear();
             Steps.insert(&I);
             return Blocks.isMultiple(Bound) && Blocks.isThreadOfSome(Thread, Steps);
           });
  };
  const Value &A = *Test->getOperand(0), &B = *Test->getOperand(1);
  return Compares(Test->getPredicate(), A, B) || Compares(Test->getSwappedPredicate(), B, A);
}

} // namespace gpuprune
