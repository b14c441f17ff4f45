//===- SequenceFuzz.h - Random chains of launches, tried ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_SEQUENCEFUZZ_H
#define GPUPRUNE_TEST_DIFFERENTIAL_SEQUENCEFUZZ_H

#include "Programs.h"

namespace gpuprune::differential {

struct SequenceOptions {
  uint64_t Seed = 1;         ///< Of the first sequence.
  unsigned Sequences = 0;    ///< Sets of kernels, each compiled once.
  unsigned Pairs = 20;       ///< Chains of launches over each of them.
  unsigned Pipelines = 4;    ///< For each kernel.
  double Seconds = 0;        ///< Begin no sequence after so many; 0: no limit.
  unsigned Jobs = 0;         ///< Threads; 0: one a core.
  unsigned MostTries = 2000; ///< To shrink a failure.
  unsigned AtLeast = 0;      ///< Per cent of the pairs that have a transformed launch, or it fails.
  std::string Folder = ".";  ///< For what failed.
  Mistake Made = Mistake::None;
};

/// The exit code.
int fuzzSequences(const SequenceOptions &Options);

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_SEQUENCEFUZZ_H
