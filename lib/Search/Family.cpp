//===- Family.cpp - Variants of the same transformations -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Family.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

Variant familyOf(Variant V) {
  V.Block.reset();
  erase_if(V.Pipeline, actsBehindO3);
  return V;
}

size_t Families::of(ArrayRef<VariantResult> Rows, size_t Row) {
  while (ByRow.size() <= Row)
    ByRow.push_back(Numbers.try_emplace(familyOf(Rows[ByRow.size()].Parts), Numbers.size()).first->second);
  return ByRow[Row];
}

} // namespace gpuprune
