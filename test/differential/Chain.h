//===- Chain.h - Random launches over shared buffers --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain is two to four launches of random kernels. Buffers of each type come in
// pairs, which are swapped between launches; a launch finds what earlier ones have
// written. All that one launch uses lies apart in them, in places of its own, so
// that the kernels' rules (KernelTree.h) hold: one buffer may be read here and
// written there by the same launch.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_CHAIN_H
#define GPUPRUNE_TEST_DIFFERENTIAL_CHAIN_H

#include "KernelTree.h"
#include "Random.h"
#include "gpuprune/HostExecution/GuardedMemory.h"
#include "gpuprune/Workload/Problem.h"

namespace gpuprune::differential {

struct Chain {
  /// Swaps are in the launches' arguments. Spec is the kernel's index.
  ResolvedProblem Problem;
  uint64_t DataSeed = 0;
};

/// Launches of some of \p Kernels in a random order, with other scalars and structures each.
Chain generateChain(Random &R, llvm::ArrayRef<const KernelTree *> Kernels);

/// The launch as people read it: its kernel, and where each argument points.
std::string printed(const Chain &C, size_t Launch);

/// The buffers of a chain.
class ChainMemory {
public:
  /// As they are before the first launch. Error: no memory.
  static llvm::Expected<ChainMemory> create(const Chain &C);

  const GuardedMemory &memory() const { return Memory; }
  const void *at(unsigned Buffer) const { return Buffers[Buffer]->Data; }
  /// Empty where all buffers of \p C hold the same, padding aside.
  std::string differenceTo(const ChainMemory &Got, const Chain &C) const;
  void copyFrom(const ChainMemory &Other);

private:
  GuardedMemory Memory;
  std::vector<GuardedBuffer *> Buffers;
};

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_CHAIN_H
