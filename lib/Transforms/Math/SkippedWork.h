//===- SkippedWork.h - What is computed for one side of a select alone ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A select computes both of its sides. What nothing but the one side of selects of the same block needs, and
// touches no memory, is moved behind a branch that is taken where one of them chooses that side.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_SKIPPEDWORK_H
#define GPUPRUNE_LIB_TRANSFORMS_SKIPPEDWORK_H

#include "QuotientTests.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"

namespace gpuprune {

/// The work of a block that branches can skip. Between its construction and its end comparisons that decide
/// without a quotient stand in the block beside those that need it; what is not used is removed.
class SkippedWork {
public:
  SkippedWork(llvm::BasicBlock &Block, FloatRanges &Ranges);
  ~SkippedWork();
  SkippedWork(const SkippedWork &) = delete;
  SkippedWork &operator=(const SkippedWork &) = delete;

  llvm::BasicBlock &block() const { return Block; }
  bool isEmpty() const { return Selects.empty(); }
  /// Puts the work of up to \p SelectsOfBranch selects, one after the other, behind a branch; whether there
  /// is any that only they need.
  bool skip(unsigned SelectsOfBranch);

private:
  using Instructions = llvm::SmallPtrSet<llvm::Instruction *, 16>;

  /// A select, and which side of it takes work.
  struct Choice {
    llvm::SelectInst *Select;
    bool OfTrue;

    llvm::Value *costly() const { return OfTrue ? Select->getTrueValue() : Select->getFalseValue(); }
    llvm::Value *other() const { return OfTrue ? Select->getFalseValue() : Select->getTrueValue(); }
  };

  llvm::BasicBlock &Block;
  llvm::SmallVector<Choice, 8> Selects; ///< In their order.
  llvm::SmallMapVector<llvm::FCmpInst *, llvm::FCmpInst *, 8> WithoutQuotient;

  void addTests(FloatRanges &Ranges);
  void findSelects();
  Instructions workOf(llvm::ArrayRef<Choice> Of) const;
  bool isOnlyFor(const llvm::Instruction &I, llvm::ArrayRef<Choice> Of, const Instructions &Work) const;
  unsigned costOf(const Choice &C, const Instructions &Work) const;
  bool mayShareBranch(llvm::ArrayRef<Choice> Group) const;
  void replaceTests();
  static llvm::Value *isNeeded(llvm::ArrayRef<Choice> Group, llvm::IRBuilder<> &B);
  bool skipGroup(llvm::ArrayRef<Choice> Group);
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_SKIPPEDWORK_H
