//===- KernelCopy.h - Transforming a copy that takes a kernel's place -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that finds out only on its way whether it can go on works on a copy:
//
//   Function &Copy = copyKernel(F, ".jammed");
//   Verdict Refused = transform(Copy);
//   if (!Refused)
//     takeBody(F, Copy);
//   Copy.eraseFromParent();
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_KERNELCOPY_H
#define GPUPRUNE_LIB_TRANSFORMS_KERNELCOPY_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
}

namespace gpuprune {

/// A function of \p F's module with \p F's name and \p Suffix, without what CloneFunction
/// does to debug information: the body goes back to where it comes from.
llvm::Function &copyKernel(llvm::Function &F, llvm::StringRef Suffix);

/// Puts \p Copy's body in place of \p Kernel's.
void takeBody(llvm::Function &Kernel, llvm::Function &Copy);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_KERNELCOPY_H
