//===- LaunchRunner.h - Blocks of a launch over the cores ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_LAUNCHRUNNER_H
#define GPUPRUNE_LIB_HOSTEXECUTION_LAUNCHRUNNER_H

#include "LaunchPlan.h"
#include "gpuprune/HostExecution/HostProgram.h"

namespace gpuprune {

/// What a launch needs of its program.
struct LoadedKernel {
  const HostKernel &Kernel;
  KernelEntry Entry;
  size_t StackBytes;
  const DeviceMemory *Variables;
};

/// Errors as those of HostProgram::launch.
llvm::Expected<LaunchReport> runLaunch(const HostLaunch &Launch, const LoadedKernel &Loaded);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_LAUNCHRUNNER_H
