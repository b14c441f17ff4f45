//===- ApiErrors.cpp - Errors in words ----------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CpuRuntime.h"
#include "Stubs.h"

int gpuprune::missing(const char *Name) {
  return callApi([&](CpuRuntime &Runtime) {
    Runtime.fail(llvm::Twine(Name) + " is not supported; test/cuda-runtime/README.md says what is");
    return cudaErrorNotSupported;
  });
}

const char *cudaGetErrorName(cudaError_t Error) {
  const char *Name = gpuprune::errorName(Error);
  return Name ? Name : "unrecognized error code";
}

/// What this runtime returns, in words like those of CUDA's; names otherwise.
const char *cudaGetErrorString(cudaError_t Error) {
  switch (Error) {
  case cudaSuccess:
    return "no error";
  case cudaErrorInvalidValue:
    return "invalid argument";
  case cudaErrorMemoryAllocation:
    return "out of memory";
  case cudaErrorInvalidConfiguration:
    return "invalid configuration argument";
  case cudaErrorInvalidPitchValue:
    return "invalid pitch argument";
  case cudaErrorInvalidSymbol:
    return "invalid device symbol";
  case cudaErrorInvalidMemcpyDirection:
    return "invalid copy direction for memcpy";
  case cudaErrorInvalidDeviceFunction:
    return "invalid device function";
  case cudaErrorInvalidDevice:
    return "invalid device ordinal";
  case cudaErrorInvalidKernelImage:
    return "device kernel image is invalid";
  case cudaErrorNoKernelImageForDevice:
    return "no kernel image is available for execution on the device";
  case cudaErrorInvalidResourceHandle:
    return "invalid resource handle";
  case cudaErrorIllegalAddress:
    return "an illegal memory access was encountered";
  case cudaErrorMisalignedAddress:
    return "misaligned address";
  case cudaErrorLaunchOutOfResources:
    return "too many resources requested for launch";
  case cudaErrorLaunchTimeout:
    return "the launch timed out and was terminated";
  case cudaErrorAssert:
    return "device-side assert triggered";
  case cudaErrorHardwareStackError:
    return "hardware stack error";
  case cudaErrorLaunchFailure:
    return "unspecified launch failure";
  case cudaErrorNotSupported:
    return "operation not supported";
  default:
    return cudaGetErrorName(Error);
  }
}
