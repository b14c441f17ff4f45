//===- LoopAhead.h - What a loop will compute in a later iteration ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A value can be known ahead of its iteration if it follows from what does not
// change in the loop and from header PHIs that are themselves known ahead, by
// operations that touch no memory but invariant loads. The PHIs such values need are the loop's
// state; from the state of one iteration follow its values, whether there is a
// next iteration, and the state of that.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_LOOPAHEAD_H
#define GPUPRUNE_LIB_TRANSFORMS_LOOPAHEAD_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include <functional>
#include <optional>

namespace llvm {
class DominatorTree;
class Loop;
} // namespace llvm

namespace gpuprune {

/// A branch that has to go one way.
struct PathCondition {
  llvm::Value *Condition = nullptr;
  bool Expected = true;
  bool operator==(const PathCondition &) const = default;
};

/// What has to hold, in this order, for a block to be executed. A later condition
/// has a meaning only where the earlier ones hold.
using PathConditions = llvm::SmallVector<PathCondition, 2>;

/// Values of one iteration, by the original's.
using IterationValues = llvm::DenseMap<llvm::Value *, llvm::Value *>;

/// A loop with a preheader and one latch.
class LoopAhead {
public:
  using InvariantCheck = std::function<bool(llvm::LoadInst &)>;

  /// \p IsInvariant: whether a load of the loop is made in every iteration and gives the
  /// same value each time. Such loads are known ahead, too.
  LoopAhead(llvm::Loop &L, const llvm::DominatorTree &DT, InvariantCheck IsInvariant);

  /// From now on, no further load counts as invariant.
  void forgetInvariantCheck() { IsInvariant = nullptr; }

  /// When \p Block, which is in the loop and in none within it, is executed in an
  /// iteration that has begun; nothing where branches do not say it as a conjunction.
  std::optional<PathConditions> conditionsOf(llvm::BasicBlock &Block) const;

  /// When one more iteration follows; nothing as above.
  std::optional<PathConditions> conditionsOfNext() const;

  /// Adds the PHIs that \p V needs to the state. Returns the instruction for which V
  /// is not known ahead, nullptr where it is. With \p Speculated it must also be
  /// harmless to compute it for an iteration that does not exist.
  llvm::Instruction *require(llvm::Value &V, bool Speculated);
  /// Whether \p V, which is known ahead, may differ between iterations.
  bool changes(llvm::Value &V) const;
  llvm::ArrayRef<llvm::PHINode *> state() const { return State.getArrayRef(); }

  /// Moves the invariant loads that were needed, and what they need, before the loop.
  void hoistInvariants();

  /// \p V in the iteration with \p Values, which holds its state and gets what is
  /// computed; new instructions go where \p Builder stands, without poison-generating
  /// flags.
  llvm::Value *evaluate(llvm::Value &V, IterationValues &Values, llvm::IRBuilder<> &Builder) const;

  /// Whether \p Before (nullptr: always) and then \p Conditions hold; nullptr: always.
  llvm::Value *evaluate(llvm::Value *Before, llvm::ArrayRef<PathCondition> Conditions,
                        IterationValues &Values, llvm::IRBuilder<> &Builder) const;

  /// The state of the first iteration.
  IterationValues first() const;
  /// The state after \p Values.
  IterationValues next(IterationValues &Values, llvm::IRBuilder<> &Builder) const;

private:
  llvm::Loop &L;
  const llvm::DominatorTree &DT;
  InvariantCheck IsInvariant;
  llvm::SmallSetVector<llvm::PHINode *, 4> State;
  llvm::SmallSetVector<llvm::LoadInst *, 2> Invariants;
  /// What is known ahead; true where it is harmless to speculate as well.
  llvm::DenseMap<llvm::Instruction *, bool> Known;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_LOOPAHEAD_H
