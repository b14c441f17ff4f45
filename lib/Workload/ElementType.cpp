//===- ElementType.cpp - Types of buffer elements and scalars -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/ElementType.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

namespace {
enum class Kind { Signed, Unsigned, Real };
struct TypeRow {
  ElementType Type;
  StringRef Name;
  unsigned Bytes;
  Kind TypeKind;
};
} // namespace

// In the order of the enumeration.
static const TypeRow Types[] = {
    {ElementType::I8, "i8", 1, Kind::Signed},     {ElementType::I16, "i16", 2, Kind::Signed},
    {ElementType::I32, "i32", 4, Kind::Signed},   {ElementType::I64, "i64", 8, Kind::Signed},
    {ElementType::U8, "u8", 1, Kind::Unsigned},   {ElementType::U16, "u16", 2, Kind::Unsigned},
    {ElementType::U32, "u32", 4, Kind::Unsigned}, {ElementType::U64, "u64", 8, Kind::Unsigned},
    {ElementType::F16, "f16", 2, Kind::Real},     {ElementType::BF16, "bf16", 2, Kind::Real},
    {ElementType::F32, "f32", 4, Kind::Real},     {ElementType::F64, "f64", 8, Kind::Real},
};

static const TypeRow &row(ElementType Type) { return Types[static_cast<unsigned>(Type)]; }

StringRef elementTypeName(ElementType Type) { return row(Type).Name; }
unsigned elementBytes(ElementType Type) { return row(Type).Bytes; }
bool isFloatingPoint(ElementType Type) { return row(Type).TypeKind == Kind::Real; }
bool isSignedInteger(ElementType Type) { return row(Type).TypeKind == Kind::Signed; }

Expected<ElementType> parseElementType(StringRef Name) {
  SmallVector<StringRef, 12> Known;
  for (const TypeRow &Row : Types) {
    if (Row.Name == Name)
      return Row.Type;
    Known.push_back(Row.Name);
  }
  return makeError(ErrorKind::Input, "unknown type '" + Name + "'" + nearestNameHint(Name, Known));
}

bool holdsInteger(ElementType Type, int64_t Value) {
  unsigned Bits = elementBytes(Type) * 8;
  return isSignedInteger(Type) ? isIntN(Bits, Value) : Value >= 0 && isUIntN(Bits, Value);
}

uint64_t encodeInteger(ElementType Type, int64_t Value) {
  return static_cast<uint64_t>(Value) & maskTrailingOnes<uint64_t>(elementBytes(Type) * 8);
}

/// \p Value rounded to nearest even as \p Type.
static APFloat roundedTo(ElementType Type, double Value) {
  const fltSemantics *Semantics = &APFloat::IEEEdouble();
  if (Type == ElementType::F16)
    Semantics = &APFloat::IEEEhalf();
  else if (Type == ElementType::BF16)
    Semantics = &APFloat::BFloat();
  else if (Type == ElementType::F32)
    Semantics = &APFloat::IEEEsingle();
  APFloat Rounded(Value);
  bool LosesInfo;
  Rounded.convert(*Semantics, APFloat::rmNearestTiesToEven, &LosesInfo);
  return Rounded;
}

bool holdsReal(ElementType Type, double Value) { return roundedTo(Type, Value).isFinite(); }

uint64_t encodeReal(ElementType Type, double Value) {
  return roundedTo(Type, Value).bitcastToAPInt().getZExtValue();
}

} // namespace gpuprune
