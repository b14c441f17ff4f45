//===- LaunchHeader.h - A variant to launch from a program -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A C++ header that holds the machine code of one variant and a function that takes what the author's launch
// of the kernel takes, holds it against the launch contract and launches, in other blocks where the variant
// has its own. It needs <cuda.h> and libcuda, and
// no part of this project.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_LAUNCHHEADER_H
#define GPUPRUNE_DRIVER_LAUNCHHEADER_H

#include "gpuprune/CodeGen/DeviceVariables.h"
#include "gpuprune/CodeGen/KernelParameters.h"
#include "gpuprune/Launch/BlockChange.h"
#include "gpuprune/Launch/LaunchContract.h"

namespace gpuprune {

struct HeaderRequest {
  std::string Name;    ///< Of the namespace in gpuprune_tuned that launch() is in.
  std::string Kernel;  ///< As any launch can name it.
  std::string Symbol;  ///< In Cubin.
  std::string Source;  ///< Path of the CUDA source, for a comment.
  std::string Variant; ///< Its text.
  std::string Device;  ///< "sm_90"
  llvm::StringRef Cubin;
  LaunchContract Contract;
  /// Of the author's kernel; hidden ones come behind them.
  std::vector<KernelParameter> Parameters;
  std::vector<DeviceVariable> Variables; ///< Of the file.
  std::optional<BlockChange> Block;      ///< Where the variant has one of its own.
};

/// The kernel's name, as the workload spells it, as one of C++: "matmul", "ns_scale_float_4" of
/// ns::scale<float, 4>; for launch \p Launch of a sequence, from 1, "matmul_launch2", since a sequence may
/// launch a kernel by several variants.
std::string headerNamespace(llvm::StringRef Kernel, unsigned Launch);

/// Why a kernel that uses \p Variables of its file, launched with \p HasConstantCopies or without, has no
/// header: Refused (BadLaunchContract).
llvm::Error checkHeader(bool HasConstantCopies, llvm::ArrayRef<DeviceVariable> Variables);

/// The header. Refused (BadLaunchContract) where a launch takes more than its author's arguments tell: copies
/// to constant memory, or a variable that the program fills, of which the header has one of its own.
llvm::Expected<std::string> launchHeader(const HeaderRequest &Request);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_LAUNCHHEADER_H
