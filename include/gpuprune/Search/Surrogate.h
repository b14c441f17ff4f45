//===- Surrogate.h - Times of variants from those of others -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before a variant is built, all that is known of it are its choices: a define's value, a block, a factor, a
// pass left out. The surrogate takes the logarithm of its time for the sum of what each of these adds, fitted
// to variants whose times are known by least squares with a penalty on what is added (ridge regression),
// which keeps what few variants tell small.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_SURROGATE_H
#define GPUPRUNE_SEARCH_SURROGATE_H

#include "gpuprune/Search/Variant.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuprune {

class Surrogate {
public:
  explicit Surrogate(llvm::ArrayRef<Variant> Variants);

  struct KnownTime {
    size_t Row;
    double Ms; ///< More than 0.
  };
  /// Fits to \p Known, of which there is one at least, and nothing else.
  void fit(llvm::ArrayRef<KnownTime> Known);
  /// Of any row, as of the last fit().
  double expectedMs(size_t Row) const;

private:
  std::vector<std::vector<size_t>> Choices; ///< [row]: the number of what it chooses of each thing to choose.
  std::vector<double> Added;                ///< By each choice.
  double Mean = 0;                          ///< Of the logarithms.
};

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_SURROGATE_H
