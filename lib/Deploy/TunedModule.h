//===- TunedModule.h - One tuned kernel put beside the author's ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DEPLOY_TUNEDMODULE_H
#define GPUPRUNE_LIB_DEPLOY_TUNEDMODULE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class Module;
}

namespace gpuprune {

using NamePredicate = llvm::function_ref<bool(llvm::StringRef)>;

/// Puts the kernel \p Symbol of \p Tuned, after -O3, into \p Into as \p Name, and what it reaches with it:
///
///   * functions and arrays in shared memory, which are a launch's own, as copies; dynamic shared memory by a
///     name of its own;
///   * variables are those of \p Into, which the host and the author's kernels write and read. One that is
///   not
///     there as the tuned kernel has it, because a pass has moved or changed it, becomes a copy where nobody
///     writes it, nobody but device code knows it and its address does not matter; else it is an error. \p
///     IsInSource: whether the module as the front end left it has a variable of that name.
///
/// Errors besides: a function whose address the kernel uses, and a variable that each file with the kernel,
/// which is a template's, has for itself. Nothing that \p Into has changes. \p Instructions: of the code that
/// was added.
llvm::Error addTunedKernel(llvm::Module &Into, std::unique_ptr<llvm::Module> Tuned, llvm::StringRef Symbol,
                           llvm::StringRef Name, NamePredicate IsInSource, unsigned &Instructions);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DEPLOY_TUNEDMODULE_H
