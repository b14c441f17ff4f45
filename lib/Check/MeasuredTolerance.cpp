//===- MeasuredTolerance.cpp - How far rounding may move a result ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MeasuredTolerance.h"
#include "gpuprune/Runtime/Fill.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace llvm;

namespace gpuprune {

/// A result may be so many times as far off as the directions of rounding move it: operations in another
/// order round otherwise, by no more than about as much.
static constexpr double MostTimesMoved = 2;

namespace {

/// One field of all elements of a buffer; of scalars, all of it.
struct Column {
  ElementField Field;
  uint64_t Stride;

  uint64_t at(size_t Index) const { return Index * Stride + Field.Offset; }
  uint64_t bits(ArrayRef<uint8_t> Bytes, size_t Index) const {
    return loadElement(Field.Type, &Bytes[at(Index)]);
  }
  std::vector<double> values(ArrayRef<uint8_t> Bytes) const {
    std::vector<double> Values;
    for (size_t Index = 0; Index != Bytes.size() / Stride; ++Index)
      Values.push_back(toDouble(Field.Type, bits(Bytes, Index)));
    return Values;
  }
  void store(MutableArrayRef<uint8_t> Bytes, size_t Index, double Value) const {
    uint64_t Bits = encodeReal(Field.Type, Value);
    std::memcpy(Bytes.data() + at(Index), &Bits, elementBytes(Field.Type));
  }
};

} // namespace

/// Those of floating point.
static std::vector<Column> floatingColumns(const ElementLayout &Type) {
  std::vector<Column> Columns;
  for (const ElementField &Field : Type.fields())
    if (isFloatingPoint(Field.Type))
      Columns.push_back({Field, Type.bytes()});
  return Columns;
}

/// 1/8, 3/8, 5/8 or 7/8, at random.
static double coarsePart(size_t Index) { return double(2 * (splitMix64(/*Seed=*/0, Index) & 3) + 1) / 8; }

static double powerAbove(double Magnitude) { return std::exp2(std::floor(std::log2(Magnitude)) + 1); }

static void coarsen(const Column &Of, MutableArrayRef<uint8_t> Bytes) {
  std::vector<double> Values = Of.values(Bytes);
  double Largest = 0;
  for (double Value : Values)
    if (std::isfinite(Value))
      Largest = std::max(Largest, std::fabs(Value));
  if (Largest == 0)
    return;
  double Power = powerAbove(Largest);
  bool Sorted = Values.front() != Values.back() && is_sorted(Values);
  for (auto [Index, Value] : enumerate(Values)) {
    if (Value == 0 || !std::isfinite(Value))
      continue;
    bool Small = (Value < 0) != (Index < Values.size() / 2);
    double Part = Sorted ? (Small ? 0.125 : 0.875) : coarsePart(Index);
    Of.store(Bytes, Index, std::copysign(Part * Power, Value));
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
      [](const ResolvedBuffer &Buffer, MutableArrayRef<uint8_t> Bytes) {
        if (Bytes.empty())
          return;
        for (const Column &Of : floatingColumns(Buffer.Type))
          coarsen(Of, Bytes);
      },
      [](ElementType Type, uint64_t Bits) { return isFloatingPoint(Type) ? withTwoBits(Type, Bits) : Bits; });
  return Problem;
}

/// Whether all values are the same, and now differ.
static bool vary(const Column &Of, MutableArrayRef<uint8_t> Bytes) {
  std::vector<double> Values = Of.values(Bytes);
  if (Values.size() < 2 || !all_equal(Values) || !std::isfinite(Values.front()))
    return false;
  double Power = Values.front() == 0 ? 1 : powerAbove(std::fabs(Values.front()));
  for (size_t Index = 0; Index != Values.size(); ++Index)
    Of.store(Bytes, Index, std::copysign(coarsePart(Index) * Power, Values.front()));
  return true;
}

std::optional<HostProblem> withVariedConstants(HostProblem Problem) {
  bool Varied = false;
  Problem.changeInputs(
      [&](const ResolvedBuffer &Buffer, MutableArrayRef<uint8_t> Bytes) {
        if (Buffer.Role != BufferRole::In)
          return;
        for (const Column &Of : floatingColumns(Buffer.Type))
          Varied |= vary(Of, Bytes);
      },
      [](ElementType, uint64_t Bits) { return Bits; });
  return Varied ? std::optional(std::move(Problem)) : std::nullopt;
}

DirectedRuns runDirected(HostRunRequest Request) {
  DirectedRuns Found;
  for (auto [Direction, Into] : {std::pair(Rounding::Nearest, &Found.Nearest),
                                 {Rounding::Down, &Found.Down},
                                 {Rounding::Up, &Found.Up}}) {
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

namespace {

/// What rounding moves in one field of a buffer of two kernels.
class Moves {
public:
  Moves(const Column &Of, const DirectedRuns &Own, const DirectedRuns &Truth, size_t Buffer);

  /// How far both may be apart at \p Index; nothing where that cannot be told.
  std::optional<double> explained(size_t Index) const;
  size_t size() const { return Truth.size(); }
  /// Whether there is more between them than that.
  bool differ(size_t Index) const {
    std::optional<double> Most = explained(Index);
    return Most && std::fabs(Own[Index] - Truth[Index]) > *Most;
  }

private:
  std::vector<double> Own, Truth; ///< Rounded to the nearest.
  std::vector<double> Moved;      ///< In both kernels together.
  /// What is moved, relative to the magnitude, in a quarter of the elements at most.
  double Usual = 0;
};

} // namespace

Moves::Moves(const Column &Of, const DirectedRuns &OwnRuns, const DirectedRuns &TruthRuns, size_t Buffer)
    : Own(Of.values(OwnRuns.Nearest[Buffer])), Truth(Of.values(TruthRuns.Nearest[Buffer])),
      Moved(Truth.size()) {
  for (const DirectedRuns *Runs : {&OwnRuns, &TruthRuns}) {
    std::vector<double> Down = Of.values(Runs->Down[Buffer]), Up = Of.values(Runs->Up[Buffer]);
    for (size_t I = 0; I != Moved.size(); ++I)
      Moved[I] += std::fabs(Up[I] - Down[I]);
  }
  std::vector<double> Relative;
  for (size_t I = 0; I != Moved.size(); ++I)
    if (double Part = Moved[I] / std::fabs(Truth[I]); std::isfinite(Part))
      Relative.push_back(Part);
  if (Relative.empty())
    return;
  auto Quarter = Relative.begin() + Relative.size() / 4;
  std::nth_element(Relative.begin(), Quarter, Relative.end());
  Usual = *Quarter;
}

std::optional<double> Moves::explained(size_t Index) const {
  double Most = MostTimesMoved * (Moved[Index] + Usual * std::fabs(Truth[Index]));
  if (!std::isfinite(Most) || !std::isfinite(Own[Index]) || !std::isfinite(Truth[Index]))
    return std::nullopt;
  return Most;
}

static protocol::Mismatch mismatchAt(const Column &Of, size_t Index, ArrayRef<uint8_t> Own,
                                     ArrayRef<uint8_t> Truth) {
  protocol::Mismatch M;
  M.Kind = protocol::MismatchKind::Value;
  M.Index = Index;
  M.Field = Of.Field.Name;
  M.Expected = describeElement(Of.Field.Type, Of.bits(Truth, Index));
  M.Got = describeElement(Of.Field.Type, Of.bits(Own, Index));
  return M;
}

/// Wrong where \p Of differs by more than rounding explains.
static RunVerdict compareColumn(const Column &Of, StringRef Name, size_t Buffer, const DirectedRuns &Own,
                                const DirectedRuns &Truth) {
  if (elementBytes(Of.Field.Type) < 4)
    return {};
  Moves Found(Of, Own, Truth, Buffer);
  auto Indices = seq<size_t>(0, Found.size());
  auto First = find_if(Indices, [&](size_t Index) { return Found.differ(Index); });
  if (First == Indices.end())
    return {};
  protocol::Mismatch M = mismatchAt(Of, *First, Own.Nearest[Buffer], Truth.Nearest[Buffer]);
  M.Differing = count_if(Indices, [&](size_t Index) { return Found.differ(Index); });
  RunVerdict Wrong = wrongVerdict(std::move(M), Name);
  double Explained = Found.explained(*First).value_or(0);
  Wrong.Message +=
      formatv(", over inputs of three significant bits, where rounding explains {0:e1} of that", Explained);
  return Wrong;
}

RunVerdict compareDirected(ArrayRef<ResolvedBuffer> Buffers, const DirectedRuns &Own,
                           const DirectedRuns &Truth, ArrayRef<BufferFreedom> Open,
                           std::string BufferFreedom::*Link) {
  if (!Own.ended() || !Truth.ended())
    return {};
  for (const auto &[Buffer, Shape] : enumerate(Buffers)) {
    if ((Open[Buffer].*Link).empty())
      continue;
    for (const Column &Of : floatingColumns(Shape.Type))
      if (RunVerdict Found = compareColumn(Of, Shape.Name, Buffer, Own, Truth);
          Found.Outcome == CheckOutcome::Wrong)
        return Found;
  }
  return {};
}

} // namespace gpuprune
