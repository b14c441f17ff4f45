//===- Influence.h - What depends on some values of a kernel ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Values that depend on some others, the seeds, through operands and through
// control: where a branch depends on them, so do the values that are chosen by
// the way taken, and the blocks that only one of the ways passes are under their
// influence. Memory is not followed.
//
// LLVM's GenericUniformityImpl, given the same seeds, finds the same values in 15 prepared kernels, and in
// the CFGs of InfluenceTest.cpp but for one value in a cycle with two entries and one behind a block that
// nothing leads to. It says neither which blocks are under the influence nor which values are parted, so
// control would be followed a second time.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_INFLUENCE_H
#define GPUPRUNE_LIB_TRANSFORMS_INFLUENCE_H

#include "gpuprune/Transforms/Refusal.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/PostDominators.h"

namespace gpuprune {

class Influence {
public:
  using Question = llvm::function_ref<bool(const llvm::Instruction &)>;

  /// Nothing depends on what \p Ends it.
  Influence(
      llvm::Function &F, Question IsSeed, Question Ends = [](const llvm::Instruction &) { return false; });

  bool reaches(const llvm::Instruction &I) const { return Reached.contains(&I); }
  /// Whether a branch that depends on the seeds decides if \p BB is executed, or how often.
  bool decides(const llvm::BasicBlock &BB) const { return Decided.contains(&BB); }

  /// Whether \p I is a value of which branches that depend on the seeds decide where it comes from, or from
  /// which iteration of a loop that is left before.
  bool parts(const llvm::Instruction &I) const { return Parted.contains(&I); }

private:
  llvm::PostDominatorTree PostDominators;
  llvm::DenseSet<const llvm::BasicBlock *> Ending;
  llvm::DenseSet<const llvm::Instruction *> Reached;
  llvm::DenseSet<const llvm::Instruction *> Parted;
  llvm::DenseSet<const llvm::BasicBlock *> Decided;
  llvm::SmallVector<const llvm::Instruction *, 32> Worklist;

  void reach(const llvm::Instruction &I);
  void part(const llvm::Instruction &I);
  void reachUsers(const llvm::Instruction &I);
  const llvm::BasicBlock *meetingOf(const llvm::BasicBlock &Branching) const;
  void decide(const llvm::BasicBlock &Branching);
};

/// Whether \p I may differ between the threads of a block by itself.
bool differsBetweenThreads(const llvm::Instruction &I);

/// What may differ between the threads of a block of \p F.
Influence influenceOfThread(llvm::Function &F);

/// Refuses InterBlockWait where a loop of \p F ends only when another thread's
/// atomic operation, volatile access or, where there is a fence in the loop, plain store
/// lets it: a lock, a flag. A loop that tries a compare-and-exchange again with the value
/// it found is none.
Verdict checkWaitsForNobody(llvm::Function &F);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_INFLUENCE_H
