//===- MeasuredTolerance.cpp - How far rounding may move a result ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MeasuredTolerance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace llvm;

namespace gpuprune {

/// A result may be so many times as far off as both directions of rounding are apart: operations in another
/// order round otherwise, by about as much.
static constexpr double MostTimesMoved = 8;

static uint64_t elementAt(ElementType Type, ArrayRef<uint8_t> Bytes, size_t At) {
  uint64_t Bits = 0;
  std::memcpy(&Bits, Bytes.data() + At, elementBytes(Type)); // Little-endian, as the device.
  return Bits;
}

static void coarsen(ElementType Type, MutableArrayRef<uint8_t> Bytes) {
  size_t Size = elementBytes(Type);
  double Largest = 0;
  for (size_t At = 0; At < Bytes.size(); At += Size)
    if (double Value = std::fabs(toDouble(Type, elementAt(Type, Bytes, At))); std::isfinite(Value))
      Largest = std::max(Largest, Value);
  if (Largest == 0)
    return;
  double Power = std::exp2(std::floor(std::log2(Largest)) + 1);
  for (size_t At = 0; At < Bytes.size(); At += Size) {
    double Value = toDouble(Type, elementAt(Type, Bytes, At));
    if (Value == 0 || !std::isfinite(Value))
      continue;
    double Coarse = std::fabs(Value) < Power / 2 ? Power / 4 : 3 * Power / 4;
    uint64_t Bits = encodeReal(Type, std::copysign(Coarse, Value));
    std::memcpy(Bytes.data() + At, &Bits, Size);
  }
}

static uint64_t withTwoBits(ElementType Type, uint64_t Bits) {
  double Value = toDouble(Type, Bits);
  if (!std::isfinite(Value))
    return Bits;
  int Exponent = 0;
  double Mantissa = std::frexp(Value, &Exponent); // At least 0.5, below 1.
  return encodeReal(Type, std::ldexp(std::trunc(Mantissa * 4) / 4, Exponent));
}

HostProblem withCoarseInputs(HostProblem Problem) {
  Problem.changeInputs(
      [](ElementType Type, MutableArrayRef<uint8_t> Bytes) {
        if (isFloatingPoint(Type))
          coarsen(Type, Bytes);
      },
      [](ElementType Type, uint64_t Bits) { return isFloatingPoint(Type) ? withTwoBits(Type, Bits) : Bits; });
  return Problem;
}

DirectedRuns runDirected(HostRunRequest Request) {
  DirectedRuns Found;
  for (auto [Direction, Into] :
       {std::pair(Rounding::Down, &Found.Down), std::pair(Rounding::Up, &Found.Up)}) {
    Request.Round = Direction;
    PatternRuns Runs(Request);
    if (Error E = Runs.run(0)) {
      consumeError(std::move(E));
      return {};
    }
    if (Runs.fault())
      return {};
    for (size_t I = 0; I != Request.Problem.buffers().size(); ++I)
      Into->push_back(Runs.bytes(I).value_or(ArrayRef<uint8_t>()).vec());
  }
  return Found;
}

/// By how much of their magnitude elements move at most between both directions; not finite where that
/// cannot be told.
static double largestMove(ElementType Type, ArrayRef<uint8_t> Down, ArrayRef<uint8_t> Up) {
  double Largest = 0;
  for (size_t At = 0; At < Down.size(); At += elementBytes(Type)) {
    double A = toDouble(Type, elementAt(Type, Down, At)), B = toDouble(Type, elementAt(Type, Up, At));
    if (A == B)
      continue;
    double Move = std::fabs(A - B) / std::max(std::fabs(A), std::fabs(B));
    if (!std::isfinite(Move))
      return Move;
    Largest = std::max(Largest, Move);
  }
  return Largest;
}

RunVerdict compareDirected(ArrayRef<ResolvedBuffer> Buffers, const DirectedRuns &Own,
                           const DirectedRuns &Truth, ArrayRef<BufferFreedom> Open,
                           std::string BufferFreedom::*Link) {
  if (Own.Up.empty() || Truth.Up.empty())
    return {};
  for (const auto &[Index, Shape] : enumerate(Buffers)) {
    if ((Open[Index].*Link).empty() || elementBytes(Shape.Type) < 4)
      continue;
    double Moved = largestMove(Shape.Type, Own.Down[Index], Own.Up[Index]) +
                   largestMove(Shape.Type, Truth.Down[Index], Truth.Up[Index]);
    if (!std::isfinite(Moved))
      continue;
    protocol::Comparison Measured{protocol::CompareMode::Tolerance, MostTimesMoved * Moved, 0};
    OutputComparer Comparer(Shape.Type, Measured, Truth.Down[Index], {}, FillPatterns[0]);
    Comparer.feed(Own.Down[Index]);
    if (Comparer.outcome() != CheckOutcome::Wrong)
      continue;
    RunVerdict Found = wrongVerdict(Comparer.mismatch(), Shape.Name);
    Found.Message +=
        formatv(", over inputs of two significant bits, where rounding explains {0:e1} of a result at "
                "most",
                Measured.Relative)
            .str();
    return Found;
  }
  return {};
}

} // namespace gpuprune
