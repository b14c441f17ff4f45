//===- CudaToolkit.h - Where the CUDA toolkit is ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_CODEGEN_CUDATOOLKIT_H
#define GPUPRUNE_LIB_CODEGEN_CUDATOOLKIT_H

#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace gpuprune {

struct CudaToolkit {
  std::string Root;     ///< The folder that has bin/, include/ and nvvm/.
  bool ClangLooksThere; ///< clang++ takes this one without --cuda-path.
  std::string ptxas() const { return Root + "/bin/ptxas"; }
  /// Where CUDA 13 and later have the C++ libraries; empty where that does not exist.
  std::string libraryHeaders() const;
};

/// The first whole toolkit (ptxas, headers, libdevice): CUDA_HOME, the one of
/// the ptxas on the PATH, /usr/local/cuda, the one that tools/cuda-toolkit
/// fetched; none if there is none. With GPUPRUNE_CUDA=pypi the last alone, and
/// a Toolchain error where it is not there. tools/cuda-toolkit looks in the
/// same places in the same order.
llvm::Expected<std::optional<CudaToolkit>> findCudaToolkit();

} // namespace gpuprune

#endif // GPUPRUNE_LIB_CODEGEN_CUDATOOLKIT_H
