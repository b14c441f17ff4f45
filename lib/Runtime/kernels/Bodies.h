//===- Bodies.h - What the runner's own kernels do ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each body is called by every thread of a grid with the thread's number and the number of threads. The
// structures are passed as kernel arguments, so they have the same layout on both sides. What is found is
// added to Findings that were zero.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_KERNELS_BODIES_H
#define GPUPRUNE_LIB_RUNTIME_KERNELS_BODIES_H

#include "Elements.h"

namespace gpuprune::kernels {

struct Threads {
  uint64_t Index, Count;
};

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

/// What a grid found; zero where it found nothing. All are sums or maxima, so that the order of threads does
/// not matter.
struct Findings {
  uint64_t Wrong;       ///< Elements.
  uint64_t FirstWrong;  ///< ~ of the least index.
  uint64_t LastWrong;   ///< The greatest index + 1.
  uint64_t Passed;      ///< Elements that differ, but pass by tolerance.
  uint64_t FirstPassed; ///< ~ of the least index.
  uint64_t MaxAbsolute; ///< The bits of a double: |x - r| where it is finite.
  uint64_t MaxRelative; ///< The same of |x - r| / |r|.
};

#ifdef __NVPTX__
[[gnu::always_inline]] inline void atomicAdd(uint64_t *To, uint64_t Value) {
  __scoped_atomic_fetch_add(To, Value, 0, __MEMORY_SCOPE_DEVICE);
}
[[gnu::always_inline]] inline void atomicMax(uint64_t *To, uint64_t Value) {
  __scoped_atomic_fetch_max(To, Value, 0, __MEMORY_SCOPE_DEVICE);
}
[[gnu::always_inline]] inline void atomicOr(uint32_t *To, uint32_t Value) {
  __scoped_atomic_fetch_or(To, Value, 0, __MEMORY_SCOPE_DEVICE);
}
#else
[[gnu::always_inline]] inline void atomicAdd(uint64_t *To, uint64_t Value) { *To += Value; }
[[gnu::always_inline]] inline void atomicMax(uint64_t *To, uint64_t Value) {
  *To = *To < Value ? Value : *To;
}
[[gnu::always_inline]] inline void atomicOr(uint32_t *To, uint32_t Value) { *To |= Value; }
#endif

/// One thread's part of Findings.
class Finder {
public:
  void wrong(uint64_t Index) {
    ++Own.Wrong;
    Own.FirstWrong = larger(Own.FirstWrong, ~Index);
    Own.LastWrong = larger(Own.LastWrong, Index + 1);
  }
  void passed(uint64_t Index) {
    ++Own.Passed;
    Own.FirstPassed = larger(Own.FirstPassed, ~Index);
  }
  void distance(double Expected, double Got) {
    double Distance = __builtin_fabs(Got - Expected), Relative = Distance / __builtin_fabs(Expected);
    // The bits of doubles that are not negative are in their order.
    if (isFinite(Distance))
      Own.MaxAbsolute = larger(Own.MaxAbsolute, bitCast<uint64_t>(Distance));
    if (isFinite(Relative))
      Own.MaxRelative = larger(Own.MaxRelative, bitCast<uint64_t>(Relative));
  }
  void addTo(Findings *All) const {
    if (Own.Wrong == 0 && Own.Passed == 0)
      return;
    atomicAdd(&All->Wrong, Own.Wrong);
    atomicMax(&All->FirstWrong, Own.FirstWrong);
    atomicMax(&All->LastWrong, Own.LastWrong);
    atomicAdd(&All->Passed, Own.Passed);
    atomicMax(&All->FirstPassed, Own.FirstPassed);
    atomicMax(&All->MaxAbsolute, Own.MaxAbsolute);
    atomicMax(&All->MaxRelative, Own.MaxRelative);
  }

private:
  static uint64_t larger(uint64_t A, uint64_t B) { return A < B ? B : A; }
  Findings Own = {};
};

//===----------------------------------------------------------------------===//
// Contents by index
//===----------------------------------------------------------------------===//

enum class Rule : uint32_t { Constant, Iota, Uniform, Affine };

/// As protocol::Fill; Runtime/Fill.h says what the values are.
struct FillRule {
  Rule Kind;
  uint32_t Unused;
  uint64_t Bits;              ///< Constant.
  uint64_t Seed;              ///< Uniform, Affine.
  double Low, Width;          ///< Uniform, floating: Low and High - Low.
  uint64_t LowBits, Spread;   ///< Uniform, integers: Low and High - Low. Affine, integers: Spread is Jitter.
  double Start, Step, Jitter; ///< Affine, floating.
  uint64_t StartBits, StepBits; ///< Affine, integers.
};

[[gnu::always_inline]] inline uint64_t splitMix(uint64_t Seed, uint64_t Index) {
  uint64_t Z = Seed + (Index + 1) * 0x9E3779B97F4A7C15u;
  Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9u;
  Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EBu;
  return Z ^ (Z >> 31);
}

/// floor(Hash * (Spread + 1) / 2^64)
[[gnu::always_inline]] inline uint64_t upTo(uint64_t Spread, uint64_t Hash) {
  if (Spread == ~uint64_t(0))
    return Hash;
  return static_cast<uint64_t>((static_cast<unsigned __int128>(Hash) * (Spread + 1)) >> 64);
}

/// At least 0 and below 1.
[[gnu::always_inline]] inline double unitReal(uint64_t Hash) {
  return static_cast<double>(Hash >> 11) * 0x1p-53;
}

[[gnu::always_inline]] inline uint64_t contentsAt(const Elements &E, const FillRule &F, uint64_t Index) {
  bool Floating = E.Kind == Number::Floating;
  switch (F.Kind) {
  case Rule::Constant:
    return F.Bits;
  case Rule::Iota:
    return Floating ? encodeReal(E, static_cast<double>(Index)) : truncated(E, Index);
  case Rule::Uniform: {
    uint64_t Hash = splitMix(F.Seed, Index);
    if (!Floating)
      return truncated(E, F.LowBits + upTo(F.Spread, Hash));
    double Offset = F.Width * unitReal(Hash);
    return encodeReal(E, F.Low + Offset);
  }
  case Rule::Affine: {
    uint64_t Hash = splitMix(F.Seed, Index);
    if (!Floating)
      return truncated(E, F.StartBits + F.StepBits * Index + upTo(F.Spread, Hash));
    double Line = F.Step * static_cast<double>(Index);
    Line = F.Start + Line;
    double Random = F.Jitter * unitReal(Hash);
    return encodeReal(E, Line + Random);
  }
  }
  return 0;
}

[[gnu::always_inline]] inline void fill(Threads T, const Elements &E, const FillRule &F) {
  for (uint64_t I = T.Index; I < E.Count; I += T.Count)
    storeBits(E, I, contentsAt(E, F, I));
}

/// Elements that are not what fill makes of them are wrong.
[[gnu::always_inline]] inline void checkFill(Threads T, const Elements &E, const FillRule &F, Findings *All) {
  Finder Found;
  for (uint64_t I = T.Index; I < E.Count; I += T.Count)
    if (loadBits(E, I) != contentsAt(E, F, I))
      Found.wrong(I);
  Found.addTo(All);
}

//===----------------------------------------------------------------------===//
// Sets of elements
//===----------------------------------------------------------------------===//

/// Bit i % 32 of word i / 32 stands for element i.
[[gnu::always_inline]] inline bool holds(uint64_t Set, uint64_t Index) {
  return Set != 0 && (pointerTo<const uint32_t>(Set)[Index / 32] >> Index % 32 & 1) != 0;
}

[[gnu::always_inline]] inline void add(uint64_t Set, uint64_t Index) {
  atomicOr(&pointerTo<uint32_t>(Set)[Index / 32], 1u << Index % 32);
}

/// \p Byte in each byte of an element.
[[gnu::always_inline]] inline uint64_t patternBits(const Elements &E, uint32_t Byte) {
  return truncated(E, Byte * 0x0101010101010101u);
}

/// Elements of one program's two runs: what holds the first pattern and then the second is not written.
struct Runs {
  Elements First, Second;
  uint32_t FirstPattern, SecondPattern; ///< Bytes.
  uint64_t Unwritten;                   ///< The address of the set they are added to, empty before.
};

/// Counts as passed what is not written.
[[gnu::always_inline]] inline void findUnwritten(Threads T, const Runs &R, Findings *All) {
  Finder Found;
  uint64_t First = patternBits(R.First, R.FirstPattern), Second = patternBits(R.Second, R.SecondPattern);
  for (uint64_t I = T.Index; I < R.First.Count; I += T.Count) {
    if (loadBits(R.First, I) != First || loadBits(R.Second, I) != Second)
      continue;
    add(R.Unwritten, I);
    Found.passed(I);
  }
  Found.addTo(All);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// As OutputComparer of Runtime/Compare.h, with the tolerance already completed.
struct CompareRule {
  Elements Expected, Got; ///< Of one type and count.
  uint64_t Unwritten;     ///< Set of elements that have to hold Pattern; 0: none.
  uint64_t Untouched;     ///< Set of elements that held the first pattern; 0: not kept.
  double Relative, Absolute;
  uint32_t ByTolerance;   ///< 0: bit by bit.
  uint32_t Pattern;       ///< Byte.
  uint32_t IsSecondRun;   ///< Untouched is looked up, not filled.
  uint32_t SkipUnwritten; ///< What they hold is not looked at.
};

/// |Got - Expected| of integers, which 64 bits hold.
[[gnu::always_inline]] inline uint64_t integerDistance(const Elements &E, uint64_t Expected, uint64_t Got) {
  bool Less = E.Kind == Number::Signed ? signExtended(E, Got) < signExtended(E, Expected) : Got < Expected;
  if (E.Kind == Number::Signed) {
    Expected = static_cast<uint64_t>(signExtended(E, Expected));
    Got = static_cast<uint64_t>(signExtended(E, Got));
  }
  return Less ? Expected - Got : Got - Expected;
}

/// As withinTolerance of Runtime/Compare.h.
[[gnu::always_inline]] inline bool passes(const CompareRule &C, uint64_t Expected, uint64_t Got) {
  const Elements &E = C.Expected;
  double R = valueOf(E, Expected), X = valueOf(E, Got);
  if (E.Kind == Number::Floating) {
    if (isNaN(R) || isNaN(X))
      return isNaN(R) && isNaN(X);
    if (!isFinite(R) || !isFinite(X))
      return R == X;
  }
  double Distance = E.Kind == Number::Floating ? __builtin_fabs(X - R)
                                               : static_cast<double>(integerDistance(E, Expected, Got));
  double Allowed = C.Relative * __builtin_fabs(R);
  return Distance <= C.Absolute + Allowed;
}

[[gnu::always_inline]] inline void compareElement(const CompareRule &C, uint64_t Index, Finder &Found) {
  uint64_t Got = loadBits(C.Got, Index);
  bool HoldsPattern = Got == patternBits(C.Got, C.Pattern);
  if (holds(C.Unwritten, Index)) {
    if (!C.SkipUnwritten && !HoldsPattern)
      Found.wrong(Index);
    return;
  }
  uint64_t Expected = loadBits(C.Expected, Index);
  if (Expected == Got)
    return;
  bool Passes = C.ByTolerance && passes(C, Expected, Got);
  if (Passes && HoldsPattern && C.Untouched != 0) {
    if (C.IsSecondRun)
      Passes = !holds(C.Untouched, Index);
    else
      add(C.Untouched, Index);
  }
  Passes ? Found.passed(Index) : Found.wrong(Index);
  Found.distance(valueOf(C.Expected, Expected), valueOf(C.Got, Got));
}

struct alignas(16) Piece {
  uint64_t Low, High;
};

[[gnu::always_inline]] inline bool sameBytes(Piece A, Piece B) { return A.Low == B.Low && A.High == B.High; }

/// Sixteen bytes at a time where elements lie side by side: most are equal.
[[gnu::always_inline]] inline void compareDense(Threads T, const CompareRule &C, Finder &Found) {
  const Piece *Expected = pointerTo<const Piece>(C.Expected.Base);
  const Piece *Got = pointerTo<const Piece>(C.Got.Base);
  const uint32_t *Unwritten = pointerTo<const uint32_t>(C.Unwritten);
  uint64_t Each = 16 / C.Got.Bytes, Pieces = C.Got.Count / Each;
  for (uint64_t P = T.Index; P < Pieces; P += T.Count) {
    uint64_t First = P * Each;
    bool Written = !Unwritten || (Unwritten[First / 32] >> First % 32 & ((1u << Each) - 1)) == 0;
    if (Written && sameBytes(Expected[P], Got[P]))
      continue;
    for (uint64_t I = First; I != First + Each; ++I)
      compareElement(C, I, Found);
  }
  for (uint64_t I = Pieces * Each + T.Index; I < C.Got.Count; I += T.Count)
    compareElement(C, I, Found);
}

[[gnu::always_inline]] inline void compare(Threads T, const CompareRule &C, Findings *All) {
  Finder Found;
  if (C.Expected.isDense() && C.Got.isDense())
    compareDense(T, C, Found);
  else
    for (uint64_t I = T.Index; I < C.Got.Count; I += T.Count)
      compareElement(C, I, Found);
  Found.addTo(All);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// A sum over all 64-bit words of a hash of word and place; the bytes behind the last whole word are one
/// more.
[[gnu::always_inline]] inline void hash(Threads T, uint64_t Address, uint64_t Bytes, uint64_t *Sum) {
  uint64_t Own = 0, Words = Bytes / 8;
  const uint64_t *Data = pointerTo<const uint64_t>(Address);
  for (uint64_t I = T.Index; I < Words; I += T.Count)
    Own += splitMix(Data[I], I);
  if (T.Index == 0 && Bytes % 8 != 0) {
    uint64_t Rest = 0;
    for (uint64_t I = Words * 8; I != Bytes; ++I)
      Rest = Rest << 8 | pointerTo<const uint8_t>(Address)[I];
    Own += splitMix(Rest, Words);
  }
  if (Own != 0)
    atomicAdd(Sum, Own);
}

/// What one thread knows of the finite elements that are written.
struct MagnitudePart {
  double Sum; ///< Of magnitudes times Scale, in the thread's own order.
  uint64_t Count;
};

[[gnu::always_inline]] inline void sumMagnitudes(Threads T, const Elements &E, uint64_t Unwritten,
                                                 double Scale, MagnitudePart *Parts) {
  MagnitudePart Own = {0, 0};
  for (uint64_t I = T.Index; I < E.Count; I += T.Count) {
    double Value = __builtin_fabs(valueOf(E, loadBits(E, I)));
    if (holds(Unwritten, I) || !isFinite(Value))
      continue;
    Own.Sum += Value * Scale;
    ++Own.Count;
  }
  Parts[T.Index] = Own;
}

} // namespace gpuprune::kernels

#endif // GPUPRUNE_LIB_RUNTIME_KERNELS_BODIES_H
