//===- SequenceTrial.h - A chain of launches, judged --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_SEQUENCETRIAL_H
#define GPUPRUNE_TEST_DIFFERENTIAL_SEQUENCETRIAL_H

#include "Chain.h"
#include "Trial.h"
#include "gpuprune/HostExecution/HostProgram.h"

namespace gpuprune::differential {

/// Compiled once, launched in many chains.
struct ChainedProgram {
  Pipeline Passes; ///< None: the prepared kernel.
  LaunchContract Contract;
  std::unique_ptr<HostProgram> Code;
};

struct ChainedKernel {
  uint64_t Seed = 0;
  KernelTree Kernel;
  ChainedProgram Prepared;
  std::vector<ChainedProgram> Variants; ///< Those that a pipeline transforms.
};

/// The kernel of \p Seed, with structures, and what up to \p Pipelines pipelines make of it, with \p Made.
/// \p Refusals: by name, those of the pipelines.
llvm::Expected<ChainedKernel> chainedKernel(uint64_t Seed, unsigned Pipelines, Mistake Made,
                                            llvm::function_ref<void(const TrialResult &)> Refused);

struct ChainResult {
  Outcome Result = Outcome::Same;
  std::string Message;      ///< With the launch, where it is Different or Broken.
  size_t Launch = 0;        ///< That one.
  unsigned Launches = 0;    ///< That were compared.
  unsigned Transformed = 0; ///< Of them, those of a variant.
  unsigned NotLaunched = 0; ///< Where the variant cannot be launched; then it is the prepared one.
};

/// Runs \p C as its author wrote it and with the variants \p Chosen, one a launch (null: the prepared
/// kernel), and compares all buffers after each launch.
ChainResult judgeChain(const Chain &C, llvm::ArrayRef<ChainedKernel> Kernels,
                       llvm::ArrayRef<const ChainedProgram *> Chosen, uint64_t ScheduleSeed);

/// Whether \p Smaller in place of the launch \p Launch differs from what its own prepared kernel does, from
/// the state that \p C has there.
bool launchDiffers(const Chain &C, llvm::ArrayRef<ChainedKernel> Kernels, size_t Launch, const Case &Smaller,
                   Mistake Made);

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_SEQUENCETRIAL_H
