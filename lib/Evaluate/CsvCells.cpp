//===- CsvCells.cpp - The cells of a line of a table ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CsvCells.h"

using namespace llvm;

namespace gpuprune {

std::vector<std::string> csvCells(StringRef Line) {
  std::vector<std::string> Cells(1);
  bool Quoted = false;
  for (size_t I = 0; I != Line.size(); ++I) {
    if (Line[I] == '"' && Quoted && Line.substr(I + 1).starts_with("\""))
      Cells.back() += Line[I++];
    else if (Line[I] == '"')
      Quoted = !Quoted;
    else if (Line[I] == ',' && !Quoted)
      Cells.emplace_back();
    else
      Cells.back() += Line[I];
  }
  return Cells;
}

} // namespace gpuprune
