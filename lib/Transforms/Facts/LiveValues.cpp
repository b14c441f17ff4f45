//===- LiveValues.cpp - What a kernel's threads keep in registers, and where ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LiveValues.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace gpuprune {

static constexpr uint64_t BitsOfRegister = 32;

/// The same bits, as a pointer into another space.
static bool isParameter(const Value &V) {
  const auto *Cast = dyn_cast<AddrSpaceCastInst>(&V);
  return Cast && isa<Argument>(Cast->getPointerOperand());
}

unsigned wordsOf(const Value &V) {
  Type *T = V.getType();
  if (!isa<Instruction>(V) || isParameter(V) || !T->isSized() || T->isIntegerTy(1) || isa<AllocaInst>(V))
    return 0;
  return divideCeil(cast<Instruction>(V).getDataLayout().getTypeSizeInBits(T).getFixedValue(),
                    BitsOfRegister);
}

LiveValues::LiveValues(Function &F, const BlockFrequencies &Frequencies) : F(F), Frequencies(Frequencies) {
  for (BasicBlock &Block : F)
    for (auto [Position, I] : enumerate(Block)) {
      Positions[&I] = Position;
      if (wordsOf(I) == 0)
        continue;
      Numbers[&I] = Values.size();
      Values.push_back(&I);
    }
  solve();
}

/// Makes \p Live what it is before \p I, from what it is behind, and returns by how many
/// words that is more. A PHI's operands are live at the ends of the blocks they come from.
int LiveValues::stepBack(const Instruction &I, BitVector &Live) const {
  int Words = 0;
  if (auto It = Numbers.find(&I); It != Numbers.end() && Live.test(It->second)) {
    Live.reset(It->second);
    Words -= int(wordsOf(I));
  }
  if (isa<PHINode>(I))
    return Words;
  for (const Value *Operand : I.operands()) {
    auto It = isa<Instruction>(Operand) ? Numbers.find(cast<Instruction>(Operand)) : Numbers.end();
    if (It == Numbers.end() || Live.test(It->second))
      continue;
    Live.set(It->second);
    Words += int(wordsOf(*Operand));
  }
  return Words;
}

bool LiveValues::update(BasicBlock &Block) {
  BitVector Live(Values.size());
  for (BasicBlock *Next : successors(&Block)) {
    Live |= LiveIn[Next];
    for (PHINode &Phi : Next->phis())
      if (auto *Used = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(&Block)))
        if (auto It = Numbers.find(Used); It != Numbers.end())
          Live.set(It->second);
  }
  LiveOut[&Block] = Live;
  Live.reset(Defined.find(&Block)->second);
  Live |= Used.find(&Block)->second;
  bool Changed = LiveIn[&Block] != Live;
  LiveIn[&Block] = std::move(Live);
  return Changed;
}

void LiveValues::solve() {
  for (BasicBlock &Block : F) {
    LiveIn[&Block].resize(Values.size());
    BitVector &UsedHere = Used[&Block] = BitVector(Values.size());
    BitVector &DefinedHere = Defined[&Block] = BitVector(Values.size());
    for (Instruction &I : reverse(Block)) {
      stepBack(I, UsedHere);
      if (auto It = Numbers.find(&I); It != Numbers.end())
        DefinedHere.set(It->second);
    }
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *Block : post_order(&F))
      Changed |= update(*Block);
  }
}

LiveValues::Point LiveValues::peak(LoopInfo &Loops) const {
  Point Best;
  double BestExecutions = 0;
  for (BasicBlock &Block : F) {
    if (!LiveOut.contains(&Block) || (!Loops.empty() && !Loops.getLoopFor(&Block)))
      continue;
    BitVector Live = LiveOut.lookup(&Block);
    int Words = 0;
    for (unsigned Number : Live.set_bits())
      Words += int(wordsOf(*Values[Number]));
    double Executions = Frequencies.of(&Block);
    for (Instruction &I : reverse(Block)) {
      if (isa<PHINode>(I))
        break;
      Words += stepBack(I, Live);
      if (std::pair(Words, Executions) > std::pair(int(Best.Words), BestExecutions)) {
        Best = {&I, unsigned(Words), Live};
        BestExecutions = Executions;
      }
    }
  }
  return Best;
}

double LiveValues::instructionsLive(const Instruction &I, const BasicBlock &Block) const {
  unsigned Number = Numbers.lookup(&I);
  unsigned Begin = I.getParent() == &Block ? position(I) : 0;
  if (LiveOut.lookup(&Block).test(Number))
    return position(Block.back()) + 1 - Begin;
  unsigned End = Begin;
  for (const User *U : I.users())
    if (auto *Used = cast<Instruction>(U); Used->getParent() == &Block && !isa<PHINode>(Used))
      End = std::max(End, position(*Used));
  return End - Begin;
}

double LiveValues::lifetime(const Instruction &I) const {
  assert(Numbers.contains(&I) && "a value that takes no register is not followed");
  unsigned Number = Numbers.lookup(&I);
  double Instructions = 0;
  for (const auto &[Block, Live] : LiveIn) // Nothing is live out of blocks that nothing leads to.
    if (LiveOut.contains(Block) && (Live.test(Number) || I.getParent() == Block))
      Instructions += Frequencies.of(Block) * instructionsLive(I, *Block);
  return Instructions;
}

} // namespace gpuprune
