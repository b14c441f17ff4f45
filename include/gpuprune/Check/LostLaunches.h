//===- LostLaunches.h - Launches whose results reach nothing ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a swap is forgotten or an argument is another buffer's, a launch of a sequence computes
// what no later launch reads and nobody compares, while the rest of the sequence goes on and
// passes. What kernels read and write is known from their code, from which a launch is seen to
// be of no use and never the other way round.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CHECK_LOSTLAUNCHES_H
#define GPUPRUNE_CHECK_LOSTLAUNCHES_H

#include "gpuprune/Variant/VariantBuilder.h"
#include "gpuprune/Workload/Problem.h"

namespace gpuprune {

/// What a kernel may do with what a pointer argument points to.
struct ArgumentUse {
  bool Reads = true;
  bool Writes = true;
};

/// Of each argument of \p Kernel, by LLVM's attributes; empty where its code cannot be read.
std::vector<ArgumentUse> argumentUses(const BuiltVariant &Kernel);

/// The launches of \p Problem, all of \p W at one size, whose results reach no buffer that is compared at the
/// end, in any of their iterations, each as "launch 2 ('step') writes 'next' alone, which no later launch
/// reads and which is not compared at the end". \p Uses: by index of Workload::Launches, an empty one is not
/// known.
std::vector<std::string> lostLaunches(const Workload &W, const ResolvedProblem &Problem,
                                      llvm::ArrayRef<std::vector<ArgumentUse>> Uses);

} // namespace gpuprune

#endif // GPUPRUNE_CHECK_LOSTLAUNCHES_H
