//===- ResolveFill.cpp - Fills with all numbers known -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FillNumbers.h"
#include "Resolver.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

using Kind = FillSpec::Kind;

Expected<uint64_t> Resolver::element(const LocatedExpression &E, ElementType Type) const {
  if (Error Wrong = checkNames(E))
    return std::move(Wrong);
  Expected<uint64_t> Bits = elementOf(E.Value, Values, Type);
  if (!Bits)
    return errorAt(E, takeError(Bits.takeError()).Text);
  return Bits;
}

Error Resolver::setNumbers(FillSpec &Fill, ElementType Type) const {
  std::vector<FillPart> Parts = std::exchange(Fill.Parts, {});
  for (const FillPart &Part : Parts)
    if (Error Wrong = setNumber(Part, Values, Type, Fill))
      return errorAt(Part.Value, takeError(std::move(Wrong)).Text);
  bool HasBounds = Fill.FillKind == Kind::Uniform || Fill.FillKind == Kind::Sorted;
  if (!Parts.empty() && HasBounds && Fill.Low > Fill.High)
    return errorAt(Parts.front().Value, "the lower bound is above the upper one");
  return Error::success();
}

/// Row pointers and the like that wrap around would be taken for good ones.
Error Resolver::checkLine(const BufferSpec &Of, const FillSpec &Fill, ElementType Type, int64_t Count) const {
  if (isFloatingPoint(Type))
    return Error::success();
  std::optional<int64_t> Last = checkedMulAdd<int64_t>(int64_t(Fill.Step), Count - 1, int64_t(Fill.Start));
  std::optional<int64_t> Highest = Last ? checkedAdd<int64_t>(*Last, int64_t(Fill.Jitter)) : std::nullopt;
  std::optional<int64_t> First = checkedAdd<int64_t>(int64_t(Fill.Start), int64_t(Fill.Jitter));
  if (!First || !holdsInteger(Type, int64_t(Fill.Start)) || !holdsInteger(Type, *First))
    return errorAt(Of.Count, "the first element of the fill does not fit in " + elementTypeName(Type));
  if (Highest && holdsInteger(Type, *Last) && holdsInteger(Type, *Highest))
    return Error::success();
  return errorAt(Of.Count, "the last of " + Twine(Count) + " elements of the fill does not fit in " +
                               elementTypeName(Type));
}

/// The same of indices from 0 to \p Count - 1. Numbers of floating point are rounded by iota alone, where
/// that is of old.
Error Resolver::checkIndices(const BufferSpec &Of, const FillSpec &Fill, ElementType Type,
                             int64_t Count) const {
  bool MayRound = Fill.FillKind == Kind::Iota && isFloatingPoint(Type);
  if (MayRound || holdsIndices(Type, uint64_t(Count)))
    return Error::success();
  return errorAt(Of.Count, "the fill has indices from 0 to " + Twine(Count - 1) + ", of which " +
                               elementTypeName(Type) + " does not hold all" +
                               (isFloatingPoint(Type) ? " exactly" : "") +
                               "; take a wider type or, if any values will do, { uniform: [LOW, HIGH] }");
}

/// A buffer may take a file's first elements, and not more than it has.
Error Resolver::checkFile(const BufferSpec &Of, const FillSpec &Fill, unsigned Each, int64_t Count) const {
  uint64_t There = Fill.File->from(Fill.FileOffset).size() / Each;
  if (uint64_t(Count) <= There)
    return Error::success();
  return errorAt(Of.Count, "the buffer has " + Twine(Count) + " elements, but the file '" + Fill.File->Path +
                               "' only " + Twine(There));
}

/// The same of a list.
Error Resolver::setValues(const BufferSpec &Of, FillSpec &Fill, ElementType Type, int64_t Count) const {
  ArrayRef<LocatedExpression> List = *Fill.List;
  if (uint64_t(Count) > List.size())
    return errorAt(Of.Count, "the buffer has " + Twine(Count) + " elements, but the list of values at line " +
                                 Twine(List.front().Where.Line) + " only " + Twine(List.size()));
  for (const LocatedExpression &Each : List.take_front(Count)) {
    Expected<uint64_t> Bits = element(Each, Type);
    if (!Bits)
      return Bits.takeError();
    for (unsigned Byte = 0; Byte != elementBytes(Type); ++Byte)
      Fill.Bytes.push_back(uint8_t(*Bits >> 8 * Byte));
  }
  Fill.List = nullptr;
  return Error::success();
}

Error Resolver::setColumns(const BufferSpec &Of, FillSpec &Fill) const {
  Expected<int64_t> Rows = evaluate(Of.Shape[0]);
  if (!Rows)
    return Rows.takeError();
  Expected<int64_t> Columns = evaluate(Of.Shape[1]);
  if (!Columns)
    return Columns.takeError();
  if (*Rows != *Columns)
    return errorAt(Of.Count,
                   Twine(*Rows) + " x " + Twine(*Columns) +
                       " is no square matrix, of which 'zero-diagonal' says that its diagonal is zero");
  Fill.Columns = uint64_t(*Columns);
  return Error::success();
}

/// What follows from the number of elements.
Error Resolver::setCounted(const BufferSpec &Of, FillSpec &Fill, ElementType Type, int64_t Count) const {
  if (Fill.ZeroDiagonal)
    if (Error E = setColumns(Of, Fill))
      return E;
  switch (Fill.FillKind) {
  case Kind::Affine:
    return checkLine(Of, Fill, Type, Count);
  case Kind::Shift:
    Fill.Shift %= Count;
    Fill.Shift += Fill.Shift < 0 ? Count : 0;
    return checkIndices(Of, Fill, Type, Count);
  case Kind::Clustered:
    if (Fill.Among == 0)
      Fill.Among = int64_t(divideCeil(uint64_t(Count), uint64_t(Fill.Per)));
    return checkIndices(Of, Fill, Type, Fill.Among);
  case Kind::Iota:
  case Kind::Permutation:
    return checkIndices(Of, Fill, Type, Count);
  case Kind::Values:
    return setValues(Of, Fill, Type, Count);
  case Kind::File:
    return checkFile(Of, Fill, elementBytes(Type), Count);
  default:
    return Error::success();
  }
}

Expected<FillSpec> Resolver::fill(const BufferSpec &Of, const FillSpec &Spec, const ElementLayout &Type,
                                  int64_t Count) const {
  FillSpec Fill = Spec;
  if (std::optional<ElementType> Scalar = Type.scalar()) {
    if (Error E = setNumbers(Fill, *Scalar))
      return std::move(E);
    if (Error E = setCounted(Of, Fill, *Scalar, Count))
      return std::move(E);
    return Fill;
  }
  if (Fill.FillKind == Kind::File)
    if (Error E = checkFile(Of, Fill, Type.bytes(), Count))
      return std::move(E);
  for (const auto &[Field, Own] : zip(Type.fields(), Fill.Fields)) {
    Expected<FillSpec> Known = fill(Of, Own, Field.Type, Count);
    if (!Known)
      return Known;
    Own = std::move(*Known);
  }
  return Fill;
}

} // namespace gpuprune
