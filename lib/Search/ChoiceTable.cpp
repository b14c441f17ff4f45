//===- ChoiceTable.cpp - Variants as numbers ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ChoiceTable.h"
#include "gpuprune/Search/Neighbours.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace gpuprune {

/// A variant's choices, by what is chosen.
using Choices = std::map<std::string, std::string>;

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

ChoiceTable::ChoiceTable(ArrayRef<Variant> Variants) : Places(Variants.size()) {
  std::vector<Choices> All;
  std::map<std::string, ChoiceRange> Things;
  for (const Variant &V : Variants)
    for (const auto &[Name, Value] : All.emplace_back(choicesOf(V)))
      Things[Name];
  for (auto &[Name, Range] : Things) {
    ChoiceRange Own;
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
    for (size_t I = 0; I != Own.size(); ++I)
      Places[I].push_back(lower_bound(Range, Own[I], comesBefore) - Range.begin());
    Ranges.push_back(std::move(Range));
  }
}

} // namespace gpuprune
