//===- Fill.cpp - Deterministic buffer contents ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/Fill.h"
#include "FillIndices.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace gpuprune::protocol;

// The values must not depend on whether the host has a fused multiply-add.
#pragma STDC FP_CONTRACT OFF

namespace gpuprune {

uint64_t splitMix64(uint64_t Seed, uint64_t Index) {
  uint64_t Z = Seed + (Index + 1) * 0x9E3779B97F4A7C15u;
  Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9u;
  Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EBu;
  return Z ^ (Z >> 31);
}

namespace {

Error checkHolds(ElementType Type, double Value, StringRef What) {
  if (encodeExactly(Type, Value))
    return Error::success();
  return makeError(ErrorKind::Input,
                   formatv("fill: {0} {1} is not a value of type {2}; give an integer from {3} to {4}", What,
                           realText(Value), elementTypeName(Type), realText(integerMinimum(Type)),
                           realText(integerMaximum(Type))));
}

/// Elements of a buffer from First on.
struct Elements {
  uint64_t First;
  MutableArrayRef<uint8_t> Bytes;
};

template <unsigned Bytes, typename BitsOf> void fillElements(Elements P, BitsOf Bits) {
  uint8_t *Out = P.Bytes.data();
  for (uint64_t I = 0, N = P.Bytes.size() / Bytes; I != N; ++I) {
    uint64_t Element = Bits(P.First + I);
    std::memcpy(Out + I * Bytes, &Element, Bytes);
  }
}

template <typename BitsOf> void fillAnyWidth(unsigned Bytes, Elements Out, BitsOf Bits) {
  switch (Bytes) {
  case 1:
    return fillElements<1>(Out, Bits);
  case 2:
    return fillElements<2>(Out, Bits);
  case 4:
    return fillElements<4>(Out, Bits);
  default:
    return fillElements<8>(Out, Bits);
  }
}

/// At least 0 and below 1.
double unitReal(const Fill &F, uint64_t Index) {
  return static_cast<double>(splitMix64(F.Seed, Index) >> 11) * 0x1p-53;
}

double uniformReal(const Fill &F, uint64_t Index) {
  double Offset = (F.High - F.Low) * unitReal(F, Index);
  return F.Low + Offset;
}

void fillUniformInteger(ElementType Type, const Fill &F, Elements Out) {
  uint64_t Low = *encodeExactly(Type, F.Low), High = *encodeExactly(Type, F.High);
  if (isSignedInteger(Type)) {
    Low = static_cast<uint64_t>(toInteger(Type, Low));
    High = static_cast<uint64_t>(toInteger(Type, High));
  }
  unsigned __int128 Range = static_cast<unsigned __int128>(High - Low) + 1;
  fillAnyWidth(elementBytes(Type), Out, [&](uint64_t I) {
    return Low + static_cast<uint64_t>((splitMix64(F.Seed, I) * Range) >> 64);
  });
}

void fillUniform(ElementType Type, const Fill &F, Elements Out) {
  if (!isFloatingPoint(Type))
    return fillUniformInteger(Type, F, Out);
  // The common type apart, so that the compiler sees the conversion.
  if (Type == ElementType::F32)
    return fillElements<4>(Out, [&](uint64_t I) { return encodeReal(ElementType::F32, uniformReal(F, I)); });
  fillAnyWidth(elementBytes(Type), Out, [&](uint64_t I) { return encodeReal(Type, uniformReal(F, I)); });
}

void fillIota(ElementType Type, Elements Out) {
  bool Floating = isFloatingPoint(Type);
  fillAnyWidth(elementBytes(Type), Out,
               [&](uint64_t I) { return Floating ? encodeReal(Type, static_cast<double>(I)) : I; });
}

void fillAffineInteger(ElementType Type, const Fill &F, Elements Out) {
  uint64_t Start = static_cast<int64_t>(F.Start), Step = static_cast<int64_t>(F.Step);
  unsigned __int128 Range = static_cast<unsigned __int128>(F.Jitter) + 1;
  fillAnyWidth(elementBytes(Type), Out, [&](uint64_t I) {
    return Start + Step * I + static_cast<uint64_t>((splitMix64(F.Seed, I) * Range) >> 64);
  });
}

void fillAffine(ElementType Type, const Fill &F, Elements Out) {
  if (!isFloatingPoint(Type))
    return fillAffineInteger(Type, F, Out);
  fillAnyWidth(elementBytes(Type), Out, [&](uint64_t I) {
    double Line = F.Step * static_cast<double>(I);
    Line = F.Start + Line;
    double Random = F.Jitter * unitReal(F, I);
    return encodeReal(Type, Line + Random);
  });
}

void fillSorted(ElementType Type, const Fill &F, Elements Out) {
  if (!isFloatingPoint(Type)) {
    uint64_t Low = static_cast<uint64_t>(toInteger(Type, *encodeExactly(Type, F.Low)));
    uint64_t High = static_cast<uint64_t>(toInteger(Type, *encodeExactly(Type, F.High)));
    kernels::FixedStep Step = sortedStep(High - Low, F.Count);
    return fillAnyWidth(elementBytes(Type), Out,
                        [&](uint64_t I) { return Low + kernels::between(I, Step, splitMix64(F.Seed, I)); });
  }
  fillAnyWidth(elementBytes(Type), Out, [&](uint64_t I) {
    double Place = static_cast<double>(I) + unitReal(F, I);
    Place = Place / static_cast<double>(F.Count);
    Place = (F.High - F.Low) * Place;
    return encodeReal(Type, F.Low + Place);
  });
}

void fillIndices(ElementType Type, const Fill &F, Elements Out) {
  kernels::FillRule Rule = indexRule(F);
  bool Floating = isFloatingPoint(Type);
  fillAnyWidth(elementBytes(Type), Out, [&](uint64_t I) {
    uint64_t Index = kernels::indexAt(Rule, I);
    return Floating ? encodeReal(Type, static_cast<double>(Index)) : Index;
  });
}

/// Elements at multiples of \p Every are zero.
void zeroElements(uint64_t Every, unsigned Bytes, Elements Out) {
  for (uint64_t At = alignTo(Out.First, Every) - Out.First; At < Out.Bytes.size() / Bytes; At += Every)
    std::memset(Out.Bytes.data() + At * Bytes, 0, Bytes);
}

Error validateAffine(ElementType Type, const Fill &F) {
  for (auto [What, Value] :
       {std::pair("start", F.Start), std::pair("step", F.Step), std::pair("jitter", F.Jitter)}) {
    bool Fits = isFloatingPoint(Type) || (std::trunc(Value) == Value && std::fabs(Value) <= 0x1p53);
    if (!std::isfinite(Value) || !Fits)
      return makeError(
          ErrorKind::Input,
          formatv("fill: {0} {1} of affine; expected a finite number, for integer types an integer of "
                  "at most 2^53 in magnitude",
                  What, realText(Value)));
  }
  if (F.Jitter < 0)
    return makeError(ErrorKind::Input,
                     formatv("fill: affine needs a jitter of at least 0, not {0}", realText(F.Jitter)));
  return Error::success();
}

Error validateBounds(ElementType Type, const Fill &F) {
  if (!std::isfinite(F.Low) || !std::isfinite(F.High) || F.Low > F.High)
    return makeError(ErrorKind::Input,
                     formatv("fill: uniform needs finite bounds with low <= high, not {0} and {1}",
                             realText(F.Low), realText(F.High)));
  if (Error E = checkHolds(Type, F.Low, "low"))
    return E;
  return checkHolds(Type, F.High, "high");
}

Error validateScalars(ElementType Type, const Fill &F) {
  if (F.Kind == FillKind::Fields)
    return makeError(ErrorKind::Input, formatv("fill: fields are for structures, not for {0}; expected "
                                               "another kind",
                                               elementTypeName(Type)));
  if (F.ZeroDiagonal != 0 && F.Kind != FillKind::Constant && F.Kind != FillKind::Uniform &&
      F.Kind != FillKind::Affine)
    return makeError(ErrorKind::Input, "fill: zero_diagonal goes with constant, uniform and affine");
  switch (F.Kind) {
  case FillKind::Constant:
    return checkHolds(Type, F.Value, "value");
  case FillKind::Affine:
    return validateAffine(Type, F);
  case FillKind::Uniform:
    return validateBounds(Type, F);
  case FillKind::Sorted:
    if (Error E = validateBounds(Type, F))
      return E;
    return validateCounted(Type, F);
  case FillKind::Shift:
  case FillKind::Permutation:
  case FillKind::Clustered:
    return validateCounted(Type, F);
  default:
    return Error::success();
  }
}

void fillScalars(ElementType Type, const Fill &F, Elements Out) {
  switch (F.Kind) {
  case FillKind::Zero:
    std::fill(Out.Bytes.begin(), Out.Bytes.end(), 0);
    break;
  case FillKind::Constant: {
    uint64_t Bits = *encodeExactly(Type, F.Value);
    fillAnyWidth(elementBytes(Type), Out, [&](uint64_t) { return Bits; });
    break;
  }
  case FillKind::Uniform:
    fillUniform(Type, F, Out);
    break;
  case FillKind::Iota:
    fillIota(Type, Out);
    break;
  case FillKind::Affine:
    fillAffine(Type, F, Out);
    break;
  case FillKind::Sorted:
    fillSorted(Type, F, Out);
    break;
  case FillKind::Shift:
  case FillKind::Permutation:
  case FillKind::Clustered:
    fillIndices(Type, F, Out);
    break;
  case FillKind::Values:
  case FillKind::File:
    std::memcpy(Out.Bytes.data(), F.stored().data() + Out.First * elementBytes(Type), Out.Bytes.size());
    break;
  case FillKind::Fields:
    llvm_unreachable("validateFill refuses it");
  }
  if (uint64_t Every = F.zeroEvery())
    zeroElements(Every, elementBytes(Type), Out);
}

/// Whole fields of structures of \p Stride bytes, in the part of a buffer that begins at the byte \p Offset.
void fillField(const ElementField &Field, uint64_t Stride, const Fill &F, uint64_t Offset,
               MutableArrayRef<uint8_t> Bytes) {
  constexpr uint64_t AtOnce = 64;
  uint8_t Dense[AtOnce * sizeof(uint64_t)];
  uint64_t Size = elementBytes(Field.Type), End = Offset + Bytes.size();
  uint64_t First = Offset <= Field.Offset ? 0 : divideCeil(Offset - Field.Offset, Stride);
  uint64_t Behind = End < Field.end() ? 0 : (End - Field.end()) / Stride + 1;
  for (uint64_t I = First; I < Behind; I += AtOnce) {
    uint64_t Count = std::min(AtOnce, Behind - I);
    fillScalars(Field.Type, F, {I, MutableArrayRef(Dense, Count * Size)});
    for (uint64_t Each = 0; Each != Count; ++Each)
      std::memcpy(&Bytes[(I + Each) * Stride + Field.Offset - Offset], &Dense[Each * Size], Size);
  }
}

} // namespace

/// Structures as they are in a file, but for their padding.
static void copyStructures(const ElementLayout &Type, const Fill &F, uint64_t Offset,
                           MutableArrayRef<uint8_t> Bytes) {
  const uint8_t *From = F.stored().data();
  forEachField(Type, Offset, Offset + Bytes.size(), [&](uint64_t At, size_t Field) {
    std::memcpy(&Bytes[At - Offset], From + At, elementBytes(Type.fields()[Field].Type));
  });
}

/// Success where \p F, of a file that has been read or of values, has \p Bytes.
static Error checkData(const Fill &F, uint64_t Bytes) {
  uint64_t There = F.stored().size();
  if (There >= Bytes)
    return Error::success();
  if (F.Kind == FillKind::Values)
    return makeError(
        ErrorKind::Input,
        formatv("fill: {0} bytes of elements are needed, and the values have {1}", Bytes, There));
  return makeError(
      ErrorKind::Input,
      formatv("fill: {0} bytes of elements are needed, and the file {1} has {2}", Bytes, F.File, There));
}

Error checkStored(const ElementLayout &Type, const Fill &F, uint64_t Count) {
  if (F.isStored() && F.Kind != FillKind::Fields)
    return checkData(F, Count * Type.bytes());
  if (F.Kind == FillKind::Fields)
    for (const auto &[Field, Of] : zip_equal(Type.fields(), F.Fields))
      if (Error E = Of.isStored() ? checkData(Of, Count * elementBytes(Field.Type)) : Error::success())
        return E;
  return Error::success();
}

Error validateFill(const ElementLayout &Type, const Fill &F) {
  if (std::optional<ElementType> Scalar = Type.scalar())
    return validateScalars(*Scalar, F);
  if (F.Kind == FillKind::Zero || F.Kind == FillKind::File)
    return Error::success();
  if (F.Kind != FillKind::Fields || F.Fields.size() != Type.fields().size())
    return makeError(
        ErrorKind::Input,
        formatv("fill: a structure of {0} fields takes zero, a file, or fields with as many fills",
                Type.fields().size()));
  for (const auto &[Field, Of] : zip_equal(Type.fields(), F.Fields))
    if (Error E = validateScalars(Field.Type, Of))
      return makeError(ErrorKind::Input, formatv("field {0}: {1}", Field.Name, toString(std::move(E))));
  return Error::success();
}

Error fillBuffer(const ElementLayout &Type, const Fill &F, MutableArrayRef<uint8_t> Bytes) {
  if (Error E = validateFill(Type, F))
    return E;
  if (Bytes.size() % Type.bytes() != 0)
    return makeError(ErrorKind::Internal,
                     formatv("fill: {0} bytes are no whole number of {1}", Bytes.size(), Type.text()));
  if (Error E = checkStored(Type, F, Bytes.size() / Type.bytes()))
    return E;
  fillPart(Type, F, 0, Bytes);
  return Error::success();
}

void fillPart(const ElementLayout &Type, const Fill &F, uint64_t Offset, MutableArrayRef<uint8_t> Bytes) {
  if (std::optional<ElementType> Scalar = Type.scalar())
    return fillScalars(*Scalar, F, {Offset / Type.bytes(), Bytes});
  assert(Offset % sizeof(uint64_t) == 0 || Offset % Type.bytes() == 0);
  std::fill(Bytes.begin(), Bytes.end(), 0);
  if (F.Kind == FillKind::File)
    return copyStructures(Type, F, Offset, Bytes);
  for (const auto &[Index, Field] : enumerate(Type.fields()))
    fillField(Field, Type.bytes(), F.ofField(Index), Offset, Bytes);
}

} // namespace gpuprune
