//===- Neighbours.cpp - How far two variants are from each other ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Neighbours.h"
#include "gpuprune/Passes/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <map>

using namespace llvm;

namespace gpuprune {

namespace {

/// The decisions of one pass: what a key stands for, by key.
struct Decisions {
  std::map<std::string, std::string> Factors, Manners;
};

} // namespace

static const OptionForm *formOf(const PassElement &Element, StringRef Key) {
  const PassDescription *Pass = findPass(Element.Name);
  return Pass ? Pass->option(Key) : nullptr;
}

/// A parameter of a pass that is not ours counts as a factor.
static OptionMeaning meaningOf(const PassElement &Element, StringRef Key) {
  const OptionForm *Form = formOf(Element, Key);
  return Form ? Form->Meaning : OptionMeaning::Factor;
}

bool isObject(const PassElement &Element, StringRef Key) {
  return meaningOf(Element, Key) == OptionMeaning::Object;
}

/// Two parameters that are one decision become one.
static void joinDecisions(const PassElement &Element, std::map<std::string, std::string> &Factors) {
  for (const PassParameter &P : Element.Parameters) {
    const OptionForm *Form = formOf(Element, P.Key);
    if (!Form || Form->Of.empty())
      continue;
    Factors[Form->Of.str()] += " " + P.Value.value_or("");
    Factors.erase(P.Key);
  }
}

/// By the pass's name and what it works on. The same pass may come twice.
static std::map<std::string, Decisions> decisionsOf(ArrayRef<PassElement> Pipeline) {
  std::map<std::string, Decisions> Result;
  StringMap<unsigned> Seen;
  for (PassElement Pass : Pipeline) {
    if (const PassDescription *Known = findPass(Pass.Name); Known && Known->Normalise)
      Known->Normalise(Pass);
    std::string Name = Pass.Name;
    Decisions Made;
    for (const PassParameter &P : Pass.Parameters) {
      std::string Value = P.Value.value_or("");
      OptionMeaning Meaning = meaningOf(Pass, P.Key);
      if (Meaning == OptionMeaning::Object)
        Name += ";" + P.Key + "=" + Value;
      else if (Meaning == OptionMeaning::Manner)
        Made.Manners[P.Key] = Value;
      else
        Made.Factors[P.Key] = Value;
    }
    joinDecisions(Pass, Made.Factors);
    Name += "#" + std::to_string(Seen[Name]++);
    Result[Name] = std::move(Made);
  }
  return Result;
}

/// Keys that differ, a missing one counted as a value of its own.
static unsigned differences(const std::map<std::string, std::string> &A,
                            const std::map<std::string, std::string> &B) {
  unsigned Result = 0;
  for (const auto &[Key, Value] : A) {
    auto Other = B.find(Key);
    Result += Other == B.end() || Other->second != Value;
  }
  for (const auto &[Key, Value] : B)
    Result += !A.contains(Key);
  return Result;
}

static unsigned passDistance(const std::map<std::string, Decisions> &A,
                             const std::map<std::string, Decisions> &B) {
  unsigned Result = 0;
  for (const auto &[Name, Made] : A) {
    auto Other = B.find(Name);
    if (Other == B.end())
      Result += std::max<size_t>(1, Made.Factors.size());
    else
      Result +=
          differences(Made.Factors, Other->second.Factors) + differences(Made.Manners, Other->second.Manners);
  }
  for (const auto &[Name, Made] : B)
    if (!A.contains(Name))
      Result += std::max<size_t>(1, Made.Factors.size());
  return Result;
}

static std::map<std::string, std::string> definesOf(const Variant &V) {
  std::map<std::string, std::string> Defines;
  for (const DefineSetting &D : V.Defines)
    Defines[D.Name] = D.Value;
  return Defines;
}

unsigned distance(const Variant &A, const Variant &B) {
  return differences(definesOf(A), definesOf(B)) + (A.Block != B.Block) +
         passDistance(decisionsOf(A.Pipeline), decisionsOf(B.Pipeline));
}

} // namespace gpuprune
