//===- ModelChoice.h - A variant chosen without a timing -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_MODELCHOICE_H
#define GPUPRUNE_SEARCH_MODELCHOICE_H

#include "gpuprune/Search/Result.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuprune {

/// The source as written has to take so many times as long as a variant, as modelled, for that to be chosen:
/// a choice that nobody has timed must not make things slower.
inline constexpr double LeastModelledGain = 1.05;

struct ModelChoice {
  std::optional<size_t>
      Fastest;              ///< The row that is modelled fastest; nothing where none has a modelled time.
  std::string WhyAsWritten; ///< Why the source as written is kept; empty: Fastest is chosen.

  std::optional<size_t> row() const { return WhyAsWritten.empty() ? Fastest : std::nullopt; }
};

/// Among those of \p Rows that can run, may win and have a modelled time. Of equal ones that with
/// fewer passes, then the first. \p AsWritten: stock clang's kernel.
ModelChoice chooseByModel(llvm::ArrayRef<VariantResult> Rows, const ModelledRow &AsWritten);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_MODELCHOICE_H
