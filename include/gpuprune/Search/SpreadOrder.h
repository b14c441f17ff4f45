//===- SpreadOrder.h - What to look at first of a space -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run that ends early has seen the beginning of an order only. Here each beginning is
// spread over the space: the next variant is the one whose choices (a define's value, a
// block, a factor, a pass left out) have been seen least often so far. Of several such
// the one in the middle of its ranges comes first: extremes of several factors at once
// are where registers spill and grids are too small.
//
// In the measured space of kernels/matmul (docs/results/h200-matmul.json.xz, 1128 variants), the best
// of the first so many over the best of all, beside the median of 200 random orders:
//
//   first         10     20     40     57    113
//   random     1.301  1.231  1.121  1.091  1.058
//   spread     1.171  1.171  1.061  1.058  1.039
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
