//===- Compare.cpp - Output comparison ------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Runtime/Compare.h"
#include "kernels/Magnitudes.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <cmath>
#include <cstring>

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

/// One core reads the expected bytes at a fifth of what the bus delivers; few threads are enough, and pieces
/// that take longer than it does to hand them over.
static constexpr unsigned MostThreads = 4;
static constexpr size_t PieceBytes = size_t(2) << 20;

static bool sameBytes(ArrayRef<uint8_t> A, ArrayRef<uint8_t> B) {
  if (A.size() <= PieceBytes)
    return std::memcmp(A.data(), B.data(), A.size()) == 0;
  static DefaultThreadPool Pool(hardware_concurrency(MostThreads));
  ThreadPoolTaskGroup Pieces(Pool);
  std::atomic<bool> Same = true;
  for (size_t At = 0; At < A.size(); At += PieceBytes)
    Pieces.async(
        [&Same, From = A.data() + At, Like = B.data() + At, Bytes = std::min(PieceBytes, A.size() - At)] {
          if (std::memcmp(From, Like, Bytes) != 0)
            Same = false;
        });
  Pieces.wait();
  return Same;
}

static bool holdsOnly(ArrayRef<uint8_t> Bytes, uint8_t Pattern) {
  return Bytes.empty() ||
         (Bytes[0] == Pattern && std::memcmp(Bytes.data(), Bytes.data() + 1, Bytes.size() - 1) == 0);
}

std::string patternText(uint8_t Byte) {
  std::string Text;
  raw_string_ostream(Text) << format_hex(Byte, 4);
  return Text;
}

void appendRange(std::vector<ByteRange> &Ranges, uint64_t Begin, uint64_t End) {
  if (!Ranges.empty() && Ranges.back().End == Begin)
    Ranges.back().End = End;
  else
    Ranges.push_back({Begin, End});
}

ReferenceOutput joinReferenceRuns(const ElementLayout &Type, std::vector<uint8_t> First,
                                  ArrayRef<uint8_t> Second, std::optional<uint64_t> &FirstUnstable) {
  FirstUnstable.reset();
  ReferenceOutput Reference{std::move(First), {}};
  ArrayRef<uint8_t> Bytes = Reference.Bytes;
  if (Bytes == Second)
    return Reference;
  forEachField(Type, 0, Bytes.size(), [&](uint64_t At, size_t Field) {
    size_t Size = elementBytes(Type.fields()[Field].Type);
    ArrayRef<uint8_t> A = Bytes.slice(At, Size), B = Second.slice(At, Size);
    if (A == B)
      return;
    if (holdsOnly(A, FillPatterns[0]) && holdsOnly(B, FillPatterns[1]))
      appendRange(Reference.Unwritten, At, At + Size);
    else if (!FirstUnstable)
      FirstUnstable = At / Type.bytes();
  });
  return Reference;
}

static bool integerWithinTolerance(ElementType Type, uint64_t Expected, uint64_t Got, const Comparison &C) {
  using Wide = __int128;
  bool Signed = isSignedInteger(Type);
  auto Value = [&](uint64_t Bits) { return Signed ? Wide(toInteger(Type, Bits)) : Wide(Bits); };
  Wide Difference = Value(Got) - Value(Expected);
  double Distance = static_cast<double>(Difference < 0 ? -Difference : Difference);
  return Distance <= C.Absolute.value_or(0) + C.Relative * std::fabs(toDouble(Type, Expected));
}

bool withinTolerance(ElementType Type, uint64_t Expected, uint64_t Got, const Comparison &C) {
  if (Expected == Got)
    return true;
  if (!isFloatingPoint(Type))
    return integerWithinTolerance(Type, Expected, Got, C);
  double R = toDouble(Type, Expected), X = toDouble(Type, Got);
  if (std::isnan(R) || std::isnan(X))
    return std::isnan(R) && std::isnan(X);
  if (std::isinf(R) || std::isinf(X))
    return R == X;
  return std::fabs(X - R) <= C.Absolute.value_or(0) + C.Relative * std::fabs(R);
}

/// Calls \p Visit as forEachField() does for what lies outside of \p Unwritten, in all \p Bytes.
template <typename Visitor>
static void forEachWritten(const ElementLayout &Type, uint64_t Bytes, ArrayRef<ByteRange> Unwritten,
                           Visitor Visit) {
  forEachField(Type, 0, Bytes, [&](uint64_t At, size_t Field) {
    while (!Unwritten.empty() && Unwritten.front().End <= At)
      Unwritten = Unwritten.drop_front();
    if (Unwritten.empty() || At < Unwritten.front().Begin)
      Visit(At, Field);
  });
}

/// The median magnitude of the values of \p Field in \p Bytes outside of \p Unwritten, as completeTolerance()
/// takes it.
static double medianMagnitude(const ElementLayout &Type, size_t Field, ArrayRef<uint8_t> Bytes,
                              ArrayRef<ByteRange> Unwritten) {
  std::vector<uint64_t> Counts(kernels::MagnitudeSteps);
  uint64_t Count = 0;
  ElementType Scalar = Type.fields()[Field].Type;
  forEachWritten(Type, Bytes.size(), Unwritten, [&](uint64_t At, size_t Of) {
    if (Of != Field)
      return;
    double Value = toDouble(Scalar, loadElement(Scalar, &Bytes[At]));
    if (!kernels::hasMagnitude(Value))
      return;
    ++Count;
    ++Counts[kernels::stepOf(Value)];
  });
  if (Count == 0)
    return 0;
  uint64_t Rank = (Count - 1) / 2;
  uint32_t Step = 0;
  for (uint64_t Below = Counts[0]; Below <= Rank; Below += Counts[Step])
    ++Step;
  return kernels::magnitudeOf(Step);
}

/// A step from one number of \p Type to the next, relative to the number, for types that sums are rounded to
/// at the end.
static double lastStep(ElementType Type) {
  return Type == ElementType::F16 ? 0x1p-10 : Type == ElementType::BF16 ? 0x1p-7 : 0;
}

Comparison completeTolerance(const Comparison &Given, ElementType Type,
                             function_ref<double()> MedianMagnitude) {
  Comparison C = Given;
  if (!C.Absolute)
    C.Absolute = isFloatingPoint(Type) ? C.Relative * MedianMagnitude() : 0;
  C.Relative = std::max(C.Relative, lastStep(Type));
  return C;
}

bool takesTolerance(const ElementLayout &Type, size_t Field) {
  return !Type.isStructure() || isFloatingPoint(Type.fields()[Field].Type);
}

static Comparison completed(const Comparison &C, const ElementLayout &Type, size_t Field,
                            ArrayRef<uint8_t> Expected, ArrayRef<ByteRange> Unwritten) {
  return completeTolerance(C, Type.fields()[Field].Type,
                           [&] { return medianMagnitude(Type, Field, Expected, Unwritten); });
}

/// Widens the largest differences of \p Found by that of one element.
static void noteDistance(Difference &Found, double Expected, double Got) {
  double Distance = std::fabs(Got - Expected), Relative = Distance / std::fabs(Expected);
  if (std::isfinite(Distance))
    Found.MaxAbsolute = std::max(Found.MaxAbsolute, Distance);
  if (std::isfinite(Relative))
    Found.MaxRelative = std::max(Found.MaxRelative, Relative);
}

/// Counts the element at \p Index, in which \p Field differs, into \p Found.
static void noteElement(Difference &Found, const ElementField &Field, uint64_t Index, uint64_t Want,
                        uint64_t Is, bool Outside) {
  if (!Found.Elements || (Outside && !Found.Outside)) {
    Found.Index = Index;
    Found.Field = Field.Name;
    Found.Expected = describeElement(Field.Type, Want);
    Found.Got = describeElement(Field.Type, Is);
  }
  ++Found.Elements;
  Found.Outside += Outside;
  noteDistance(Found, toDouble(Field.Type, Want), toDouble(Field.Type, Is));
}

static Difference differenceBetween(const ElementLayout &Type, const Comparison &Given,
                                    ArrayRef<uint8_t> Expected, ArrayRef<ByteRange> Unwritten,
                                    ArrayRef<uint8_t> Got) {
  Difference Found;
  if (sameBytes(Expected, Got))
    return Found;
  std::vector<Comparison> Tolerance;
  for (size_t Field = 0; Field != Type.fields().size(); ++Field)
    Tolerance.push_back(completed(Given, Type, Field, Expected, Unwritten));
  forEachWritten(Type, Expected.size(), Unwritten, [&](uint64_t At, size_t Index) {
    const ElementField &Field = Type.fields()[Index];
    uint64_t Want = loadElement(Field.Type, &Expected[At]), Is = loadElement(Field.Type, &Got[At]);
    if (Want == Is)
      return;
    bool Within = takesTolerance(Type, Index) && withinTolerance(Field.Type, Want, Is, Tolerance[Index]);
    noteElement(Found, Field, At / Type.bytes(), Want, Is, !Within);
  });
  return Found;
}

Difference compareWithExpected(const ElementLayout &Type, const Comparison &Tolerance,
                               ArrayRef<uint8_t> Expected, ArrayRef<uint8_t> Got) {
  return differenceBetween(Type, Tolerance, Expected, {}, Got);
}

Difference compareReferenceRuns(const ElementLayout &Type, const Comparison &Tolerance,
                                const ReferenceOutput &Joined, ArrayRef<uint8_t> Second) {
  return differenceBetween(Type, Tolerance, Joined.Bytes, Joined.Unwritten, Second);
}

std::optional<Mismatch> compareWritten(const ElementLayout &Type, const ReferenceOutput &Expected,
                                       const ReferenceOutput &Got) {
  if (Expected.Unwritten == Got.Unwritten)
    return std::nullopt;
  // The lists differ first where one of them goes on.
  auto [Wanted, Found] = std::mismatch(Expected.Unwritten.begin(), Expected.Unwritten.end(),
                                       Got.Unwritten.begin(), Got.Unwritten.end());
  uint64_t None = Expected.Bytes.size();
  ByteRange A = Wanted == Expected.Unwritten.end() ? ByteRange{None, None} : *Wanted;
  ByteRange B = Found == Got.Unwritten.end() ? ByteRange{None, None} : *Found;
  bool Missing = A.Begin == B.Begin ? A.End < B.End : B.Begin < A.Begin;
  uint64_t At = A.Begin == B.Begin ? std::min(A.End, B.End) : std::min(A.Begin, B.Begin);
  const ElementField &Field = Type.fields()[Type.fieldAt(At)];
  auto Text = [&](const ReferenceOutput &Of) {
    return describeElement(Field.Type, loadElement(Field.Type, &Of.Bytes[At]));
  };
  Mismatch M;
  M.Kind = Missing ? MismatchKind::Missing : MismatchKind::Extra;
  M.Index = At / Type.bytes();
  M.Field = Field.Name;
  M.Expected = Missing ? Text(Expected) : "not written";
  M.Got = Missing ? "not written" : Text(Got);
  M.Differing = 1;
  return M;
}

OutputComparer::OutputComparer(const ElementLayout &Type, const Comparison &Compare,
                               ArrayRef<uint8_t> Expected, ArrayRef<ByteRange> Unwritten, uint8_t Pattern,
                               std::vector<uint64_t> *Untouched)
    : Type(Type), Compare(Compare), Completed(Type.fields().size()), Expected(Expected), Unwritten(Unwritten),
      AllUnwritten(Unwritten), Pattern(Pattern), Untouched(Untouched) {}

/// Whether an element that differs passes all the same.
bool OutputComparer::tolerates(uint64_t ByteOffset, uint64_t Want, uint64_t Got, bool HoldsPattern) {
  if (Compare.Mode != CompareMode::Tolerance)
    return false;
  size_t FieldIndex = Type.fieldAt(ByteOffset);
  const ElementField &Field = Type.fields()[FieldIndex];
  std::optional<Comparison> &By = Completed[FieldIndex];
  if (!takesTolerance(Type, FieldIndex))
    return false;
  if (!By) // Once it is needed: most buffers are equal.
    By = completed(Compare, Type, FieldIndex, Expected, AllUnwritten);
  if (!withinTolerance(Field.Type, Want, Got, *By))
    return false;
  if (HoldsPattern && Untouched) {
    if (Pattern == FillPatterns[0])
      Untouched->push_back(ByteOffset);
    else if (std::binary_search(Untouched->begin(), Untouched->end(), ByteOffset))
      return false;
  }
  if (Verdict.Outcome == CheckOutcome::Bitwise)
    Verdict.Outcome = CheckOutcome::Tolerance;
  noteElement(Verdict.Tolerated, Field, ByteOffset / Type.bytes(), Want, Got, /*Outside=*/false);
  return true;
}

void OutputComparer::report(MismatchKind Kind, uint64_t ByteOffset, std::string Want, uint64_t GotBits) {
  Verdict.Outcome = CheckOutcome::Wrong;
  Mismatch &First = Verdict.First;
  if (First.Differing++ != 0)
    return;
  First.Kind = Kind;
  const ElementField &Field = Type.fields()[Type.fieldAt(ByteOffset)];
  First.Index = ByteOffset / Type.bytes();
  First.Field = Field.Name;
  First.Expected = std::move(Want);
  First.Got = describeElement(Field.Type, GotBits);
  First.Pattern = patternText(Pattern);
}

void OutputComparer::feedWritten(ArrayRef<uint8_t> Bytes) {
  ArrayRef<uint8_t> Wanted = Expected.slice(Offset, Bytes.size());
  if (sameBytes(Bytes, Wanted))
    return;
  forEachField(Type, Offset, Offset + Bytes.size(), [&](uint64_t At, size_t Field) {
    ElementType Scalar = Type.fields()[Field].Type;
    uint64_t Want = loadElement(Scalar, &Wanted[At - Offset]), Got = loadElement(Scalar, &Bytes[At - Offset]);
    if (Want == Got)
      return;
    bool HoldsPattern = holdsOnly(Bytes.slice(At - Offset, elementBytes(Scalar)), Pattern);
    if (tolerates(At, Want, Got, HoldsPattern))
      return;
    report(HoldsPattern ? MismatchKind::Missing : MismatchKind::Value, At, describeElement(Scalar, Want),
           Got);
  });
}

void OutputComparer::feedUnwritten(ArrayRef<uint8_t> Bytes) {
  if (holdsOnly(Bytes, Pattern))
    return;
  forEachField(Type, Offset, Offset + Bytes.size(), [&](uint64_t At, size_t Field) {
    ElementType Scalar = Type.fields()[Field].Type;
    if (!holdsOnly(Bytes.slice(At - Offset, elementBytes(Scalar)), Pattern))
      report(MismatchKind::Extra, At, "not written", loadElement(Scalar, &Bytes[At - Offset]));
  });
}

void OutputComparer::feed(ArrayRef<uint8_t> Chunk) {
  while (!Chunk.empty()) {
    while (!Unwritten.empty() && Unwritten.front().End <= Offset)
      Unwritten = Unwritten.drop_front();
    bool Inside = !Unwritten.empty() && Unwritten.front().Begin <= Offset;
    uint64_t End = Offset + Chunk.size();
    if (!Unwritten.empty())
      End = std::min(End, Inside ? Unwritten.front().End : Unwritten.front().Begin);
    ArrayRef<uint8_t> Piece = Chunk.take_front(End - Offset);
    Inside ? feedUnwritten(Piece) : feedWritten(Piece);
    Chunk = Chunk.drop_front(Piece.size());
    Offset = End;
  }
}

} // namespace gpuprune
