//===- HostTesting.h - Kernels from source to the CPU, in tests ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_HOSTEXECUTION_HOSTTESTING_H
#define GPUPRUNE_TEST_UNIT_HOSTEXECUTION_HOSTTESTING_H

#include "gpuprune/HostExecution/HostProgram.h"
#include "gtest/gtest.h"

namespace gpuprune::test {

/// How a source is compiled before it goes to the CPU.
struct DeviceCompile {
  std::vector<std::string> Defines;
  std::string Pipeline; ///< After gpu-prepare.
  std::vector<std::string> Flags;
};

/// The device code of \p Source, a file below the source folder, as it goes to the
/// PTX code generator for sm_90. A test failure and nothing where it does not compile.
std::string deviceCode(const std::string &Source, const DeviceCompile &Compile = {});

/// deviceCode(), compiled for the CPU.
std::unique_ptr<HostProgram> hostProgram(const std::string &Source, const DeviceCompile &Compile = {},
                                         const HostOptions &Options = {});

/// The report of a launch that has to end without error and without fault.
LaunchReport launched(const HostProgram &Program, const HostLaunch &Launch);

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_HOSTEXECUTION_HOSTTESTING_H
