//===- LiveValues.h - What a kernel's threads keep in registers, and where ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_LIVEVALUES_H
#define GPUPRUNE_LIB_TRANSFORMS_LIVEVALUES_H

#include "gpuprune/Analysis/BlockFrequencies.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instruction.h"

namespace gpuprune {

/// 32-bit registers that \p V takes; none for what is not computed by an
/// instruction, for a kernel's parameter as a pointer into another space, because machine
/// code takes it from the constant bank where it is used, and for a predicate.
unsigned wordsOf(const llvm::Value &V);

/// Values that are live, at each instruction of a function, and how many registers
/// they take if each has its own. What the code generator and ptxas do later is not
/// known here: addresses may be folded, values computed again.
class LiveValues {
public:
  /// \p Frequencies and \p F have to stay; the analysis holds until F changes.
  LiveValues(llvm::Function &F, const BlockFrequencies &Frequencies);

  /// A place before an instruction, and the words that are live there.
  struct Point {
    llvm::Instruction *Before = nullptr;
    unsigned Words = 0;
    llvm::BitVector Live; ///< By number.
  };

  /// Where most words are live, in loops if there are any: outside of them spilling
  /// costs little, wherever it is. The most executed of equal places.
  Point peak(llvm::LoopInfo &Loops) const;

  llvm::ArrayRef<llvm::Instruction *> values() const { return Values; }
  bool isLiveAt(const llvm::Instruction &I, const Point &P) const {
    auto It = Numbers.find(&I);
    return It != Numbers.end() && P.Live.test(It->second);
  }
  /// Instructions that a thread executes while \p I is live.
  double lifetime(const llvm::Instruction &I) const;
  double executions(const llvm::Instruction &I) const { return Frequencies.of(I.getParent()); }
  /// Of \p I in its block; \p I may be new, and is then where it was put.
  unsigned position(const llvm::Instruction &I) const { return Positions.lookup(&I); }

private:
  llvm::Function &F;
  const BlockFrequencies &Frequencies;
  std::vector<llvm::Instruction *> Values; ///< Those that take registers, by number.
  llvm::DenseMap<const llvm::Instruction *, unsigned> Numbers, Positions;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> LiveIn, LiveOut;
  /// What a block computes, and what it uses of what was computed before it.
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector> Defined, Used;

  void solve();
  bool update(llvm::BasicBlock &Block);
  int stepBack(const llvm::Instruction &I, llvm::BitVector &Live) const;
  double instructionsLive(const llvm::Instruction &I, const llvm::BasicBlock &Block) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_LIVEVALUES_H
