//===- Toolchain.h - The programs of other people that are run --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_TOOLCHAIN_H
#define GPUPRUNE_CODEGEN_TOOLCHAIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuprune {

/// Paths of the programs a tuning run starts.
struct Toolchain {
  std::string Clang; ///< clang++ of LLVM's own version; empty where it is not needed.
  std::string Ptxas;
  std::string CudaPath; ///< Toolkit whose headers clang is told to take; empty: clang looks for itself.
  /// Folder of CUDA's C++ libraries (thrust, cub, <cuda/std/...>), which cooperative_groups.h includes
  /// and nvcc knows by itself; empty where the toolkit has none.
  std::string LibraryHeaders = {};
};

/// GPUPRUNE_CLANG, else clang++-22 or clang++ on the PATH or beside LLVM's own
/// tools. Toolchain error that says where was looked.
llvm::Expected<std::string> findClang();

/// GPUPRUNE_PTXAS, else that of the first whole toolkit in CUDA_HOME, around the
/// ptxas on the PATH, in /usr/local/cuda or fetched by tools/cuda-toolkit.
/// GPUPRUNE_CUDA=pypi: of the fetched one alone.
llvm::Expected<std::string> findPtxas();

llvm::Expected<Toolchain> findToolchain();

/// The same without clang++, for what begins with bitcode.
llvm::Expected<Toolchain> findAssembler();

/// The first line of what clang++ says its version is. Toolchain error.
llvm::Expected<std::string> clangVersion(const Toolchain &Tools);

/// What clang++ is asked for.
struct FrontendRequest {
  std::string Source;
  std::vector<std::string> Flags;   ///< The user's own.
  std::vector<std::string> Defines; ///< "NAME=V".
  std::string Arch;                 ///< "sm_90"
};

/// Whether clang++ with \p Flags lets the code generator fuse multiplications and additions, as it does for
/// CUDA without -ffp-contract. The bitcode does not tell.
bool fusesMultiplyAdds(llvm::ArrayRef<std::string> Flags);

/// The command line that compiles the device side of \p Request to \p Output;
/// \p Action are the flags that choose what comes out.
std::vector<std::string> clangCommand(const Toolchain &Tools, const FrontendRequest &Request,
                                      llvm::ArrayRef<std::string> Action, llvm::StringRef Output);

/// The command line with which compileToBitcode() begins.
std::vector<std::string> bitcodeCommand(const Toolchain &Tools, const FrontendRequest &Request,
                                        llvm::StringRef Output);

/// Io error unless \p Source is a file that can be read.
llvm::Error checkSource(llvm::StringRef Source);

/// The device side as bitcode on which no pass has run, with the locations that
/// remarks need and that leave no trace in the PTX. Frontend error with what
/// clang printed, the errors first. \p Warnings receives its warnings, each with its notes,
/// and \p RuleOfFiles, also where it fails, the files that it read, as a rule for make; nothing where one is
/// missing.
llvm::Expected<std::string> compileToBitcode(const Toolchain &Tools, const FrontendRequest &Request,
                                             std::vector<std::string> *Warnings = nullptr,
                                             std::string *RuleOfFiles = nullptr);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_TOOLCHAIN_H
