//===- CudaToolkit.cpp - Where the CUDA toolkit is --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CudaToolkit.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace gpuprune {

std::string CudaToolkit::libraryHeaders() const {
  std::string Folder = Root + "/include/cccl";
  return sys::fs::is_directory(Folder) ? Folder : "";
}

static bool isToolkit(const Twine &Root) {
  SmallString<128> Folder;
  Root.toVector(Folder);
  return !Folder.empty() && sys::fs::can_execute(Folder + "/bin/ptxas") &&
         sys::fs::exists(Folder + "/include/cuda_runtime.h") &&
         // clang++ includes it in every CUDA source, and an installation of the compiler alone lacks it.
         sys::fs::exists(Folder + "/include/curand_mtgp32_kernel.h") &&
         sys::fs::exists(Folder + "/nvvm/libdevice/libdevice.10.bc");
}

/// The folder above the bin/ in which the ptxas on the PATH really is, as
/// clang++ looks for it; empty if there is none.
static std::string rootOfPtxasOnPath() {
  ErrorOr<std::string> Ptxas = sys::findProgramByName("ptxas");
  SmallString<128> Real;
  if (!Ptxas || sys::fs::real_path(*Ptxas, Real))
    return "";
  StringRef Folder = sys::path::parent_path(Real);
  return sys::path::filename(Folder) == "bin" ? sys::path::parent_path(Folder).str() : "";
}

/// Where tools/cuda-toolkit puts what it fetches.
static std::string fetchedRoot() {
  SmallString<128> Folder;
  std::optional<std::string> Data = sys::Process::GetEnv("XDG_DATA_HOME");
  if (Data && sys::path::is_absolute(*Data)) {
    Folder = *Data;
  } else {
    sys::path::home_directory(Folder);
    sys::path::append(Folder, ".local", "share");
  }
  sys::path::append(Folder, "gpuprune", "cuda-13.0");
  return Folder.str().str();
}

Expected<std::optional<CudaToolkit>> findCudaToolkit() {
  std::string Fetched = fetchedRoot();
  if (std::string Forced = sys::Process::GetEnv("GPUPRUNE_CUDA").value_or(""); !Forced.empty()) {
    if (Forced != "pypi")
      return makeError(ErrorKind::Toolchain,
                       formatv("GPUPRUNE_CUDA is '{0}'; it can only be 'pypi', for the toolkit that "
                               "tools/cuda-toolkit fetches, or not set",
                               Forced));
    if (!isToolkit(Fetched))
      return makeError(
          ErrorKind::Toolchain,
          formatv("GPUPRUNE_CUDA is 'pypi' and there is no CUDA toolkit in '{0}'; run "
                  "tools/cuda-toolkit fetch (gpuprune-cuda-toolkit fetch where GpuPrune is installed)",
                  Fetched));
    return CudaToolkit{std::move(Fetched), /*ClangLooksThere=*/false};
  }
  if (std::string Home = sys::Process::GetEnv("CUDA_HOME").value_or(""); isToolkit(Home))
    return CudaToolkit{std::move(Home), /*ClangLooksThere=*/false};
  for (std::string Root : {rootOfPtxasOnPath(), std::string("/usr/local/cuda")})
    if (isToolkit(Root))
      return CudaToolkit{std::move(Root), /*ClangLooksThere=*/true};
  if (isToolkit(Fetched))
    return CudaToolkit{std::move(Fetched), /*ClangLooksThere=*/false};
  return std::nullopt;
}

} // namespace gpuprune
