//===- ShellQuote.cpp - An argument as a command line has it ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/ShellQuote.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune {

std::string shellQuoted(StringRef Argument) {
  bool IsPlain = !Argument.empty() &&
                 all_of(Argument, [](char C) { return isAlnum(C) || StringRef("_@%+=:,./-").contains(C); });
  if (IsPlain)
    return Argument.str();
  // Double quotes, because LLVM's tokenizer takes a backslash in single ones for
  // an escape and the shell does not.
  std::string Quoted = "\"";
  for (char C : Argument) {
    if (StringRef("\"\\$`").contains(C))
      Quoted += '\\';
    Quoted += C;
  }
  return Quoted + '"';
}

} // namespace gpuprune
