//===- LaunchEvaluator.h - Values under a concrete launch -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates integers of a kernel to ranges, with the launch's scalars, gridDim and
// blockDim as constants and threadIdx and blockIdx as the ranges they run over.
// A range of one element is a value that each thread computes.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_ANALYSIS_LAUNCHEVALUATOR_H
#define GPUPRUNE_LIB_ANALYSIS_LAUNCHEVALUATOR_H

#include "gpuprune/Analysis/BlockFrequencies.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class CallBase;
class SCEV;
class SCEVAddRecExpr;
} // namespace llvm

namespace gpuprune {

class LaunchEvaluator {
public:
  LaunchEvaluator(llvm::LoopInfo &Loops, llvm::ScalarEvolution &Evolution, const LaunchContext &Launch)
      : Loops(Loops), Evolution(Evolution), Launch(Launch) {}

  /// What \p V can be inside \p Scope (null: outside of loops); the full set
  /// where nothing is known. V must be an integer.
  llvm::ConstantRange evaluate(llvm::Value *V, const llvm::Loop *Scope);
  llvm::ConstantRange evaluate(const llvm::SCEV *S, const llvm::Loop *Scope);

  /// Backedges that \p L takes before it leaves through \p Exiting, where each
  /// thread takes as many: by ScalarEvolution's count, else by solving the exit's
  /// comparison, else by following the loop's integers iteration by iteration.
  std::optional<uint64_t> exitCount(const llvm::Loop *L, llvm::BasicBlock *Exiting);

  /// Forgets what is known of \p L after its end, because it is not entered.
  void forgetEnd(const llvm::Loop *L) { LastIteration.erase(L); }

  /// The last iteration of each loop that has been walked: where values of the
  /// loop stand when they are used after it.
  llvm::DenseMap<const llvm::Loop *, uint64_t> LastIteration;
  /// The iteration in which each loop around the evaluated values is, from 0.
  llvm::DenseMap<const llvm::Loop *, uint64_t> Iteration;
  /// Loops whose iteration a result depended on.
  llvm::DenseSet<const llvm::Loop *> Consulted;
  /// Edges that the walk has seen, and whether they are taken at all.
  llvm::DenseMap<BlockEdge, double> EdgeFlow;
  /// Evaluate for thread 0 of block 0 rather than for all threads.
  bool FirstThreadOnly = false;

private:
  llvm::ConstantRange value(llvm::Value *V);
  llvm::ConstantRange instruction(llvm::Instruction *I);
  llvm::ConstantRange binary(llvm::BinaryOperator &I);
  llvm::ConstantRange compare(llvm::ICmpInst &I);
  llvm::ConstantRange select(llvm::SelectInst &I);
  llvm::ConstantRange phi(llvm::PHINode &I);
  llvm::ConstantRange call(llvm::CallBase &I);
  llvm::ConstantRange specialRegister(llvm::CallBase &I);
  llvm::ConstantRange expression(const llvm::SCEV *S);
  llvm::ConstantRange computeExpression(const llvm::SCEV *S);
  llvm::ConstantRange recurrence(const llvm::SCEVAddRecExpr *S);

  std::optional<uint64_t> solveExit(const llvm::Loop *L, llvm::BranchInst &Exit);
  std::optional<uint64_t> followExit(const llvm::Loop *L, llvm::BranchInst &Exit);
  bool startTraces(const llvm::Loop *L);
  void advanceTraces(const llvm::Loop *L);
  bool runsInEachIteration(const llvm::Loop *L, llvm::BasicBlock *Block);
  std::optional<uint64_t> position(const llvm::Loop *L);

  llvm::LoopInfo &Loops;
  llvm::ScalarEvolution &Evolution;
  const LaunchContext &Launch;
  const llvm::Loop *Scope = nullptr;
  unsigned Depth = 0;
  /// Iterations that may still be followed.
  unsigned FollowBudget = 16 * IterationBudget;
  /// Header phis that ScalarEvolution has no recurrence for: value by iteration.
  llvm::DenseMap<const llvm::PHINode *, std::vector<llvm::ConstantRange>> Traces;
  std::unique_ptr<llvm::DominatorTree> Dominators;
  llvm::DenseMap<llvm::Value *, llvm::ConstantRange> Values;
  llvm::DenseMap<const llvm::SCEV *, llvm::ConstantRange> Expressions;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_ANALYSIS_LAUNCHEVALUATOR_H
