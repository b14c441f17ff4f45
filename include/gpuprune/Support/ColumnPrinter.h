//===- ColumnPrinter.h - Text in columns ------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_COLUMNPRINTER_H
#define GPUPRUNE_SUPPORT_COLUMNPRINTER_H

#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <string>
#include <vector>

namespace gpuprune {

/// A table whose lines have as many cells as its header. All columns but the last
/// are as wide as their widest cell and aligned to the right.
class ColumnPrinter {
public:
  explicit ColumnPrinter(std::vector<std::string> Header) { add(std::move(Header)); }
  void add(std::vector<std::string> Cells) { Lines.push_back(std::move(Cells)); }
  void print(llvm::raw_ostream &OS) const {
    std::vector<size_t> Widths(Lines.front().size());
    for (const auto &Line : Lines)
      for (size_t C = 0; C + 1 < Line.size(); ++C)
        Widths[C] = std::max(Widths[C], width(Line[C]));
    for (const auto &Line : Lines) {
      for (size_t C = 0; C + 1 < Line.size(); ++C)
        OS.indent(Widths[C] - width(Line[C])) << Line[C] << "  ";
      OS << Line.back() << '\n';
    }
  }

private:
  /// In characters; cells hold no control characters.
  static size_t width(llvm::StringRef Cell) {
    return static_cast<size_t>(std::max(llvm::sys::unicode::columnWidthUTF8(Cell), 0));
  }
  std::vector<std::vector<std::string>> Lines;
};

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_COLUMNPRINTER_H
