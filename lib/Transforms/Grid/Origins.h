//===- Origins.h - What values of a kernel over a grid come from -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each value has an origin, and each shared array: the smallest solution of equations over all instructions.
// A value whose origin allows less than its use needs is what conditions 1, 2, 4 and 5 of Grid.h fail at.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_ORIGINS_H
#define GPUPRUNE_LIB_TRANSFORMS_ORIGINS_H

#include "GridStride.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class CallBase;
class SelectInst;
} // namespace llvm

namespace gpuprune {

enum class Origin : uint8_t {
  Unknown,   ///< Not seen yet.
  Alike,     ///< The same in all blocks and, in a loop over the grid, in all iterations.
  Place,     ///< Computed from ctaid.x or nctaid.x.
  Iteration, ///< In a loop over the grid, from its index.
  Running,   ///< There, what the thread's iterations so far add up to.
  Sum,       ///< Behind it: linear in such sums.
  NonZero,   ///< Whether a sum is not zero.
  Zero,      ///< Whether it is.
  Other,     ///< All else.
};

class Origins {
public:
  Origins(llvm::Function &F, llvm::ArrayRef<GridStride> Loops);

  const GridStride *loopOf(const llvm::Instruction &I) const;
  /// The origin of \p V for \p User, which may stand behind the loop in which V does.
  Origin of(const llvm::Value &V, const llvm::Instruction &User) const;
  Origin of(const llvm::Instruction &I) const { return known(I).Of; }
  /// Of a sum that runs in a loop, the header's phi; null where it is no such sum.
  const llvm::PHINode *runningSum(const llvm::Value &V) const;
  /// Of an array that sharedArrayOf() gives: Alike, or Sum where sums are kept in it.
  Origin ofArray(const llvm::Value &Array) const;

private:
  struct Known {
    Origin Of = Origin::Unknown;
    /// Where a sum runs, or behind the loop is what ran: the header's phi.
    const llvm::PHINode *First = nullptr;
    bool operator==(const Known &) const = default;
  };

  llvm::ArrayRef<GridStride> Loops;
  llvm::DenseMap<const llvm::Value *, Known> Values;
  llvm::DenseMap<const llvm::Value *, Origin> Arrays;

  Known known(const llvm::Value &V) const;
  Known seenBy(const llvm::Value &V, const llvm::Instruction &User) const;
  Known computed(const llvm::Instruction &I) const;
  Known inLoop(const llvm::Instruction &I, const GridStride &G) const;
  Known running(const llvm::Instruction &I) const;
  bool continues(const llvm::Instruction &I, unsigned Sums, unsigned Others) const;
  Origin outside(const llvm::Instruction &I) const;
  bool makesAllSums(const GridStride &G) const;
  Known ofPhi(const llvm::PHINode &Phi) const;
  Origin joined(const llvm::Instruction &I, llvm::ArrayRef<const llvm::Value *> Among) const;
  bool scales(const llvm::Instruction &Product, unsigned Sum, unsigned Factor) const;
  Origin product(const llvm::Instruction &I) const;
  std::optional<Origin> ofLinearCall(const llvm::CallBase &Call) const;
  Origin ofCall(const llvm::CallBase &Call) const;
  Origin ofLoad(const llvm::Instruction &Load) const;
  Origin ofCompare(const llvm::Instruction &I) const;
  Origin ofOperands(const llvm::Instruction &I) const;
  bool noteArray(const llvm::Instruction &I);
};

/// 0 or 0.0, which is a sum of nothing.
bool isSumOfNothing(const llvm::Value &V);

/// The shared array that \p Pointer points into; all dynamic ones are one. Null for other memory.
const llvm::Value *sharedArrayOf(const llvm::Value &Pointer);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_ORIGINS_H
