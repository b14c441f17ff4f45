//===- DispatchTest.cpp - Tests of which kernel a host launches -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DispatchFixture.h"
#include "llvm/ADT/ScopeExit.h"
#include <cstdlib>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {} // namespace

TEST_F(Dispatch, LaunchesTheTunedKernelAsItsContractSays) {
  TuningRecord R = record();
  R.Contract.GridDivisor = {4, 1, 1};
  R.Contract.BlockDivisor = {2, 1, 1};
  R.Contract.SharedCopies = 4;
  R.Contract.SharedArrays = 64;
  R.Contract.Hidden = {HiddenParameter::SharedBytes, HiddenParameter::GridX};
  DispatchedKernel K({R});
  ASSERT_EQ(launch(K, {{257, 2, 3}, {256, 1, 1}, 100}), FakeSuccess);
  FakeLaunch Launched = taken();
  EXPECT_EQ(Launched.Kernel, &K.Tuned[0]);
  EXPECT_EQ(Launched.Grid, (std::array<uint32_t, 3>{65, 2, 3}));
  EXPECT_EQ(Launched.Block, (std::array<uint32_t, 3>{128, 1, 1}));
  EXPECT_EQ(Launched.Shared, 64 + 4 * 112u);
  EXPECT_EQ(Launched.Hidden, (std::vector<uint32_t>{100, 257}));
  EXPECT_EQ(K.Counts[GPUPRUNE_TUNED], 1u);
}

TEST_F(Dispatch, PersistentBlocksAreAsManyAsEachDeviceHolds) {
  TuningRecord R = record();
  R.Contract.GridDivisor = {2, 1, 1};
  R.Contract.PersistentBlocks = 4;
  R.Contract.Hidden = {HiddenParameter::BlocksX, HiddenParameter::BlocksY, HiddenParameter::BlocksZ};
  DispatchedKernel K({R});
  for (int Device : {0, 1, 7, 1}) {
    fakeThread().Device = Device;
    ASSERT_EQ(launch(K, {{10, 3, 1}, {256, 1, 1}}), FakeSuccess);
    FakeLaunch Launched = taken();
    EXPECT_EQ(Launched.Kernel, &K.Tuned[0]);
    uint32_t Blocks = std::min(4 * fakeMultiprocessors(Device), 15);
    EXPECT_EQ(Launched.Grid, (std::array<uint32_t, 3>{Blocks, 1, 1}));
    EXPECT_EQ(Launched.Hidden, (std::vector<uint32_t>{5, 3, 1}));
  }
  EXPECT_FALSE(isTuned(K, {{131072, 32768, 1}, {256, 1, 1}})) << "blocks have numbers of 31 bits";
}

TEST_F(Dispatch, AFreeGridHasAsManyBlocksAsEachDeviceRuns) {
  TuningRecord R = record();
  R.Contract.GridDivisor = {2, 1, 1};
  R.Contract.GridBlocks = 4;
  R.Contract.Hidden = {HiddenParameter::GridX, HiddenParameter::BlocksX};
  DispatchedKernel K({R});
  for (int Device : {0, 1, 7, 1}) {
    fakeThread().Device = Device;
    ASSERT_EQ(launch(K, {{65, 3, 1}, {256, 1, 1}}), FakeSuccess);
    FakeLaunch Launched = taken();
    EXPECT_EQ(Launched.Kernel, &K.Tuned[0]);
    uint32_t Blocks = 4 * fakeMultiprocessors(Device);
    EXPECT_EQ(Launched.Grid, (std::array<uint32_t, 3>{Blocks, 3, 1}));
    EXPECT_EQ(Launched.Hidden, (std::vector<uint32_t>{2 * Blocks, Blocks}));
  }
  EXPECT_FALSE(isTuned(K, {{1, 3, 1}, {256, 1, 1}})) << "one block need not add atomically";
  EXPECT_FALSE(isTuned(K, {{65536, 3, 1}, {256, 1, 1}})) << "indices have 31 bits";
}

TEST_F(Dispatch, AsLongAsTheMultiprocessorsAreNotKnownTheOriginalIsLaunched) {
  TuningRecord R = record();
  R.Contract.PersistentBlocks = 4;
  DispatchedKernel K({R});
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  fakeThread().DeviceAttributeFails = FakeOutOfMemory;
  EXPECT_FALSE(isTuned(K, Author));
  fakeThread().DeviceAttributeFails = FakeSuccess;
  EXPECT_TRUE(isTuned(K, Author));
}

TEST_F(Dispatch, WithoutHiddenParametersTheArgumentsAreTheAuthors) {
  DispatchedKernel K({record()});
  ASSERT_EQ(launch(K, {{256, 1, 1}, {256, 1, 1}, 100}), FakeSuccess);
  FakeLaunch Launched = taken();
  EXPECT_EQ(Launched.Kernel, &K.Tuned[0]);
  EXPECT_EQ(Launched.Arguments, Arguments);
  EXPECT_EQ(Launched.Shared, 100u);
}

TEST_F(Dispatch, TheBlockIsTheRecordsExactly) {
  TuningRecord R = record();
  R.Conditions.Block = {32, 4, 2};
  DispatchedKernel K({R});
  EXPECT_TRUE(isTuned(K, {{8, 8, 8}, {32, 4, 2}}));
  for (Dim3 Block : {Dim3{31, 4, 2}, {33, 4, 2}, {32, 3, 2}, {32, 5, 2}, {32, 4, 1}, {32, 4, 3}, {4, 32, 2}})
    EXPECT_FALSE(isTuned(K, {{8, 8, 8}, Block})) << Block.text();
  EXPECT_EQ(K.Counts[GPUPRUNE_TUNED], 1u);
  EXPECT_EQ(K.Counts[GPUPRUNE_OTHER_LAUNCH], 7u);
  EXPECT_EQ(K.Tuned[0].AttributeCalls, 1u) << "what was found out is kept";
}

TEST_F(Dispatch, BlocksOfTheGridHaveALeastAndAMostNumber) {
  TuningRecord R = record();
  R.Conditions.LeastBlocks = 100;
  R.Conditions.MostBlocks = 1000;
  DispatchedKernel K({R});
  for (Dim3 Grid : {Dim3{100, 1, 1}, {10, 10, 1}, {5, 4, 5}, {1000, 1, 1}, {10, 10, 10}})
    EXPECT_TRUE(isTuned(K, {Grid, {256, 1, 1}})) << Grid.text();
  for (Dim3 Grid : {Dim3{99, 1, 1}, {1, 99, 1}, {1001, 1, 1}, {7, 11, 13}, {65536, 65535, 65535}, {1, 1, 1}})
    EXPECT_FALSE(isTuned(K, {Grid, {256, 1, 1}})) << Grid.text();
  R.Conditions.MostBlocks.reset();
  DispatchedKernel Unlimited({R});
  EXPECT_TRUE(isTuned(Unlimited, {{INT32_MAX, 65535, 65535}, {256, 1, 1}}));
}

TEST_F(Dispatch, AGridThatTheAuthorCannotLaunchIsNotLaunchedInPart) {
  TuningRecord R = record();
  R.Conditions.LeastBlocks = 0;
  R.Contract.GridDivisor = {2, 2, 2};
  DispatchedKernel K({R});
  EXPECT_TRUE(isTuned(K, {{INT32_MAX - 1, 65534, 65534}, {256, 1, 1}}));
  for (Dim3 Grid : {Dim3{int64_t(1) << 31, 2, 2},
                    {2, 65536, 2},
                    {2, 2, 65538},
                    {UINT32_MAX - 1, 2, 2},
                    {0, 2, 2},
                    {2, 0, 2},
                    {2, 2, 0}}) {
    EXPECT_EQ(launch(K, {Grid, {256, 1, 1}}), FakeInvalidConfiguration) << Grid.text();
    EXPECT_EQ(fakeThread().LastError, FakeInvalidConfiguration);
    fakeThread().LastError = FakeSuccess;
  }
  EXPECT_EQ(fakeThread().Launches.size(), 0u);
}

TEST_F(Dispatch, InOtherBlocksThereAreAsManyThreads) {
  TuningRecord R = record();
  R.Conditions.Block = {16, 16, 1};
  R.Block = {32, 4, 1};
  R.Contract.GridDivisor = {1, 2, 1};
  R.Contract.Hidden = {HiddenParameter::GridY, HiddenParameter::GridX};
  DispatchedKernel K({R});
  ASSERT_EQ(launch(K, {{40, 30, 7}, {16, 16, 1}}), FakeSuccess);
  FakeLaunch Launched = taken();
  EXPECT_EQ(Launched.Kernel, &K.Tuned[0]);
  EXPECT_EQ(Launched.Grid, (std::array<uint32_t, 3>{20, 60, 7}));
  EXPECT_EQ(Launched.Block, (std::array<uint32_t, 3>{32, 4, 1}));
  EXPECT_EQ(Launched.Hidden, (std::vector<uint32_t>{120, 20}));
  EXPECT_FALSE(isTuned(K, {{41, 30, 1}, {16, 16, 1}})) << "blocks of 32 do not divide 656 threads";
  EXPECT_FALSE(isTuned(K, {{20, 120, 1}, {32, 4, 1}})) << "the author's block is another one";
  EXPECT_TRUE(isTuned(K, {{(1 << 27) - 2, 1, 1}, {16, 16, 1}}));
  EXPECT_FALSE(isTuned(K, {{1 << 27, 1, 1}, {16, 16, 1}})) << "2^31 threads";
  EXPECT_FALSE(isTuned(K, {{(1 << 28) + 2, 1, 1}, {16, 16, 1}})) << "2^32 and some";
  EXPECT_TRUE(isTuned(K, {{2, 16383, 1}, {16, 16, 1}}));
  EXPECT_FALSE(isTuned(K, {{2, 16384, 1}, {16, 16, 1}})) << "65536 blocks in y";
}

TEST_F(Dispatch, WhereItsBlocksDoNotDivideTheNextRecordIsAsked) {
  TuningRecord Wide = record(), Authors = record();
  Wide.Block = {512, 1, 1};
  Authors.Contract.Hidden = {HiddenParameter::GridX};
  DispatchedKernel K({Wide, Authors});
  EXPECT_TRUE(isTuned(K, {{4, 1, 1}, {256, 1, 1}}, 0));
  ASSERT_EQ(launch(K, {{5, 1, 1}, {256, 1, 1}}), FakeSuccess);
  FakeLaunch Launched = taken();
  EXPECT_EQ(Launched.Kernel, &K.Tuned[1]);
  EXPECT_EQ(Launched.Block, (std::array<uint32_t, 3>{256, 1, 1}));
  EXPECT_EQ(Launched.Hidden, (std::vector<uint32_t>{5}));
}

TEST_F(Dispatch, DivisorsRoundUpOnlyWhereTheExtentIsAHiddenParameter) {
  TuningRecord R = record();
  R.Contract.GridDivisor = {4, 4, 4};
  R.Contract.Hidden = {HiddenParameter::GridY};
  DispatchedKernel K({R});
  EXPECT_TRUE(isTuned(K, {{8, 8, 8}, {256, 1, 1}}));
  EXPECT_TRUE(isTuned(K, {{8, 7, 8}, {256, 1, 1}}));
  EXPECT_TRUE(isTuned(K, {{8, 1, 8}, {256, 1, 1}}));
  EXPECT_FALSE(isTuned(K, {{7, 8, 8}, {256, 1, 1}}));
  EXPECT_FALSE(isTuned(K, {{8, 8, 9}, {256, 1, 1}}));
}

TEST_F(Dispatch, PointersHaveTheAlignmentThatTheContractAsksFor) {
  TuningRecord R = record();
  R.Contract.PointerAlignment = 16;
  DispatchedKernel K({R});
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  for (int First : {0, 4, 8, 16, 17})
    for (int Second : {0, 4, 8, 16, 17}) {
      Pointer = Buffer + First;
      Structure.Pointer = Buffer + Second;
      EXPECT_EQ(isTuned(K, Author), First % 16 == 0 && Second % 16 == 0) << First << " " << Second;
    }
  Pointer = Structure.Pointer = nullptr;
  EXPECT_TRUE(isTuned(K, Author));
  R.Contract.PointerAlignment = 1;
  DispatchedKernel Any({R});
  Pointer = Buffer + 1;
  EXPECT_TRUE(isTuned(Any, Author));
}

TEST_F(Dispatch, ArgumentsAreReadOnlyWhereTheDeviceCodeConfirmsThem) {
  TuningRecord R = record();
  R.Contract.PointerAlignment = 16;
  R.Arguments = {200, {{199, 1u << 31}}};
  DispatchedKernel K({R});
  K.Tuned[0].Missing = FakeInvalidDeviceFunction;
  EXPECT_FALSE(isTuned(K, {{256, 1, 1}, {256, 1, 1}}));
}

TEST_F(Dispatch, TheFirstRecordThatFitsIsTaken) {
  TuningRecord Few = record(), Many = record(), Missing = record();
  Few.Conditions.MostBlocks = 99;
  Many.Conditions.LeastBlocks = 50;
  Missing.Contract.SharedCarveout = 10; // Another kernel.
  Many.Contract.SharedCarveout = 20;
  DispatchedKernel K({Missing, Few, Many});
  K.Tuned[0].Missing = FakeNoKernelImage;
  EXPECT_TRUE(isTuned(K, {{49, 1, 1}, {256, 1, 1}}, 1));
  EXPECT_TRUE(isTuned(K, {{50, 1, 1}, {256, 1, 1}}, 1));
  EXPECT_TRUE(isTuned(K, {{100, 1, 1}, {256, 1, 1}}, 2));
}

TEST_F(Dispatch, VariantsThatAreOneKernelAreAskedForOnce) {
  TuningRecord Few = record(), Middle = record(), Many = record();
  Few.Conditions.MostBlocks = 99;
  Middle.Conditions.LeastBlocks = 100;
  Middle.Conditions.MostBlocks = 199;
  Middle.Contract.GridDivisor = {2, 1, 1};
  Many.Conditions.LeastBlocks = 200;
  DispatchedKernel K({Few, Middle, Many});
  ASSERT_EQ(K.Tuned.size(), 2u);
  AuthorLaunch Author = {{1, 1, 1}, {256, 1, 1}, 1024};
  for (auto [Blocks, Kernel] : {std::pair{99, 0}, {100, 1}, {198, 1}, {200, 0}, {1000, 0}}) {
    Author.Grid.X = Blocks;
    EXPECT_TRUE(isTuned(K, Author, Kernel)) << Blocks;
  }
  Author.Grid.X = 199;
  EXPECT_FALSE(isTuned(K, Author)) << "an odd grid is no launch of the one that is meant for it";
  EXPECT_EQ(K.Tuned[0].AttributeCalls, 1u);
  EXPECT_EQ(K.Tuned[1].AttributeCalls, 1u);
}

TEST_F(Dispatch, AVariantThatIsNotThereLeavesTheOthers) {
  TuningRecord Few = record(), Many = record();
  Few.Conditions.MostBlocks = 99;
  Few.Registers = 40;
  Many.Conditions.LeastBlocks = 100;
  DispatchedKernel K({Few, Many});
  K.Tuned[0].Missing = FakeInvalidDeviceFunction;
  EXPECT_FALSE(isTuned(K, {{99, 1, 1}, {256, 1, 1}}));
  EXPECT_TRUE(isTuned(K, {{100, 1, 1}, {256, 1, 1}}, 1));
  EXPECT_EQ(K.Counts[GPUPRUNE_OTHER_DEVICE], 1u);
}

TEST_F(Dispatch, AKernelThatIsNotThereAsRecordedIsAskedForOnce) {
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  for (int Missing :
       {FakeInvalidDeviceFunction, FakeInvalidKernelImage, FakeNoKernelImage, FakeSymbolNotFound}) {
    DispatchedKernel K({record()});
    K.Tuned[0].Missing = Missing;
    EXPECT_FALSE(isTuned(K, Author));
    EXPECT_FALSE(isTuned(K, Author));
    EXPECT_EQ(K.Tuned[0].AttributeCalls, 1u);
    EXPECT_EQ(K.Counts[GPUPRUNE_OTHER_DEVICE], 2u);
  }
  DispatchedKernel OtherCode({record()}), OtherRegisters({record()});
  OtherCode.Tuned[0].Architecture = 100;
  EXPECT_FALSE(isTuned(OtherCode, Author));
  OtherRegisters.Tuned[0].Registers = 33;
  EXPECT_FALSE(isTuned(OtherRegisters, Author));
}

TEST_F(Dispatch, SharedMemoryIsAllowedForTheTunedKernelWhereItIsForTheAuthors) {
  TuningRecord R = record();
  R.Contract.SharedCopies = 2;
  DispatchedKernel K({R});
  auto Launch = [](uint64_t Shared) { return AuthorLaunch{{256, 1, 1}, {256, 1, 1}, Shared}; };
  EXPECT_TRUE(isTuned(K, Launch(48 * 1024))) << "96 KiB, which the author has not asked for";
  EXPECT_EQ(launch(K, Launch(48 * 1024 + 1)), FakeInvalidValue) << "nor may the author's kernel have more";
  EXPECT_EQ(taken().Kernel, nullptr);
  fakeThread().LastError = FakeSuccess;
  EXPECT_EQ(K.setAttribute(MaxDynamicSharedSize, 120 * 1024), FakeSuccess);
  EXPECT_TRUE(isTuned(K, Launch(100 * 1024)));
  EXPECT_FALSE(isTuned(K, Launch(114 * 1024))) << "more than the device has";
  EXPECT_TRUE(isTuned(K, Launch(1024)));
  // What the author takes back is taken back.
  EXPECT_EQ(K.setAttribute(MaxDynamicSharedSize, 50 * 1024), FakeSuccess);
  EXPECT_EQ(launch(K, Launch(100 * 1024)), FakeInvalidValue);
}

TEST_F(Dispatch, AfterADeviceResetSharedMemoryIsAllowedAnew) {
  DispatchedKernel K({record()});
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}, 100 * 1024};
  EXPECT_EQ(K.setAttribute(MaxDynamicSharedSize, 100 * 1024), FakeSuccess);
  EXPECT_TRUE(isTuned(K, Author));
  K.resetDevice();
  EXPECT_EQ(launch(K, Author), FakeInvalidValue) << "as the author's launch";
  fakeThread().LastError = FakeSuccess;
  EXPECT_EQ(taken().Kernel, nullptr);
  // The program's call, where the compiler did not see through it.
  EXPECT_EQ(cudaFuncSetAttribute(&K.Original, MaxDynamicSharedSize, 100 * 1024), FakeSuccess);
  EXPECT_TRUE(isTuned(K, Author));
}

TEST_F(Dispatch, AfterADeviceResetTheAuthorsAllowanceIsAskedForAnew) {
  TuningRecord R = record();
  R.Contract.SharedCopies = 4;
  DispatchedKernel K({R});
  auto Launch = [](uint64_t Shared) { return AuthorLaunch{{256, 1, 1}, {256, 1, 1}, Shared}; };
  EXPECT_EQ(K.setAttribute(MaxDynamicSharedSize, 60000), FakeSuccess);
  EXPECT_FALSE(isTuned(K, Launch(60000))) << "four times that is more than the device has";
  K.resetDevice();
  EXPECT_EQ(launch(K, Launch(50000)), FakeInvalidValue) << "as the author's launch";
  fakeThread().LastError = FakeSuccess;
  EXPECT_EQ(taken().Kernel, nullptr);
}

TEST_F(Dispatch, WithAnAttributeThatTheTunedKernelDoesNotHaveTheOriginalIsLaunched) {
  constexpr int RequiredClusterWidth = 11;
  DispatchedKernel K({record()});
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  EXPECT_TRUE(isTuned(K, Author));
  fakeThread().SetAttributeFails = FakeInvalidValue;
  EXPECT_EQ(K.setAttribute(RequiredClusterWidth, 2), FakeInvalidValue);
  fakeThread().SetAttributeFails = fakeThread().LastError = FakeSuccess;
  EXPECT_TRUE(isTuned(K, Author)) << "it has not got it";
  EXPECT_EQ(K.setAttribute(RequiredClusterWidth, 2), FakeSuccess);
  EXPECT_FALSE(isTuned(K, Author));
  EXPECT_EQ(K.setAttribute(PreferredCarveout, 20), FakeSuccess);
  EXPECT_FALSE(isTuned(K, Author));
}

TEST_F(Dispatch, TheCarveoutIsTheContractsOrTheAuthors) {
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  TuningRecord R = record();
  DispatchedKernel Authors({R});
  EXPECT_EQ(Authors.setAttribute(PreferredCarveout, 40), FakeSuccess);
  EXPECT_TRUE(isTuned(Authors, Author));
  EXPECT_EQ(Authors.Tuned[0].Carveout[0], 40);
  EXPECT_EQ(Authors.setAttribute(PreferredCarveout, 70), FakeSuccess);
  EXPECT_TRUE(isTuned(Authors, Author));
  EXPECT_EQ(Authors.Tuned[0].Carveout[0], 70);
  R.Contract.SharedCarveout = 0;
  DispatchedKernel Contracts({R});
  EXPECT_EQ(Contracts.setAttribute(PreferredCarveout, 40), FakeSuccess);
  EXPECT_TRUE(isTuned(Contracts, Author));
  EXPECT_EQ(Contracts.Tuned[0].Carveout[0], 0);
  fakeThread().SetAttributeFails = FakeInvalidValue;
  DispatchedKernel Hinted({R});
  EXPECT_TRUE(isTuned(Hinted, Author)) << "it is a hint";
}

TEST_F(Dispatch, ConfiguredLaunchesGoToTheTunedKernelUnlessTheyHaveAttributes) {
  TuningRecord R = record();
  R.Contract.GridDivisor = {2, 1, 1};
  DispatchedKernel K({R});
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}, 512};
  EXPECT_EQ(K.launchConfigured(Author, Arguments), FakeSuccess);
  FakeLaunch Launched = taken();
  EXPECT_TRUE(Launched.Configured);
  EXPECT_EQ(Launched.Kernel, &K.Tuned[0]);
  EXPECT_EQ(Launched.Grid[0], 128u);
  EXPECT_EQ(Launched.Shared, 512u);
  EXPECT_EQ(K.launchConfigured(Author, Arguments, 1), FakeSuccess);
  EXPECT_EQ(taken().Kernel, &K.Original);
  Author.Grid.X = 255;
  EXPECT_EQ(K.launchConfigured(Author, Arguments), FakeSuccess);
  Launched = taken();
  EXPECT_EQ(Launched.Kernel, &K.Original);
  EXPECT_EQ(Launched.Grid[0], 255u);
}

TEST_F(Dispatch, TheEnvironmentIsReadOnce) {
  DispatchedKernel K({record()});
  AuthorLaunch Author = {{256, 1, 1}, {256, 1, 1}};
  scope_exit Unset([] { ::unsetenv("GPUPRUNE_DISPATCH"); });
  for (auto [Value, Tuned] :
       {std::pair<const char *, bool>{"original", false}, {"", true}, {"tuned", true}}) {
    forgetModeAndKernels();
    ::setenv("GPUPRUNE_DISPATCH", Value, 1);
    EXPECT_EQ(isTuned(K, Author), Tuned) << Value;
    ::setenv("GPUPRUNE_DISPATCH", Tuned ? "original" : "", 1);
    EXPECT_EQ(isTuned(K, Author), Tuned) << Value;
  }
  EXPECT_EQ(K.Counts[GPUPRUNE_TUNED] + K.Counts[GPUPRUNE_NOT_WANTED], 0u) << "nobody asked for a trace";
}
