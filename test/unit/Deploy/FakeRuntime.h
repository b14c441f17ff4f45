//===- FakeRuntime.h - CUDA's runtime as far as Dispatch.c calls it -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel's handle is the address of a FakeKernel. Nothing here orders threads, so that ThreadSanitizer sees
// what Dispatch.c leaves unordered.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_DEPLOY_FAKERUNTIME_H
#define GPUPRUNE_TEST_UNIT_DEPLOY_FAKERUNTIME_H

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gpuprune::test {

/// cudaError.
enum FakeError : int {
  FakeSuccess = 0,
  FakeInvalidValue = 1,
  FakeOutOfMemory = 2,
  FakeInvalidConfiguration = 9,
  FakeInvalidDeviceFunction = 98,
  FakeInvalidKernelImage = 200,
  FakeNoKernelImage = 209,
  FakeSymbolNotFound = 500,
  FakeIllegalAddress = 700
};

inline constexpr int FakeDevices = 65;
enum { MultiprocessorCount = 16, ComputeCapabilityMajor = 75, ComputeCapabilityMinor = 76 }; // cudaDeviceAttr
inline int fakeMultiprocessors(int Device) { return 1 + 3 * Device; }
/// Bytes of dynamic shared memory that are allowed before anybody asks for more, and that anybody may ask
/// for.
inline constexpr int FakeDefaultShared = 48 * 1024, FakeMostShared = 227 * 1024;

struct FakeKernel {
  int Missing = FakeSuccess; ///< Or the error that says so.
  int Registers = 32, Architecture = 90, MaxThreads = 1024;
  size_t LocalBytes = 0;
  unsigned Arguments = 0, Hidden = 0;
  std::array<std::atomic<int>, FakeDevices> MaxDynamicShared, Carveout;
  std::atomic<unsigned> AttributeCalls = 0; ///< cudaFuncGetAttributes of it.

  FakeKernel() { reset(); }
  /// What cudaDeviceReset() makes of it.
  void reset();
};

struct FakeLaunch {
  const void *Kernel = nullptr;
  std::array<uint32_t, 3> Grid = {}, Block = {};
  size_t Shared = 0;
  void *Stream = nullptr;
  void **Arguments = nullptr;
  std::vector<uint32_t> Hidden = {}; ///< The values of the parameters behind the author's.
  bool Configured = false;           ///< By cudaLaunchKernelExC.
};

/// Of each thread: what it has launched, and what fails next.
struct FakeThread {
  int Device = 0, LastError = FakeSuccess;
  int Devices = FakeDevices;             ///< That it sees.
  bool Alike = false;                    ///< They differ in nothing
  int Differing = 0;                     ///< but this cudaDeviceAttr.
  std::vector<FakeLaunch> Launches = {}; ///< That succeeded.
  int GetDeviceFails = FakeSuccess, SetAttributeFails = FakeSuccess, GetAttributesFails = FakeSuccess,
      DeviceAttributeFails = FakeSuccess;
  const FakeKernel *Broken = nullptr; ///< Launches of it fail
  int BrokenBy = FakeSuccess;         ///< by this.
};
FakeThread &fakeThread();

/// struct dim3 of CUDA.
struct FakeDim3 {
  unsigned X, Y, Z;
};
/// cudaLaunchConfig_t.
struct FakeConfig {
  FakeDim3 Grid, Block;
  size_t Shared;
  void *Stream, *Attributes;
  unsigned AttributeCount;
};

} // namespace gpuprune::test

extern "C" {
int fakeLaunchKernel(const void *Function, gpuprune::test::FakeDim3 Grid, gpuprune::test::FakeDim3 Block,
                     void **Arguments, size_t Shared, void *Stream);
int fakeLaunchKernelExC(const gpuprune::test::FakeConfig *Config, const void *Function, void **Arguments);
int cudaFuncSetAttribute(const void *Function, int Attribute, int Value);
}

#endif // GPUPRUNE_TEST_UNIT_DEPLOY_FAKERUNTIME_H
