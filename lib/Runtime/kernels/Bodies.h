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

#include "FillRules.h"
#include "Magnitudes.h"
#include "Threads.h"

namespace gpuprune::kernels {

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
  uint64_t Hash;        ///< compare(): of what was expected, as hash() makes it.
};

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

/// As contentsAt() or simpleAt().
using Contents = uint64_t (*)(const Elements &E, const FillRule &F, uint64_t Index);

template <Contents At>
[[gnu::always_inline]] inline void fillFrom(uint64_t Begin, Threads T, const Elements &E, const FillRule &F) {
  for (uint64_t I = Begin + T.Index; I < E.Count; I += T.Count)
    storeBits(E, I, At(E, F, I));
}

/// Sixteen bytes at a time, by what \p Quick makes of each element's hash, as long as it is sure. The loop
/// asks neither for the rule nor for the type.
template <unsigned Bytes, typename Draw>
[[gnu::always_inline]] inline void fillDrawn(Threads T, const Elements &E, const FillRule &F, Draw Quick) {
  constexpr unsigned Each = sizeof(Piece) / Bytes;
  uint64_t Pieces = E.Count / Each;
  uint64_t Key = F.Seed + (T.Index * Each + 1) * MixStep, Step = T.Count * Each * MixStep;
  for (uint64_t At = T.Index; At < Pieces; At += T.Count, Key += Step) {
    uint64_t Words[2] = {};
    bool IsSure = true;
#pragma clang loop unroll(full)
    for (unsigned I = 0; I != Each; ++I)
      Words[I * Bytes / 8] |= Quick(mixed(Key + I * MixStep), IsSure) << (I * Bytes % 8 * 8);
    pointerTo<Piece>(E.Base)[At] = {Words[0], Words[1]};
    for (unsigned I = 0; !IsSure && I != Each; ++I)
      storeBits(E, At * Each + I, simpleAt(E, F, At * Each + I));
  }
  fillFrom<simpleAt>(Pieces * Each, T, E, F);
}

template <unsigned Bytes, Number Kind>
[[gnu::always_inline]] inline void fillUniform(Threads T, Elements E, FillRule F) {
  E.Bytes = E.Stride = Bytes;
  E.Kind = Kind;
  F.Kind = Rule::Uniform;
  if (Kind != Number::Floating && isAllOfSomeBits(F.Spread)) {
    // The highest bits of the hash, of which four bytes have half.
    fillDrawn<Bytes>(T, E, F, [&, Unused = __builtin_clzll(F.Spread)](uint64_t Hash, bool &) {
      uint64_t Drawn = Bytes == 8 ? Hash >> Unused : static_cast<uint32_t>(Hash >> 32) >> (Unused - 32);
      return truncated(E, F.LowBits + Drawn);
    });
  } else if (Kind != Number::Floating && Bytes == 4) {
    // Without the lower half of the hash, which adds less than Count.
    auto Count = static_cast<uint32_t>(F.Spread + 1);
    fillDrawn<Bytes>(T, E, F, [&](uint64_t Hash, bool &IsSure) {
      uint64_t Product = (Hash >> 32) * Count;
      IsSure &= static_cast<uint32_t>(Product) <= ~Count;
      return truncated(E, F.LowBits + (Product >> 32));
    });
  } else {
    fillDrawn<Bytes>(T, E, F, [&](uint64_t Hash, bool &) { return uniformAt(E, F, Hash); });
  }
}

[[gnu::always_inline]] inline bool isFilledInPieces(const Elements &E, const FillRule &F) {
  return isSimple(F) && F.Kind == Rule::Uniform && E.isDense() && E.Bytes >= 4;
}

[[gnu::always_inline]] inline void fill(Threads T, const Elements &E, const FillRule &F) {
  if (!isSimple(F))
    fillFrom<contentsAt>(0, T, E, F);
  else if (!isFilledInPieces(E, F))
    fillFrom<simpleAt>(0, T, E, F);
  else if (E.Kind == Number::Floating)
    E.Bytes == 4 ? fillUniform<4, Number::Floating>(T, E, F) : fillUniform<8, Number::Floating>(T, E, F);
  else // Signed or not, the bits are the same.
    E.Bytes == 4 ? fillUniform<4, Number::Unsigned>(T, E, F) : fillUniform<8, Number::Unsigned>(T, E, F);
}

/// Bytes that all are one, wherever they begin.
struct Zone {
  uint64_t Address, Bytes, Byte;
};

[[gnu::always_inline]] inline void fillZone(Threads T, const Zone &Z) {
  for (uint64_t I = T.Index; I < Z.Bytes; I += T.Count)
    pointerTo<uint8_t>(Z.Address)[I] = static_cast<uint8_t>(Z.Byte);
}

template <Contents At>
[[gnu::always_inline]] inline void checkElements(Threads T, const Elements &E, const FillRule &F,
                                                 uint64_t First, Finder &Found) {
  for (uint64_t I = First + T.Index; I < E.Count; I += T.Count)
    if (loadBits(E, I) != At(E, F, I))
      Found.wrong(I);
}

/// Of \p Bytes each, side by side.
template <unsigned Bytes>
[[gnu::always_inline]] inline void checkDense(Threads T, Elements E, const FillRule &F, Finder &Found) {
  E.Bytes = E.Stride = Bytes;
  constexpr uint64_t InWord = 8 / Bytes, Each = 2 * InWord;
  auto Word = [&](uint64_t First) {
    uint64_t Bits = 0;
    for (uint64_t I = 0; I != InWord; ++I)
      Bits |= simpleAt(E, F, First + I) << 8 * Bytes * I;
    return Bits;
  };
  auto IsOdd = [&](uint64_t Index, const Piece(&Held)[1]) {
    return !sameBytes(Held[0], {Word(Index * Each), Word(Index * Each + InWord)});
  };
  auto Look = [&](uint64_t Index) {
    for (uint64_t I = Index * Each; I != (Index + 1) * Each; ++I)
      if (loadBits(E, I) != simpleAt(E, F, I))
        Found.wrong(I);
  };
  // What the contents are takes longer than a load.
  forPieces</*AtOnce=*/1>(T, {pointerTo<const Piece>(E.Base)}, E.Count / Each, IsOdd, Look);
  checkElements<simpleAt>(T, E, F, E.Count / Each * Each, Found);
}

/// The same of \p Bits in each element.
[[gnu::always_inline]] inline void checkConstant(Threads T, const Elements &E, const FillRule &F,
                                                 Finder &Found) {
  uint64_t Word = F.Bits, Each = 16 / E.Bytes;
  for (unsigned Bytes = E.Bytes; Bytes != 8; Bytes *= 2)
    Word |= Word << 8 * Bytes;
  auto IsOdd = [&](uint64_t, const Piece(&Held)[1]) { return !sameBytes(Held[0], {Word, Word}); };
  auto Look = [&](uint64_t Index) {
    for (uint64_t I = Index * Each; I != (Index + 1) * Each; ++I)
      if (loadBits(E, I) != F.Bits)
        Found.wrong(I);
  };
  forPieces</*AtOnce=*/4>(T, {pointerTo<const Piece>(E.Base)}, E.Count / Each, IsOdd, Look);
  checkElements<simpleAt>(T, E, F, E.Count / Each * Each, Found);
}

/// Elements and what they have to hold.
struct FillCheck {
  Elements Where;
  FillRule What;
};

/// Elements that are not what fill makes of them, by a simple rule, are wrong.
[[gnu::always_inline]] inline void checkFill(Threads T, const FillCheck &C, Findings *All) {
  const auto &[E, F] = C;
  Finder Found;
  if (E.isDense() && F.Kind == Rule::Constant)
    checkConstant(T, E, F, Found);
  else if (E.isDense() && E.Bytes == 4)
    checkDense<4>(T, E, F, Found);
  else if (E.isDense() && E.Bytes == 8)
    checkDense<8>(T, E, F, Found);
  else
    checkElements<simpleAt>(T, E, F, 0, Found);
  Found.addTo(All);
}

/// The same by any rule.
[[gnu::always_inline]] inline void checkInvolvedFill(Threads T, const FillCheck &C, Findings *All) {
  Finder Found;
  checkElements<contentsAt>(T, C.Where, C.What, 0, Found);
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
// Hash
//===----------------------------------------------------------------------===//

/// The places of what is hashed together with a buffer begin here.
constexpr uint64_t SecondPlace = uint64_t(1) << 62;

/// A thread's part of the hash of the pieces that it meets, one after the other. Steps from one place to the
/// next are added: a multiplication for each piece would take longer than the memory.
class PieceHash {
public:
  PieceHash(Threads T, uint64_t Place)
      : Key((Place + 2 * T.Index + 1) * MixStep), Step(2 * T.Count * MixStep) {}
  void add(Piece P) {
    Sum += mixed(P.Low + Key) + mixed(P.High + Key + MixStep);
    Key += Step;
  }
  uint64_t sum() const { return Sum; }

private:
  uint64_t Key, Step, Sum = 0;
};

/// Eight bytes, wherever they begin.
[[gnu::always_inline]] inline uint64_t wordAt(uint64_t Address) {
  if (Address % 8 == 0)
    return *pointerTo<const uint64_t>(Address);
  uint64_t Word = 0;
  for (uint64_t I = 8; I != 0; --I)
    Word = Word << 8 | *pointerTo<const uint8_t>(Address + I - 1);
  return Word;
}

/// A thread's part of a hash of the bytes from \p First on, without whole pieces before.
[[gnu::always_inline]] inline uint64_t hashRest(Threads T, uint64_t Address, uint64_t Bytes, uint64_t First,
                                                uint64_t Place) {
  uint64_t Own = 0, Words = Bytes / 8;
  for (uint64_t I = First / 8 + T.Index; I < Words; I += T.Count)
    Own += splitMix(wordAt(Address + 8 * I), Place + I);
  if (T.Index == 0 && Bytes % 8 != 0) {
    uint64_t Rest = 0;
    for (uint64_t I = Words * 8; I != Bytes; ++I)
      Rest = Rest << 8 | pointerTo<const uint8_t>(Address)[I];
    Own += splitMix(Rest, Place + Words);
  }
  return Own;
}

[[gnu::always_inline]] inline uint64_t hashPart(Threads T, uint64_t Address, uint64_t Bytes, uint64_t Place) {
  uint64_t Pieces = Address % 16 == 0 ? Bytes / 16 : 0;
  PieceHash Own(T, Place);
  for (uint64_t I = T.Index; I < Pieces; I += T.Count)
    Own.add(pointerTo<const Piece>(Address)[I]);
  return Own.sum() + hashRest(T, Address, Bytes, Pieces * 16, Place);
}

/// Bytes, of which the first is at the place Place.
struct Range {
  uint64_t Address, Bytes, Place;
};

/// A sum over all 64-bit words of a hash of word and place; the bytes behind the last whole word are one
/// more.
[[gnu::always_inline]] inline void hash(Threads T, const Range &R, uint64_t *Sum) {
  addFromAll(Sum, hashPart(T, R.Address, R.Bytes, R.Place));
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

/// All bits of the elements of a piece that \p Unwritten, a bit for each of them, says.
[[gnu::always_inline]] inline Piece maskOf(const Elements &E, uint32_t Unwritten) {
  Piece Mask = {0, 0};
  uint32_t InWord = 8 / E.Bytes;
  for (; Unwritten != 0; Unwritten &= Unwritten - 1) {
    auto I = static_cast<uint32_t>(__builtin_ctz(Unwritten));
    (I < InWord ? Mask.Low : Mask.High) |= truncated(E, ~uint64_t(0)) << 8 * E.Bytes * (I % InWord);
  }
  return Mask;
}

/// Most are equal where elements lie side by side. Returns the thread's part of the hash of what is expected.
[[gnu::always_inline]] inline uint64_t compareDense(Threads T, const CompareRule &C, Finder &Found) {
  PieceHash Own(T, 0);
  uint64_t Each = 16 / C.Got.Bytes, Pieces = C.Got.Count / Each;
  uint64_t Pattern = C.Pattern * 0x0101010101010101u, Looked = C.SkipUnwritten ? 0 : ~uint64_t(0);
  const uint32_t *Unwritten = pointerTo<const uint32_t>(C.Unwritten);
  auto IsOdd = [&](uint64_t Index, const Piece(&Loaded)[2]) {
    const auto &[Expected, Got] = Loaded;
    Own.add(Expected);
    uint64_t First = Index * Each;
    uint32_t Bits = Unwritten ? Unwritten[First / 32] >> First % 32 & ((1u << Each) - 1) : 0;
    if (Bits == 0)
      return !sameBytes(Expected, Got);
    // What is not written is common at edges, and must not take some threads much longer than others.
    Piece Mask = maskOf(C.Got, Bits);
    auto Differs = [&](uint64_t A, uint64_t B, uint64_t M) {
      return ((A ^ B) & ~M) != 0 || ((B ^ Pattern) & M & Looked) != 0;
    };
    return Differs(Expected.Low, Got.Low, Mask.Low) || Differs(Expected.High, Got.High, Mask.High);
  };
  auto Look = [&](uint64_t Index) {
    for (uint64_t I = Index * Each; I != (Index + 1) * Each; ++I)
      compareElement(C, I, Found);
  };
  forPieces</*AtOnce=*/2>(T, {pointerTo<const Piece>(C.Expected.Base), pointerTo<const Piece>(C.Got.Base)},
                          Pieces, IsOdd, Look);
  for (uint64_t I = Pieces * Each + T.Index; I < C.Got.Count; I += T.Count)
    compareElement(C, I, Found);
  return Own.sum() + hashRest(T, C.Expected.Base, C.Expected.Count * C.Expected.Bytes, Pieces * 16, 0);
}

/// Finds, too, the hash of what is expected and, behind it, of the set of what is not: it tells whether the
/// very bytes that were compared with are those that are meant. Without sense for elements apart from each
/// other.
[[gnu::always_inline]] inline void compare(Threads T, const CompareRule &C, Findings *All) {
  Finder Found;
  uint64_t Hash = 0;
  if (C.Expected.isDense() && C.Got.isDense()) {
    Hash = compareDense(T, C, Found);
  } else {
    for (uint64_t I = T.Index; I < C.Got.Count; I += T.Count)
      compareElement(C, I, Found);
    if (C.Expected.Stride == C.Expected.Bytes)
      Hash = hashPart(T, C.Expected.Base, C.Expected.Count * C.Expected.Bytes, 0);
  }
  if (C.Unwritten != 0)
    Hash += hashPart(T, C.Unwritten, (C.Expected.Count + 31) / 32 * 4, SecondPlace);
  addFromAll(&All->Hash, Hash);
  Found.addTo(All);
}

//===----------------------------------------------------------------------===//
// Magnitudes
//===----------------------------------------------------------------------===//

constexpr unsigned StepLimits = 16;

/// Counts, for each limit L, the elements outside of \p Unwritten whose step is below First + (L + 1) *
/// Width.
[[gnu::always_inline]] inline void countMagnitudes(Threads T, const Elements &E, uint64_t Unwritten,
                                                   uint32_t First, uint32_t Width, uint64_t *Below) {
  uint32_t Own[StepLimits] = {};
  for (uint64_t I = T.Index; I < E.Count; I += T.Count) {
    double Value = valueOf(E, loadBits(E, I));
    if (holds(Unwritten, I) || !hasMagnitude(Value))
      continue;
    uint32_t Step = stepOf(Value);
#pragma clang loop unroll(full)
    for (unsigned L = 0; L != StepLimits; ++L)
      Own[L] += Step < First + (L + 1) * Width;
  }
#pragma clang loop unroll(full)
  for (unsigned L = 0; L != StepLimits; ++L)
    addFromAll(Below + L, Own[L]);
}

} // namespace gpuprune::kernels

#endif // GPUPRUNE_LIB_RUNTIME_KERNELS_BODIES_H
