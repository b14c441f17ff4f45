//===- PipelineText.cpp - Pipelines of passes as text ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/PipelineText.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune {

std::optional<StringRef> PassElement::value(StringRef Key) const {
  for (const PassParameter &Parameter : Parameters)
    if (Parameter.Key == Key && Parameter.Value)
      return StringRef(*Parameter.Value);
  return std::nullopt;
}

static bool isNoneOf(StringRef Excluded, char C) {
  return !TextCursor::isWhiteSpace(C) && !Excluded.contains(C);
}
static bool isNameCharacter(char C) { return isAlnum(C) || C == '-' || C == '_' || C == '.'; }
static bool isWordCharacter(char C) { return isNoneOf("<>;=,", C); }
/// Commas may stand in a value: only those outside <> separate passes.
static bool isValueCharacter(char C) { return isNoneOf(";", C); }

/// What follows a '='. In it < and > come in pairs: the name of a kernel such as ax<2>.
static StringRef takeValue(TextCursor &At) {
  unsigned Depth = 0;
  return At.take([&](char C) {
    if (C == '>' && Depth == 0)
      return false;
    Depth += C == '<';
    Depth -= C == '>';
    return isValueCharacter(C);
  });
}

static Expected<PassParameter> parseParameter(TextCursor &At) {
  StringRef Key = At.take(isWordCharacter);
  if (Key.empty())
    return At.error("expected a parameter, found " + At.found());
  PassParameter Result{Key.str(), std::nullopt};
  if (!At.consume("="))
    return Result;
  size_t Begin = At.position();
  StringRef Value = takeValue(At);
  if (Value.count('<') != Value.count('>'))
    return At.errorAt(Begin + Value.find('<'), "expected the '>' for this '<', found " + At.found());
  if (Value.empty())
    return At.error("expected a value for '" + Key + "', found " + At.found());
  Result.Value = Value.str();
  return Result;
}

/// What follows the '<' at \p Open, up to and with the '>'.
static Error parseParameters(TextCursor &At, size_t Open, PassElement &Element) {
  do {
    Expected<PassParameter> Parameter = parseParameter(At);
    if (!Parameter)
      return Parameter.takeError();
    Element.Parameters.push_back(std::move(*Parameter));
  } while (At.consume(";"));
  if (At.consume(">"))
    return Error::success();
  return At.error("expected ';' or the '>' for the '<' at column " + Twine(Open + 1) + ", found " +
                  At.found() + (At.rest().starts_with(",") ? "; options are separated by ';'" : ""));
}

static Error noPassAt(const TextCursor &At) {
  return At.error("expected the name of a pass, found " + At.found());
}

static Expected<PassElement> parseElement(TextCursor &At) {
  At.skipWhiteSpace();
  if (At.rest().starts_with("-")) // Else "-Dx", first in a pipeline, would print as a define.
    return noPassAt(At);
  PassElement Result;
  Result.Name = At.take(isNameCharacter).str();
  if (Result.Name.empty())
    return noPassAt(At);
  size_t Open = At.position();
  if (At.consume("<"))
    if (Error E = parseParameters(At, Open, Result))
      return std::move(E);
  At.skipWhiteSpace();
  return Result;
}

Expected<std::vector<PassElement>> parsePipeline(TextCursor At) {
  std::vector<PassElement> Result;
  At.skipWhiteSpace();
  while (!At.rest().empty()) {
    Expected<PassElement> Element = parseElement(At);
    if (!Element)
      return Element.takeError();
    Result.push_back(std::move(*Element));
    if (At.rest().empty())
      break;
    if (!At.consume(","))
      return At.error("expected ',' between passes, found " + At.found() +
                      "; defines and block= come before the pipeline");
    At.skipWhiteSpace();
    if (At.rest().empty())
      return At.error("expected the name of a pass after ','");
  }
  return Result;
}

Expected<std::vector<PassElement>> parsePipeline(StringRef Text) {
  return parsePipeline(TextCursor("variant", Text));
}

std::string printPipeline(ArrayRef<PassElement> Pipeline) {
  std::string Result;
  for (const PassElement &Element : Pipeline) {
    Result += (Result.empty() ? "" : ",") + Element.Name;
    char Separator = '<';
    for (const PassParameter &Parameter : Element.Parameters) {
      Result += Separator + Parameter.Key;
      if (Parameter.Value)
        Result += "=" + *Parameter.Value;
      Separator = ';';
    }
    if (!Element.Parameters.empty())
      Result += '>';
  }
  return Result;
}

/// The text between the '<' at \p At and its '>'; empty where there is none.
static Expected<StringRef> takeOptions(TextCursor &At) {
  size_t Open = At.position();
  unsigned Depth = 0;
  StringRef Options = At.take([&](char C) {
    bool Inside = Depth != 0;
    Depth += C == '<';
    Depth -= Depth && C == '>';
    return Inside || Depth;
  });
  if (Depth)
    return At.error("expected the '>' for the '<' at column " + Twine(Open + 1) + ", found " + At.found());
  return Options.drop_front().drop_back();
}

static Expected<PassMention> takeMention(TextCursor &At) {
  At.skipWhiteSpace();
  PassMention Result;
  Result.Name = At.take([](char C) { return isNoneOf("<>(),", C); });
  if (Result.Name.empty())
    return noPassAt(At);
  if (At.rest().starts_with("<")) {
    Expected<StringRef> Options = takeOptions(At);
    if (!Options)
      return Options.takeError();
    Result.Options = *Options;
  }
  At.skipWhiteSpace();
  return Result;
}

Error checkNoVariant(StringRef Text) {
  StringRef Rest = Text.trim();
  std::string Defines, Block;
  while (Rest.starts_with("-D") || Rest.starts_with("block=")) {
    StringRef Word = Rest.take_until(TextCursor::isWhiteSpace);
    std::string &Part = Word.starts_with("-D") ? Defines : Block;
    Part += (Part.empty() ? "" : " ") + Word.str();
    Rest = Rest.drop_front(Word.size()).ltrim();
  }
  if (Rest.size() == Text.trim().size())
    return Error::success();
  std::string Message = "this is the text of a whole variant, not only its pipeline: ";
  if (!Defines.empty())
    Message += "give '" + Defines + "' to clang++";
  if (!Block.empty())
    Message += std::string(Defines.empty() ? "" : ", ") + "launch the kernel with '" + Block + "'";
  Message += Rest.empty() ? ", and use no pipeline" : ", and begin the pipeline at " + quoted(Rest);
  return makeError(ErrorKind::Input, Message);
}

Expected<SmallVector<PassMention, 4>> passesNamedIn(StringRef Pipeline) {
  SmallVector<PassMention, 4> Result;
  TextCursor At("pipeline", Pipeline);
  At.skipWhiteSpace();
  if (At.rest().empty())
    return Result;
  // Nesting is counted, not recursed into: the text may be anything.
  unsigned Depth = 0;
  for (;;) {
    Expected<PassMention> Mention = takeMention(At);
    if (!Mention)
      return Mention.takeError();
    Result.push_back(*Mention);
    if (At.consume("(")) {
      ++Depth;
      continue;
    }
    for (; Depth && At.consume(")"); --Depth)
      At.skipWhiteSpace();
    if (At.rest().empty())
      break;
    if (!At.consume(","))
      return At.error(Twine("expected ','") + (Depth ? " or ')'" : "") + " after a pass, found " +
                      At.found());
  }
  if (Depth)
    return At.error("expected ')', found the end");
  return Result;
}

} // namespace gpuprune
