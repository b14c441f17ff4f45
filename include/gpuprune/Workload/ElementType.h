//===- ElementType.h - Types of buffer elements and scalars ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_WORKLOAD_ELEMENTTYPE_H
#define GPUPRUNE_WORKLOAD_ELEMENTTYPE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace gpuprune {

enum class ElementType { I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64 };

/// "f32", ...
llvm::StringRef elementTypeName(ElementType Type);
/// 1, 2, 4 or 8.
unsigned elementBytes(ElementType Type);
bool isFloatingPoint(ElementType Type);
bool isSignedInteger(ElementType Type);
/// The type called \p Name; an error of kind Input names the nearest.
llvm::Expected<ElementType> parseElementType(llvm::StringRef Name);

/// Whether the integer type \p Type holds \p Value. Values of u64 above the
/// greatest int64_t cannot be written in a workload.
bool holdsInteger(ElementType Type, int64_t Value);

/// Whether \p Value, rounded to the floating-point type \p Type, stays finite.
bool holdsReal(ElementType Type, double Value);

/// The object representation of \p Value as \p Type, in the low bytes; the integer must be
/// one that holdsInteger accepts.
uint64_t encodeInteger(ElementType Type, int64_t Value);
/// The same of \p Value rounded to nearest even, for a floating-point \p Type.
uint64_t encodeReal(ElementType Type, double Value);

} // namespace gpuprune

#endif // GPUPRUNE_WORKLOAD_ELEMENTTYPE_H
