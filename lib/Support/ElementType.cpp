//===- ElementType.cpp - Types of buffer elements and scalars -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/ElementType.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

using namespace llvm;

namespace gpuprune {

namespace {

struct TypeRow {
  StringLiteral Name;
  unsigned Bytes;
  ElementClass Class;
};

constexpr TypeRow Rows[] = {
#define GPUPRUNE_ELEMENT_TYPE(Enumerator, Name, Bytes, Class) {Name, Bytes, ElementClass::Class},
#include "gpuprune/Support/ElementTypes.def"
};

const TypeRow &row(ElementType Type) { return Rows[static_cast<unsigned>(Type)]; }

const fltSemantics &semantics(ElementType Type) {
  switch (Type) {
  case ElementType::F16:
    return APFloat::IEEEhalf();
  case ElementType::BF16:
    return APFloat::BFloat();
  case ElementType::F32:
    return APFloat::IEEEsingle();
  default:
    return APFloat::IEEEdouble();
  }
}

unsigned elementBits(ElementType Type) { return 8 * row(Type).Bytes; }

uint64_t truncateBits(ElementType Type, uint64_t Bits) {
  return Bits & maskTrailingOnes<uint64_t>(elementBits(Type));
}

} // namespace

StringRef elementTypeName(ElementType Type) { return row(Type).Name; }

Expected<ElementType> parseElementType(StringRef Name) {
  SmallVector<StringRef, 12> Known;
  for (const TypeRow &Row : Rows) {
    if (Row.Name == Name)
      return static_cast<ElementType>(Known.size());
    Known.push_back(Row.Name);
  }
  std::string Hint = Name == "bool" ? "; a bool is a u8 of 0 or 1" : nearestNameHint(Name, Known);
  return makeError(ErrorKind::Input, "unknown type '" + Name + "'" + Hint);
}

unsigned elementBytes(ElementType Type) { return row(Type).Bytes; }

ElementClass elementClass(ElementType Type) { return row(Type).Class; }

bool holdsInteger(ElementType Type, int64_t Value) {
  unsigned Bits = elementBits(Type);
  return isSignedInteger(Type) ? isIntN(Bits, Value) : Value >= 0 && isUIntN(Bits, Value);
}

bool holdsReal(ElementType Type, double Value) {
  return std::isfinite(toDouble(Type, encodeReal(Type, Value)));
}

std::string realText(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.17g", Value);
  return Text;
}

bool holdsIndices(ElementType Type, uint64_t Count) {
  if (!isFloatingPoint(Type))
    return Count == 0 || (Count - 1 <= uint64_t(std::numeric_limits<int64_t>::max()) &&
                          holdsInteger(Type, int64_t(Count - 1)));
  // Beyond the last integer up to which all are exact, no two neighbours are.
  auto IsExact = [&](uint64_t Value) {
    return toDouble(Type, encodeReal(Type, static_cast<double>(Value))) == static_cast<double>(Value);
  };
  return Count <= uint64_t(LargestExactInteger) && (Count < 2 || (IsExact(Count - 1) && IsExact(Count - 2)));
}

uint64_t encodeInteger(ElementType Type, int64_t Value) {
  return truncateBits(Type, static_cast<uint64_t>(Value));
}

uint64_t encodeReal(ElementType Type, double Value) {
  // The common types apart: whole buffers are filled through here.
  if (Type == ElementType::F64)
    return std::bit_cast<uint64_t>(Value);
  if (Type == ElementType::F32)
    return std::bit_cast<uint32_t>(static_cast<float>(Value));
  APFloat Number(Value);
  bool LosesInfo;
  Number.convert(semantics(Type), APFloat::rmNearestTiesToEven, &LosesInfo);
  return Number.bitcastToAPInt().getZExtValue();
}

double toDouble(ElementType Type, uint64_t Bits) {
  switch (elementClass(Type)) {
  case ElementClass::Signed:
    return static_cast<double>(toInteger(Type, Bits));
  case ElementClass::Unsigned:
    return static_cast<double>(truncateBits(Type, Bits));
  case ElementClass::Floating:
    break;
  }
  if (Type == ElementType::F64)
    return std::bit_cast<double>(Bits);
  if (Type == ElementType::F32)
    return std::bit_cast<float>(static_cast<uint32_t>(Bits));
  APFloat Number(semantics(Type), APInt(elementBits(Type), truncateBits(Type, Bits)));
  bool LosesInfo;
  Number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &LosesInfo);
  return Number.convertToDouble();
}

int64_t toInteger(ElementType Type, uint64_t Bits) {
  return isSignedInteger(Type) ? SignExtend64(Bits, elementBits(Type))
                               : static_cast<int64_t>(truncateBits(Type, Bits));
}

double integerMinimum(ElementType Type) {
  return isSignedInteger(Type) ? -std::ldexp(1.0, elementBits(Type) - 1) : 0.0;
}

double integerMaximum(ElementType Type) {
  unsigned ValueBits = elementBits(Type) - isSignedInteger(Type);
  double Power = std::ldexp(1.0, ValueBits);
  return ValueBits > 53 ? std::nextafter(Power, 0.0) : Power - 1;
}

std::optional<uint64_t> encodeExactly(ElementType Type, double Value) {
  if (isFloatingPoint(Type))
    return encodeReal(Type, Value);
  bool Holds = Value == std::trunc(Value) && Value >= integerMinimum(Type) && Value <= integerMaximum(Type);
  if (!Holds)
    return std::nullopt;
  return truncateBits(Type, isSignedInteger(Type) ? static_cast<uint64_t>(static_cast<int64_t>(Value))
                                                  : static_cast<uint64_t>(Value));
}

uint64_t loadElement(ElementType Type, const uint8_t *Data) {
  uint64_t Bits = 0;
  std::memcpy(&Bits, Data, elementBytes(Type));
  return Bits;
}

std::string describeElement(ElementType Type, uint64_t Bits) {
  Bits = truncateBits(Type, Bits);
  std::string Text;
  raw_string_ostream OS(Text);
  switch (elementClass(Type)) {
  case ElementClass::Signed:
    OS << toInteger(Type, Bits);
    break;
  case ElementClass::Unsigned:
    OS << Bits;
    break;
  case ElementClass::Floating:
    OS << format(Type == ElementType::F64 ? "%.17g" : "%.9g", toDouble(Type, Bits));
    break;
  }
  OS << " (" << format_hex(Bits, 2 + 2 * elementBytes(Type)) << ")";
  return Text;
}

} // namespace gpuprune
