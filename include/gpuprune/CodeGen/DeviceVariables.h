//===- DeviceVariables.h - The variables of a CUDA source -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_DEVICEVARIABLES_H
#define GPUPRUNE_CODEGEN_DEVICEVARIABLES_H

#include <cstdint>
#include <string>

namespace gpuprune {

/// A __constant__ or __device__ variable.
struct DeviceVariable {
  std::string Symbol;
  uint64_t Bytes = 0;
  bool Written = false; ///< By the kernel, or a function that it calls, by whatever pointer; or its address
                        ///< goes where that cannot be seen.
  bool Used = false;    ///< By them.
  bool Fixed = false;   ///< Nobody changes it: neither device code nor the host.
};

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_DEVICEVARIABLES_H
