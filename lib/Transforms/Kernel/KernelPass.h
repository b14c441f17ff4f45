//===- KernelPass.h - What the passes over kernels have in common -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_KERNELPASS_H
#define GPUPRUNE_LIB_TRANSFORMS_KERNELPASS_H

#include "gpuprune/Transforms/Refusal.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuprune {

/// Calls \p Transform for the kernels of \p M that kernel=\p Kernel selects. What
/// it refuses is reported, else a passed remark \p DoneName that says \p Done, at the loop of
/// number \p Loop. It may put another function of the same name in a kernel's place.
/// Returns whether there were any; nothing happens outside device code.
bool transformKernels(llvm::Module &M, const char *PassName, llvm::StringRef Kernel, llvm::StringRef DoneName,
                      const llvm::Twine &Done, std::optional<unsigned> Loop,
                      llvm::function_ref<Verdict(llvm::Function &)> Transform);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_KERNELPASS_H
