//===- PureAssembly.h - Inline assembly that only computes ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA's headers write arithmetic as inline assembly: half precision and
// bfloat16 (cuda_fp16.h, cuda_bf16.h), carries of libdevice. Such a statement
// computes its results from its operands and does nothing else.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_PUREASSEMBLY_H
#define GPUPRUNE_LIB_TRANSFORMS_PUREASSEMBLY_H

#include "llvm/IR/InstrTypes.h"

namespace gpuprune {

/// Whether \p Call is inline assembly without a memory clobber, of arithmetic alone, that reads no
/// register but its operands and its own. It may be `volatile`: several of them in another order
/// compute the same.
bool isPureAssembly(const llvm::CallBase &Call);

/// Whether \p Call is such assembly in which, besides, the lanes of a warp exchange values.
bool isWarpAssembly(const llvm::CallBase &Call);

/// Whether \p Call is such assembly, with or without a clobber, that besides reads global memory that
/// nothing writes while the kernel runs (`ld.global.nc`), or asks for memory to be brought nearer
/// (`prefetch`). Without `volatile` and a clobber, any weak read of global memory. Made again it does the
/// same; made where the author does not make it, it could fault.
bool isReadAssembly(const llvm::CallBase &Call);

/// Says so to LLVM: clang takes every statement for one that a warp makes together and that may
/// not return. One without `volatile` does return, whatever it is. Moves of thread and block indices become
/// the intrinsics that read them.
void markPureAssembly(llvm::Function &F);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_PUREASSEMBLY_H
