//===- FloatRanges.h - Between which bounds floating-point values lie -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The range of a value is computed from those of its operands: a square is not negative, a converted integer
// lies between the bounds of its type, a sum between the sums of the bounds. Rounding to the nearest keeps
// the order of numbers, so the rounded bound of exact results bounds rounded results, too; products inside of
// a multiply-add are bounded outwards, since they are not rounded by themselves. A condition that a branch
// in front has tested narrows the range behind it.
//
// Nothing is known (the range is full, with NaN) of values from memory, of arguments, of recurrences of a
// loop, of operations with fast-math flags that let the optimiser compute something else (reassoc, contract,
// arcp, afn), and where results that are subnormal are flushed to zero.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_FLOATRANGES_H
#define GPUPRUNE_LIB_TRANSFORMS_FLOATRANGES_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/ConstantFPRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace gpuprune {

class FloatRanges {
public:
  /// \p DT, of \p F, outlives this.
  FloatRanges(const llvm::Function &F, const llvm::DominatorTree &DT);

  /// From now on \p A is a positive normal number.
  void assumeNormal(const llvm::Argument &A) { Normal.insert(&A); }
  /// What \p V, a float or double, may be where \p At is executed.
  llvm::ConstantFPRange at(const llvm::Value &V, const llvm::Instruction &At);

private:
  const llvm::DominatorTree &DT;
  bool KeepsSubnormals;
  llvm::SmallPtrSet<const llvm::Argument *, 4> Normal;
  unsigned StepsLeft = 0;

  using Range = llvm::ConstantFPRange;
  Range of(const llvm::Value &V, const llvm::Instruction &At, unsigned Depth);
  Range ofInstruction(const llvm::Instruction &I, const llvm::Instruction &At, unsigned Depth);
  Range ofSquare(const llvm::Value &Base, const llvm::Instruction &At, unsigned Depth);
  Range ofCall(const llvm::CallInst &Call, const llvm::Instruction &At, unsigned Depth);
  Range ofSelect(const llvm::SelectInst &S, const llvm::Instruction &At, unsigned Depth);
  Range ofPhi(const llvm::PHINode &Phi, unsigned Depth);
  /// \p Known, narrowed by the branches that lead to \p At.
  Range behindBranches(const llvm::Value &V, const llvm::Instruction &At, Range Known) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_FLOATRANGES_H
