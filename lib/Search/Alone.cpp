//===- Alone.cpp - Variants that make one choice only ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Alone.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace gpuprune {

std::string soleChoice(const Variant &V, ArrayRef<DefineSetting> Author) {
  SmallSetVector<StringRef, 4> Choices;
  if (!all_of(V.Defines, [&](const DefineSetting &D) { return is_contained(Author, D); }))
    Choices.insert(DefinesChoice);
  if (V.Block)
    Choices.insert(BlockChoice);
  for (const PassElement &Pass : V.Pipeline)
    Choices.insert(Pass.Name);
  return Choices.size() == 1 ? Choices.front().str() : "";
}

/// Those defines of \p V that the author sets, as the author sets them.
static std::vector<DefineSetting> authorsOf(const Variant &V, ArrayRef<DefineSetting> Author) {
  std::vector<DefineSetting> Result;
  for (const DefineSetting &D : V.Defines)
    if (const auto *Own = find_if(Author, [&](const DefineSetting &A) { return A.Name == D.Name; });
        Own != Author.end())
      Result.push_back(*Own);
  return Result;
}

std::vector<Variant> choicesAlone(ArrayRef<Variant> Space, ArrayRef<DefineSetting> Author) {
  StringSet<> Seen;
  for (const Variant &V : Space)
    Seen.insert(printVariant(V));
  std::vector<Variant> Result;
  auto Add = [&](Variant V) {
    if (Seen.insert(printVariant(V)).second)
      Result.push_back(std::move(V));
  };
  for (const Variant &V : Space) {
    std::vector<DefineSetting> Defines = authorsOf(V, Author);
    if (V.Defines != Defines)
      Add({V.Defines, std::nullopt, {}});
    if (V.Block)
      Add({Defines, V.Block, {}});
    SmallSetVector<StringRef, 4> Passes;
    for (const PassElement &Pass : V.Pipeline)
      Passes.insert(Pass.Name);
    for (StringRef Name : Passes) {
      Variant Alone{Defines, std::nullopt, {}};
      copy_if(V.Pipeline, std::back_inserter(Alone.Pipeline),
              [&](const PassElement &Pass) { return Pass.Name == Name; });
      Add(std::move(Alone));
    }
  }
  return Result;
}

} // namespace gpuprune
