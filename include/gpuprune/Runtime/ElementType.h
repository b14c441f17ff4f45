//===- ElementType.h - Element types of buffers and scalars ---------------===//
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
#ifndef GPUPRUNE_RUNTIME_ELEMENTTYPE_H
#define GPUPRUNE_RUNTIME_ELEMENTTYPE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace gpuprune::protocol {

enum class ElementType : uint8_t {
#define GPUPRUNE_ELEMENT_TYPE(Enumerator, Name, Bytes, Class) Enumerator,
#include "gpuprune/Runtime/ElementTypes.def"
};

enum class ElementClass : uint8_t { Signed, Unsigned, Floating };

llvm::StringRef elementTypeName(ElementType Type);
std::optional<ElementType> parseElementType(llvm::StringRef Name);
/// "i8, i16, ...", for messages.
std::string allElementTypeNames();
unsigned elementBytes(ElementType Type);
ElementClass elementClass(ElementType Type);

/// The bits of \p Value rounded to nearest even in the floating type \p Type.
uint64_t floatingBits(ElementType Type, double Value);
/// The value of bits of any type; 64-bit integers are rounded to double.
double toDouble(ElementType Type, uint64_t Bits);
/// The value of bits of an integer type, sign- or zero-extended.
int64_t toInteger(ElementType Type, uint64_t Bits);
/// The inclusive bounds of an integer type, as doubles and exact for all but the upper ends of 64-bit types.
double integerMinimum(ElementType Type);
double integerMaximum(ElementType Type);
/// \p Value in \p Type, or nothing when an integer type does not hold it exactly.
std::optional<uint64_t> bitsFromDouble(ElementType Type, double Value);

/// The element at \p Data as raw bits; \p Data need not be aligned.
uint64_t loadElement(ElementType Type, const uint8_t *Data);
/// The value and its bits, as in "1.25 (0x3fa00000)".
std::string describeElement(ElementType Type, uint64_t Bits);

} // namespace gpuprune::protocol

#endif // GPUPRUNE_RUNTIME_ELEMENTTYPE_H
