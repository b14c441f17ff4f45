//===- Stubs.h - What make_stubs.py makes, and what that calls ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_CUDA_RUNTIME_STUBS_H
#define GPUPRUNE_TEST_CUDA_RUNTIME_STUBS_H

namespace gpuprune {

/// "cudaErrorInvalidValue" for 1; null for a number that the toolkit does not have.
const char *errorName(int Error);

/// What a function does that the runtime lacks: says so, lets the program fail, and returns
/// cudaErrorNotSupported.
int missing(const char *Name);

} // namespace gpuprune

#endif // GPUPRUNE_TEST_CUDA_RUNTIME_STUBS_H
