//===- ElementLayout.h - What an element of a buffer consists of ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An element of a buffer is a scalar, or a structure of scalars as C++ lays it
// out. Whoever fills, compares or describes elements does it field by field; a
// scalar is one field without a name. What lies between fields is padding, which
// means nothing: it is filled with zeros and never compared.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_ELEMENTLAYOUT_H
#define GPUPRUNE_SUPPORT_ELEMENTLAYOUT_H

#include "gpuprune/Support/ElementType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

namespace gpuprune {

struct ElementField {
  std::string Name; ///< Empty where the element is a scalar.
  ElementType Type = ElementType::F32;
  uint32_t Offset = 0; ///< Bytes from the element's beginning, a multiple of elementBytes(Type).
  uint32_t end() const { return Offset + elementBytes(Type); }
  bool operator==(const ElementField &) const = default;
};

/// Offsets of fields ascend, fields do not overlap, and elements follow each other without a gap.
class ElementLayout {
public:
  using FieldList = llvm::SmallVector<ElementField, 1>;
  /// More is a mistake.
  static constexpr size_t MostFields = 256;
  /// No allocation is known to begin at a multiple of more.
  static constexpr uint32_t MostAlignment = 16;

  /// A scalar.
  // NOLINTNEXTLINE(google-explicit-constructor): wherever a layout is wanted, a type is one.
  ElementLayout(ElementType Type) : Fields({ElementField{"", Type, 0}}), Bytes(elementBytes(Type)) {}
  /// A structure of \p Fields, whose offsets are not looked at, as C++ lays it out: each field at the next
  /// multiple of its size, the whole a multiple of the largest and of \p Alignment. Error (kind Input): no
  /// field, too many, two of one name, or an alignment that is no power of two of at most MostAlignment.
  static llvm::Expected<ElementLayout> structure(FieldList Fields, uint64_t Alignment = 1);
  /// A structure of \p Bytes with \p Fields where they say. Error (kind Input): that is none.
  static llvm::Expected<ElementLayout> placed(FieldList Fields, uint64_t Bytes);

  bool isStructure() const { return !Fields.front().Name.empty(); }
  /// The type of an element that is no structure.
  std::optional<ElementType> scalar() const {
    return isStructure() ? std::nullopt : std::optional(Fields.front().Type);
  }
  llvm::ArrayRef<ElementField> fields() const { return Fields; }
  /// Of an element, with the padding at its end.
  uint32_t bytes() const { return Bytes; }
  /// Of the fields alone.
  uint32_t bytesOfFields() const;
  /// The size of the largest field, which elements begin at a multiple of.
  uint32_t alignment() const;
  bool hasFloatingPoint() const;
  /// The index of the field that the byte at \p Offset of a buffer belongs to; it is no padding.
  size_t fieldAt(uint64_t Offset) const;
  /// "f32", or "{ x: f32, id: i32 }".
  std::string text() const;
  bool operator==(const ElementLayout &) const = default;

private:
  ElementLayout(FieldList Fields, uint32_t Bytes) : Fields(std::move(Fields)), Bytes(Bytes) {}

  FieldList Fields; ///< At least one.
  uint32_t Bytes;
};

/// Calls \p Visit with where it begins and with its field's index for every field of \p Type's elements that
/// begins in the bytes from \p Begin to \p End of a buffer, in the order of the bytes.
template <typename Visitor>
void forEachField(const ElementLayout &Type, uint64_t Begin, uint64_t End, Visitor Visit) {
  llvm::ArrayRef<ElementField> Fields = Type.fields();
  uint64_t Stride = Type.bytes();
  for (uint64_t Element = Begin / Stride * Stride; Element < End; Element += Stride)
    for (size_t Field = 0; Field != Fields.size(); ++Field)
      if (uint64_t At = Element + Fields[Field].Offset; At >= Begin && At < End)
        Visit(At, Field);
}

/// A structure with its values.
struct StructureValue {
  ElementLayout Layout;
  llvm::SmallVector<uint64_t, 4> Bits; ///< Of each field.

  /// As it lies in memory, with zeros for padding.
  std::vector<uint8_t> bytes() const;
  bool operator==(const StructureValue &) const = default;
};

/// Zeros between the fields of \p Bytes, whole elements.
void clearPadding(const ElementLayout &Type, llvm::MutableArrayRef<uint8_t> Bytes);

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_ELEMENTLAYOUT_H
