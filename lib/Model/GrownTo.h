//===- GrownTo.h - Elements of a vector that grows --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_MODEL_GROWNTO_H
#define GPUPRUNE_LIB_MODEL_GROWNTO_H

#include <vector>

namespace gpuprune {

/// \p Values at \p Index, which may be behind its end.
template <typename T> T &grownTo(std::vector<T> &Values, size_t Index) {
  if (Values.size() <= Index)
    Values.resize(Index + 1);
  return Values[Index];
}

} // namespace gpuprune

#endif // GPUPRUNE_LIB_MODEL_GROWNTO_H
