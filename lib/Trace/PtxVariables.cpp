//===- PtxVariables.cpp - What PTX declares outside of instructions ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxVariables.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuprune {

bool isSpecialPtxRegister(StringRef Name) {
  return Name.consume_front("%") && specialRegister(Name) != nullptr;
}

static std::optional<PtxSpace> declaredSpace(StringRef Word) {
  return StringSwitch<std::optional<PtxSpace>>(Word)
      .Case(".shared", PtxSpace::Shared)
      .Case(".const", PtxSpace::Constant)
      .Case(".global", PtxSpace::Global)
      .Case(".local", PtxSpace::Local)
      .Default(std::nullopt);
}

/// The numbers of "{1, 2}", of \p ElementBytes each; no value where one is none.
static std::optional<std::vector<char>> initialBytes(StringRef Text, uint64_t ElementBytes) {
  std::vector<char> Bytes;
  Text = Text.trim(" \t\n{}");
  for (StringRef Number : split(Text, ',')) {
    Number = Number.trim();
    uint64_t Value = 0;
    int64_t Signed = 0;
    if (Number.starts_with("0f") || Number.starts_with("0d")) {
      if (Number.drop_front(2).getAsInteger(16, Value))
        return std::nullopt;
    } else if (!Number.getAsInteger(0, Signed))
      Value = uint64_t(Signed);
    else if (Number.getAsInteger(0, Value))
      return std::nullopt;
    for (uint64_t Byte = 0; Byte != ElementBytes; ++Byte)
      Bytes.push_back(char(Value >> (8 * (Byte % 8))));
  }
  return Bytes;
}

std::optional<PtxVariable> ptxVariable(StringRef Space, StringRef Rest) {
  std::optional<PtxSpace> In = declaredSpace(Space);
  if (!In)
    return std::nullopt;
  PtxVariable V;
  V.Space = *In;
  auto [Declared, Initial] = Rest.split('=');
  Declared = Declared.trim();
  uint64_t ElementBytes = 1;
  while (Declared.consume_front(".")) {
    StringRef Word = Declared.take_while([](char C) { return !isSpace(C); });
    Declared = Declared.drop_front(Word.size()).ltrim();
    if (Word == "align") {
      Declared.consumeInteger(10, V.Alignment);
      Declared = Declared.ltrim();
    } else if (unsigned Bits = 0; !Word.empty() && !Word.drop_front().getAsInteger(10, Bits))
      ElementBytes = std::max(1u, Bits / 8);
  }
  auto [Name, Extent] = Declared.split('[');
  V.Name = Name.trim().str();
  uint64_t Elements = 1;
  if (Declared.contains('[') && Extent.consumeInteger(10, Elements))
    Elements = 0; // "[]": dynamic shared memory.
  V.Bytes = Elements * ElementBytes;
  V.Alignment = std::max(V.Alignment, ElementBytes);
  if (!Initial.empty()) {
    std::optional<std::vector<char>> Bytes = initialBytes(Initial, ElementBytes);
    V.IsInitialKnown = Bytes.has_value();
    if (Bytes)
      V.Initial = std::move(*Bytes);
  }
  return V;
}

void readModuleVariables(StringRef Ptx, std::vector<PtxVariable> &Variables) {
  for (StringRef Line : split(Ptx, '\n')) {
    for (StringRef Linkage : {".visible", ".extern", ".weak", ".common"})
      if (Line.consume_front(Linkage))
        Line = Line.ltrim();
    if (!Line.starts_with("."))
      continue;
    auto [Space, Rest] = Line.split(' ');
    if (std::optional<PtxVariable> V = ptxVariable(Space, Rest.split(';').first))
      Variables.push_back(std::move(*V));
  }
}

void readParameters(StringRef Ptx, StringRef Kernel, StringMap<unsigned> &Parameters) {
  StringRef Rest = Ptx.substr(Ptx.find((".entry " + Kernel + "(").str()));
  Rest = Rest.split('(').second.split("\n)").first;
  for (StringRef Line : split(Rest, '\n')) {
    Line = Line.trim(" \t,");
    if (!Line.starts_with(".param"))
      continue;
    StringRef Name = Line.rsplit(' ').second.split('[').first;
    unsigned Position = Parameters.size();
    Parameters.try_emplace(Name, Position);
  }
}

} // namespace gpuprune
