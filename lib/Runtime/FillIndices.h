//===- FillIndices.h - Fills that are indices or in order ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_FILLINDICES_H
#define GPUPRUNE_LIB_RUNTIME_FILLINDICES_H

#include "gpuprune/Runtime/Protocol.h"
#include "kernels/FillRules.h"
#include "llvm/Support/Error.h"

namespace gpuprune {

/// The rule of \p Contents, a valid shift, permutation or cluster.
kernels::FillRule indexRule(const protocol::Fill &Contents);

/// (Spread + 1) / Count, rounded down to a multiple of 2^-64. \p Spread is not the largest integer.
kernels::FixedStep sortedStep(uint64_t Spread, uint64_t Count);

/// Success where \p Contents, of kind Sorted, Shift, Permutation or Clustered, have sizes that make sense for
/// elements of \p Type. Error: Input.
llvm::Error validateCounted(ElementType Type, const protocol::Fill &Contents);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_FILLINDICES_H
