//===- SpreadOrder.h - What to look at first of a space -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run that ends early has seen the beginning of an order only. Here each beginning is
// spread over the space: the next variant is the one whose choices (a define's value, a
// block, a factor, a pass left out) have been seen least often so far, in the mean.
// Each doubling of the code (factors, multiplied) counts as a quarter of a time more, so that a run of
// seconds does not spend them on the largest variants. Of several such the one in the middle of its ranges
// comes first: extremes of several factors at once are where registers spill and grids are too small.
//
// In the measured spaces of all 28 kernels (docs/results/h200-exhaustive.csv.xz), the best of the first so
// many variants, or of those that so many copies of the kernel's code suffice for (2 a variant besides, for
// what does not grow with it), over the best of all; geometric means:
//
//   first variants           5     10     20     40     copies   30    100    300   1000
//   without growth       1.254  1.168  1.122  1.075          1.304  1.253  1.141  1.081
//   with it              1.370  1.188  1.077  1.045          1.294  1.159  1.072  1.034
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_SPREADORDER_H
#define GPUPRUNE_SEARCH_SPREADORDER_H

#include "gpuprune/Search/Variant.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuprune {

/// All indices of \p Variants, the same order each time. The time it takes is bounded: of more than some
/// ten thousand variants only the first thousands are chosen so, and the others follow in a random order.
std::vector<size_t> spreadOrder(llvm::ArrayRef<Variant> Variants);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_SPREADORDER_H
