//===- SpreadOrder.cpp - What to look at first of a space -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/SpreadOrder.h"
#include "ChoiceTable.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <numeric>
#include <random>

using namespace llvm;

namespace gpuprune {

/// A range of two has no middle, nor have words.
static double fromMiddle(size_t Place, const ChoiceRange &Range) {
  int64_t Number;
  bool HasNumbers = count_if(Range, [&](const std::optional<std::string> &Text) {
                      return Text && !StringRef(*Text).getAsInteger(0, Number);
                    }) > 1;
  return HasNumbers && Range.size() > 2 ? std::abs(double(Place) / double(Range.size() - 1) - 0.5) : 0;
}

/// About how many copies of the kernel's code the variant has: its factors, multiplied.
static double growthOf(const Variant &V) {
  static constexpr uint64_t FullLoop = 16; // Its trip count is not known here.
  double Copies = 1;
  for (const PassElement &Pass : V.Pipeline)
    for (StringRef Key : {"x", "y", "z", "factor"}) {
      std::optional<StringRef> Value = Pass.value(Key);
      uint64_t Factor = FullLoop;
      if (Value && (*Value == "full" || (!Value->getAsInteger(0, Factor) && Factor > 0)))
        Copies *= double(Factor);
    }
  return std::log2(Copies);
}

/// By how much a variant's numbers are from the middle of their ranges.
static double fromMiddle(ArrayRef<size_t> Places, ArrayRef<ChoiceRange> Ranges) {
  double Sum = 0;
  for (auto [Place, Range] : zip_equal(Places, Ranges))
    Sum += fromMiddle(Place, Range);
  return Sum;
}

/// The standard fixes the numbers of the generator; not so those of std::shuffle.
static void shuffle(MutableArrayRef<size_t> Order) {
  std::mt19937_64 Random;
  for (size_t I = Order.size(); I > 1; --I)
    std::swap(Order[I - 1], Order[Random() % I]);
}

std::vector<size_t> spreadOrder(ArrayRef<Variant> Variants) {
  static constexpr size_t MostWork = 200'000'000; // Below a second.
  std::vector<size_t> Order(Variants.size());
  std::iota(Order.begin(), Order.end(), 0);
  shuffle(Order);
  ChoiceTable T(Variants);
  std::vector<double> FromMiddle, Growth;
  for (auto [V, Places] : zip_equal(Variants, T.Places)) {
    FromMiddle.push_back(fromMiddle(Places, T.Ranges));
    Growth.push_back(growthOf(V));
  }
  std::vector<std::vector<size_t>> Seen;
  for (const ChoiceRange &Range : T.Ranges)
    Seen.emplace_back(Range.size(), 0);
  static constexpr double OfDoubledCode = 0.25; // SpreadOrder.h.
  double Things = double(std::max<size_t>(T.Ranges.size(), 1));
  auto Rank = [&](size_t I) {
    size_t Times = 0;
    for (auto [Thing, Place] : enumerate(T.Places[I]))
      Times += Seen[Thing][Place];
    return std::pair(double(Times) / Things + OfDoubledCode * Growth[I], FromMiddle[I]);
  };
  size_t WorkOfOne = std::max<size_t>(Order.size() * T.Ranges.size(), 1);
  size_t Chosen = std::min(Order.size(), MostWork / WorkOfOne);
  for (size_t Next = 0; Next != Chosen; ++Next) {
    auto Best = Order.begin() + Next;
    auto BestRank = Rank(*Best);
    for (auto It = Best + 1; It != Order.end(); ++It)
      if (auto Own = Rank(*It); Own < BestRank) {
        Best = It;
        BestRank = Own;
      }
    std::swap(Order[Next], *Best);
    for (auto [Thing, Place] : enumerate(T.Places[Order[Next]]))
      ++Seen[Thing][Place];
  }
  return Order;
}

} // namespace gpuprune
