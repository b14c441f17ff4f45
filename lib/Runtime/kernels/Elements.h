//===- Elements.h - Elements of a buffer where they lie -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads, stores and conversions of elements in the runner's own device code. It is compiled for the GPU
// without any library, and for the host by tests; Support/ElementType.h is what they compare it with.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_KERNELS_ELEMENTS_H
#define GPUPRUNE_LIB_RUNTIME_KERNELS_ELEMENTS_H

#include <stdint.h>

namespace gpuprune::kernels {

enum class Number : uint32_t { Signed, Unsigned, Floating };

/// Count elements, of which element i begins at Base + Stride * i: a whole buffer, or a field of its
/// structures.
struct Elements {
  uint64_t Base; ///< Device address, a multiple of Bytes.
  uint64_t Count;
  uint32_t Stride; ///< Bytes, a multiple of Bytes.
  uint32_t Bytes;  ///< 1, 2, 4 or 8.
  Number Kind;
  uint32_t MantissaBits; ///< Of a floating-point type, without the hidden one.

  bool isDense() const { return Stride == Bytes && Base % 16 == 0; }
};

template <typename To, typename From> [[gnu::always_inline]] inline To bitCast(From Value) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, Value);
}

/// What lies at a device address.
template <typename T> [[gnu::always_inline]] inline T *pointerTo(uint64_t Address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the driver's addresses are integers.
  return reinterpret_cast<T *>(Address);
}

[[gnu::always_inline]] inline uint64_t loadBits(const Elements &E, uint64_t Index) {
  uint64_t At = E.Base + Index * E.Stride;
  switch (E.Bytes) {
  case 1:
    return *pointerTo<uint8_t>(At);
  case 2:
    return *pointerTo<uint16_t>(At);
  case 4:
    return *pointerTo<uint32_t>(At);
  default:
    return *pointerTo<uint64_t>(At);
  }
}

[[gnu::always_inline]] inline void storeBits(const Elements &E, uint64_t Index, uint64_t Bits) {
  uint64_t At = E.Base + Index * E.Stride;
  switch (E.Bytes) {
  case 1:
    *pointerTo<uint8_t>(At) = static_cast<uint8_t>(Bits);
    break;
  case 2:
    *pointerTo<uint16_t>(At) = static_cast<uint16_t>(Bits);
    break;
  case 4:
    *pointerTo<uint32_t>(At) = static_cast<uint32_t>(Bits);
    break;
  default:
    *pointerTo<uint64_t>(At) = Bits;
  }
}

[[gnu::always_inline]] inline uint64_t truncated(const Elements &E, uint64_t Bits) {
  return E.Bytes == 8 ? Bits : Bits & ((uint64_t(1) << (8 * E.Bytes)) - 1);
}

[[gnu::always_inline]] inline int64_t signExtended(const Elements &E, uint64_t Bits) {
  unsigned Shift = 64 - 8 * E.Bytes;
  return static_cast<int64_t>(Bits << Shift) >> Shift;
}

/// A power of two that a double holds as a normal number.
[[gnu::always_inline]] inline double powerOfTwo(int Exponent) {
  return bitCast<double>(uint64_t(Exponent + 1023) << 52);
}

/// The value of a 16-bit floating-point number (IEEE 754-2019, section 3.4, with 15 - MantissaBits exponent
/// bits).
[[gnu::always_inline]] inline double decodeHalf(uint32_t MantissaBits, uint64_t Bits) {
  int Bias = (1 << (14 - MantissaBits)) - 1;
  uint64_t Sign = Bits >> 15 & 1, Exponent = (Bits & 0x7fff) >> MantissaBits;
  uint64_t Fraction = Bits & ((1u << MantissaBits) - 1);
  uint64_t Largest = (1u << (15 - MantissaBits)) - 1;
  if (Exponent == 0) {
    double Magnitude = double(Fraction) * powerOfTwo(1 - Bias - int(MantissaBits));
    return Sign ? -Magnitude : Magnitude;
  }
  uint64_t Wide = Exponent == Largest ? 0x7ff : Exponent - Bias + 1023;
  return bitCast<double>(Sign << 63 | Wide << 52 | Fraction << (52 - MantissaBits));
}

/// \p Value, which is no NaN, rounded to nearest even as such a number.
[[gnu::always_inline]] inline uint64_t encodeHalf(uint32_t MantissaBits, double Value) {
  uint64_t Bits = bitCast<uint64_t>(Value), Sign = Bits >> 63 << 15;
  int Exponent = int(Bits >> 52 & 0x7ff);
  uint64_t Infinity = uint64_t((1u << (15 - MantissaBits)) - 1) << MantissaBits;
  if (Exponent == 0) // At most the least normal double, which rounds to zero.
    return Sign;
  if (Exponent == 0x7ff)
    return Sign | Infinity;
  uint64_t Significand = (Bits & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
  int Biased = Exponent - 1023 + (1 << (14 - MantissaBits)) - 1;
  int Shift = 52 - int(MantissaBits) + (Biased <= 0 ? 1 - Biased : 0);
  if (Shift > 63)
    return Sign;
  uint64_t Kept = Significand >> Shift, Rest = Significand & ((uint64_t(1) << Shift) - 1);
  uint64_t Half = uint64_t(1) << (Shift - 1);
  Kept += Rest > Half || (Rest == Half && (Kept & 1)) ? 1 : 0;
  // A carry goes into the exponent, as it should.
  uint64_t Result = Biased <= 0 ? Kept : (uint64_t(Biased - 1) << MantissaBits) + Kept;
  return Sign | (Result > Infinity ? Infinity : Result);
}

/// As toDouble of Support/ElementType.h.
[[gnu::always_inline]] inline double valueOf(const Elements &E, uint64_t Bits) {
  switch (E.Kind) {
  case Number::Signed:
    return static_cast<double>(signExtended(E, Bits));
  case Number::Unsigned:
    return static_cast<double>(Bits);
  case Number::Floating:
    break;
  }
  if (E.Bytes == 8)
    return bitCast<double>(Bits);
  return E.Bytes == 4 ? bitCast<float>(static_cast<uint32_t>(Bits)) : decodeHalf(E.MantissaBits, Bits);
}

/// As encodeReal of Support/ElementType.h.
[[gnu::always_inline]] inline uint64_t encodeReal(const Elements &E, double Value) {
  if (E.Bytes == 8)
    return bitCast<uint64_t>(Value);
  return E.Bytes == 4 ? bitCast<uint32_t>(static_cast<float>(Value)) : encodeHalf(E.MantissaBits, Value);
}

[[gnu::always_inline]] inline bool isNaN(double Value) { return __builtin_isnan(Value); }
[[gnu::always_inline]] inline bool isFinite(double Value) { return __builtin_isfinite(Value); }

} // namespace gpuprune::kernels

#endif // GPUPRUNE_LIB_RUNTIME_KERNELS_ELEMENTS_H
