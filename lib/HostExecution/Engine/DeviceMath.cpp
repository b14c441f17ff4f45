//===- DeviceMath.cpp - Arithmetic that IR has no instruction for --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxOperation.h"
#include "RoundingScope.h"
#include "ThreadContext.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace gpuprune;

extern "C" {
#define RUNTIME_FUNCTION(Name, Meets, Result, Parameters) Result Name Parameters;
#include "DeviceRuntime.def"
}

/// \p Operation with \p Mode, where the nearest is what HostLaunch::Round says; volatile, so that neither it
/// nor its operands move out of the scope.
template <typename T, typename Function, typename... Operands>
static T inMode(uint32_t Mode, Function Operation, Operands... X) {
  std::optional<RoundingScope> Scope;
  if (Rounding Round = Rounding(Mode & 3); Round != Rounding::Nearest)
    Scope.emplace(Round);
  volatile T Result = Operation(static_cast<const volatile T &>(X)...);
  return Result;
}

float gpuprune_add_f32(float X, float Y, uint32_t Mode) {
  return inMode<float>(Mode, [](float A, float B) { return A + B; }, X, Y);
}
double gpuprune_add_f64(double X, double Y, uint32_t Mode) {
  return inMode<double>(Mode, [](double A, double B) { return A + B; }, X, Y);
}
float gpuprune_mul_f32(float X, float Y, uint32_t Mode) {
  return inMode<float>(Mode, [](float A, float B) { return A * B; }, X, Y);
}
double gpuprune_mul_f64(double X, double Y, uint32_t Mode) {
  return inMode<double>(Mode, [](double A, double B) { return A * B; }, X, Y);
}
float gpuprune_div_f32(float X, float Y, uint32_t Mode) {
  return inMode<float>(Mode, [](float A, float B) { return A / B; }, X, Y);
}
double gpuprune_div_f64(double X, double Y, uint32_t Mode) {
  return inMode<double>(Mode, [](double A, double B) { return A / B; }, X, Y);
}
float gpuprune_fma_f32(float X, float Y, float Z, uint32_t Mode) {
  return inMode<float>(Mode, [](float A, float B, float C) { return std::fma(A, B, C); }, X, Y, Z);
}
double gpuprune_fma_f64(double X, double Y, double Z, uint32_t Mode) {
  return inMode<double>(Mode, [](double A, double B, double C) { return std::fma(A, B, C); }, X, Y, Z);
}
float gpuprune_sqrt_f32(float X, uint32_t Mode) {
  return inMode<float>(Mode, [](float A) { return std::sqrt(A); }, X);
}
double gpuprune_sqrt_f64(double X, uint32_t Mode) {
  return inMode<double>(Mode, [](double A) { return std::sqrt(A); }, X);
}

/// X * Y + Z rounded to odd, so that rounding again to fewer bits rounds once
/// (S. Boldo, G. Melquiond, Emulation of FMA and correctly rounded sums, 2008). The
/// product is exact: its factors have at most 11 bits.
static double fmaToOdd(float X, float Y, float Z) {
  double Product = double(X) * double(Y), Sum = Product + double(Z);
  if (!std::isfinite(Sum))
    return Sum;
  double Part = Sum - Product, Lost = (Product - (Sum - Part)) + (double(Z) - Part); // D. Knuth's TwoSum.
  uint64_t Bits = bit_cast<uint64_t>(Sum);
  if (Lost == 0 || (Bits & 1))
    return Sum;
  return bit_cast<double>((Lost > 0) == (Sum > 0) ? Bits + 1 : Bits - 1);
}

static const fltSemantics &semanticsOf(uint32_t Format) {
  return Format == 1    ? APFloat::BFloat()
         : Format == 16 ? APFloat::IEEEhalf()
         : Format == 32 ? APFloat::IEEEsingle()
                        : APFloat::IEEEdouble();
}

static float roundedTo(double V, uint32_t Format) {
  if (!std::isfinite(V))
    return V;
  APFloat Result(V);
  bool Loses;
  Result.convert(semanticsOf(Format), APFloat::rmNearestTiesToEven, &Loses);
  Result.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &Loses);
  return Result.convertToFloat();
}

float gpuprune_fma_f16(float X, float Y, float Z) { return roundedTo(fmaToOdd(X, Y, Z), 16); }
float gpuprune_fma_bf16(float X, float Y, float Z) { return roundedTo(fmaToOdd(X, Y, Z), 1); }

static APFloat::roundingMode modeOf(uint32_t Mode) {
  constexpr APFloat::roundingMode Modes[] = {APFloat::rmNearestTiesToEven, APFloat::rmTowardZero,
                                             APFloat::rmTowardNegative, APFloat::rmTowardPositive};
  return Modes[Mode & 3];
}

uint64_t gpuprune_convert_float(uint64_t Bits, uint32_t From, uint32_t To, uint32_t Mode) {
  const fltSemantics &Source = semanticsOf(From);
  APFloat V(Source, APInt(APFloat::getSizeInBits(Source), Bits));
  if (V.isNaN()) // As the GPU's: all bits set but the sign.
    return APInt::getSignedMaxValue(APFloat::getSizeInBits(semanticsOf(To))).getZExtValue();
  bool Loses;
  V.convert(semanticsOf(To), modeOf(Mode), &Loses);
  return V.bitcastToAPInt().getZExtValue();
}

uint64_t gpuprune_convert_integer(uint64_t Value, uint32_t Signed, uint32_t To, uint32_t Mode) {
  APFloat V(semanticsOf(To));
  V.convertFromAPInt(APInt(64, Value), Signed, modeOf(Mode));
  return V.bitcastToAPInt().getZExtValue();
}

/// PTX ISA, rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: of the upper 32 bits of the
/// operand, the upper 32 bits of the result; denormals count as zeros.
template <typename Function> static double ofUpperHalf(double X, Function Of) {
  auto UpperHalf = [](double V) {
    if (std::fpclassify(V) == FP_SUBNORMAL)
      V = std::copysign(0.0, V);
    return bit_cast<double>(bit_cast<uint64_t>(V) & ~uint64_t(0) << 32);
  };
  return UpperHalf(Of(UpperHalf(X)));
}

double gpuprune_rcp_approx_f64(double X) {
  return ofUpperHalf(X, [](double V) { return 1 / V; });
}
double gpuprune_rsqrt_approx_f64(double X) {
  return ofUpperHalf(X, [](double V) { return 1 / std::sqrt(V); });
}

float gpuprune_rsqrt_f32(float X) { return 1 / std::sqrt(double(X)); }
double gpuprune_rsqrt_f64(double X) { return 1 / std::sqrt(X); }
float gpuprune_ex2_f32(float X) { return std::exp2(double(X)); }
float gpuprune_lg2_f32(float X) { return std::log2(double(X)); }
double gpuprune_lg2_f64(double X) { return std::log2(X); }
float gpuprune_sin_f32(float X) { return std::sin(double(X)); }
float gpuprune_cos_f32(float X) { return std::cos(double(X)); }
float gpuprune_tanh_f32(float X) { return std::tanh(double(X)); }

/// bfe and bfi as the PTX ISA has them: position and length are 8 bits each.
uint64_t gpuprune_bfe_unsigned(uint64_t V, uint32_t Position, uint32_t Length, uint32_t Width) {
  Position &= 0xff;
  Length &= 0xff;
  if (Position >= Width)
    return 0;
  return V >> Position & maskTrailingOnes<uint64_t>(std::min(Length, 64u));
}

uint64_t gpuprune_bfe_signed(uint64_t V, uint32_t Position, uint32_t Length, uint32_t Width) {
  Position &= 0xff;
  Length &= 0xff;
  if (Length == 0)
    return 0;
  // Beyond the width there are copies of the sign; so they are in the extended value.
  int64_t Shifted = int64_t(V) >> std::min(Position, 63u);
  return Length >= Width ? uint64_t(Shifted) : uint64_t(SignExtend64(uint64_t(Shifted), Length));
}

uint64_t gpuprune_bfi(uint64_t Field, uint64_t Into, uint32_t Position, uint32_t Length, uint32_t Width) {
  Position &= 0xff;
  Length &= 0xff;
  if (Position >= Width)
    return Into;
  uint64_t Mask = maskTrailingOnes<uint64_t>(std::min(Length, 64u)) << Position;
  return (Into & ~Mask) | (Field << Position & Mask);
}

/// The bytes that prmt's mode chooses, from 0 to 7, as selectors.
static uint32_t selectorsOf(uint32_t Mode, uint32_t C) {
  uint32_t Selectors = 0;
  C &= 3;
  for (uint32_t I = 0; I < 4; ++I) {
    uint32_t Byte = 0;
    switch (Mode) {
    case 1: // f4e
      Byte = C + I;
      break;
    case 2: // b4e
      Byte = (C - I) & 7;
      break;
    case 3: // rc8
      Byte = C;
      break;
    case 4: // ecl
      Byte = std::max(C, I);
      break;
    case 5: // ecr
      Byte = std::min(C, I);
      break;
    default: // rc16
      Byte = (C & 1) * 2 + (I & 1);
      break;
    }
    Selectors |= Byte << 4 * I;
  }
  return Selectors;
}

uint32_t gpuprune_prmt(uint32_t A, uint32_t B, uint32_t C, uint32_t Mode) {
  uint64_t Bytes = uint64_t(B) << 32 | A;
  uint32_t Selectors = Mode == 0 ? C : selectorsOf(Mode, C), Result = 0;
  for (uint32_t I = 0; I < 4; ++I) {
    uint32_t Selector = Selectors >> 4 * I & 15;
    uint8_t Byte = Bytes >> 8 * (Selector & 7);
    // The fourth bit of a selector asks for the byte's sign, eight times.
    if (Selector & 8)
      Byte = Byte & 0x80 ? 0xff : 0;
    Result |= uint32_t(Byte) << 8 * I;
  }
  return Result;
}
