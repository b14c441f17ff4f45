//===- FillNumbers.h - Numbers of fills -------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_WORKLOAD_FILLNUMBERS_H
#define GPUPRUNE_LIB_WORKLOAD_FILLNUMBERS_H

#include "gpuprune/Workload/Workload.h"

namespace gpuprune {

/// What the expression of \p Part computes with in a fill of \p Type.
Arithmetic arithmeticOf(const FillPart &Part, ElementType Type);

/// Evaluates \p Part, whose names are in \p Values, and stores it in \p Fill, of elements of \p Type. An
/// error of kind Input without a place: it cannot be evaluated, or is no such number.
llvm::Error setNumber(const FillPart &Part, const Environment &Values, ElementType Type, FillSpec &Fill);

/// The same of \p Value, of a part that is a real number.
llvm::Error setReal(const FillPart &Part, double Value, ElementType Type, FillSpec &Fill);

/// The bits of an element of \p Type that \p Value is, an expression of numbers as \p Type has them; the same
/// errors.
llvm::Expected<uint64_t> elementOf(const Expression &Value, const Environment &Values, ElementType Type);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_WORKLOAD_FILLNUMBERS_H
