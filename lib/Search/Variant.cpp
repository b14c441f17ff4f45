//===- Variant.cpp - A variant of a kernel is text ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Variant.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune {

static bool isNoWhiteSpace(char C) { return !TextCursor::isWhiteSpace(C); }

static Error parseDefine(TextCursor &At, Variant &V) {
  size_t Start = At.position();
  At.consume("-D");
  StringRef Name = At.take([](char C) { return isAlnum(C) || C == '_'; });
  if (Name.empty() || isDigit(Name.front()))
    return At.errorAt(Start + 2, "expected the name of a macro after -D");
  if (!At.consume("="))
    return At.error("expected '=' after -D" + Name + ", found " + At.found() + "; write -D" + Name + "=1");
  StringRef Value = At.take(isNoWhiteSpace);
  if (Value.empty())
    return At.error("expected a value after -D" + Name + "=");
  if (any_of(V.Defines, [&](const DefineSetting &D) { return D.Name == Name; }))
    return At.errorAt(Start, "-D" + Name + " appears twice");
  V.Defines.push_back({Name.str(), Value.str()});
  return Error::success();
}

static Error parseBlock(TextCursor &At, Variant &V) {
  size_t Start = At.position();
  if (V.Block)
    return At.error("block= appears twice");
  At.consume("block=");
  V.Block = Dim3::parse(At.take(isNoWhiteSpace));
  if (!V.Block)
    return At.errorAt(Start, "expected block=X, block=X,Y or block=X,Y,Z with positive integers, found '" +
                                 At.since(Start) + "'");
  return Error::success();
}

Expected<Variant> parseVariant(StringRef Text) {
  Variant Result;
  TextCursor At("variant", Text);
  for (At.skipWhiteSpace();; At.skipWhiteSpace()) {
    if (At.rest().starts_with("-D")) {
      if (Result.Block)
        return At.error("defines come before block=");
      if (Error E = parseDefine(At, Result))
        return std::move(E);
    } else if (At.rest().starts_with("block=")) {
      if (Error E = parseBlock(At, Result))
        return std::move(E);
    } else {
      break;
    }
  }
  Expected<std::vector<PassElement>> Pipeline = parsePipeline(At);
  if (!Pipeline)
    return Pipeline.takeError();
  Result.Pipeline = std::move(*Pipeline);
  return Result;
}

std::string printVariant(const Variant &V) {
  SmallVector<std::string, 4> Parts;
  for (const DefineSetting &Define : V.Defines)
    Parts.push_back("-D" + Define.Name + "=" + Define.Value);
  if (V.Block)
    Parts.push_back("block=" + V.Block->text());
  if (!V.Pipeline.empty())
    Parts.push_back(printPipeline(V.Pipeline));
  return join(Parts, " ");
}

namespace {
/// A pass that does nothing where all its factors are 1.
struct NeutralFactors {
  StringRef Pass;
  SmallVector<StringRef, 3> Keys;
};
} // namespace

/// No words to spill is no spilling, and where to spill then means nothing.
static void normaliseRegisters(std::vector<PassElement> &Pipeline) {
  erase_if(Pipeline, [](PassElement &Element) {
    if (Element.Name == "gpu-registers")
      erase_if(Element.Parameters, [](const PassParameter &P) { return P == PassParameter{"spill", "0"}; });
    auto Has = [&](StringRef Key) {
      return any_of(Element.Parameters, [&](const PassParameter &P) { return P.Key == Key; });
    };
    if (Element.Name != "gpu-registers" || !Has("spill-to") || Has("spill"))
      return false;
    erase_if(Element.Parameters, [](const PassParameter &P) { return P.Key == "spill-to"; });
    return Element.Parameters.empty();
  });
}

void normalise(std::vector<PassElement> &Pipeline) {
  static const NeutralFactors Neutral[] = {{"gpu-block-coarsen", {"x", "y", "z"}},
                                           {"gpu-thread-coarsen", {"factor"}}};
  for (const NeutralFactors &Row : Neutral)
    erase_if(Pipeline, [&](PassElement &Element) {
      if (Element.Name != Row.Pass)
        return false;
      auto IsFactor = [&](const PassParameter &P) { return is_contained(Row.Keys, P.Key); };
      erase_if(Element.Parameters, [&](const PassParameter &P) { return IsFactor(P) && P.Value == "1"; });
      return none_of(Element.Parameters, IsFactor);
    });
  // Only neighbours are read at once, so only they need the promise.
  for (PassElement &Element : Pipeline)
    if (Element.Name == "gpu-thread-coarsen" &&
        !is_contained(Element.Parameters, PassParameter{"stride", "consecutive"}))
      erase_if(Element.Parameters,
               [](const PassParameter &P) { return P.Key == "align" || P.Key == "stride"; });
  erase_if(Pipeline, [](const PassElement &Element) {
    return Element.Name == "gpu-prefetch" && is_contained(Element.Parameters, PassParameter{"distance", "0"});
  });
  normaliseRegisters(Pipeline);
  while (!Pipeline.empty() && Pipeline.front() == PassElement{"gpu-prepare", {}})
    Pipeline.erase(Pipeline.begin());
}

void nameLaunch(std::vector<PassElement> &Pipeline, const Dim3 &Block) {
  for (PassElement &Element : Pipeline)
    for (PassParameter &Parameter : Element.Parameters)
      if (Element.Name == "gpu-registers" && Parameter == PassParameter{"threads", "launch"})
        Parameter.Value = Block.text('x');
}

} // namespace gpuprune
