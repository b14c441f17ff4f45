//===- CudaDriver.cpp - libcuda, opened at run time -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaDriver.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <dlfcn.h>

using namespace llvm;

namespace gpuprune {

StringRef gpuProblemName(GpuProblem Problem) {
  switch (Problem) {
  case GpuProblem::NoLibrary:
    return "no-libcuda";
  case GpuProblem::TooOld:
    return "too-old";
  case GpuProblem::NoDevice:
    return "no-device";
  case GpuProblem::Driver:
    return "driver";
  }
  return "driver";
}

char NoGpuError::ID = 0;

void NoGpuError::log(raw_ostream &OS) const { OS << Text; }

std::error_code NoGpuError::convertToErrorCode() const { return inconvertibleErrorCode(); }

/// \p Member is null where the library does not export \p Symbol, which \p Missing is set to then.
template <typename Function>
static void resolve(void *Library, const char *Symbol, Function &Member, const char *&Missing) {
  Member = reinterpret_cast<Function>(dlsym(Library, Symbol));
  if (!Member)
    Missing = Symbol;
}

Expected<std::unique_ptr<CudaDriver>> CudaDriver::load(StringRef Path) {
  std::string File = Path.empty() ? "libcuda.so.1" : Path.str();
  void *Library = dlopen(File.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library) {
    const char *Reason = dlerror();
    return make_error<NoGpuError>(
        GpuProblem::NoLibrary,
        formatv("the CUDA driver library {0} could not be opened ({1}); install NVIDIA's driver, or name "
                "the library in GPUPRUNE_CUDA_DRIVER",
                File, Reason ? Reason : "no reason given"));
  }
  auto Driver = std::make_unique<CudaDriver>();
  const char *Missing = nullptr, *MissingOption = nullptr;
#define GPUPRUNE_CUDA_OPTIONAL(Member, Symbol, ...) resolve(Library, Symbol, Driver->Member, MissingOption);
#define GPUPRUNE_CUDA(Member, Symbol, ...) resolve(Library, Symbol, Driver->Member, Missing);
#include "CudaDriver.def"
  if (Missing)
    return make_error<NoGpuError>(
        GpuProblem::TooOld,
        formatv("the CUDA driver library {0} has no {1}; a newer NVIDIA driver is needed", File, Missing));
  return Driver;
}

std::string CudaDriver::describe(CUresult Code) const {
  const char *Name = nullptr, *Text = nullptr;
  if (GetErrorName(Code, &Name) != cuda::Success || !Name)
    Name = "unknown CUDA error";
  if (GetErrorString(Code, &Text) != cuda::Success || !Text)
    return formatv("{0} ({1})", Name, Code);
  return formatv("{0} ({1}): {2}", Name, Code, Text);
}

} // namespace gpuprune
