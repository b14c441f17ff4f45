//===- ElementType.cpp - Element types of buffers and scalars -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/ElementType.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <bit>
#include <cmath>
#include <cstring>

using namespace llvm;

namespace gpuprune::protocol {

namespace {

struct TypeRow {
  StringLiteral Name;
  unsigned Bytes;
  ElementClass Class;
};

constexpr TypeRow Rows[] = {
#define GPUPRUNE_ELEMENT_TYPE(Enumerator, Name, Bytes, Class) {Name, Bytes, ElementClass::Class},
#include "gpuprune/Runtime/ElementTypes.def"
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
  unsigned Width = elementBits(Type);
  return Width == 64 ? Bits : Bits & ((uint64_t(1) << Width) - 1);
}

} // namespace

StringRef elementTypeName(ElementType Type) { return row(Type).Name; }

std::optional<ElementType> parseElementType(StringRef Name) {
  for (size_t I = 0; I != std::size(Rows); ++I)
    if (Rows[I].Name == Name)
      return static_cast<ElementType>(I);
  return std::nullopt;
}

std::string allElementTypeNames() {
  std::string Names;
  for (const TypeRow &Row : Rows)
    Names += (Names.empty() ? "" : ", ") + Row.Name.str();
  return Names;
}

unsigned elementBytes(ElementType Type) { return row(Type).Bytes; }

ElementClass elementClass(ElementType Type) { return row(Type).Class; }

uint64_t floatingBits(ElementType Type, double Value) {
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
  unsigned Unused = 64 - elementBits(Type);
  if (elementClass(Type) == ElementClass::Signed)
    return static_cast<int64_t>(Bits << Unused) >> Unused;
  return static_cast<int64_t>(truncateBits(Type, Bits));
}

double integerMinimum(ElementType Type) {
  return elementClass(Type) == ElementClass::Signed ? -std::ldexp(1.0, elementBits(Type) - 1) : 0.0;
}

double integerMaximum(ElementType Type) {
  unsigned ValueBits = elementBits(Type) - (elementClass(Type) == ElementClass::Signed);
  double Power = std::ldexp(1.0, ValueBits);
  return ValueBits > 53 ? std::nextafter(Power, 0.0) : Power - 1;
}

std::optional<uint64_t> bitsFromDouble(ElementType Type, double Value) {
  if (elementClass(Type) == ElementClass::Floating)
    return floatingBits(Type, Value);
  bool Holds = Value == std::trunc(Value) && Value >= integerMinimum(Type) && Value <= integerMaximum(Type);
  if (!Holds)
    return std::nullopt;
  uint64_t Bits = elementClass(Type) == ElementClass::Signed
                      ? static_cast<uint64_t>(static_cast<int64_t>(Value))
                      : static_cast<uint64_t>(Value);
  return truncateBits(Type, Bits);
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

} // namespace gpuprune::protocol
