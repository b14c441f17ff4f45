//===- SeparableKernel.h - Kernels of which a copy computes the same -*- C++ -*-===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DEPLOY_SEPARABLEKERNEL_H
#define GPUPRUNE_DEPLOY_SEPARABLEKERNEL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace gpuprune {

/// A tuned kernel is put beside the author's with functions and shared arrays of its own, and is launched as
/// a plain kernel. Input error where that may be another program, whatever the variant: where in \p M,
/// as the front end left it, the kernel \p Symbol
///
///   * reaches a function that the linker may replace by another file's (weak): the copy would stay;
///   * reaches a shared array that a function reaches whose address is taken: called through a pointer, that
///     function knows the author's array;
///   * names a variable in inline assembly: a text that stays the author's;
///   * asks for its cluster, an attribute that the program may have set on the author's kernel.
///
/// Input error also where there is no such kernel.
llvm::Error checkSeparable(llvm::Module &M, llvm::StringRef Symbol);
/// The same for bitcode; Input error where it cannot be read.
llvm::Error checkSeparable(llvm::StringRef Bitcode, llvm::StringRef Symbol);

} // namespace gpuprune

#endif // GPUPRUNE_DEPLOY_SEPARABLEKERNEL_H
