//===- LiangApplications.h - What Liang et al. report --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Liang, Cui, Rupnow, Chen: Register and Thread Structure Optimization for GPUs, ASP-DAC 2013, section V:
// their six applications and what they found on a GeForce GTX 480.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_LIANGAPPLICATIONS_H
#define GPUPRUNE_EVALUATE_LIANGAPPLICATIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace gpuprune {

struct LiangApplication {
  llvm::StringLiteral Kernel; ///< As the recorded table has it.
  llvm::StringLiteral Title;
  /// Table I: seconds of exploration by es, ros, pos and posf.
  double Seconds[4];
};

/// In the order of Table I.
llvm::ArrayRef<LiangApplication> liangApplications();

/// Means over the six applications, as the text has them.
struct LiangMeans {
  llvm::StringLiteral Search; ///< As --strategy has it.
  std::optional<double> SpeedUp;
  std::optional<double> Share;  ///< Of the space that is explored.
  std::optional<double> Faster; ///< Exploration, than exhaustive search.
};
llvm::ArrayRef<LiangMeans> liangMeans();

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_LIANGAPPLICATIONS_H
