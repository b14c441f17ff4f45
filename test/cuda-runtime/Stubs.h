//===- ErrorNames.h - Names of the toolkit's errors ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_CUDA_RUNTIME_ERRORNAMES_H
#define GPUPRUNE_TEST_CUDA_RUNTIME_ERRORNAMES_H

namespace gpuprune {

/// "cudaErrorInvalidValue" for 1; null for a number that the toolkit does not have. Made by
/// make_stubs.py.
const char *errorName(int Error);

} // namespace gpuprune

#endif // GPUPRUNE_TEST_CUDA_RUNTIME_ERRORNAMES_H
