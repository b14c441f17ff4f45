//===- LaunchRanges.h - What an integer can be in any thread of a launch ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds of an integer over all threads and iterations of whatever launch, as expressions of the kernel's
// integer arguments and the extents of block and grid: a thread's index is 0 to ntid - 1, `i` behind
// `if (i < n)` is at most n - 1, and a loop's counter goes from its start by its steps.
//
// An expression of N bits is taken for one of any integers, modulo 2^N. Bounds are of these integers, and as
// long as all that is done is adding and multiplying they need not be the values that a register has. Where
// the difference matters, at an extension, a comparison, a division, they have to be: then a bound that N
// bits do not hold is made a condition, something that must not be negative, for who asked to test.
//
// Nothing wraps in the bounds themselves. Their integers have 64 bits, and how many each can need is known:
// 32 for an argument, a bit more for a sum, as many as both factors for a product. What may need more than 62
// has no bounds. An argument of 64 bits is under the condition that 31 hold it.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_LAUNCHRANGES_H
#define GPUPRUNE_LIB_TRANSFORMS_LAUNCHRANGES_H

#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include <optional>

namespace gpuprune {

/// Both ends belong to it; they have 64 bits.
struct LaunchRange {
  const llvm::SCEV *Low, *High;
  unsigned Bits; ///< The magnitude of both is at most 2 to this.
};

class LaunchRanges {
public:
  /// \p Extents are calls that read %ntid and %nctaid where \p F begins, all six, in this order.
  LaunchRanges(llvm::Function &F, llvm::ScalarEvolution &SE, llvm::ArrayRef<llvm::Value *> Extents);

  /// What \p S, an integer, can be when \p At is executed. Nothing, and no condition, where that is not
  /// known.
  std::optional<LaunchRange> of(const llvm::SCEV *S, const llvm::BasicBlock &At);

  /// What must not be negative, of 64 bits, for the ranges so far to hold.
  llvm::ArrayRef<const llvm::SCEV *> conditions() const { return Conditions.getArrayRef(); }

private:
  /// `Left < Right`, or `Left <= Right`, is asked somewhere in the kernel, or the opposite.
  struct Comparison {
    const llvm::SCEV *Left, *Right;
    bool IsSigned;
    bool operator==(const Comparison &) const = default;
  };

  struct Upper {
    const llvm::SCEV *Of;
    bool IsSigned, IsStrict;
  };

  llvm::ScalarEvolution &SE;
  llvm::SmallVector<llvm::Value *, 6> Extents;
  llvm::SmallVector<Comparison, 16> Comparisons;
  llvm::SmallSetVector<const llvm::SCEV *, 16> Conditions;
  const llvm::BasicBlock *At = nullptr;
  bool Impossible = false;                   ///< What was demanded is negative whatever the launch.
  unsigned Depth = 0, Parts = 0, Splits = 0; ///< Of what is looked at.

  std::optional<LaunchRange> rangeOf(const llvm::SCEV *S);
  std::optional<LaunchRange> ofUnknown(const llvm::Value &V);
  std::optional<LaunchRange> ofRegister(const SpecialRegister &Register);
  std::optional<LaunchRange> ofSum(const llvm::SCEVAddExpr &Sum);
  std::optional<LaunchRange> ofProduct(const llvm::SCEVMulExpr &Product);
  std::optional<LaunchRange> ofQuotient(const llvm::SCEVUDivExpr &Quotient);
  std::optional<LaunchRange> ofMultiple(const llvm::SCEVAddRecExpr &Steps);
  std::optional<LaunchRange> ofSteps(const llvm::SCEVAddRecExpr &Steps);
  std::optional<LaunchRange> ofChoice(const llvm::SCEVNAryExpr &Choice);
  std::optional<LaunchRange> plain(const llvm::SCEV *S);
  std::optional<LaunchRange> own(const llvm::SCEV *S);
  std::optional<LaunchRange> guarded(const llvm::SCEV *S);
  std::optional<LaunchRange> guardedBy(const llvm::SCEV *S, const llvm::SCEVAddRecExpr *Counter,
                                       const Comparison &C);
  std::optional<LaunchRange> byPart(const llvm::SCEVAddExpr &Sum, const llvm::SCEV *Part);
  bool raise(const llvm::SCEV *S, LaunchRange &Range);
  std::optional<LaunchRange> below(const llvm::SCEV *S, const Upper &Bound,
                                   const llvm::SCEVAddRecExpr *Steps);

  /// What \p Try returns; where that is nothing, without the conditions that it has made.
  std::optional<LaunchRange> attempt(llvm::function_ref<std::optional<LaunchRange>()> Try);
  const llvm::SCEV *number(int64_t Value) const;
  void demand(const llvm::SCEV *NotNegative);
  void demandAtMost(const llvm::SCEV *S, uint64_t Most);
  /// Demands that \p Bits hold what is in the range.
  void fit(LaunchRange &Range, unsigned Bits, bool IsSigned);
  LaunchRange sum(const LaunchRange &A, const LaunchRange &B) const;
  std::optional<LaunchRange> product(LaunchRange A, LaunchRange B);
  std::optional<LaunchRange> multiply(const LaunchRange &A, const LaunchRange &B) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_LAUNCHRANGES_H
