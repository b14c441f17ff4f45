//===- CudaTypes.h - The part of the CUDA driver API that is used ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declared here, so that the runner builds where no CUDA toolkit is. Names and
// values are those of NVIDIA's cuda.h, which are part of the driver's ABI.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_CUDATYPES_H
#define GPUPRUNE_LIB_RUNTIME_CUDATYPES_H

#include <cstddef>

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st *;
using CUmodule = struct CUmod_st *;
using CUfunction = struct CUfunc_st *;
using CUstream = struct CUstream_st *;
using CUevent = struct CUevent_st *;
using CUmemGenericAllocationHandle = unsigned long long;

struct CUmemLocation {
  int Type;
  int Id;
};

struct CUmemAllocationProp {
  int Type;
  int RequestedHandleTypes;
  CUmemLocation Location;
  void *Win32HandleMetaData;
  unsigned char Flags[8];
};

struct CUmemAccessDesc {
  CUmemLocation Location;
  int Flags;
};

namespace gpuprune::cuda {

enum Code : CUresult {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NoDevice = 100,
  InvalidDevice = 101,
  InvalidImage = 200,
  NoBinaryForGpu = 209,
  NotFound = 500,
  IllegalAddress = 700,
};

enum DeviceAttribute : int {
  MultiprocessorCount = 16,
  L2CacheSize = 38,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedMemoryPerBlockOptin = 97,
};

enum FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  SharedSizeBytes = 1,
  LocalSizeBytes = 3,
  NumRegs = 4,
  MaxDynamicSharedSizeBytes = 8,
  PreferredSharedMemoryCarveout = 9,
};

/// Of CUmemAllocationProp, CUmemLocation, cuMemGetAllocationGranularity and CUmemAccessDesc.
constexpr int PinnedMemory = 1, OnDevice = 1, MinimumGranularity = 0, ReadAndWrite = 3;

/// Of PreferredSharedMemoryCarveout: the driver chooses.
constexpr int DefaultCarveout = -1;

} // namespace gpuprune::cuda

#endif // GPUPRUNE_LIB_RUNTIME_CUDATYPES_H
