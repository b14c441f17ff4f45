//===- Trial.h - A kernel and a pipeline, judged -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_TRIAL_H
#define GPUPRUNE_TEST_DIFFERENTIAL_TRIAL_H

#include "Programs.h"
#include "Shrink.h"
#include "llvm/ADT/SmallString.h"
#include <memory>
#include <optional>

namespace gpuprune::differential {

/// What a kernel left in its buffers.
using Outputs = std::vector<std::vector<char>>;

/// A kernel that ran as it is: what every variant has to compute.
struct Reference {
  KernelTree Kernel;
  llvm::SmallString<0> Source; ///< Bitcode as from clang's front end.
  llvm::SmallString<0> Final;  ///< Prepared, optimised.
  unsigned Loops = 0;
  Outputs Expected;
};

enum class Outcome {
  Same,
  Refused,   ///< A pass refused.
  Unchanged, ///< The pipeline left the code as it was.
  Different,
  Broken,  ///< The compile failed, or the kernel faulted.
  TooLong, ///< More work than a random kernel is worth.
};

struct TrialResult {
  Outcome Result = Outcome::Same;
  std::string Message;
  std::string Refusal = ""; ///< "gpu-unroll TooLarge"; without a pass where the launch is refused.
};

/// What \p E says of a kernel that was compiled or run.
TrialResult failed(llvm::Error E);

/// Compiles and runs \p Kernel without a pipeline. The result is not Same where
/// the kernel itself is at fault: it faults, its threads race, or gpu-prepare
/// changes what it computes.
TrialResult makeReference(const KernelTree &Kernel, Reference &Ref);

/// Runs the kernel of \p Ref as \p Passes make it.
TrialResult judge(const Reference &Ref, const Pipeline &Passes, Mistake Made = Mistake::None);

/// The kernel before any pass, with launch and pipeline as comments.
std::string asText(const Case &C);

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_TRIAL_H
