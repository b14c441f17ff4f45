//===- RyooApplications.h - What Ryoo et al. report ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ryoo et al., Program Optimization Space Pruning for a Multithreaded GPU, CGO 2008, section 5: their four
// applications and what they found on a GeForce 8800 GTX.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_EVALUATE_RYOOAPPLICATIONS_H
#define GPUPRUNE_EVALUATE_RYOOAPPLICATIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace gpuprune {

/// A row of Table 4.
struct PaperTable4 {
  unsigned Configurations = 0;
  double EvaluationSeconds = 0;
  unsigned Selected = 0;
  unsigned ReductionPercent = 0;
  double SelectedSeconds = 0;
};

struct RyooApplication {
  llvm::StringLiteral Kernel; ///< As the recorded table has it.
  llvm::StringLiteral Title;
  double PaperSpeedUp; ///< Table 3: over one thread of a CPU.
  PaperTable4 Paper;
  llvm::StringLiteral Size; ///< To tune in kernels/<Kernel>/ryoo-space.yaml.
  /// A define that says how much of the whole work one launch does; empty: all of it.
  llvm::StringLiteral WorkDefine;
  double WholeWork = 1;
};

/// In the order of Table 4.
llvm::ArrayRef<RyooApplication> ryooApplications();

} // namespace gpuprune

#endif // GPUPRUNE_EVALUATE_RYOOAPPLICATIONS_H
