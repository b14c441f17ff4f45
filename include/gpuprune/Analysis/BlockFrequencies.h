//===- BlockFrequencies.h - Executions of each block by one thread --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How often one thread of a given launch executes each basic block. Meant for the
// end of the IR pipeline, where loops have their final form.
//
// The control flow is walked with the launch's scalars, gridDim and blockDim in
// place and with threadIdx and blockIdx as ranges, so that a guard like i < n is
// decided where the whole launch is inside. Trip counts come from ScalarEvolution;
// where it has none, the exit's comparison is solved or the loop's integers are
// followed. The iterations of a loop count alike unless conditions or loops inside
// depend on the iteration (triangular nests): those are walked one by one, up to
// IterationBudget iterations in all.
//
// What cannot be decided is assumed, and the result is then not exact:
//   * an undecided guard (one side goes straight to where both meet): the
//     guarded code is counted as if each thread executed it;
//   * a side with branch weights that call it unlikely (below a thousandth, as of
//     a coarsened kernel's slow path) is not taken;
//   * another undecided branch or switch: equal shares;
//   * a side that ends in a trap is not taken;
//   * a trip count that depends on the thread: that of the first thread;
//   * another unknown trip count: AssumedTripCount;
//   * a loop over the budget: its middle iteration stands for all;
//   * an exit that ScalarEvolution cannot bound: not taken early.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_BLOCKFREQUENCIES_H
#define GPUPRUNE_ANALYSIS_BLOCKFREQUENCIES_H

#include "gpuprune/Analysis/InstructionClass.h"
#include "gpuprune/Analysis/LaunchContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/ValueHandle.h"
#include <map>
#include <string>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Loop;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace gpuprune {

/// Iterations assumed of a loop about which nothing is known.
constexpr double AssumedTripCount = 16;
/// Iterations walked one by one in one function.
constexpr unsigned IterationBudget = 4096;

using BlockEdge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;

/// One loop of a function, in preorder.
struct LoopTrips {
  const llvm::BasicBlock *Header = nullptr;
  /// The number in the metadata "gpuprune.loop" of the loop.
  std::optional<unsigned> Number;
  /// 1 for an outermost loop.
  unsigned Depth = 1;
  /// Source line, 0 where unknown.
  unsigned Line = 0;
  /// Executions of the header in all, and entries into the loop.
  double Iterations = 0, Entries = 0;
  /// Average iterations an entry.
  double tripCount() const { return Entries > 0 ? Iterations / Entries : 0; }
  /// No assumption about its exits was needed.
  bool Exact = true;
};

/// Executions in one thread.
struct BlockFrequencies {
  llvm::DenseMap<const llvm::BasicBlock *, double> Blocks;
  llvm::DenseMap<BlockEdge, double> Edges;
  std::vector<LoopTrips> Loops;
  bool Exact = true;
  /// How the numbers were got where they are exact.
  InstrSource Source = InstrSource::ExactStatic;
  std::optional<ComparedWarps> Warps; ///< Where some were run.
  /// What was assumed, with source lines where known.
  std::vector<std::string> Reasons;

  /// 0 for a block that is not in the function.
  double of(const llvm::BasicBlock *Block) const { return Blocks.lookup(Block); }
};

BlockFrequencies computeBlockFrequencies(llvm::Function &F, llvm::LoopInfo &Loops,
                                         llvm::ScalarEvolution &Evolution, const LaunchContext &Launch);

/// The number that the preparation gave to \p L, in the metadata "gpuprune.loop".
std::optional<unsigned> loopNumber(const llvm::Loop &L);

/// Frequencies of the functions of one module, kept while the code generator
/// rewrites it: a block that it deletes is forgotten, not mistaken for another.
/// The module's context has to outlive the map.
class FrequencyMap {
public:
  struct Entry {
    std::vector<std::pair<llvm::WeakVH, double>> Blocks;
    std::vector<std::pair<std::pair<llvm::WeakVH, llvm::WeakVH>, double>> Edges;
    bool Exact = true;
    InstrSource Source = InstrSource::ExactStatic;
    std::optional<ComparedWarps> Warps;
    std::vector<std::string> Reasons;
  };

  void add(const llvm::Function &F, const BlockFrequencies &Frequencies);
  /// Null where nothing is known of \p Function.
  const Entry *find(llvm::StringRef Function) const;
  /// For modules that are the same, before one is rewritten: equal where all of this is.
  std::string identity() const;

private:
  std::map<std::string, Entry, std::less<>> Functions;
};

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_BLOCKFREQUENCIES_H
