//===- ControlSkeleton.h - A kernel that only counts ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_CONTROLSKELETON_H
#define GPUPRUNE_LIB_HOSTEXECUTION_CONTROLSKELETON_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <array>
#include <memory>

namespace gpuprune {

/// What the control flow of a kernel depends on.
enum class ControlNeeds {
  Launch, ///< Geometry and scalars.
  Inputs, ///< Also on buffers and variables that the kernel only reads.
  All,    ///< On what it computes.
};

/// A copy of a kernel with a counter for each block and for each successor of a
/// block with several, in this order: all blocks in the function's order, then
/// the successors of each block in turn. One more counts what it costs to run
/// the copy: IR instructions, about.
class CountingKernel {
public:
  /// The variable that holds the counters, 64 bits each.
  static constexpr llvm::StringLiteral Variable = "gpuprune.block.counts";
  /// The variable that holds of each counter the most that it was in one thread.
  static constexpr llvm::StringLiteral MostVariable = "gpuprune.block.most";

  /// A copy in a context of its own, counters only.
  explicit CountingKernel(const llvm::Function &Kernel);

  /// Takes out what does not feed control and counts. Where that needs all, this copy
  /// is of no further use.
  ControlNeeds reduceToControl();
  /// Counts, and takes nothing out.
  void addCounters();
  /// Adds the counter of the cost. Last.
  void addCost();

  /// Counters of blocks, which are the first ones.
  unsigned blocks() const { return BlockCounters; }
  /// Those of blocks that end in a branch between several.
  llvm::ArrayRef<unsigned> branches() const { return BranchCounters; }
  llvm::Module &module() { return *M; }
  llvm::Function &kernel() { return *Kernel; }
  /// Whether the kernel reads the index of its block and of its thread in each dimension.
  std::array<bool, 3> readsBlockIndex() const;
  std::array<bool, 3> readsThreadIndex() const;
  /// The same text for the same counters after the same launch over the same data.
  std::string identity() const;

private:
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  llvm::Function *Kernel = nullptr;
  llvm::GlobalVariable *Totals = nullptr, *Most = nullptr;
  unsigned BlockCounters = 0;
  std::vector<unsigned> BranchCounters;

  llvm::GlobalVariable *addVariable(llvm::StringRef Name, unsigned Counters);
  void removeEffects();
  void optimize(llvm::StringRef Pipeline);
  void addToTotals(llvm::ReturnInst *At, unsigned First, llvm::ArrayRef<llvm::AllocaInst *> Own);
  ControlNeeds needs(llvm::function_ref<bool(const llvm::Value *)> IsWritten) const;
};

/// Counters that \p Kernel gets, without that of the cost.
unsigned counterCount(const llvm::Function &Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_CONTROLSKELETON_H
