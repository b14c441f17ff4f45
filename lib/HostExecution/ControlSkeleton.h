//===- ControlSkeleton.h - A kernel that only counts ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_CONTROLSKELETON_H
#define GPUPRUNE_LIB_HOSTEXECUTION_CONTROLSKELETON_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <array>
#include <memory>

namespace gpuprune {

/// A copy of a kernel with a counter for each block and for each successor of a
/// block with several, in this order: all blocks in the function's order, then
/// the successors of each block in turn.
class CountingKernel {
public:
  /// The variable that holds the counters, 64 bits each.
  static constexpr llvm::StringLiteral Variable = "gpuprune.block.counts";

  /// A copy in a context of its own, counters only.
  explicit CountingKernel(const llvm::Function &Kernel);

  /// Takes out what does not feed control. False where what is left depends on
  /// memory: this copy is then of no further use.
  bool reduceToControl();
  void addCounters();

  llvm::Module &module() { return *M; }
  /// Whether the kernel reads the block index of each dimension.
  std::array<bool, 3> readsBlockIndex() const;

private:
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
  llvm::Function *Kernel = nullptr;
  void removeEffects();
  void optimize();
  bool readsMemory() const;
};

/// Counters that \p Kernel gets.
unsigned counterCount(const llvm::Function &Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_CONTROLSKELETON_H
