//===- FakeRuntime.cpp - CUDA's runtime as far as Dispatch.c calls it -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FakeRuntime.h"

using namespace gpuprune::test;

/// cudaFuncAttributes as its users of CUDA 11 know it.
struct FakeAttributes {
  size_t SharedBytes, ConstBytes, LocalBytes;
  int MaxThreads, Registers, PtxVersion, BinaryVersion, CacheMode, MaxDynamicShared, Carveout;
};

void FakeKernel::reset() {
  for (int Device = 0; Device != FakeDevices; ++Device) {
    MaxDynamicShared[Device].store(FakeDefaultShared, std::memory_order_relaxed);
    Carveout[Device].store(-1, std::memory_order_relaxed);
  }
}

FakeThread &gpuprune::test::fakeThread() {
  static thread_local FakeThread Thread;
  return Thread;
}

static int fail(int Error) {
  if (Error)
    fakeThread().LastError = Error;
  return Error;
}

static FakeKernel &kernelOf(const void *Function) {
  return *const_cast<FakeKernel *>(static_cast<const FakeKernel *>(Function));
}

static bool isGrid(FakeDim3 Grid) {
  return Grid.X && Grid.Y && Grid.Z && Grid.X <= INT32_MAX && Grid.Y <= UINT16_MAX && Grid.Z <= UINT16_MAX;
}

static bool isBlock(FakeDim3 Block) {
  return Block.X && Block.Y && Block.Z && Block.X <= 1024 && Block.Y <= 1024 && Block.Z <= 64 &&
         uint64_t(Block.X) * Block.Y * Block.Z <= 1024;
}

extern "C" {

int fakeLaunchKernel(const void *Function, FakeDim3 Grid, FakeDim3 Block, void **Arguments, size_t Shared,
                     void *Stream) {
  FakeThread &Thread = fakeThread();
  const FakeKernel &Kernel = kernelOf(Function);
  if (Kernel.Missing)
    return fail(Kernel.Missing);
  if (&Kernel == Thread.Broken)
    return fail(Thread.BrokenBy);
  if (!isGrid(Grid) || !isBlock(Block))
    return fail(FakeInvalidConfiguration);
  if (Shared > size_t(Kernel.MaxDynamicShared[Thread.Device].load(std::memory_order_relaxed)))
    return fail(FakeInvalidValue);
  FakeLaunch Launch{Function, {Grid.X, Grid.Y, Grid.Z}, {Block.X, Block.Y, Block.Z}, Shared, Stream,
                    Arguments};
  for (unsigned H = 0; H != Kernel.Hidden; ++H)
    Launch.Hidden.push_back(*static_cast<const uint32_t *>(Arguments[Kernel.Arguments + H]));
  Thread.Launches.push_back(std::move(Launch));
  return FakeSuccess;
}

int fakeLaunchKernelExC(const FakeConfig *Config, const void *Function, void **Arguments) {
  if (!Config)
    return fail(FakeInvalidValue);
  int Failed =
      fakeLaunchKernel(Function, Config->Grid, Config->Block, Arguments, Config->Shared, Config->Stream);
  if (!Failed)
    fakeThread().Launches.back().Configured = true;
  return Failed;
}

int cudaFuncGetAttributes(FakeAttributes *Attributes, const void *Function) {
  FakeKernel &Kernel = kernelOf(Function);
  Kernel.AttributeCalls.fetch_add(1, std::memory_order_relaxed);
  if (Kernel.Missing || fakeThread().GetAttributesFails)
    return fail(Kernel.Missing ? Kernel.Missing : fakeThread().GetAttributesFails);
  int Device = fakeThread().Device;
  *Attributes = {};
  Attributes->LocalBytes = Kernel.LocalBytes;
  Attributes->MaxThreads = Kernel.MaxThreads;
  Attributes->Registers = Kernel.Registers;
  Attributes->BinaryVersion = Kernel.Architecture;
  Attributes->MaxDynamicShared = Kernel.MaxDynamicShared[Device].load(std::memory_order_relaxed);
  Attributes->Carveout = Kernel.Carveout[Device].load(std::memory_order_relaxed);
  return FakeSuccess;
}

int cudaFuncSetAttribute(const void *Function, int Attribute, int Value) {
  FakeKernel &Kernel = kernelOf(Function);
  int Device = fakeThread().Device;
  if (fakeThread().SetAttributeFails)
    return fail(fakeThread().SetAttributeFails);
  if (Attribute == 8 && Value > FakeMostShared)
    return fail(FakeInvalidValue);
  (Attribute == 8 ? Kernel.MaxDynamicShared : Kernel.Carveout)[Device].store(Value,
                                                                             std::memory_order_relaxed);
  return FakeSuccess;
}

int cudaGetDevice(int *Device) {
  *Device = fakeThread().Device;
  return fail(fakeThread().GetDeviceFails);
}

int cudaGetDeviceCount(int *Count) {
  *Count = fakeThread().Devices;
  return fail(fakeThread().GetDeviceFails);
}

int cudaDeviceGetAttribute(int *Value, int Attribute, int Device) {
  const FakeThread &Thread = fakeThread();
  if (Thread.Alike)
    *Value = Attribute == Thread.Differing ? Attribute + Device : Attribute;
  else if (Attribute == MultiprocessorCount && Device == Thread.Device)
    *Value = fakeMultiprocessors(Device);
  else
    return fail(FakeInvalidValue);
  return fail(fakeThread().DeviceAttributeFails);
}

int cudaPeekAtLastError(void) { return fakeThread().LastError; }

int cudaGetLastError(void) {
  int Error = fakeThread().LastError;
  fakeThread().LastError = FakeSuccess;
  return Error;
}
}
