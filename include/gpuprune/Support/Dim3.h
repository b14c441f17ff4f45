//===- Dim3.h - A three-dimensional extent --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_DIM3_H
#define GPUPRUNE_SUPPORT_DIM3_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace gpuprune {

/// Extent of a grid in blocks or of a block in threads.
struct Dim3 {
  int64_t X = 1;
  int64_t Y = 1;
  int64_t Z = 1;

  static constexpr unsigned size() { return 3; }

  /// Reads one to three whole numbers from 1 to \p Most, such as "32,8" or "16x16x4"; what is left out is 1.
  /// White space around a number does not count. Nothing where \p Text is anything else.
  static std::optional<Dim3> parse(llvm::StringRef Text, char Separator = ',',
                                   int64_t Most = std::numeric_limits<uint32_t>::max());
  /// All three numbers, as parse reads them.
  std::string text(char Separator = ',') const;

  /// The product, as a real number: it may exceed 64 bits.
  double volume() const { return double(X) * double(Y) * double(Z); }
  bool operator==(const Dim3 &) const = default;

  int64_t operator[](unsigned Dimension) const { return Dimension == 0 ? X : Dimension == 1 ? Y : Z; }
  int64_t &operator[](unsigned Dimension) { return Dimension == 0 ? X : Dimension == 1 ? Y : Z; }
};

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_DIM3_H
