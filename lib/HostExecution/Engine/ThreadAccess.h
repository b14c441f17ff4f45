//===- ThreadAccess.h - The thread's context in generated code -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_THREADACCESS_H
#define GPUPRUNE_LIB_HOSTEXECUTION_THREADACCESS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace gpuprune {

/// Gives functions of a module the address of their ThreadContext.
class ThreadAccess {
public:
  explicit ThreadAccess(llvm::Module &M) : M(M) {}

  /// The variable, a 64-bit integer, from which generated code learns the size of
  /// a stack; the program defines it.
  static constexpr const char *StackBytesSymbol = "gpuprune_stack_bytes";

  /// Metadata of loads and stores that are not the kernel's own.
  static constexpr const char *InternalAccess = "gpuprune.internal";

  /// The context's address, computed once at the start of \p F.
  llvm::Value *thread(llvm::Function &F);
  /// A field that does not change while the thread runs, loaded at \p Builder.
  llvm::Value *threadField(llvm::IRBuilder<> &Builder, llvm::Type *Type, uint64_t Offset);
  llvm::Value *blockField(llvm::IRBuilder<> &Builder, llvm::Type *Type, uint64_t Offset);

private:
  llvm::Module &M;
  llvm::Function *Getter = nullptr;
  llvm::DenseMap<llvm::Function *, llvm::Value *> Threads;

  llvm::Function &getter();
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_THREADACCESS_H
