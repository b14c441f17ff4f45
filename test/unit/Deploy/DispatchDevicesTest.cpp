//===- DispatchDevicesTest.cpp - What is known of each device -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DispatchFixture.h"

using namespace gpuprune;
using namespace gpuprune::test;

namespace {

TEST_F(Dispatch, WhereThereIsOneDeviceItIsNotAskedForAtEachLaunch) {
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}, 1024};
  DispatchedKernel K({record()});
  fakeThread().Devices = 1;
  EXPECT_TRUE(isTuned(K, Author));
  fakeThread().GetDeviceFails = FakeOutOfMemory;
  EXPECT_TRUE(isTuned(K, Author));
}

TEST_F(Dispatch, WhereDevicesCannotBeCountedTheCurrentOneIsAskedFor) {
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}, 1024};
  DispatchedKernel K({record()});
  fakeThread().Devices = 1;
  fakeThread().GetDeviceFails = FakeOutOfMemory;
  EXPECT_FALSE(isTuned(K, Author));
  fakeThread().GetDeviceFails = FakeSuccess;
  EXPECT_TRUE(isTuned(K, Author));
  fakeThread().GetDeviceFails = FakeOutOfMemory;
  EXPECT_FALSE(isTuned(K, Author));
}

TEST_F(Dispatch, EachDeviceHasAnswersOfItsOwnUpToTheLast) {
  DispatchedKernel K({record()});
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}, 1024};
  for (int Device = 0; Device != FakeDevices; ++Device) {
    fakeThread().Device = Device;
    EXPECT_EQ(isTuned(K, Author), Device < GPUPRUNE_MAX_DEVICES) << Device;
    EXPECT_EQ(isTuned(K, Author), Device < GPUPRUNE_MAX_DEVICES) << Device;
  }
  EXPECT_EQ(K.Tuned[0].AttributeCalls, unsigned(GPUPRUNE_MAX_DEVICES));
  EXPECT_EQ(K.Counts[GPUPRUNE_FAILED], 2u);
  fakeThread().Device = -1;
  K.Original.Missing = FakeNoKernelImage;
  EXPECT_EQ(launch(K, Author), FakeNoKernelImage);
}

/// Two devices of the same kind, of which launches are on the second.
static void seeAlikeDevices() {
  fakeThread().Devices = 2;
  fakeThread().Alike = true;
  fakeThread().Device = 1;
}

TEST_F(Dispatch, OfAlikeDevicesTheCurrentOneIsNotAskedFor) {
  DispatchedKernel K({record()});
  seeAlikeDevices();
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  EXPECT_TRUE(isTuned(K, Author));
  fakeThread().Device = 0;
  fakeThread().GetDeviceFails = FakeOutOfMemory;
  EXPECT_TRUE(isTuned(K, Author));
  EXPECT_EQ(K.Tuned[0].AttributeCalls, 1u);
}

TEST_F(Dispatch, WhatOneOfAlikeDevicesIsAllowedTheOthersAreNot) {
  DispatchedKernel K({record()});
  seeAlikeDevices();
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}, 1024};
  EXPECT_TRUE(isTuned(K, Author));
  EXPECT_EQ(K.Tuned[0].MaxDynamicShared[1], 1024);
  fakeThread().Device = 0;
  EXPECT_TRUE(isTuned(K, Author));
  EXPECT_EQ(K.Tuned[0].MaxDynamicShared[0], 1024);
}

TEST_F(Dispatch, WhatTheProgramSetsOnOneOfAlikeDevicesTheOthersDoNotHave) {
  DispatchedKernel K({record()});
  seeAlikeDevices();
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  EXPECT_TRUE(isTuned(K, Author));
  for (int Device : {0, 1}) {
    fakeThread().Device = Device;
    EXPECT_EQ(K.setAttribute(PreferredCarveout, 20 + Device), FakeSuccess);
  }
  for (int Device : {0, 1}) {
    fakeThread().Device = Device;
    EXPECT_TRUE(isTuned(K, Author));
    EXPECT_EQ(K.Tuned[0].Carveout[Device], 20 + Device);
  }
}

TEST_F(Dispatch, ACarveoutIsSetOnEachOfAlikeDevices) {
  TuningRecord R = record();
  R.Contract.SharedCarveout = 50;
  DispatchedKernel K({R});
  seeAlikeDevices();
  for (int Device : {0, 1}) {
    fakeThread().Device = Device;
    EXPECT_TRUE(isTuned(K, {{256, 1, 1}, {256, 1, 1}}));
    EXPECT_EQ(K.Tuned[0].Carveout[Device], 50);
  }
}

TEST_F(Dispatch, DevicesOfAnotherKindHaveAnswersOfTheirOwn) {
  for (int Attribute : {ComputeCapabilityMajor, ComputeCapabilityMinor, MultiprocessorCount}) {
    forgetModeAndKernels();
    DispatchedKernel K({record()});
    seeAlikeDevices();
    fakeThread().Differing = Attribute;
    AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
    EXPECT_TRUE(isTuned(K, Author));
    fakeThread().Device = 0;
    EXPECT_TRUE(isTuned(K, Author));
    EXPECT_EQ(K.Tuned[0].AttributeCalls, 2u) << Attribute;
  }
}

TEST_F(Dispatch, WhatIsNotKnownOfDevicesMakesThemOthers) {
  DispatchedKernel K({record()});
  seeAlikeDevices();
  fakeThread().DeviceAttributeFails = FakeOutOfMemory;
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  EXPECT_TRUE(isTuned(K, Author));
  fakeThread().Device = 0;
  EXPECT_TRUE(isTuned(K, Author));
  EXPECT_EQ(K.Tuned[0].AttributeCalls, 2u);
}

} // namespace
