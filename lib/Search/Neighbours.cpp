//===- Neighbours.cpp - How far two variants are from each other ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Neighbours.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>

using namespace llvm;

namespace gpuprune {

namespace {

enum class Meaning { Object, Factor, Manner };

/// The decisions of one pass: what a key stands for, by key.
struct Decisions {
  std::map<std::string, std::string> Factors, Manners;
};

} // namespace

bool isObjectKey(StringRef Key) {
  return StringSwitch<bool>(Key).Cases({"loop", "dim", "symbol", "arg", "kernel"}, true).Default(false);
}

static Meaning meaningOf(StringRef Key) {
  if (isObjectKey(Key))
    return Meaning::Object;
  return StringSwitch<Meaning>(Key)
      .Cases({"shared", "stride", "align", "mode", "remainder", "to", "loops"}, Meaning::Manner)
      .Default(Meaning::Factor);
}

/// A factor that is 1 is a pass that does nothing in this respect.
static bool isNeutral(StringRef Key, const std::string &Value) {
  return Value == "1" && StringSwitch<bool>(Key).Cases({"x", "y", "z"}, true).Default(false);
}

/// By the pass's name and what it works on. The same pass may come twice.
static std::map<std::string, Decisions> decisionsOf(ArrayRef<PassElement> Pipeline) {
  std::map<std::string, Decisions> Result;
  StringMap<unsigned> Seen;
  for (const PassElement &Pass : Pipeline) {
    std::string Name = Pass.Name;
    Decisions Made;
    for (const PassParameter &P : Pass.Parameters) {
      std::string Value = P.Value.value_or("");
      if (meaningOf(P.Key) == Meaning::Object)
        Name += ";" + P.Key + "=" + Value;
      else if (meaningOf(P.Key) == Meaning::Manner)
        Made.Manners[P.Key] = Value;
      else if (!isNeutral(P.Key, Value))
        Made.Factors[P.Key] = Value;
    }
    // Where words are spilled to is no decision where none are.
    if (auto To = Made.Factors.find("spill-to"); To != Made.Factors.end()) {
      Made.Factors["spill"] += " to " + To->second;
      Made.Factors.erase(To);
    }
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
