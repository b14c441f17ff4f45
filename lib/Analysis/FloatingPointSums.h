//===- FloatingPointSums.h - Sums, and which of them are recurrences ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_ANALYSIS_FLOATINGPOINTSUMS_H
#define GPUPRUNE_LIB_ANALYSIS_FLOATINGPOINTSUMS_H

#include "DataFlow.h"
#include <string>

namespace gpuprune {

/// "fadd", "fma", "add.f16" where \p I adds or multiplies floating point; else empty.
std::string floatingPointSum(const llvm::Instruction &I);

/// "atomicrmw fadd", "cmpxchg of an fadd", "red.add.f16" where \p I adds floating point to
/// memory in no order; else empty.
std::string atomicSum(const llvm::Instruction &I);

/// The sums and products of floating point that FloatingPointFreedom.h calls recurrences,
/// in the order of the program.
llvm::SmallVector<const llvm::Instruction *, 8> findRecurrences(DataFlow &Flow);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_ANALYSIS_FLOATINGPOINTSUMS_H
