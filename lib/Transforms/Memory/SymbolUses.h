//===- SymbolUses.h - What is computed from the address of a variable --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_MEMORY_SYMBOLUSES_H
#define GPUPRUNE_LIB_TRANSFORMS_MEMORY_SYMBOLUSES_H

#include "gpuprune/Transforms/Refusal.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"

namespace gpuprune {

/// Everything that is computed from the address of a variable, in all functions or in one, whose uses are
/// instructions there.
class SymbolUses {
public:
  explicit SymbolUses(const llvm::Function *Only = nullptr) : Only(Only) {}
  /// Refused: PointerEscapes, MixedSymbols.
  Verdict collect(llvm::GlobalVariable &Symbol);
  bool empty() const { return Loads.empty() && Copies.empty(); }
  /// Has them use \p New, of the same layout, in place of \p Old.
  void moveTo(llvm::GlobalVariable &Old, llvm::GlobalVariable &New);

private:
  const llvm::Function *Only;
  llvm::SetVector<llvm::Instruction *> Pointers;
  llvm::SmallVector<llvm::LoadInst *, 16> Loads;
  llvm::SmallVector<llvm::MemTransferInst *, 2> Copies;

  bool take(llvm::Instruction &I, const llvm::Value &Pointer, const llvm::GlobalVariable &Symbol);
  bool isMixed(const llvm::Instruction &I, const llvm::GlobalVariable &Symbol) const;
  bool isElsewhere(const llvm::User &U) const {
    const auto *I = llvm::dyn_cast<llvm::Instruction>(&U);
    return Only && (!I || I->getFunction() != Only);
  }
};

/// Nothing writes what \p Load reads while the kernel runs.
void markInvariant(llvm::LoadInst &Load);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_MEMORY_SYMBOLUSES_H
