//===- NvidiaCalculatorTest.cpp - Occupancy against cuda_occupancy.h ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Device/Occupancy.h"
#include "gtest/gtest.h"
#include <climits>
#include <cstring>
#include <cuda_occupancy.h>
#include <random>

using namespace llvm;
using namespace gpuprune;

static cudaOccDeviceProp propertiesOf(const DeviceInfo &Device, unsigned Capability) {
  cudaOccDeviceProp Properties;
  Properties.computeMajor = Capability / 10;
  Properties.computeMinor = Capability % 10;
  Properties.maxThreadsPerBlock = Device.ThreadsPerBlock;
  Properties.maxThreadsPerMultiprocessor = Device.ThreadsPerSM;
  Properties.regsPerBlock = Device.RegistersPerBlock;
  Properties.regsPerMultiprocessor = Device.RegistersPerSM;
  Properties.warpSize = Device.WarpSize;
  Properties.sharedMemPerBlock = Device.SharedPerBlock;
  Properties.sharedMemPerMultiprocessor = Device.SharedPerSM;
  Properties.numSms = std::max(Device.SMCount, 1u);
  Properties.sharedMemPerBlockOptin = Device.SharedPerBlockOptIn;
  Properties.reservedSharedMemPerBlock = Device.SharedReserved;
  return Properties;
}

static int nvidiasAnswer(const cudaOccDeviceProp &Properties, const KernelResources &Kernel) {
  cudaOccFuncAttributes Function;
  Function.maxThreadsPerBlock = INT_MAX;
  Function.numRegs = Kernel.Registers;
  Function.sharedSizeBytes = Kernel.StaticShared;
  Function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  Function.maxDynamicSharedSizeBytes = Kernel.DynamicShared;
  Function.numBlockBarriers = Kernel.Barriers;
  cudaOccDeviceState State;
  cudaOccResult Result;
  EXPECT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&Result, &Properties, &Function, &State,
                                                    Kernel.ThreadsPerBlock, Kernel.DynamicShared),
            CUDA_OCC_SUCCESS);
  return Result.activeBlocksPerMultiprocessor;
}

TEST(Occupancy, EqualsNvidiasCalculator) {
  std::mt19937 Random(1);
  unsigned Compared = 0;
  for (const DeviceInfo &Device : allDevices()) {
    unsigned Capability = 0;
    if (StringRef(Device.Arch).drop_front(3).getAsInteger(10, Capability) || Capability < 75)
      continue;
    cudaOccDeviceProp Properties = propertiesOf(Device, Capability);
    for (unsigned I = 0; I != 20000; ++I) {
      KernelResources Kernel;
      Kernel.ThreadsPerBlock = 1 + Random() % (Device.ThreadsPerBlock + 8);
      Kernel.Registers = Random() % 256;
      Kernel.StaticShared = Random() % 2 ? Random() % 49153 : 0;
      Kernel.DynamicShared = Random() % 3 ? 0 : Random() % (Device.SharedPerBlockOptIn + 1024);
      Kernel.Barriers = 1 + Random() % 16;
      ASSERT_EQ(int(computeOccupancy(Device, Kernel).BlocksPerSM), nvidiasAnswer(Properties, Kernel))
          << Device.Arch << ": " << Kernel.ThreadsPerBlock << " threads, " << Kernel.Registers
          << " registers, " << Kernel.StaticShared << " + " << Kernel.DynamicShared << " bytes";
      ++Compared;
    }
  }
  EXPECT_EQ(Compared, 10 * 20000u);
}
