//===- DeviceDescription.h - What the front end's output has ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_DEVICEDESCRIPTION_H
#define GPUPRUNE_CODEGEN_DEVICEDESCRIPTION_H

#include "gpuprune/CodeGen/DeviceVariables.h"
#include "gpuprune/CodeGen/KernelParameters.h"

namespace gpuprune {

struct DeviceDescription {
  std::vector<std::string> Kernels; ///< The symbols of all.
  std::vector<std::string> Named;   ///< Of those that go by the name that was asked for.
  /// Of the kernel of that name; empty, as Variables are, where there is not exactly one.
  std::vector<KernelParameter> Parameters;
  std::vector<DeviceVariable> Variables;
  /// The target features that the front end wrote, "+ptx88"; they choose the version of the PTX.
  std::string Features;
};

/// \p Kernel is a symbol or a name in the source. Input error where \p Bitcode cannot be read.
llvm::Expected<DeviceDescription> describeDevice(llvm::StringRef Bitcode, llvm::StringRef Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_DEVICEDESCRIPTION_H
