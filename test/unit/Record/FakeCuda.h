//===- FakeCuda.h - A driver and CUPTI in one, on the host ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the fake driver has beyond NVIDIA's: kernels are functions of the host.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_RECORD_FAKECUDA_H
#define GPUPRUNE_TEST_UNIT_RECORD_FAKECUDA_H

#include "CuptiTypes.h"
#include <atomic>
#include <vector>

struct FakeKernel {
  const char *Symbol;
  std::vector<size_t> ParameterBytes;
  void (*Run)(void **Parameters);
  int ClusterWidth = 0;
};

extern "C" {
/// Opens what CUDA_INJECTION64_PATH names, as NVIDIA's driver does.
CUresult cuInit(unsigned);
CUresult cuMemAlloc_v2(CUdeviceptr *Address, size_t Bytes);
CUresult cuMemFree_v2(CUdeviceptr Address);
CUresult cuMemAllocHost_v2(void **Address, size_t Bytes);
CUresult cuLaunchKernel(CUfunction Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                        unsigned, CUstream, void **Parameters, void **Extra);
CUresult cuLaunchKernelEx(const gpuprune::cupti::LaunchConfig *, CUfunction, void **Parameters, void **Extra);
CUresult cuStreamCreate(CUstream *, unsigned);
CUresult cuStreamBeginCapture_v2(CUstream, int Mode);
CUresult cuStreamEndCapture(CUstream, void **Graph);
CUresult cuTexObjectCreate(uint64_t *Object, const void *, const void *, const void *);
gpuprune::cupti::Result cuptiSubscribe(gpuprune::cupti::Subscriber *,
                                       void (*)(void *, int, uint32_t, const void *), void *);

/// While this is set, waiting for the GPU does not end.
extern std::atomic<bool> FakeGpuIsBusy;
/// The bytes of the variable "weights".
extern float FakeWeights[4];
}

#endif // GPUPRUNE_TEST_UNIT_RECORD_FAKECUDA_H
