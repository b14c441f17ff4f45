//===- ElementLayout.cpp - What an element of a buffer consists of --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/ElementLayout.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace llvm;

namespace gpuprune {

static Error checkFields(ArrayRef<ElementField> Fields) {
  if (Fields.empty() || Fields.size() > ElementLayout::MostFields)
    return makeError(ErrorKind::Input, formatv("a structure has 1 to {0} fields, not {1}",
                                               ElementLayout::MostFields, Fields.size()));
  StringSet<> Names;
  for (const ElementField &Field : Fields) {
    if (Field.Name.empty())
      return makeError(ErrorKind::Input, "a field of a structure needs a name");
    if (!Names.insert(Field.Name).second)
      return makeError(ErrorKind::Input, formatv("two fields have the name '{0}'", Field.Name));
  }
  return Error::success();
}

static uint32_t largest(ArrayRef<ElementField> Fields) {
  uint32_t Bytes = 1;
  for (const ElementField &Field : Fields)
    Bytes = std::max(Bytes, elementBytes(Field.Type));
  return Bytes;
}

Expected<ElementLayout> ElementLayout::structure(FieldList Fields, uint64_t Alignment) {
  if (Error E = checkFields(Fields))
    return std::move(E);
  if (!isPowerOf2_64(Alignment) || Alignment > MostAlignment)
    return makeError(ErrorKind::Input, formatv("expected an alignment of 1, 2, 4, 8 or {0} bytes, not {1}",
                                               MostAlignment, Alignment));
  uint32_t End = 0;
  for (ElementField &Field : Fields) {
    Field.Offset = alignTo(End, elementBytes(Field.Type));
    End = Field.end();
  }
  uint32_t Bytes = alignTo(End, std::max<uint64_t>(largest(Fields), Alignment));
  return ElementLayout(std::move(Fields), Bytes);
}

Expected<ElementLayout> ElementLayout::placed(FieldList Fields, uint64_t Bytes) {
  if (Error E = checkFields(Fields))
    return std::move(E);
  uint64_t End = 0;
  for (const ElementField &Field : Fields) {
    if (Field.Offset < End || Field.Offset % elementBytes(Field.Type) != 0)
      return makeError(ErrorKind::Input,
                       formatv("the field '{0}' lies at {1}; expected a multiple of its {2} bytes, behind "
                               "the field before it",
                               Field.Name, Field.Offset, elementBytes(Field.Type)));
    End = uint64_t(Field.Offset) + elementBytes(Field.Type);
  }
  // No field is behind so many bytes of padding.
  if (Bytes < End || Bytes % largest(Fields) != 0 || Bytes > MostFields * MostAlignment)
    return makeError(ErrorKind::Input,
                     formatv("a structure of {0} bytes, whose fields end at {1}; expected a multiple of {2}",
                             Bytes, End, largest(Fields)));
  return ElementLayout(std::move(Fields), uint32_t(Bytes));
}

uint32_t ElementLayout::bytesOfFields() const {
  uint32_t Sum = 0;
  for (const ElementField &Field : Fields)
    Sum += elementBytes(Field.Type);
  return Sum;
}

uint32_t ElementLayout::alignment() const { return largest(Fields); }

bool ElementLayout::hasFloatingPoint() const {
  return any_of(Fields, [](const ElementField &Field) { return isFloatingPoint(Field.Type); });
}

size_t ElementLayout::fieldAt(uint64_t Offset) const {
  size_t Behind = 1;
  while (Behind != Fields.size() && Fields[Behind].Offset <= Offset % Bytes)
    ++Behind;
  return Behind - 1;
}

std::string ElementLayout::text() const {
  if (!isStructure())
    return elementTypeName(Fields.front().Type).str();
  std::string List;
  for (const ElementField &Field : Fields)
    List += formatv("{0}{1}: {2}", List.empty() ? "" : ", ", Field.Name, elementTypeName(Field.Type));
  return "{ " + List + " }";
}

std::vector<uint8_t> StructureValue::bytes() const {
  std::vector<uint8_t> Bytes(Layout.bytes());
  for (const auto &[Field, Value] : zip_equal(Layout.fields(), Bits))
    std::memcpy(&Bytes[Field.Offset], &Value, elementBytes(Field.Type));
  return Bytes;
}

void clearPadding(const ElementLayout &Type, MutableArrayRef<uint8_t> Bytes) {
  if (Type.bytesOfFields() == Type.bytes())
    return;
  uint64_t End = 0;
  forEachField(Type, 0, Bytes.size(), [&](uint64_t At, size_t Field) {
    std::fill(Bytes.begin() + End, Bytes.begin() + At, 0);
    End = At + elementBytes(Type.fields()[Field].Type);
  });
  std::fill(Bytes.begin() + End, Bytes.end(), 0);
}

} // namespace gpuprune
