//===- PtxText.cpp - The text of inline PTX, taken apart -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxText.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune {

static std::string withoutComments(StringRef Text) {
  std::string Result;
  while (!Text.empty()) {
    if (Text.starts_with("//"))
      Text = Text.drop_until([](char C) { return C == '\n'; });
    else if (Text.starts_with("/*"))
      Text = Text.substr(Text.find("*/", 2)).drop_front(Text.contains("*/") ? 2 : 0);
    else {
      Result += Text.front();
      Text = Text.drop_front();
    }
  }
  return Result;
}

SmallVector<StringRef, 4> splitPtxOperands(StringRef List) {
  SmallVector<StringRef, 4> Parts;
  int Depth = 0;
  size_t Begin = 0;
  for (size_t I = 0; I <= List.size(); ++I) {
    char C = I < List.size() ? List[I] : ',';
    if (C == '{' || C == '[')
      ++Depth;
    if (C == '}' || C == ']')
      --Depth;
    if (I == List.size() || (C == ',' && Depth == 0)) {
      if (StringRef Part = List.slice(Begin, I).trim(); !Part.empty())
        Parts.push_back(Part);
      Begin = I + 1;
    }
  }
  return Parts;
}

static PtxStatement parseStatement(StringRef Text) {
  PtxStatement Statement;
  Statement.Text = Text.str();
  if (Text.consume_front("@")) {
    size_t End = Text.find_first_of(" \t\n");
    Statement.Predicate = Text.take_front(End).str();
    Text = Text.substr(std::min(End, Text.size())).ltrim();
  }
  bool Declares = Text.consume_front(".reg");
  Text = Text.ltrim();
  size_t End = Text.find_first_of(" \t\n[{");
  Statement.Opcode = (Declares ? ".reg" : "") + Text.take_front(End).str();
  for (StringRef Operand : splitPtxOperands(Text.substr(std::min(End, Text.size()))))
    Statement.Operands.push_back(Operand.str());
  return Statement;
}

std::vector<PtxStatement> parsePtx(StringRef Source) {
  std::string Clean = withoutComments(Source);
  std::vector<PtxStatement> Statements;
  StringRef Text = StringRef(Clean).trim();
  while (!Text.empty()) {
    // A brace here opens or closes a scope; within a statement it makes a vector.
    if (Text.front() == '{' || Text.front() == '}' || Text.front() == ';') {
      Text = Text.drop_front().ltrim();
      continue;
    }
    size_t End = Text.find(';');
    Statements.push_back(parseStatement(Text.take_front(End).trim()));
    Text = Text.substr(std::min(End, Text.size())).ltrim();
  }
  return Statements;
}

} // namespace gpuprune
