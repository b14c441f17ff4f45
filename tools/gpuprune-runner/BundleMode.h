//===- BundleMode.h - Measuring a bundle ----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_RUNNER_BUNDLEMODE_H
#define GPUPRUNE_TOOLS_RUNNER_BUNDLEMODE_H

#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

struct BundleModeOptions {
  std::string Directory;
  std::string Only;                 ///< Jobs whose id contains it.
  std::string Output;               ///< "-": standard output.
  std::vector<std::string> Workers; ///< Command lines.
  double TimeoutSeconds = 120;
  std::optional<double> BudgetSeconds; ///< For all jobs together.
};

enum class BundleEnd { AllOk, SomeFailed, NoGpu };

/// Runs the bundle's jobs, progress on standard error. Error: usage, input, io or runner.
llvm::Expected<BundleEnd> runBundle(const BundleModeOptions &Options);

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_RUNNER_BUNDLEMODE_H
