//===- LaunchRunner.h - Blocks of a launch over the cores ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_LAUNCHRUNNER_H
#define GPUPRUNE_LIB_HOSTEXECUTION_LAUNCHRUNNER_H

#include "CodeMap.h"
#include "LaunchPlan.h"
#include "gpuprune/HostExecution/HostKernel.h"

namespace gpuprune {

/// What a launch needs of its program.
struct LoadedKernel {
  const HostKernel &Kernel;
  KernelEntry Entry;
  size_t StackBytes;
  const GuardedMemory &Variables;
  const CodeMap &Map;
  bool WatchMemory;
};

/// Of a launch that checkLaunch() takes. Error: Resources.
llvm::Expected<LaunchReport> runLaunch(const HostLaunch &Launch, const LoadedKernel &Loaded);

/// Input error for a launch that no GPU would make either, Refused for a pointer that the launch
/// contract rules out.
llvm::Error checkLaunch(const HostLaunch &Launch, const HostKernel &Kernel);

/// \p Raw, which ended the block with linear index \p Block, with its place in
/// memory and source; \p Memory may be null.
HostFault describeFault(const RawFault &Raw, const LaunchPlan &Plan, const LoadedKernel &Loaded,
                        const GuardedMemory *Memory, uint64_t Block);

/// "(1, 2, 3)"
std::string inWords(const Dim3 &D);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_LAUNCHRUNNER_H
