//===- DispatchErrorsTest.cpp - Errors stay as the program would have them ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DispatchFixture.h"

using namespace gpuprune;
using namespace gpuprune::test;

namespace {

TEST_F(Dispatch, AnErrorThatMayPassIsAskedForAgain) {
  DispatchedKernel K({record()});
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  fakeThread().GetAttributesFails = FakeOutOfMemory;
  EXPECT_FALSE(isTuned(K, Author));
  fakeThread().GetAttributesFails = FakeSuccess;
  EXPECT_TRUE(isTuned(K, Author));
}

TEST_F(Dispatch, APendingErrorStaysAndTheOriginalIsLaunched) {
  DispatchedKernel K({record()});
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  fakeThread().LastError = FakeIllegalAddress;
  EXPECT_EQ(launch(K, Author), FakeSuccess);
  EXPECT_EQ(taken().Kernel, &K.Original);
  EXPECT_EQ(fakeThread().LastError, FakeIllegalAddress);
  EXPECT_EQ(K.Tuned[0].AttributeCalls, 0u);
  fakeThread().LastError = FakeSuccess;
  EXPECT_TRUE(isTuned(K, Author));
}

TEST_F(Dispatch, APendingErrorStaysWhereTheTunedKernelCannotFailAlone) {
  DispatchedKernel K({record()});
  fakeThread().Devices = 1;
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  EXPECT_TRUE(isTuned(K, Author));
  fakeThread().LastError = FakeOutOfMemory;
  EXPECT_EQ(launch(K, Author), FakeSuccess);
  EXPECT_EQ(taken().Kernel, &K.Tuned[0]);
  EXPECT_EQ(fakeThread().LastError, FakeOutOfMemory);
  fakeThread().LastError = FakeSuccess;
}

TEST_F(Dispatch, WithAPendingErrorNothingIsLaunchedThatCouldFailAlone) {
  DispatchedKernel Local({record()}), Large({record()}), Shared({record()});
  fakeThread().Devices = 1;
  Local.Tuned[0].LocalBytes = 16;
  Large.Tuned[0].MaxThreads = 32;
  for (DispatchedKernel *K : {&Local, &Large, &Shared}) {
    AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}, K == &Shared ? 1024u : 0u};
    EXPECT_TRUE(isTuned(*K, Author));
    fakeThread().LastError = FakeOutOfMemory;
    EXPECT_EQ(launch(*K, Author), FakeSuccess);
    EXPECT_EQ(taken().Kernel, &K->Original);
    EXPECT_EQ(fakeThread().LastError, FakeOutOfMemory);
    fakeThread().LastError = FakeSuccess;
  }
}

TEST_F(Dispatch, APendingErrorStaysWhereDevicesWereNotCounted) {
  DispatchedKernel K({record()});
  fakeThread().Devices = 1;
  fakeThread().LastError = FakeOutOfMemory;
  EXPECT_EQ(launch(K, {{256, 1, 1}, {256, 1, 1}}), FakeSuccess);
  EXPECT_EQ(taken().Kernel, &K.Original);
  EXPECT_EQ(fakeThread().LastError, FakeOutOfMemory);
  fakeThread().LastError = FakeSuccess;
}

TEST_F(Dispatch, APendingErrorStaysWhereTheDeviceCannotBeAskedFor) {
  DispatchedKernel K({record()});
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  EXPECT_TRUE(isTuned(K, Author));
  fakeThread().LastError = FakeOutOfMemory;
  fakeThread().GetDeviceFails = FakeInvalidValue;
  EXPECT_EQ(launch(K, Author), FakeSuccess);
  EXPECT_EQ(fakeThread().LastError, FakeOutOfMemory);
  fakeThread().GetDeviceFails = fakeThread().LastError = FakeSuccess;
}

TEST_F(Dispatch, ItsOwnErrorsAreNotLeftBehind) {
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}, 1024};
  DispatchedKernel K({record()});
  fakeThread().GetDeviceFails = FakeOutOfMemory;
  EXPECT_FALSE(isTuned(K, Author));
  fakeThread().GetDeviceFails = FakeSuccess;
  fakeThread().SetAttributeFails = FakeOutOfMemory;
  EXPECT_FALSE(isTuned(K, Author));
  fakeThread().SetAttributeFails = FakeSuccess;
  fakeThread().Broken = &K.Tuned[0];
  for (int Error : {FakeInvalidValue, FakeOutOfMemory, FakeInvalidConfiguration}) {
    fakeThread().BrokenBy = Error;
    EXPECT_FALSE(isTuned(K, Author)) << Error;
  }
  EXPECT_EQ(K.Counts[GPUPRUNE_FAILED], 5u);
  fakeThread().Broken = nullptr;
  EXPECT_TRUE(isTuned(K, Author));
}

TEST_F(Dispatch, ErrorsOfTheAuthorsLaunchAreTheAuthors) {
  DispatchedKernel K({record()});
  K.Original.Missing = K.Tuned[0].Missing = FakeNoKernelImage;
  EXPECT_EQ(launch(K, {{256, 1, 1}, {256, 1, 1}}), FakeNoKernelImage);
  EXPECT_EQ(fakeThread().LastError, FakeNoKernelImage);
}

} // namespace
