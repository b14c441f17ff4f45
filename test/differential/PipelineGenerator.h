//===- PipelineGenerator.h - Random pipelines ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pipeline is a list of passes, so that it can be shortened; joined by commas
// it is the text every tool takes.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_PIPELINEGENERATOR_H
#define GPUPRUNE_TEST_DIFFERENTIAL_PIPELINEGENERATOR_H

#include "KernelTree.h"
#include "Random.h"

namespace gpuprune::differential {

using Pipeline = std::vector<std::string>;

/// One to three passes for a kernel with \p Loops numbered loops.
Pipeline generatePipeline(Random &R, const KernelTree &Tree, unsigned Loops);

/// One that jams the first loop of the kernel and goes on with at most one other pass.
Pipeline generateJam(Random &R, const KernelTree &Tree, unsigned Loops);

/// As generatePipeline(), with gpu-persistent at the end, where no other pass refuses for its sake.
Pipeline generatePersistent(Random &R, const KernelTree &Tree, unsigned Loops);

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_PIPELINEGENERATOR_H
