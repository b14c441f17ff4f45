//===- PortionChooser.h - What is built of a space that is not built whole --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where modelled times decide, not all of a large space has to be built to know its fastest. The first
// portion is spread over the space (SpreadOrder.h). Then a surrogate (Surrogate.h), fitted to the modelled
// times of what is built, says what to expect of the rest: three quarters of each further portion are what is
// expected to be fastest, and a quarter goes on in the spread order, so that what the surrogate does not see
// is found as well.
//
// In the modelled spaces of 500 variants or more of docs/results/h200-modelled.jsonl.xz, the best by the
// model of so many variants over the best of all, geometric mean (portions of 48, three random first ones
// each):
//
//   variants              48      96     144     192
//   chosen so          1.054   1.003   1.001   1.001
//   at random          1.054   1.025   1.019   1.018
//
// Searched by measured times besides (test/benchmark/SearchReplay --build-at-most), the spaces of all 28
// kernels lose nothing where 256 variants are built: 1.007 times the best, and 1.008 where all are.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_PORTIONCHOOSER_H
#define GPUPRUNE_SEARCH_PORTIONCHOOSER_H

#include "gpuprune/Search/Result.h"
#include "gpuprune/Search/Surrogate.h"

namespace gpuprune {

/// Of so many \p Variants: all of up to 512, of more a tenth, but 256 at least.
size_t defaultAtMost(size_t Variants);

class PortionChooser {
public:
  /// At most \p Most of \p Variants are chosen in all.
  PortionChooser(llvm::ArrayRef<Variant> Variants, size_t Most);

  /// The rows to build next, in the order in which to build them where not all can be; none when there are as
  /// many as there may be. Those of \p Rows that were chosen before are built and modelled by now. The same
  /// each time for the same modelled times.
  std::vector<size_t> next(llvm::ArrayRef<VariantResult> Rows);

  /// All others, whatever the limit was.
  std::vector<size_t> rest();

  /// How many variants have been returned so far.
  size_t chosen() const { return Chosen.size(); }

private:
  Surrogate Expected;
  std::vector<size_t> Spread; ///< All rows.
  std::vector<size_t> Chosen; ///< So far.
  std::vector<bool> IsChosen;
  size_t Most;

  void choose(size_t Row, std::vector<size_t> &Portion);
  bool fit(llvm::ArrayRef<VariantResult> Rows);
  void chooseExpected(size_t Number, std::vector<size_t> &Portion);
  void chooseSpread(size_t Number, std::vector<size_t> &Portion);
};

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_PORTIONCHOOSER_H
