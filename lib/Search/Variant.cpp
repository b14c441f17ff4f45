//===- Variant.cpp - A variant of a kernel is text ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Variant.h"
#include "gpuprune/Passes/Registry.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune {

unsigned hashOf(const Variant &V) {
  hash_code Hash(0);
  auto Add = [&](const auto &...Values) { Hash = hash_combine(Hash, Values...); };
  for (const DefineSetting &Define : V.Defines)
    Add(Define.Name, Define.Value);
  if (V.Block)
    Add(V.Block->X, V.Block->Y, V.Block->Z);
  for (const PassElement &Element : V.Pipeline) {
    Add(Element.Name);
    for (const PassParameter &P : Element.Parameters)
      Add(P.Key, P.Value);
  }
  return unsigned(Hash);
}

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

/// Whether the element still does something. A misspelt option may be the one that would; that is told where
/// the element is compiled.
static bool normaliseElement(PassElement &Element) {
  const PassDescription *Pass = findPass(Element.Name);
  if (!Pass || !Pass->Normalise ||
      any_of(Element.Parameters, [&](const PassParameter &P) { return !Pass->option(P.Key); }))
    return true;
  return Pass->Normalise(Element);
}

Error checkDropped(ArrayRef<PassElement> Pipeline) {
  for (PassElement Element : Pipeline)
    if (PassElement Written = Element; !normaliseElement(Element))
      if (Error E = checkPipeline(printPipeline(Written)))
        return E;
  return Error::success();
}

/// It runs in front of all passes in any case.
static bool isPlainPreparation(const PassElement &Element) {
  const PassDescription *Pass = findPass(Element.Name);
  return Pass && Pass->Role == PassRole::Preparation && Element.Parameters.empty();
}

void normalise(std::vector<PassElement> &Pipeline) {
  erase_if(Pipeline, [](PassElement &Element) { return !normaliseElement(Element); });
  while (!Pipeline.empty() && isPlainPreparation(Pipeline.front()))
    Pipeline.erase(Pipeline.begin());
}

void nameBlock(std::vector<PassElement> &Pipeline, const Dim3 &Block) {
  for (PassElement &Element : Pipeline)
    if (const PassDescription *Pass = findPass(Element.Name); Pass && Pass->NameBlock)
      Pass->NameBlock(Element, Block);
}

bool actsBehindO3(const PassElement &Element) {
  const PassDescription *Pass = findPass(Element.Name);
  return Pass && Pass->ActsBehindO3;
}

std::vector<PassElement> withKernel(std::vector<PassElement> Pipeline, StringRef Kernel) {
  if (!Kernel.empty())
    for (PassElement &Pass : Pipeline)
      if (!Pass.value("kernel"))
        Pass.Parameters.push_back({"kernel", Kernel.str()});
  return Pipeline;
}

} // namespace gpuprune
