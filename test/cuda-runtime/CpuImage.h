//===- CpuImage.h - Device code as a program for the CPU carries it -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// compile.py puts this where the fat binary of a GPU program is:
//
//   8 bytes   "GPUP-CPU"
//   u32, u32  version (1), number of architectures
//   for each architecture: u32 (90 for sm_90), u32 (0), u64 bytes of bitcode, u64 bytes of cubin
//   for each architecture: the bitcode, the cubin (both may have no bytes)
//
// All numbers are little-endian.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_CUDA_RUNTIME_CPUIMAGE_H
#define GPUPRUNE_TEST_CUDA_RUNTIME_CPUIMAGE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace gpuprune {

/// The device code of one source for one architecture. The bytes are the program's.
struct ArchCode {
  unsigned Arch = 0;       ///< 90 for sm_90.
  llvm::StringRef Bitcode; ///< After all passes, as it goes to the code generator.
  llvm::StringRef Cubin;   ///< Empty unless it was asked for.
};

/// Reads what __cudaRegisterFatBinary() was given. Input error that says how to compile if it
/// is a fat binary for a GPU.
llvm::Expected<std::vector<ArchCode>> readCpuImage(const void *FatBinaryWrapper);

} // namespace gpuprune

#endif // GPUPRUNE_TEST_CUDA_RUNTIME_CPUIMAGE_H
