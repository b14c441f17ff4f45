//===- CsvCells.h - The cells of a line of a table ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_EVALUATE_CSVCELLS_H
#define GPUPRUNE_LIB_EVALUATE_CSVCELLS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace gpuprune {

/// Quotes hold commas together, and are doubled within.
std::vector<std::string> csvCells(llvm::StringRef Line);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_EVALUATE_CSVCELLS_H
