//===- GridFreedom.h - Whether a kernel may have another grid ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conditions of Grid.h: what there is against any number of blocks in x.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_GRIDFREEDOM_H
#define GPUPRUNE_LIB_TRANSFORMS_GRIDFREEDOM_H

#include "Origins.h"
#include "gpuprune/Transforms/Refusal.h"

namespace gpuprune {

/// Refuses \p F, which has been prepared and whose loops over the grid are \p Loops, unless any number of
/// blocks in x does the same.
Verdict checkGridFreedom(llvm::Function &F, llvm::ArrayRef<GridStride> Loops, const IndexTerms &Terms);

/// Condition 3 of Grid.h.
Verdict checkIterationPlaces(llvm::Function &F, const Origins &From, const IndexTerms &Terms);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_GRIDFREEDOM_H
