//===- Dim3.h - A three-dimensional extent --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_DIM3_H
#define GPUPRUNE_SUPPORT_DIM3_H

#include <cstdint>

namespace gpuprune {

/// Extent of a grid in blocks or of a block in threads.
struct Dim3 {
  int64_t X = 1;
  int64_t Y = 1;
  int64_t Z = 1;

  static constexpr unsigned size() { return 3; }
  /// The product, as a real number: it may exceed 64 bits.
  double volume() const { return double(X) * double(Y) * double(Z); }
  bool operator==(const Dim3 &) const = default;

  int64_t operator[](unsigned Dimension) const { return Dimension == 0 ? X : Dimension == 1 ? Y : Z; }
  int64_t &operator[](unsigned Dimension) { return Dimension == 0 ? X : Dimension == 1 ? Y : Z; }
};

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_DIM3_H
