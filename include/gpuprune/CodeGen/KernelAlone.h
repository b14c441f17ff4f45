//===- KernelAlone.h - A kernel without the others of its file --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a kernel does not reach costs time with each variant: a file with 200 instances of a template
// takes seconds, the kernel alone milliseconds. So it is dropped once, right behind the front end.
//
// The machine code must be that of the whole file, compiled with the plugin. What stays therefore is
//
//   * the kernel and all that it reaches;
//   * all variables in constant memory, which have their places one behind the other, and the
//     declarations of dynamic shared memory;
//   * where an internal variable that may be written stays, or an internal or inline function
//     whose address is taken, all that uses it, for LLVM looks at all uses to tell what becomes of one;
//   * where something calls by a pointer, all functions whose address is taken.
//
// The rest cannot tell: kernels share nothing else with one another (IsolateKernels.h).
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_KERNELALONE_H
#define GPUPRUNE_CODEGEN_KERNELALONE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

struct LoneKernel {
  /// Empty where nothing is to be dropped, or where it cannot be told what belongs together: there is
  /// assembly at module level, or an alias.
  std::string Bitcode;
  /// Whether that is true of stock clang's code as well: the kernel shares nothing that had to be isolated.
  bool AlsoForStock = false;
};

/// \p Bitcode, as the front end wrote it, with the one kernel that goes by \p Kernel, what belongs to
/// it and the variables \p Symbols. Input error where the bitcode cannot be read or not exactly one kernel
/// has the name.
llvm::Expected<LoneKernel> kernelAlone(llvm::StringRef Bitcode, llvm::StringRef Kernel,
                                       llvm::ArrayRef<std::string> Symbols);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_KERNELALONE_H
