//===- MemoryCopies.h - Copies and fills as loads and stores ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  memcpy(&tile[t], &a[i], 16)   (an assignment of float4)
// After:   store <4 x i32> (load <4 x i32> a[i]), tile[t]
//
// Passes can follow and displace what loads and stores access, not what memcpy,
// memmove and memset do.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_MEMORYCOPIES_H
#define GPUPRUNE_LIB_TRANSFORMS_MEMORYCOPIES_H

#include "llvm/IR/Function.h"

namespace gpuprune {

/// Makes each copy or fill of few bytes, known when compiling, one load and store.
void lowerSmallCopies(llvm::Function &F);

/// Makes all copies and fills of shared arrays loads and stores, in loops where they are long.
void lowerCopiesOfShared(llvm::Function &F);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_MEMORYCOPIES_H
