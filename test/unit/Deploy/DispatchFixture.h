//===- DispatchFixture.h - What tests of dispatch launch ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_DEPLOY_DISPATCHFIXTURE_H
#define GPUPRUNE_TEST_UNIT_DEPLOY_DISPATCHFIXTURE_H

#include "DeployTesting.h"
#include "DispatchTesting.h"
#include "DispatchUnderTest.h"
#include "gtest/gtest.h"

namespace gpuprune::test {

enum { MaxDynamicSharedSize = 8, PreferredCarveout = 9 }; // cudaFuncAttribute

/// A kernel of a pointer, a structure of 8 bytes and a pointer, and a number.
class Dispatch : public testing::Test {
protected:
  void SetUp() override {
    fakeThread() = {};
    forgetModeAndKernels();
    traceLaunches();
  }
  void TearDown() override { forgetModeAndKernels(); }

  static TuningRecord record() {
    TuningRecord R = shortRecord();
    R.Arguments = {3, {{0, 0}, {1, 8}}};
    return R;
  }

  int launch(DispatchedKernel &K, const AuthorLaunch &Author) { return K.launch(Author, Arguments, &Stream); }
  /// The one launch since the last call of this; that of no kernel where there was none, or several.
  static FakeLaunch taken() {
    std::vector<FakeLaunch> All = std::move(fakeThread().Launches);
    fakeThread().Launches.clear();
    return All.size() == 1 ? All.front() : FakeLaunch();
  }
  /// Whether the tuned kernel of record \p Number is launched for \p Author, which nothing else fails for.
  bool isTuned(DispatchedKernel &K, const AuthorLaunch &Author, unsigned Number = 0) {
    EXPECT_EQ(launch(K, Author), FakeSuccess);
    EXPECT_EQ(fakeThread().LastError, FakeSuccess);
    FakeLaunch Launched = taken();
    bool Tuned = Launched.Kernel == &K.Tuned[Number];
    EXPECT_TRUE(Tuned || Launched.Kernel == &K.Original);
    EXPECT_EQ(Launched.Stream, &Stream);
    return Tuned;
  }

  struct {
    int64_t Number;
    void *Pointer;
  } Structure = {0, Buffer};
  alignas(256) char Buffer[512] = {};
  void *Pointer = Buffer;
  int Size = 0, Stream = 0;
  void *Arguments[3] = {&Pointer, &Structure, &Size};
};

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_DEPLOY_DISPATCHFIXTURE_H
