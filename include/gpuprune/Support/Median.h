//===- Median.h - The middle of some numbers ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_MEDIAN_H
#define GPUPRUNE_SUPPORT_MEDIAN_H

#include <algorithm>
#include <optional>
#include <vector>

namespace gpuprune {

/// The middle one, or the mean of the two middle ones; nothing when there is none.
inline std::optional<double> median(std::vector<double> Values) {
  if (Values.empty())
    return std::nullopt;
  auto Middle = Values.begin() + Values.size() / 2;
  std::nth_element(Values.begin(), Middle, Values.end());
  if (Values.size() % 2 != 0)
    return *Middle;
  return (*std::max_element(Values.begin(), Middle) + *Middle) / 2;
}

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_MEDIAN_H
