//===- Contents.h - What buffers hold, at random and compared -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_CONTENTS_H
#define GPUPRUNE_TEST_DIFFERENTIAL_CONTENTS_H

#include "Random.h"
#include "gpuprune/Support/ElementLayout.h"

namespace gpuprune::differential {

/// Small values, so that floating point neither overflows at once nor is exact throughout. Padding is zero.
void fillRandomly(const ElementLayout &Type, llvm::MutableArrayRef<char> Bytes, Random &R);

/// "NAME[7].d: expected ..., got ..." for the first element of \p Type in which both differ; empty: none
/// does. Bits of a NaN are nobody's promise, nor is padding; everything else has to be the same.
std::string firstDifference(llvm::StringRef Name, const ElementLayout &Type, llvm::ArrayRef<char> Expected,
                            llvm::ArrayRef<char> Got);

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_CONTENTS_H
