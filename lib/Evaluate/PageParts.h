//===- PageParts.h - Tables and figures of a page of results --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_EVALUATE_PAGEPARTS_H
#define GPUPRUNE_LIB_EVALUATE_PAGEPARTS_H

#include "gpuprune/Evaluate/GeneratedFile.h"
#include "gpuprune/Evaluate/SvgPlot.h"
#include <optional>

namespace gpuprune {

using TableLine = std::vector<std::string>;

struct PageSection {
  std::string Title;
  std::string Text; ///< Below the table.
  TableLine Header;
  std::vector<TableLine> Lines;
};

struct PageFigure {
  std::string File, Caption;
  std::optional<SvgDrawing> Drawing; ///< Nothing: left out.
};

std::string secondsText(double Seconds);
std::string percentText(double Share);
/// By how much more than 1.
std::string aboveText(double Ratio);
std::string msText(double Ms);

/// For a terminal, without the texts below the tables.
void printSections(llvm::raw_ostream &OS, llvm::ArrayRef<PageSection> Sections);

/// A page in Markdown, \p Name, which comes first, and its figures. \p Head is its title and first paragraph.
std::vector<GeneratedFile> makePage(llvm::StringRef Name, llvm::StringRef Head,
                                    llvm::ArrayRef<PageSection> Sections, llvm::ArrayRef<PageFigure> Figures);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_EVALUATE_PAGEPARTS_H
