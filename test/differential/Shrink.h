//===- Shrink.h - The smallest kernel that still fails -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_SHRINK_H
#define GPUPRUNE_TEST_DIFFERENTIAL_SHRINK_H

#include "KernelTree.h"
#include "PipelineGenerator.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuprune::differential {

struct Case {
  KernelTree Kernel;
  Pipeline Passes;
};

/// Takes parts out of \p Failing as long as \p Fails holds, at most \p MostTries
/// times: passes, statements, halves of expressions, blocks and threads.
Case shrink(Case Failing, llvm::function_ref<bool(const Case &)> Fails, unsigned MostTries);

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_SHRINK_H
