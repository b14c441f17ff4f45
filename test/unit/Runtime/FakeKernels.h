//===- FakeKernels.h - What the fake driver can run ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_RUNTIME_FAKEKERNELS_H
#define GPUPRUNE_TEST_UNIT_RUNTIME_FAKEKERNELS_H

#include "CudaTypes.h"
#include <cstddef>
#include <map>
#include <string_view>

namespace gpuprune::fake {

enum class Ending { Normal, Refused, Fault, Hang };

/// in, out and n of every kernel here.
struct Arguments {
  float *In, *Out;
  int N;
  float *Factors = nullptr; ///< The symbol "factors" of the module: two.
  unsigned Threads = 0;     ///< Of a block.
};

struct Kernel {
  const char *Name;
  double Milliseconds; ///< On the virtual clock.
  Ending End;
  void (*Body)(const Arguments &);
};

struct State {
  CUresult Sticky = cuda::Success;
  double ClockMs = 0;
  bool Hanging = false;
  size_t Used = 0;
  std::map<CUdeviceptr, size_t> Allocations;
  float Shared = 0; ///< The word of shared memory that a kernel finds; ordinary ones leave zero there.
};
extern State S;

size_t environmentNumber(const char *Name, size_t Default);

/// Of the next run of \p K, by FAKE_CUDA_TIMES.
double milliseconds(const Kernel &K);
/// That FAKE_CUDA_BLOCK_MS says of each block.
double blockMilliseconds(const Kernel &K);

/// Null where there is no kernel of that name.
const Kernel *findKernel(std::string_view Name);

} // namespace gpuprune::fake

#endif // GPUPRUNE_TEST_UNIT_RUNTIME_FAKEKERNELS_H
