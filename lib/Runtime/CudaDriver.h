//===- CudaDriver.h - libcuda, opened at run time -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_CUDADRIVER_H
#define GPUPRUNE_LIB_RUNTIME_CUDADRIVER_H

#include "CudaTypes.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace gpuprune {

/// Why there is nothing to measure on.
enum class GpuProblem { NoLibrary, TooOld, NoDevice, Driver };
/// "no-libcuda", ...
llvm::StringRef gpuProblemName(GpuProblem Problem);

class NoGpuError : public llvm::ErrorInfo<NoGpuError> {
public:
  static char ID;
  NoGpuError(GpuProblem Problem, const llvm::Twine &Text) : Problem(Problem), Text(Text.str()) {}
  GpuProblem problem() const { return Problem; }
  const std::string &text() const { return Text; }
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

private:
  GpuProblem Problem;
  std::string Text;
};

/// The table of entry points; stays loaded until the process ends, because
/// libcuda does not survive being closed.
struct CudaDriver {
#define GPUPRUNE_CUDA(Member, Symbol, ...) CUresult (*Member)(__VA_ARGS__) = nullptr;
#include "CudaDriver.def"

  /// Opens \p Path, or libcuda.so.1 where it is empty. Error: NoGpuError.
  static llvm::Expected<std::unique_ptr<CudaDriver>> load(llvm::StringRef Path);

  /// "CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory access was encountered"
  std::string describe(CUresult Code) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RUNTIME_CUDADRIVER_H
