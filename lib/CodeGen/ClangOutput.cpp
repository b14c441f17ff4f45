//===- ClangOutput.cpp - What clang++ prints about a source -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/ClangOutput.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune {

/// Lines of the source are indented, so that what they hold is not taken for clang's.
static bool says(StringRef Line, StringRef Severity) {
  return !Line.empty() && !isSpace(Line.front()) && Line.contains(Severity);
}

static bool isError(StringRef Line) { return says(Line, "error: "); } // "fatal error: " as well.
static bool isWarning(StringRef Line) { return says(Line, "warning: "); }

static bool saysWhereIncluded(StringRef Line) {
  return Line.starts_with("In file included from ") || Line.ltrim().starts_with("from ");
}

/// "2 warnings and 1 error generated when compiling for sm_90."
static bool countsDiagnostics(StringRef Line) {
  return !Line.empty() && isDigit(Line.front()) && Line.contains(" generated");
}

std::vector<ClangDiagnostic> clangDiagnostics(StringRef Output) {
  std::vector<ClangDiagnostic> Found;
  SmallVector<StringRef> Lines;
  Output.split(Lines, '\n');
  std::string Included; // How the file of what comes next is included.
  for (StringRef Line : Lines) {
    if (countsDiagnostics(Line))
      continue;
    if (saysWhereIncluded(Line)) {
      Included += Line.str() + "\n";
      continue;
    }
    bool Error = isError(Line);
    if (Error || isWarning(Line))
      Found.push_back({"", Error});
    if (!Found.empty())
      Found.back().Text += Included + Line.str() + "\n";
    Included.clear();
  }
  for (ClangDiagnostic &D : Found)
    D.Text = StringRef(D.Text).rtrim().str();
  return Found;
}

std::string errorsFirst(StringRef Output) {
  std::string Errors, Warnings;
  for (const ClangDiagnostic &D : clangDiagnostics(Output))
    (D.IsError ? Errors : Warnings) += D.Text + "\n";
  return Errors.empty() ? Output.str() : StringRef(Errors + Warnings).rtrim().str();
}

StringRef firstErrorLine(StringRef Message) {
  StringRef Rest = Message.split('\n').second, First = Rest.split('\n').first;
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    if (isError(Line))
      return Line;
  }
  return First;
}

} // namespace gpuprune
