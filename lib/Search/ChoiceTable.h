//===- ChoiceTable.h - Variants as numbers ----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_SEARCH_CHOICETABLE_H
#define GPUPRUNE_LIB_SEARCH_CHOICETABLE_H

#include "gpuprune/Search/Variant.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

/// The values that one thing to choose has among some variants (a define, the block, a factor, a pass), each
/// once, numbers by size; what is left out (nothing) comes before them, words behind.
using ChoiceRange = std::vector<std::optional<std::string>>;

/// Variants as numbers. What all of them choose alike is left out.
struct ChoiceTable {
  explicit ChoiceTable(llvm::ArrayRef<Variant> Variants);

  std::vector<ChoiceRange> Ranges;         ///< [thing].
  std::vector<std::vector<size_t>> Places; ///< [variant][thing]: of the variant's value in the range.
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_SEARCH_CHOICETABLE_H
