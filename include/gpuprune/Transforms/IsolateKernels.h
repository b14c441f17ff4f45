//===- IsolateKernels.h - What other kernels of a file do not change --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  static float f(float);       After:  static float f$k(float);
//          k: ... f(x) ...                      static float f$g(float);
//          g: ... f(y) ... f(z) ...             k: ... f$k(x) ...
//                                               g: ... f$g(y) ... f$g(z) ...
//
// LLVM inlines the only call of an internal function whatever it costs, gives its parameters
// the constants that all callers pass, and aligns a variable as its widest access wants it.
// What becomes of one kernel therefore depends on the others of its file. Here, before all
// passes, that ends:
//
//   * Each kernel has copies of its own of the internal functions that it shares with others,
//     and of the inline ones that call such. So has each function that stays anyway: one that
//     others may call, or whose address is taken. Those themselves are not copied, for nothing
//     about them depends on their callers.
//   * A variable that kernels share keeps its alignment and is not merged with another.
//
// So a kernel compiled alone is the machine code it is in its file (KernelAlone.h). Internal
// variables that kernels share and write stay shared; a kernel is not alone without the others
// that use them. A file of one kernel is left as it is, unless it has functions that the kernel
// does not use.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_ISOLATEKERNELS_H
#define GPUPRUNE_TRANSFORMS_ISOLATEKERNELS_H

#include "gpuprune/Transforms/GlobalReferences.h"
#include "llvm/IR/PassManager.h"

namespace gpuprune {

/// Isolates the kernels of \p M, a device module. Returns what is another than before: the copies, and the
/// variables that were marked. Nothing becomes of a kernel that reaches none of it but what becomes of it
/// without this, in stock clang.
GlobalObjects isolateKernels(llvm::Module &M);

/// isolateKernels for a device module; runs before all else.
class IsolateKernelsPass : public llvm::PassInfoMixin<IsolateKernelsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_ISOLATEKERNELS_H
