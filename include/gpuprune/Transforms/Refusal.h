//===- Refusal.h - Why a pass left a kernel as it was -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass either proves that its transformation is legal or refuses. A refusal
// has a stable name and is one warning (-Wpass-failed) at what stands in the way,
// so that nobody takes a kernel that was not transformed for one that was.
//
// Warnings and remarks stand where the user wrote the code: what is inlined into
// the kernel stands at the call in the kernel, and the message says where it is from.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_REFUSAL_H
#define GPUPRUNE_TRANSFORMS_REFUSAL_H

#include "gpuprune/Support/RefusalKind.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/DebugLoc.h"
#include <memory>
#include <optional>
#include <string>

namespace llvm {
class DiagnosticInfo;
class Function;
class Instruction;
class Loop;
class Module;
} // namespace llvm

namespace gpuprune {

class RefusalError;

struct Refusal {
  RefusalKind Kind;
  std::string Message;
  llvm::DebugLoc Where; ///< Empty: the kernel's own line.

  /// Refuses because of \p I, whose printed form is added to the message.
  static Refusal at(RefusalKind Kind, const llvm::Instruction &I, const llvm::Twine &Message);
  static Refusal inLoop(RefusalKind Kind, const llvm::Loop &L, const llvm::Twine &Message);
  static Refusal inFunction(RefusalKind Kind, const llvm::Function &F, const llvm::Twine &Message);
};

/// The outcome of deciding: nothing stands in the way, or one refusal.
using Verdict = std::optional<Refusal>;

/// Emits \p R for pass \p PassName (a string literal such as "gpu-unroll").
void reportRefusal(const char *PassName, const llvm::Function &F, const Refusal &R);

/// The refusal that \p Info reports; nothing for what others report, LLVM's passes included.
std::unique_ptr<RefusalError> refusalIn(const llvm::DiagnosticInfo &Info);

/// Reports that kernel= names none of \p M's kernels: the refusal NoSuchKernel, but as a missed remark
/// (-Rpass-missed=gpu-...), since one pipeline may be for all files of a program.
void reportNoSuchKernel(const char *PassName, llvm::Module &M, llvm::StringRef Kernel);

/// Emits a passed remark (-Rpass=gpu-...) at \p Where, or at the line of \p F.
void reportDone(const char *PassName, llvm::StringRef Name, const llvm::Function &F,
                const llvm::Twine &Message, const llvm::DebugLoc &Where = {});

/// Emits a missed remark (-Rpass-missed=gpu-...) \p Name: what a pass that transformed \p F left as it was.
void reportLeft(const char *PassName, llvm::StringRef Name, const llvm::Function &F,
                const llvm::Twine &Message, const llvm::DebugLoc &Where);

/// The place in the kernel where the code at \p Where was inlined, or \p Where itself.
llvm::DebugLoc outermost(const llvm::DebugLoc &Where);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_REFUSAL_H
