//===- SpreadOrder.cpp - What to look at first of a space -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/SpreadOrder.h"
#include "gpuprune/Search/Neighbours.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <map>
#include <numeric>
#include <random>

using namespace llvm;

namespace gpuprune {

namespace {

/// A variant's choices, by what is chosen.
using Choices = std::map<std::string, std::string>;

/// The variants as numbers: for each thing to choose, the place of the variant's value in its range.
struct PlaceTable {
  std::vector<size_t> Values;              ///< How many, for each thing to choose.
  std::vector<std::vector<size_t>> Places; ///< [variant][thing].
  std::vector<double> FromMiddle;          ///< For each variant.
  std::vector<double> Growth;              ///< For each variant, the logarithm to the base 2.
};

} // namespace

static Choices choicesOf(const Variant &V) {
  Choices Result;
  for (const DefineSetting &D : V.Defines)
    Result["-D" + D.Name] = D.Value;
  if (V.Block)
    Result["block"] = V.Block->text();
  for (const PassElement &Pass : V.Pipeline) {
    std::string Name = Pass.Name;
    for (const PassParameter &P : Pass.Parameters)
      if (isObject(Pass, P.Key))
        Name += ";" + P.Key + "=" + P.Value.value_or("");
    Result[Name] = "";
    for (const PassParameter &P : Pass.Parameters)
      if (!isObject(Pass, P.Key))
        Result[Name + ";" + P.Key] = P.Value.value_or("");
  }
  return Result;
}

/// Numbers by size; what is left out (nothing) before them, words behind.
static bool comesBefore(const std::optional<std::string> &A, const std::optional<std::string> &B) {
  auto Key = [](const std::optional<std::string> &Text) {
    int64_t Number = 0;
    bool IsWord = Text && StringRef(*Text).getAsInteger(0, Number);
    return std::tuple(!Text ? 0 : IsWord ? 2 : 1, Number, IsWord ? StringRef(*Text) : StringRef());
  };
  return Key(A) < Key(B);
}

/// A range of two has no middle, nor have words.
static double fromMiddle(size_t Place, ArrayRef<std::optional<std::string>> Range) {
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

static PlaceTable tableOf(ArrayRef<Variant> Variants) {
  std::vector<Choices> All;
  std::map<std::string, std::vector<std::optional<std::string>>> Ranges;
  for (const Variant &V : Variants)
    for (const auto &[Name, Value] : All.emplace_back(choicesOf(V)))
      Ranges[Name];
  PlaceTable T;
  T.Places.resize(Variants.size());
  T.FromMiddle.resize(Variants.size());
  for (const Variant &V : Variants)
    T.Growth.push_back(growthOf(V));
  for (auto &[Name, Range] : Ranges) {
    std::vector<std::optional<std::string>> Own;
    for (const Choices &C : All)
      if (auto It = C.find(Name); It != C.end())
        Own.emplace_back(It->second);
      else
        Own.emplace_back(std::nullopt);
    Range = Own;
    llvm::sort(Range, comesBefore);
    Range.erase(llvm::unique(Range), Range.end());
    if (Range.size() < 2)
      continue;
    T.Values.push_back(Range.size());
    for (size_t I = 0; I != Own.size(); ++I) {
      size_t Place = lower_bound(Range, Own[I], comesBefore) - Range.begin();
      T.Places[I].push_back(Place);
      T.FromMiddle[I] += fromMiddle(Place, Range);
    }
  }
  return T;
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
  PlaceTable T = tableOf(Variants);
  std::vector<std::vector<size_t>> Seen;
  for (size_t Count : T.Values)
    Seen.emplace_back(Count, 0);
  static constexpr double OfDoubledCode = 0.25; // SpreadOrder.h.
  double Things = double(std::max<size_t>(T.Values.size(), 1));
  auto Rank = [&](size_t I) {
    size_t Times = 0;
    for (auto [Thing, Place] : enumerate(T.Places[I]))
      Times += Seen[Thing][Place];
    return std::pair(double(Times) / Things + OfDoubledCode * T.Growth[I], T.FromMiddle[I]);
  };
  size_t WorkOfOne = std::max<size_t>(Order.size() * T.Values.size(), 1);
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
