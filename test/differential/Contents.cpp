//===- Contents.cpp - What buffers hold, at random and compared ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Contents.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace llvm;

namespace gpuprune::differential {

template <typename T> static void put(MutableArrayRef<char> Bytes, uint64_t At, T Value) {
  std::memcpy(&Bytes[At], &Value, sizeof(T));
}

static void fillField(ElementType Type, MutableArrayRef<char> Bytes, uint64_t At, Random &R) {
  double Real = (int64_t(R.next() >> 40) - (1 << 23)) / double(1 << 21);
  switch (Type) {
  case ElementType::F32:
    return put(Bytes, At, float(Real));
  case ElementType::F64:
    return put(Bytes, At, Real);
  case ElementType::I64:
    return put(Bytes, At, R.oneIn(8) ? int64_t(R.next()) : R.between(-100, 100));
  case ElementType::I32:
    return put(Bytes, At, R.oneIn(8) ? int32_t(R.next()) : R.between(-100, 100));
  case ElementType::I16:
    return put(Bytes, At, int16_t(R.next()));
  default:
    return put(Bytes, At, int8_t(R.next()));
  }
}

void fillRandomly(const ElementLayout &Type, MutableArrayRef<char> Bytes, Random &R) {
  if (Type.isStructure())
    std::memset(Bytes.data(), 0, Bytes.size());
  forEachField(Type, 0, Bytes.size(),
               [&](uint64_t At, size_t Field) { fillField(Type.fields()[Field].Type, Bytes, At, R); });
}

template <typename T> static T valueAt(ArrayRef<char> Bytes, uint64_t At) {
  T Value;
  std::memcpy(&Value, &Bytes[At], sizeof(T));
  return Value;
}

template <typename T> static std::string realDifference(ArrayRef<char> A, ArrayRef<char> B, uint64_t At) {
  T Wanted = valueAt<T>(A, At), Got = valueAt<T>(B, At);
  if (std::isnan(Wanted) ? std::isnan(Got) : std::memcmp(&A[At], &B[At], sizeof(T)) == 0)
    return "";
  using Bits = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
  return formatv("expected {0} ({1:x8}), got {2} ({3:x8})", std::to_string(Wanted), bit_cast<Bits>(Wanted),
                 std::to_string(Got), bit_cast<Bits>(Got));
}

template <typename T> static std::string integerDifference(ArrayRef<char> A, ArrayRef<char> B, uint64_t At) {
  T Wanted = valueAt<T>(A, At), Got = valueAt<T>(B, At);
  if (Wanted == Got)
    return "";
  using Bits = std::make_unsigned_t<T>;
  return formatv("expected {0} ({1:x8}), got {2} ({3:x8})", int64_t(Wanted), uint64_t(Bits(Wanted)),
                 int64_t(Got), uint64_t(Bits(Got)));
}

static std::string fieldDifference(ElementType Type, ArrayRef<char> A, ArrayRef<char> B, uint64_t At) {
  switch (Type) {
  case ElementType::F32:
    return realDifference<float>(A, B, At);
  case ElementType::F64:
    return realDifference<double>(A, B, At);
  case ElementType::I64:
    return integerDifference<int64_t>(A, B, At);
  case ElementType::I32:
    return integerDifference<int32_t>(A, B, At);
  case ElementType::I16:
    return integerDifference<int16_t>(A, B, At);
  default:
    return integerDifference<int8_t>(A, B, At);
  }
}

std::string firstDifference(StringRef Name, const ElementLayout &Type, ArrayRef<char> Expected,
                            ArrayRef<char> Got) {
  if (Expected == Got) // Almost always.
    return "";
  std::string Found;
  forEachField(Type, 0, Expected.size(), [&](uint64_t At, size_t Field) {
    if (!Found.empty())
      return;
    const ElementField &Of = Type.fields()[Field];
    std::string Difference = fieldDifference(Of.Type, Expected, Got, At);
    if (!Difference.empty())
      Found = formatv("{0}[{1}]{2}{3}: {4}", Name, At / Type.bytes(), Of.Name.empty() ? "" : ".", Of.Name,
                      Difference);
  });
  return Found;
}

} // namespace gpuprune::differential
