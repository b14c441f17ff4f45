//===- KernelGenerator.h - Random kernels --------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_DIFFERENTIAL_KERNELGENERATOR_H
#define GPUPRUNE_TEST_DIFFERENTIAL_KERNELGENERATOR_H

#include "KernelTree.h"

namespace gpuprune::differential {

struct KernelTraits {
  bool Nest = false;    ///< It begins with a nest of loops that gpu-unroll-and-jam is for, as some do anyhow.
  bool Records = false; ///< It has arrays of structures and a structure by value.
};

/// The kernel of \p Seed: the same tree for the same seed, on every machine.
KernelTree generateKernel(uint64_t Seed, KernelTraits Traits);

} // namespace gpuprune::differential

#endif // GPUPRUNE_TEST_DIFFERENTIAL_KERNELGENERATOR_H
