//===- FillRules.h - What an element holds, by its index -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled for the GPU and for the host. Runtime/Fill.h says what the values are; integers of the more
// involved rules are computed here for both.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_KERNELS_FILLRULES_H
#define GPUPRUNE_LIB_RUNTIME_KERNELS_FILLRULES_H

#include "Elements.h"

namespace gpuprune::kernels {

/// From one index to the next, of what is mixed.
constexpr uint64_t MixStep = 0x9E3779B97F4A7C15u;

[[gnu::always_inline]] inline uint64_t mixed(uint64_t Z) {
  Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9u;
  Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EBu;
  return Z ^ (Z >> 31);
}

[[gnu::always_inline]] inline uint64_t splitMix(uint64_t Seed, uint64_t Index) {
  return mixed(Seed + (Index + 1) * MixStep);
}

/// The upper half of a product.
[[gnu::always_inline]] inline uint64_t upperProduct(uint64_t A, uint64_t B) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(A) * B) >> 64);
}

/// floor(Hash * (Spread + 1) / 2^64)
[[gnu::always_inline]] inline uint64_t upTo(uint64_t Spread, uint64_t Hash) {
  return Spread == ~uint64_t(0) ? Hash : upperProduct(Hash, Spread + 1);
}

/// Whether the numbers up to \p Spread are those of some bits, at least one: then a hash's highest bits are
/// one.
[[gnu::always_inline]] inline bool isAllOfSomeBits(uint64_t Spread) {
  return Spread != 0 && (Spread & (Spread + 1)) == 0;
}

/// At least 0 and below 1.
[[gnu::always_inline]] inline double unitReal(uint64_t Hash) {
  return static_cast<double>(Hash >> 11) * 0x1p-53;
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// A permutation of the integers from 0 to \p Count - 1, of which \p Index is one: a Feistel network (Luby
/// and Rackoff, 1988) over as many bits as \p Count - 1 has, in two parts that take turns, walked through
/// until it gives one of them again (Black and Rogaway, 2002). Less than two steps on average.
[[gnu::always_inline]] inline uint64_t permuted(uint64_t Index, uint64_t Count, uint64_t Seed) {
  constexpr uint64_t Rounds = 6; // An even number.
  if (Count < 2)
    return 0;
  unsigned Bits = 64 - static_cast<unsigned>(__builtin_clzll(Count - 1)), LowBits = (Bits + 1) / 2;
  uint64_t LowMask = (uint64_t(1) << LowBits) - 1, HighMask = (uint64_t(1) << (Bits - LowBits)) - 1;
  do {
    uint64_t Low = Index & LowMask, High = Index >> LowBits;
    for (uint64_t Round = 0; Round != Rounds; Round += 2) {
      Low ^= splitMix(Seed + Round, High) & LowMask;
      High ^= splitMix(Seed + Round + 1, Low) & HighMask;
    }
    Index = High << LowBits | Low;
  } while (Index >= Count);
  return Index;
}

/// One of the integers that are at most \p Window away from \p Middle, and below \p Count, as \p Middle is.
[[gnu::always_inline]] inline uint64_t near(uint64_t Middle, uint64_t Window, uint64_t Count, uint64_t Hash) {
  uint64_t Low = Middle < Window ? 0 : Middle - Window;
  uint64_t High = Count - 1 - Middle < Window ? Count - 1 : Middle + Window;
  return Low + upTo(High - Low, Hash);
}

/// A step in parts of 2^-64.
struct FixedStep {
  uint64_t Whole, Fraction;
};

/// floor((Index + Hash / 2^64) * Step), where that is below 2^64: as the index grows, never less.
[[gnu::always_inline]] inline uint64_t between(uint64_t Index, FixedStep Step, uint64_t Hash) {
  unsigned __int128 All = static_cast<unsigned __int128>(Step.Whole) << 64 | Step.Fraction;
  unsigned __int128 Part =
      static_cast<unsigned __int128>(Step.Whole) * Hash + upperProduct(Step.Fraction, Hash);
  return static_cast<uint64_t>((All * Index + Part) >> 64);
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// The simple ones first.
enum class Rule : uint32_t { Constant, Iota, Uniform, Affine, Sorted, Shift, Permutation, Clustered };

/// As protocol::Fill; Runtime/Fill.h says what the values are.
struct FillRule {
  Rule Kind;
  uint32_t Unused;
  uint64_t Bits;              ///< Constant.
  uint64_t Seed;              ///< Of all that are random.
  double Low, Width;          ///< Uniform and sorted, floating: Low and High - Low.
  uint64_t LowBits, Spread;   ///< Uniform, integers: Low and High - Low. Affine, integers: Spread is Jitter.
  double Start, Step, Jitter; ///< Affine, floating.
  uint64_t StartBits, StepBits; ///< Affine, integers.
  FixedStep Between;            ///< Sorted, integers, with LowBits.
  uint64_t Count;               ///< Sorted, shift, permutation: of elements. Clustered: of what is indexed.
  uint64_t Offset;              ///< Shift, clustered: how far.
  uint64_t Per;                 ///< Clustered.
  uint64_t ZeroEvery;           ///< Constant, uniform, affine: elements at its multiples are 0; 0: none.
};

/// The index that an element of such a rule is.
[[gnu::always_inline]] inline uint64_t indexAt(const FillRule &F, uint64_t Index) {
  if (F.Kind == Rule::Clustered)
    return near(Index / F.Per % F.Count, F.Offset, F.Count, splitMix(F.Seed, Index));
  if (Index >= F.Count) // No element of the buffer.
    return 0;
  if (F.Kind == Rule::Permutation)
    return permuted(Index, F.Count, F.Seed);
  uint64_t Shifted = Index + F.Offset;
  return Shifted < F.Count ? Shifted : Shifted - F.Count;
}

[[gnu::always_inline]] inline uint64_t sortedAt(const Elements &E, const FillRule &F, uint64_t Index) {
  uint64_t Hash = splitMix(F.Seed, Index);
  if (E.Kind != Number::Floating)
    return truncated(E, F.LowBits + between(Index, F.Between, Hash));
  double Place = static_cast<double>(Index) + unitReal(Hash);
  Place = Place / static_cast<double>(F.Count);
  Place = F.Width * Place;
  return encodeReal(E, F.Low + Place);
}

[[gnu::always_inline]] inline uint64_t uniformAt(const Elements &E, const FillRule &F, uint64_t Hash) {
  if (E.Kind != Number::Floating)
    return truncated(E, F.LowBits + upTo(F.Spread, Hash));
  double Offset = F.Width * unitReal(Hash);
  return encodeReal(E, F.Low + Offset);
}

/// Whether simpleAt() says what elements hold.
[[gnu::always_inline]] inline bool isSimple(const FillRule &F) {
  return F.ZeroEvery == 0 && F.Kind <= Rule::Affine;
}

/// The few rules by which most buffers are filled: a kernel that knows no others takes fewer registers, so
/// that more of its threads are on a multiprocessor.
[[gnu::always_inline]] inline uint64_t simpleAt(const Elements &E, const FillRule &F, uint64_t Index) {
  bool Floating = E.Kind == Number::Floating;
  if (F.Kind == Rule::Constant)
    return F.Bits;
  if (F.Kind == Rule::Iota)
    return Floating ? encodeReal(E, static_cast<double>(Index)) : truncated(E, Index);
  uint64_t Hash = splitMix(F.Seed, Index);
  if (F.Kind == Rule::Uniform)
    return uniformAt(E, F, Hash);
  if (!Floating)
    return truncated(E, F.StartBits + F.StepBits * Index + upTo(F.Spread, Hash));
  double Line = F.Step * static_cast<double>(Index);
  Line = F.Start + Line;
  double Random = F.Jitter * unitReal(Hash);
  return encodeReal(E, Line + Random);
}

[[gnu::always_inline]] inline uint64_t contentsAt(const Elements &E, const FillRule &F, uint64_t Index) {
  if (F.ZeroEvery != 0 && Index % F.ZeroEvery == 0)
    return 0;
  if (F.Kind <= Rule::Affine)
    return simpleAt(E, F, Index);
  if (F.Kind == Rule::Sorted)
    return sortedAt(E, F, Index);
  uint64_t Held = indexAt(F, Index);
  return E.Kind == Number::Floating ? encodeReal(E, static_cast<double>(Held)) : truncated(E, Held);
}

} // namespace gpuprune::kernels

#endif // GPUPRUNE_LIB_RUNTIME_KERNELS_FILLRULES_H
