//===- DeviceInfoTest.cpp - The table of devices --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Device/DeviceInfo.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <set>

using namespace llvm;
using namespace gpuprune;

static std::string errorOf(Error E) { return takeError(std::move(E)).Text; }

TEST(DeviceInfo, EveryRowIsConsistentAndFoundByArchAndName) {
  std::set<StringRef> Seen;
  for (const DeviceInfo &Device : allDevices()) {
    SCOPED_TRACE(Device.Arch);
    EXPECT_TRUE(Seen.insert(Device.Arch).second);
    EXPECT_TRUE(Seen.insert(Device.Name).second);
    EXPECT_EQ(Device.ThreadsPerSM, Device.WarpsPerSM * Device.WarpSize);
    EXPECT_LE(Device.ThreadsPerBlock, Device.ThreadsPerSM);
    EXPECT_LE(Device.RegistersPerBlock, Device.RegistersPerSM);
    EXPECT_LE(Device.SharedPerBlock, Device.SharedPerBlockOptIn);
    EXPECT_LE(Device.SharedPerBlockOptIn + Device.SharedReserved, Device.SharedPerSM);
    EXPECT_GT(Device.SMCount, 0u);
    EXPECT_EQ(Device.SharedPerSM % Device.SharedUnit, 0u);
    EXPECT_EQ(Device.RegistersPerSM % (Device.SchedulersPerSM * Device.RegisterUnit), 0u);
    EXPECT_EQ(Device.WarpsPerSM % Device.SchedulersPerSM, 0u);
    EXPECT_EQ(Device.WarpUnit % Device.SchedulersPerSM, 0u);
    EXPECT_GE(Device.BlockMax.X, int64_t(Device.ThreadsPerBlock));
    EXPECT_TRUE(std::is_sorted(Device.CarveOutsKiB.begin(), llvm::find(Device.CarveOutsKiB, 0u)));
    unsigned Largest = *std::max_element(Device.CarveOutsKiB.begin(), Device.CarveOutsKiB.end());
    if (Device.L1AndSharedPerSM) {
      EXPECT_EQ(Largest * 1024u, Device.SharedPerSM);
      EXPECT_LE(Device.SharedPerSM, Device.L1AndSharedPerSM);
    }
    for (StringRef Key : {StringRef(Device.Arch), StringRef(Device.Name)}) {
      Expected<const DeviceInfo *> Found = findDevice(Key);
      ASSERT_TRUE(bool(Found)) << errorOf(Found.takeError());
      EXPECT_EQ(*Found, &Device);
    }
  }
}

TEST(DeviceInfo, CommonLimitsHoldForEveryDeviceThatCodeIsMadeFor) {
  for (const DeviceInfo &Device : allDevices()) {
    if (Device.PapersOnly)
      continue;
    SCOPED_TRACE(Device.Arch);
    EXPECT_EQ(Device.WarpSize, 32u);
    EXPECT_EQ(Device.WarpSize, WarpSize);
    EXPECT_EQ(Device.ThreadsPerBlock, 1024u);
    EXPECT_EQ(Device.ThreadsPerBlock, MostThreadsPerBlock);
    EXPECT_EQ(Device.BlockMax, (Dim3{1024, 1024, 64}));
    EXPECT_EQ(Device.BlockMax, LargestBlock);
    EXPECT_EQ(Device.GridMax, (Dim3{2147483647, 65535, 65535}));
    EXPECT_EQ(Device.GridMax, LargestGrid);
    EXPECT_EQ(Device.SharedPerBlock, MostStaticShared);
  }
}

TEST(DeviceInfo, FeatureSuffixNamesTheSameDevice) {
  Expected<const DeviceInfo *> Plain = findDevice("sm_90");
  Expected<const DeviceInfo *> Specific = findDevice("sm_90a");
  Expected<const DeviceInfo *> ByName = findDevice("h200");
  ASSERT_TRUE(bool(Plain) && bool(Specific) && bool(ByName));
  EXPECT_EQ(*Plain, *Specific);
  EXPECT_EQ(*Plain, *ByName);
  EXPECT_EQ((*Plain)->SMCount, 132u);
}

TEST(DeviceInfo, OtherNamesAreOfTheRowWithAsManySMs) {
  std::set<std::string> Seen;
  for (const DeviceInfo &Device : allDevices())
    Seen.insert(StringRef(Device.Name).lower());
  for (const GpuName &Gpu : otherGpuNames()) {
    SCOPED_TRACE(Gpu.Name);
    EXPECT_TRUE(Seen.insert(StringRef(Gpu.Name).lower()).second);
    auto Row = find_if(allDevices(), [&](const DeviceInfo &D) { return StringRef(D.Arch) == Gpu.Arch; });
    Expected<const DeviceInfo *> Found = findDevice(Gpu.Name);
    if (Row != allDevices().end() && Row->SMCount == Gpu.SMCount) {
      ASSERT_TRUE(bool(Found)) << errorOf(Found.takeError());
      EXPECT_EQ(*Found, &*Row);
      continue;
    }
    ASSERT_FALSE(bool(Found));
    TakenError Taken = takeError(Found.takeError());
    EXPECT_EQ(Taken.Kind, ErrorKind::Usage);
    EXPECT_NE(Taken.Text.find(Row == allDevices().end() ? "is not in the table" : Gpu.Arch),
              std::string::npos)
        << Taken.Text;
  }
}

TEST(DeviceInfo, NamesAreReadAsTheDriverAndPeopleWriteThem) {
  for (StringRef Name : {"H100", "h100", "NVIDIA H100", "GH200", "NVIDIA H200"})
    EXPECT_EQ(cantFail(findDevice(Name))->Arch, StringRef("sm_90")) << Name.str();
  for (StringRef Name : {"RTX 4090", "rtx4090", "NVIDIA GeForce RTX 4090", "RTX-4090"})
    EXPECT_EQ(cantFail(findDevice(Name))->Arch, StringRef("sm_89")) << Name.str();
  EXPECT_EQ(cantFail(findDevice("Tesla T4"))->Arch, StringRef("sm_75"));
  EXPECT_EQ(errorOf(findDevice("L4").takeError()),
            "L4 has compute capability 8.9; use sm_89 instead: all limits are the same, and the metrics are "
            "computed for the 128 SMs of RTX 4090");
  EXPECT_EQ(errorOf(findDevice("P100").takeError()),
            "P100 has compute capability 6.0, which is not in the table of devices; code is made for sm_75 "
            "and later");
}

TEST(DeviceInfo, UnknownNameSaysTheNearest) {
  Expected<const DeviceInfo *> Found = findDevice("sm90");
  ASSERT_FALSE(bool(Found));
  TakenError Taken = takeError(Found.takeError());
  EXPECT_EQ(Taken.Kind, ErrorKind::Usage);
  EXPECT_NE(Taken.Text.find("unknown device 'sm90'; did you mean 'sm_90'?"), std::string::npos) << Taken.Text;
  EXPECT_NE(errorOf(findDevice("").takeError()), "");
}

TEST(DeviceInfo, CodeIsMadeForWhatTodaysCompilersTake) {
  for (StringRef Name : {"sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_103",
                         "sm_120", "sm_121", "B300"}) {
    Expected<const DeviceInfo *> Found = findTargetDevice(Name);
    EXPECT_TRUE(bool(Found)) << Name.str() << ": " << errorOf(Found.takeError());
  }
  for (StringRef Name : {"G80", "sm_20"}) {
    Expected<const DeviceInfo *> Found = findTargetDevice(Name);
    ASSERT_FALSE(bool(Found)) << Name.str();
    TakenError Taken = takeError(Found.takeError());
    EXPECT_EQ(Taken.Kind, ErrorKind::Usage);
    EXPECT_NE(Taken.Text.find("is known for the papers' figures only; code is made for sm_75 and later"),
              std::string::npos)
        << Taken.Text;
  }
  EXPECT_NE(errorOf(findTargetDevice("sm_91").takeError()), "");
}

TEST(DeviceInfo, LaunchLimits) {
  const DeviceInfo &H200 = *cantFail(findDevice("sm_90"));
  const DeviceInfo &G80 = *cantFail(findDevice("G80"));
  EXPECT_FALSE(bool(checkLaunchLimits(H200, {256, 256, 1}, {32, 32, 1})));
  EXPECT_EQ(errorOf(checkLaunchLimits(H200, {1, 65536, 1}, {32, 1, 1})),
            "grid dimension y is 65536; sm_90 allows 1 to 65535");
  EXPECT_EQ(errorOf(checkLaunchLimits(G80, {1, 1, 2}, {32, 1, 1})),
            "grid dimension z is 2; sm_10 allows 1 to 1");
  EXPECT_EQ(errorOf(checkLaunchLimits(H200, {1, 1, 1}, {64, 32, 1})),
            "a block of 64 x 32 x 1 has 2048 threads; sm_90 allows 1024");
  EXPECT_NE(errorOf(checkLaunchLimits(H200, {0, 1, 1}, {1, 1, 1})), "");
  EXPECT_NE(errorOf(checkLaunchLimits(H200, {1, 1, 1}, {-1, 1, 1})), "");
}

// "Technical Specifications per Compute Capability" of the CUDA C++ Programming Guide 13.0.
TEST(DeviceInfo, LimitsOfTheGuide) {
  struct Row {
    const char *Arch;
    unsigned Blocks, Warps, Threads, SharedPerSMKiB, SharedPerBlockKiB;
  };
  static const Row Rows[] = {{"sm_75", 16, 32, 1024, 64, 64},    {"sm_80", 32, 64, 2048, 164, 163},
                             {"sm_86", 16, 48, 1536, 100, 99},   {"sm_87", 16, 48, 1536, 164, 163},
                             {"sm_89", 24, 48, 1536, 100, 99},   {"sm_90", 32, 64, 2048, 228, 227},
                             {"sm_100", 32, 64, 2048, 228, 227}, {"sm_103", 32, 64, 2048, 228, 227},
                             {"sm_120", 24, 48, 1536, 100, 99},  {"sm_121", 24, 48, 1536, 100, 99}};
  for (const Row &R : Rows) {
    SCOPED_TRACE(R.Arch);
    const DeviceInfo &Device = *cantFail(findTargetDevice(R.Arch));
    EXPECT_EQ(Device.BlocksPerSM, R.Blocks);
    EXPECT_EQ(Device.WarpsPerSM, R.Warps);
    EXPECT_EQ(Device.ThreadsPerSM, R.Threads);
    EXPECT_EQ(Device.SharedPerSM, R.SharedPerSMKiB * 1024);
    EXPECT_EQ(Device.SharedPerBlockOptIn, R.SharedPerBlockKiB * 1024);
    EXPECT_EQ(Device.SharedPerBlock, 48u * 1024);
    EXPECT_EQ(Device.RegistersPerSM, 65536u);
    EXPECT_EQ(Device.RegistersPerThread, 255u);
    EXPECT_EQ(Device.ThreadsPerBlock, 1024u);
  }
}
