//===- Refusal.h - Why a pass left a kernel as it was -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass either proves that its transformation is legal or refuses. A refusal
// has a stable name, is a missed remark (-Rpass-missed=gpu-...) at the
// instruction that stands in the way, and a warning, so that nobody takes a
// kernel that was not transformed for one that was.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_REFUSAL_H
#define GPUPRUNE_TRANSFORMS_REFUSAL_H

#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugLoc.h"
#include <optional>
#include <string>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Loop;
class Module;
} // namespace llvm

namespace gpuprune {

struct Refusal {
  /// Stable, in UpperCamel as LLVM's remark names are.
  llvm::StringLiteral Name;
  std::string Message;
  llvm::DebugLoc Where;
  const llvm::BasicBlock *Region = nullptr;

  /// Refuses because of \p I, whose printed form is added to the message.
  static Refusal at(llvm::StringLiteral Name, const llvm::Instruction &I, const llvm::Twine &Message);
  static Refusal inLoop(llvm::StringLiteral Name, const llvm::Loop &L, const llvm::Twine &Message);
  static Refusal inFunction(llvm::StringLiteral Name, const llvm::Function &F, const llvm::Twine &Message);
};

/// What would go wrong, had the refusal \p Name not been made; empty for a name that is not in
/// Refusals.def.
llvm::StringRef whyRefused(llvm::StringRef Name);

/// The outcome of deciding: nothing stands in the way, or one refusal.
using Verdict = std::optional<Refusal>;

/// Emits \p R for pass \p PassName (a string literal such as "gpu-unroll").
void reportRefusal(const char *PassName, const llvm::Function &F, const Refusal &R);

/// Emits the refusal "NoSuchKernel" for a kernel= that names none of \p M's.
void reportNoSuchKernel(const char *PassName, llvm::Module &M, llvm::StringRef Kernel);

/// Emits a passed remark (-Rpass=gpu-...).
void reportDone(const char *PassName, llvm::StringRef Name, const llvm::Function &F,
                const llvm::Twine &Message);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_REFUSAL_H
