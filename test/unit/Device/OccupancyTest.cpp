//===- OccupancyTest.cpp - Occupancy against published and measured figures ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Device/Occupancy.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static const DeviceInfo &device(StringRef Name) { return *cantFail(findDevice(Name)); }

static KernelResources kernel(unsigned Threads, unsigned Registers, uint64_t StaticShared = 0,
                              uint64_t DynamicShared = 0) {
  KernelResources Kernel;
  Kernel.ThreadsPerBlock = Threads;
  Kernel.Registers = Registers;
  Kernel.StaticShared = StaticShared;
  Kernel.DynamicShared = DynamicShared;
  return Kernel;
}

// Ryoo et al., section 2.2: 256 threads, 10 registers, 4 KB.
TEST(Occupancy, RyooOneMoreRegisterCostsABlock) {
  Occupancy Ten = computeOccupancy(device("G80"), kernel(256, 10, 4096));
  EXPECT_EQ(Ten.BlocksPerSM, 3u);
  EXPECT_EQ(Ten.ActiveWarps, 24u);
  EXPECT_DOUBLE_EQ(Ten.Fraction, 1.0);
  EXPECT_EQ(Ten.Limiter, OccupancyLimiter::Warps);

  Occupancy Eleven = computeOccupancy(device("G80"), kernel(256, 11, 4096));
  EXPECT_EQ(Eleven.BlocksPerSM, 2u);
  EXPECT_EQ(Eleven.ActiveWarps, 16u);
  EXPECT_EQ(Eleven.Limiter, OccupancyLimiter::Registers);
}

TEST(Occupancy, RyooOneMoreKilobyteCostsNothing) {
  EXPECT_EQ(computeOccupancy(device("G80"), kernel(256, 10, 5120)).BlocksPerSM, 3u);
}

/// The lecture's machine: Fermi's thread limits, 16K registers given to whole
/// blocks, and as many block slots as wanted.
static DeviceInfo lectureDevice(unsigned BlocksPerSM) {
  DeviceInfo Device = device("GTX 480");
  Device.RegistersPerSM = 16384;
  Device.RegistersPerBlock = 16384;
  Device.RegisterRounding = RegisterGranularity::Block;
  Device.RegisterUnit = 256;
  Device.BlocksPerSM = BlocksPerSM;
  return Device;
}

TEST(Occupancy, LectureBlockSizes) {
  EXPECT_EQ(computeOccupancy(lectureDevice(16), kernel(512, 0)).BlocksPerSM, 3u);
  EXPECT_EQ(computeOccupancy(lectureDevice(16), kernel(128, 0)).BlocksPerSM, 12u);
  Occupancy Slots = computeOccupancy(lectureDevice(8), kernel(128, 0));
  EXPECT_EQ(Slots.BlocksPerSM, 8u);
  EXPECT_EQ(Slots.ActiveWarps * 32, 1024u);
  EXPECT_NEAR(Slots.Fraction, 0.666, 0.001);
  EXPECT_EQ(Slots.Limiter, OccupancyLimiter::Blocks);
}

TEST(Occupancy, LectureRegisters) {
  Occupancy Ten = computeOccupancy(lectureDevice(8), kernel(256, 10));
  EXPECT_EQ(Ten.BlocksPerSM, 6u);
  EXPECT_DOUBLE_EQ(Ten.Fraction, 1.0);
  Occupancy Twelve = computeOccupancy(lectureDevice(8), kernel(256, 12));
  EXPECT_EQ(Twelve.BlocksPerSM, 5u);
  EXPECT_EQ(Twelve.Limiter, OccupancyLimiter::Registers);
}

// 21 registers are 672 a warp, rounded to 704: 23 warps fit into each of two
// halves of 16384, and 46 warps hold 5 blocks of 8.
TEST(Occupancy, FermiRoundsRegistersPerWarp) {
  Occupancy Result = computeOccupancy(device("GTX 480"), kernel(256, 21));
  EXPECT_EQ(Result.BlocksPerSM, 5u);
  EXPECT_EQ(Result.Limiter, OccupancyLimiter::Registers);
}

TEST(Occupancy, H200AnswersOfTheDriver) {
  struct Row {
    unsigned Threads, Shared, Registers, Blocks;
  };
  static const Row Rows[] = {
#include "H200Occupancy.inc"
  };
  for (const Row &R : Rows) {
    Occupancy Result = computeOccupancy(device("H200"), kernel(R.Threads, R.Registers, R.Shared));
    EXPECT_EQ(Result.BlocksPerSM, R.Blocks)
        << R.Threads << " threads, " << R.Shared << " bytes, " << R.Registers << " registers";
  }
}

TEST(Occupancy, SharedMemoryWithTheSystemsPart) {
  // 228 KB hold four blocks of 56 KB + 1 KB, but only three of 128 bytes more.
  EXPECT_EQ(computeOccupancy(device("H200"), kernel(64, 32, 0, 56 * 1024)).BlocksPerSM, 4u);
  EXPECT_EQ(computeOccupancy(device("H200"), kernel(64, 32, 0, 56 * 1024 + 1)).BlocksPerSM, 3u);
  EXPECT_EQ(computeOccupancy(device("H200"), kernel(64, 32, 0, 227 * 1024)).BlocksPerSM, 1u);
  EXPECT_EQ(computeOccupancy(device("H200"), kernel(64, 32, 0, 227 * 1024 + 1)).BlocksPerSM, 0u);
}

// Blocks an SM as NVIDIA's occupancy calculator (cuda_occupancy.h of CUDA 13.0) answers,
// kept here for machines where the header is not found.
TEST(Occupancy, AnswersOfTheCalculatorForEachDevice) {
  struct Row {
    const char *Arch;
    unsigned Threads, Registers;
    uint64_t Static, Dynamic;
    unsigned Blocks;
    OccupancyLimiter Limiter;
  };
  static const Row Rows[] = {
      {"sm_75", 256, 64, 0, 0, 4, OccupancyLimiter::Warps},
      {"sm_75", 256, 33, 16384, 0, 4, OccupancyLimiter::Warps},
      {"sm_75", 96, 32, 0, 0, 10, OccupancyLimiter::Warps},
      {"sm_75", 512, 128, 0, 0, 1, OccupancyLimiter::Registers},
      {"sm_75", 1024, 64, 4096, 0, 1, OccupancyLimiter::Warps},
      {"sm_75", 128, 40, 0, 60000, 1, OccupancyLimiter::Shared},
      {"sm_80", 256, 64, 0, 0, 4, OccupancyLimiter::Registers},
      {"sm_80", 256, 33, 16384, 0, 6, OccupancyLimiter::Registers},
      {"sm_80", 96, 32, 0, 0, 21, OccupancyLimiter::Warps},
      {"sm_80", 512, 128, 0, 0, 1, OccupancyLimiter::Registers},
      {"sm_80", 1024, 64, 4096, 0, 1, OccupancyLimiter::Registers},
      {"sm_80", 128, 40, 0, 60000, 2, OccupancyLimiter::Shared},
      {"sm_86", 256, 64, 0, 0, 4, OccupancyLimiter::Registers},
      {"sm_86", 256, 33, 16384, 0, 5, OccupancyLimiter::Shared},
      {"sm_86", 96, 32, 0, 0, 16, OccupancyLimiter::Warps},
      {"sm_86", 512, 128, 0, 0, 1, OccupancyLimiter::Registers},
      {"sm_86", 1024, 64, 4096, 0, 1, OccupancyLimiter::Warps},
      {"sm_86", 128, 40, 0, 60000, 1, OccupancyLimiter::Shared},
      {"sm_87", 256, 64, 0, 0, 4, OccupancyLimiter::Registers},
      {"sm_87", 256, 33, 16384, 0, 6, OccupancyLimiter::Warps},
      {"sm_87", 96, 32, 0, 0, 16, OccupancyLimiter::Warps},
      {"sm_87", 512, 128, 0, 0, 1, OccupancyLimiter::Registers},
      {"sm_87", 1024, 64, 4096, 0, 1, OccupancyLimiter::Warps},
      {"sm_87", 128, 40, 0, 60000, 2, OccupancyLimiter::Shared},
      {"sm_89", 256, 64, 0, 0, 4, OccupancyLimiter::Registers},
      {"sm_89", 256, 33, 16384, 0, 5, OccupancyLimiter::Shared},
      {"sm_89", 96, 32, 0, 0, 16, OccupancyLimiter::Warps},
      {"sm_89", 512, 128, 0, 0, 1, OccupancyLimiter::Registers},
      {"sm_89", 1024, 64, 4096, 0, 1, OccupancyLimiter::Warps},
      {"sm_89", 128, 40, 0, 60000, 1, OccupancyLimiter::Shared},
      {"sm_90", 256, 64, 0, 0, 4, OccupancyLimiter::Registers},
      {"sm_90", 256, 33, 16384, 0, 6, OccupancyLimiter::Registers},
      {"sm_90", 96, 32, 0, 0, 21, OccupancyLimiter::Warps},
      {"sm_90", 512, 128, 0, 0, 1, OccupancyLimiter::Registers},
      {"sm_90", 1024, 64, 4096, 0, 1, OccupancyLimiter::Registers},
      {"sm_90", 128, 40, 0, 60000, 3, OccupancyLimiter::Shared},
      {"sm_100", 256, 64, 0, 0, 4, OccupancyLimiter::Registers},
      {"sm_100", 256, 33, 16384, 0, 6, OccupancyLimiter::Registers},
      {"sm_100", 96, 32, 0, 0, 21, OccupancyLimiter::Warps},
      {"sm_100", 512, 128, 0, 0, 1, OccupancyLimiter::Registers},
      {"sm_100", 1024, 64, 4096, 0, 1, OccupancyLimiter::Registers},
      {"sm_100", 128, 40, 0, 60000, 3, OccupancyLimiter::Shared},
      {"sm_103", 256, 64, 0, 0, 4, OccupancyLimiter::Registers},
      {"sm_103", 256, 33, 16384, 0, 6, OccupancyLimiter::Registers},
      {"sm_103", 96, 32, 0, 0, 21, OccupancyLimiter::Warps},
      {"sm_103", 512, 128, 0, 0, 1, OccupancyLimiter::Registers},
      {"sm_103", 1024, 64, 4096, 0, 1, OccupancyLimiter::Registers},
      {"sm_103", 128, 40, 0, 60000, 3, OccupancyLimiter::Shared},
      {"sm_120", 256, 64, 0, 0, 4, OccupancyLimiter::Registers},
      {"sm_120", 256, 33, 16384, 0, 5, OccupancyLimiter::Shared},
      {"sm_120", 96, 32, 0, 0, 16, OccupancyLimiter::Warps},
      {"sm_120", 512, 128, 0, 0, 1, OccupancyLimiter::Registers},
      {"sm_120", 1024, 64, 4096, 0, 1, OccupancyLimiter::Warps},
      {"sm_120", 128, 40, 0, 60000, 1, OccupancyLimiter::Shared},
      {"sm_121", 256, 64, 0, 0, 4, OccupancyLimiter::Registers},
      {"sm_121", 256, 33, 16384, 0, 5, OccupancyLimiter::Shared},
      {"sm_121", 96, 32, 0, 0, 16, OccupancyLimiter::Warps},
      {"sm_121", 512, 128, 0, 0, 1, OccupancyLimiter::Registers},
      {"sm_121", 1024, 64, 4096, 0, 1, OccupancyLimiter::Warps},
      {"sm_121", 128, 40, 0, 60000, 1, OccupancyLimiter::Shared},
  };
  for (const Row &R : Rows) {
    Occupancy Result = computeOccupancy(device(R.Arch), kernel(R.Threads, R.Registers, R.Static, R.Dynamic));
    EXPECT_EQ(Result.BlocksPerSM, R.Blocks) << R.Arch << " " << R.Threads << " " << R.Registers;
    EXPECT_EQ(Result.Limiter, R.Limiter) << R.Arch << " " << R.Threads << " " << R.Registers;
  }
}

TEST(Occupancy, StaticAndDynamicSharedMemoryGoUpToTheOptInTogether) {
  for (const DeviceInfo &Device : allDevices()) {
    if (Device.PapersOnly)
      continue;
    SCOPED_TRACE(Device.Arch);
    uint64_t Static = Device.SharedPerBlock, Rest = Device.SharedPerBlockOptIn - Static;
    EXPECT_EQ(computeOccupancy(Device, kernel(64, 32, Static, Rest)).BlocksPerSM, 1u);
    EXPECT_EQ(computeOccupancy(Device, kernel(64, 32, 0, Static + Rest)).BlocksPerSM, 1u);
    Occupancy More = computeOccupancy(Device, kernel(64, 32, Static, Rest + 1));
    EXPECT_EQ(More.BlocksPerSM, 0u);
    EXPECT_NE(More.Reason.find("bytes of shared memory per block"), std::string::npos) << More.Reason;
    EXPECT_EQ(computeOccupancy(Device, kernel(64, 32, Static + 1)).BlocksPerSM, 0u) << "static alone";
  }
}

TEST(Occupancy, WithoutOptInTheDefaultLimitHolds) {
  KernelResources Kernel = kernel(64, 32, 1024, 48 * 1024);
  EXPECT_EQ(computeOccupancy(device("H200"), Kernel).BlocksPerSM, 4u);
  Kernel.SharedOptIn = false;
  Occupancy Result = computeOccupancy(device("H200"), Kernel);
  EXPECT_EQ(Result.BlocksPerSM, 0u);
  EXPECT_EQ(Result.Reason, "50176 bytes of shared memory per block; sm_90 allows 49152");
}

TEST(Occupancy, BarriersLimitFromHopperOn) {
  KernelResources Kernel = kernel(32, 16);
  Kernel.Barriers = 16;
  EXPECT_EQ(computeOccupancy(device("H200"), Kernel).BlocksPerSM, 4u);
  EXPECT_EQ(computeOccupancy(device("H200"), Kernel).Limiter, OccupancyLimiter::Barriers);
  EXPECT_EQ(computeOccupancy(device("A100"), Kernel).BlocksPerSM, 32u);
}

TEST(Occupancy, WhatCannotFitSaysWhy) {
  auto Reason = [](const KernelResources &Kernel) {
    Occupancy Result = computeOccupancy(device("H200"), Kernel);
    EXPECT_EQ(Result.BlocksPerSM, 0u);
    EXPECT_EQ(Result.ActiveWarps, 0u);
    EXPECT_EQ(Result.Limiter, OccupancyLimiter::Impossible);
    return Result.Reason;
  };
  EXPECT_EQ(Reason(kernel(0, 32)), "a block without threads");
  EXPECT_EQ(Reason(kernel(1025, 32)), "1025 threads per block; sm_90 allows 1024");
  EXPECT_EQ(Reason(kernel(32, 256)), "256 registers per thread; sm_90 allows 255");
  EXPECT_EQ(Reason(kernel(1024, 65)), "73728 registers per block; sm_90 allows 65536");
  EXPECT_EQ(Reason(kernel(32, 32, 49153)),
            "49153 bytes of static shared memory per block; sm_90 allows 49152");
  EXPECT_NE(Reason(kernel(32, 32, 0, ~uint64_t(0))), "");
}

TEST(Occupancy, LimiterNames) {
  EXPECT_EQ(limiterName(OccupancyLimiter::Registers), "registers");
  EXPECT_EQ(limiterName(OccupancyLimiter::Impossible), "impossible");
}

TEST(L1BesideShared, IsWhatTheSmallestCarveOutLeaves) {
  const DeviceInfo &H200 = *cantFail(findDevice("sm_90"));
  EXPECT_EQ(l1BytesBeside(H200, 0), 256u * 1024);
  EXPECT_EQ(l1BytesBeside(H200, 1), 248u * 1024);
  EXPECT_EQ(l1BytesBeside(H200, 8 * 1024), 248u * 1024);
  EXPECT_EQ(l1BytesBeside(H200, 8 * 1024 + 1), 240u * 1024);
  // Four blocks of 17 KiB: 68 KiB, for which 100 are carved out.
  EXPECT_EQ(l1BytesBeside(H200, 4 * 17 * 1024), 156u * 1024);
  EXPECT_EQ(l1BytesBeside(H200, 228 * 1024), 28u * 1024);
  EXPECT_EQ(l1BytesBeside(H200, 229 * 1024), 0u);
  EXPECT_EQ(l1BytesBeside(*cantFail(findDevice("G80")), 4096), 0u);
}
