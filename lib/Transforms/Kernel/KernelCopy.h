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

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
}

namespace gpuprune {

/// A function of \p F's module with \p F's name and \p Suffix, without what CloneFunction
/// does to debug information: the body goes back to where it comes from. It has the
/// parameters \p More behind those of \p F, 32-bit integers.
llvm::Function &copyKernel(llvm::Function &F, llvm::StringRef Suffix,
                           llvm::ArrayRef<llvm::StringRef> More = {});

/// Puts \p Copy's body in place of \p Author's; where the copy has more parameters, another
/// function with these takes the author's name and place. \p Spare ones at the end, unused, are
/// left out. Returns the kernel.
llvm::Function &takeBody(llvm::Function &Author, llvm::Function &Copy, size_t Spare = 0);

/// Lets what \p Entry leads to run where \p Condition holds, which mostly does, and else a copy whose loops
/// have no numbers and whose blocks have names that end in \p Suffix.
void copyUnless(llvm::BasicBlock &Entry, llvm::Value &Condition, llvm::StringRef Suffix);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_KERNELCOPY_H
