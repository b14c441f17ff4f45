//===- Family.h - Variants of the same transformations ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variants that differ only in the threads of a block and in limits of registers have nearly the same
// code, and what a model of the time misses in one it misses in the others.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_FAMILY_H
#define GPUPRUNE_SEARCH_FAMILY_H

#include "gpuprune/Search/Result.h"
#include "llvm/ADT/DenseMap.h"

namespace gpuprune {

/// \p V without its block and without what acts behind -O3 alone: the same for all of its family.
Variant familyOf(Variant V);

/// Numbers the families of rows.
class Families {
public:
  /// That of \p Row, which keeps its index and its text.
  size_t of(llvm::ArrayRef<VariantResult> Rows, size_t Row);

private:
  llvm::DenseMap<Variant, size_t> Numbers;
  std::vector<size_t> ByRow;
};

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_FAMILY_H
