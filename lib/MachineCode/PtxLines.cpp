//===- PtxLines.cpp - The statements of a kernel in PTX ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/PtxLines.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune {

/// "// %bb.7:" begins a block that no branch leads to: LLVM names it in a comment.
static constexpr StringLiteral UnnamedBlock = "// %bb.";

/// What debug information adds: places in the source, which end without a semicolon, and labels that no
/// branch leads to.
static bool isOfDebugInfo(StringRef Line) {
  bool IsPlace = Line.consume_front(".loc") && !Line.empty() && isSpace(Line.front()); // And not ".local".
  return IsPlace || Line.starts_with("$L__tmp") || Line.starts_with("$L__func_begin") ||
         Line.starts_with("$L__func_end");
}

Expected<std::string> ptxBody(StringRef Ptx, StringRef Kernel) {
  size_t At = 0;
  for (;; ++At) {
    At = Ptx.find((".entry " + Kernel).str(), At);
    if (At == StringRef::npos)
      return makeError(ErrorKind::CodeGen, "the PTX has no kernel '" + Kernel + "'");
    char Next =
        Ptx.drop_front(At).drop_front(strlen(".entry ") + Kernel.size()).ltrim().take_front(1).str()[0];
    if (Next == '(' || Next == '{')
      break;
  }
  StringRef Rest = Ptx.drop_front(At);
  size_t Open = Rest.find("\n{"), Close = Rest.find("\n}");
  if (Open == StringRef::npos || Close == StringRef::npos || Close < Open)
    return makeError(ErrorKind::CodeGen, "the PTX of '" + Kernel + "' has no body");
  std::string Body;
  Body.reserve(Close - Open);
  SmallVector<StringRef> Lines;
  Rest.slice(Open + 2, Close).split(Lines, '\n');
  for (StringRef Line : Lines) {
    StringRef Text = Line.ltrim();
    if (isOfDebugInfo(Text))
      continue;
    if (Text.consume_front(UnnamedBlock))
      Body += (UnnamedPtxLabel + Text.take_while(isDigit) + ":\n").str();
    size_t Slash = Line.find('/');
    while (Slash != StringRef::npos && !Line.drop_front(Slash).starts_with("//"))
      Slash = Line.find('/', Slash + 1);
    Body += Line.take_front(Slash);
    Body += '\n';
  }
  return Body;
}

static bool isLabelCharacter(char C) { return isAlnum(C) || C == '_' || C == '$' || C == '%'; }

static bool isSkipped(char C) { return C == ' ' || C == '\t' || C == '\n' || C == '{' || C == '}'; }

std::optional<PtxLine> nextPtxLine(StringRef &Rest) {
  Rest = Rest.drop_while(isSkipped);
  if (Rest.empty())
    return std::nullopt;
  PtxLine Line;
  StringRef Word = Rest.take_while(isLabelCharacter);
  if (!Word.empty() && Rest.drop_front(Word.size()).starts_with(":")) {
    Line.Label = Word;
    Rest = Rest.drop_front(Word.size() + 1);
    return Line;
  }
  StringRef Text;
  std::tie(Text, Rest) = Rest.split(';'); // Of one character, which is fast.
  if (Text.consume_front("@")) {
    Line.Guard = Text.take_until([](char C) { return isSpace(C); });
    Text = Text.drop_front(Line.Guard.size()).drop_while(isSpace);
  }
  Line.Mnemonic = Text.take_until([](char C) { return isSpace(C); });
  Line.Operands = Text.drop_front(Line.Mnemonic.size()).drop_while(isSpace);
  while (!Line.Operands.empty() && isSpace(Line.Operands.back()))
    Line.Operands = Line.Operands.drop_back();
  return Line;
}

} // namespace gpuprune
