//===- ElementType.h - Types of buffer elements and scalars ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The types a buffer's elements and a kernel's scalar arguments may have, and
// how their bytes become numbers and text. Values travel as raw bits in the
// low bytes of a uint64_t, little-endian as on the device.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_ELEMENTTYPE_H
#define GPUPRUNE_SUPPORT_ELEMENTTYPE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace gpuprune {

enum class ElementType : uint8_t {
#define GPUPRUNE_ELEMENT_TYPE(Enumerator, Name, Bytes, Class) Enumerator,
#include "gpuprune/Support/ElementTypes.def"
};

enum class ElementClass : uint8_t { Signed, Unsigned, Floating };

/// "f32", ...
llvm::StringRef elementTypeName(ElementType Type);
/// The type called \p Name; an error of kind Input names the nearest.
llvm::Expected<ElementType> parseElementType(llvm::StringRef Name);
/// 1, 2, 4 or 8.
unsigned elementBytes(ElementType Type);
ElementClass elementClass(ElementType Type);
inline bool isFloatingPoint(ElementType Type) { return elementClass(Type) == ElementClass::Floating; }
inline bool isSignedInteger(ElementType Type) { return elementClass(Type) == ElementClass::Signed; }

/// Whether the integer type \p Type holds \p Value; for u64 that is any value of at least 0.
bool holdsInteger(ElementType Type, int64_t Value);
/// Whether \p Value, rounded to the floating-point type \p Type, stays finite.
bool holdsReal(ElementType Type, double Value);
/// Of all integers up to here in magnitude each is exact in double precision.
inline constexpr int64_t LargestExactInteger = int64_t(1) << 53;
/// The digits of \p Value that tell it from all others.
std::string realText(double Value);
/// Whether \p Type holds each integer from 0 to \p Count - 1 exactly.
bool holdsIndices(ElementType Type, uint64_t Count);
/// The inclusive bounds of an integer type, as doubles and exact for all but the upper ends of 64-bit types.
double integerMinimum(ElementType Type);
double integerMaximum(ElementType Type);

/// The bits of \p Value modulo 2^(8 * elementBytes(Type)), in an integer type.
uint64_t encodeInteger(ElementType Type, int64_t Value);
/// The bits of \p Value rounded to nearest even, in a floating-point type.
uint64_t encodeReal(ElementType Type, double Value);
/// The bits of \p Value in any type, or nothing when an integer type does not hold it exactly.
std::optional<uint64_t> encodeExactly(ElementType Type, double Value);

/// The value of bits of any type; 64-bit integers are rounded to double.
double toDouble(ElementType Type, uint64_t Bits);
/// The value of bits of an integer type, sign- or zero-extended.
int64_t toInteger(ElementType Type, uint64_t Bits);

/// The element at \p Data as raw bits; \p Data need not be aligned.
uint64_t loadElement(ElementType Type, const uint8_t *Data);
/// The value and its bits, as in "1.25 (0x3fa00000)".
std::string describeElement(ElementType Type, uint64_t Bits);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_ELEMENTTYPE_H
