//===- HostTesting.h - Kernels from source to the CPU, in tests ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_HOSTEXECUTION_HOSTTESTING_H
#define GPUPRUNE_TEST_UNIT_HOSTEXECUTION_HOSTTESTING_H

#include "gpuprune/HostExecution/HostProgram.h"
#include "llvm/ADT/STLExtras.h"
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

/// deviceCode(), compiled for the CPU; as fast code where the environment has
/// GPUPRUNE_TEST_FAST_CODE.
std::unique_ptr<HostProgram> hostProgram(const std::string &Source, const DeviceCompile &Compile = {},
                                         HostOptions Options = {});

/// What the launch contract of \p Kernel in \p Code asks for beside its grid and block.
void addContract(llvm::StringRef Code, llvm::StringRef Kernel, HostLaunch &Launch);

/// The report of a launch that has to end without error and without fault.
LaunchReport launched(const HostProgram &Program, const HostLaunch &Launch);

/// A program with buffers to launch its kernels on.
class HostRun {
public:
  explicit HostRun(const std::string &Source, const DeviceCompile &Compile = {},
                   const HostOptions &Options = {})
      : Program(hostProgram("test/unit/HostExecution/Inputs/" + Source, Compile, Options)),
        Code(deviceCode("test/unit/HostExecution/Inputs/" + Source, Compile)) {}

  template <typename T> GuardedBuffer &buffer(llvm::StringRef Name, llvm::ArrayRef<T> Values) {
    GuardedBuffer &Buffer = llvm::cantFail(Memory.allocate(Name, Values.size() * sizeof(T)));
    llvm::copy(Values, Buffer.as<T>().begin());
    return Buffer;
  }
  /// \p Count elements with all bits set.
  template <typename T> GuardedBuffer &output(llvm::StringRef Name, size_t Count) {
    return llvm::cantFail(Memory.allocate(Name, Count * sizeof(T)));
  }
  template <typename... Arguments>
  HostLaunch launchOf(llvm::StringRef Kernel, Dim3 Grid, Dim3 Block, const Arguments &...A) {
    HostLaunch Launch;
    Launch.Kernel = Kernel.str();
    Launch.Grid = Grid;
    Launch.Block = Block;
    Launch.Memory = &Memory;
    addContract(Code, Kernel, Launch);
    (Launch.argument(A), ...);
    return Launch;
  }
  template <typename... Arguments>
  LaunchReport run(llvm::StringRef Kernel, Dim3 Grid, Dim3 Block, const Arguments &...A) {
    return launched(*Program, launchOf(Kernel, Grid, Block, A...));
  }
  /// The fault that a launch has to end with.
  HostFault faultOf(const HostLaunch &Launch);
  template <typename... Arguments>
  HostFault fault(llvm::StringRef Kernel, Dim3 Grid, Dim3 Block, const Arguments &...A) {
    return faultOf(launchOf(Kernel, Grid, Block, A...));
  }

  std::unique_ptr<HostProgram> Program;
  std::string Code;
  GuardedMemory Memory;
};

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_HOSTEXECUTION_HOSTTESTING_H
