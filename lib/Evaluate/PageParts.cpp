//===- PageParts.cpp - Tables and figures of a page of results ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PageParts.h"
#include "gpuprune/Support/ColumnPrinter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

std::string secondsText(double Seconds) { return formatv(Seconds < 10 ? "{0:f3}" : "{0:f1}", Seconds); }
std::string percentText(double Share) { return formatv("{0:f1} %", 100 * Share); }
std::string aboveText(double Ratio) { return percentText(Ratio - 1); }
std::string msText(double Ms) { return formatv("{0:f3}", Ms); }

void printSections(raw_ostream &OS, ArrayRef<PageSection> Sections) {
  ListSeparator Break("\n");
  for (const PageSection &S : Sections) {
    OS << Break << S.Title << '\n';
    ColumnPrinter Table(S.Header);
    for (const TableLine &Line : S.Lines)
      Table.add(Line);
    Table.print(OS);
  }
}

static void printMarkdown(raw_ostream &OS, const PageSection &S) {
  auto Line = [&](const TableLine &Line) { OS << "| " << join(Line, " | ") << " |\n"; };
  OS << "\n## " << S.Title << "\n\n";
  Line(S.Header);
  Line(TableLine(S.Header.size(), "---"));
  for (const TableLine &Each : S.Lines)
    Line(Each);
  if (!S.Text.empty())
    OS << '\n' << S.Text << '\n';
}

std::vector<GeneratedFile> makePage(StringRef Name, StringRef Head, ArrayRef<PageSection> Sections,
                                    ArrayRef<PageFigure> Figures) {
  std::vector<GeneratedFile> Files(1);
  std::string Page = Head.str();
  raw_string_ostream OS(Page);
  for (const PageSection &S : Sections)
    printMarkdown(OS, S);
  OS << "\n## Figures\n";
  for (const PageFigure &F : Figures) {
    if (!F.Drawing)
      continue;
    OS << "\n![" << F.Caption << "](" << F.File << ")\n\n" << F.Caption << '\n';
    std::string Svg;
    raw_string_ostream Drawn(Svg);
    F.Drawing->print(Drawn);
    Files.push_back({F.File, std::move(Svg)});
  }
  Files.front() = {Name.str(), std::move(Page)};
  return Files;
}

} // namespace gpuprune
