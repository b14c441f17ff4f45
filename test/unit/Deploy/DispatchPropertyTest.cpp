//===- DispatchPropertyTest.cpp - The host's launches are launchFor()'s ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeployTesting.h"
#include "DispatchTesting.h"
#include "DispatchUnderTest.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

// A case takes a millisecond under AddressSanitizer, and no other memory than the one before.
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr unsigned Cases = 5000;
#else
constexpr unsigned Cases = 100000;
#endif

/// Records, launches and buffers in which what matters is not rare.
class RandomCase {
public:
  explicit RandomCase(unsigned Seed) : Random(Seed) {}

  TuningRecord record() {
    TuningRecord R = shortRecord();
    LaunchContract &C = R.Contract;
    for (unsigned D = 0; D != Dim3::size(); ++D) {
      C.GridDivisor[D] = oneOf(0, 2) ? 1 : oneOf(0, 20) ? oneOf(1, 12) : oneOf(1, UINT32_MAX);
      C.BlockDivisor[D] = oneOf(0, 2) ? 1 : oneOf(1, 4);
      R.Conditions.Block[D] = oneOf(1, D == 0 ? 64 : 4) * (oneOf(0, 9) ? C.BlockDivisor[D] : 1);
    }
    if (oneOf(0, 1))
      changeBlock(R);
    for (HiddenParameter P : {HiddenParameter::GridX, HiddenParameter::GridY, HiddenParameter::GridZ,
                              HiddenParameter::SharedBytes, HiddenParameter::BlocksX,
                              HiddenParameter::BlocksY, HiddenParameter::BlocksZ})
      if (oneOf(0, 1))
        C.Hidden.insert(C.Hidden.begin() + oneOf(0, C.Hidden.size()), P);
    C.PersistentBlocks = oneOf(0, 1) ? 0 : oneOf(1, MostPersistentBlocks);
    C.GridBlocks = oneOf(0, C.PersistentBlocks ? 30 : 2) ? 0 : oneOf(1, MostPersistentBlocks);
    if (C.GridBlocks && oneOf(0, 1))
      C.GridEnd = GridBound{1, oneOf(0, 1) ? 32u : 64u, oneOf(0, 1) == 0, oneOf(0, 1) == 0,
                            uint32_t(oneOf(1, oneOf(0, 1) ? 8 : LargestGridStride))};
    C.SharedCopies = oneOf(0, 1) ? 1 : oneOf(0, 30) ? oneOf(1, 6) : oneOf(1, UINT32_MAX);
    C.SharedArrays = oneOf(0, 1) ? 0 : oneOf(0, 30) ? 16 * oneOf(1, 8192) : 16 * oneOf(1, 1 << 28) - 16;
    C.PointerAlignment = oneOf(0, 1) ? 1 : int64_t(1) << oneOf(0, 5);
    R.Arguments = {2, {{0, 0}, {1, 8}}};
    R.Conditions.LeastBlocks = oneOf(0, 1) ? oneOf(0, 1) : oneOf(1, 5000);
    if (oneOf(0, 1))
      R.Conditions.MostBlocks = R.Conditions.LeastBlocks + oneOf(0, 100000);
    return R;
  }

  std::optional<LeastLoopEnd> loopEnd() {
    if (oneOf(0, 7))
      return std::nullopt;
    return LeastLoopEnd{1, oneOf(0, 1) ? 32u : 64u, oneOf(0, 1) == 0, uint64_t(oneOf(0, 1 << 16))};
  }

  AuthorLaunch launch(const TuningRecord &R) {
    AuthorLaunch Author;
    for (unsigned D = 0; D != Dim3::size(); ++D) {
      int64_t Divisor = std::min<int64_t>(R.Contract.GridDivisor[D], 12);
      Author.Grid[D] = oneOf(1, D == 0 ? 300 : 20) * (oneOf(0, 3) ? Divisor : 1);
      if (!oneOf(0, 60))
        Author.Grid[D] = oneOf(0, 1) ? oneOf(0, UINT32_MAX) : LargestGrid[D] + oneOf(0, 2) - 1;
    }
    Author.Block = R.Conditions.Block;
    if (!oneOf(0, 15))
      Author.Block[oneOf(0, 2)] += 1;
    Author.SharedBytes = oneOf(0, 1) ? 0 : oneOf(0, 20) ? oneOf(0, 60000) : oneOf(0, int64_t(1) << 33);
    return Author;
  }

  int64_t oneOf(int64_t Least, int64_t Most) {
    return std::uniform_int_distribution<int64_t>(Least, Most)(Random);
  }

private:
  std::mt19937_64 Random;

  /// Half, twice as many or three times as many threads, or any other number, in some dimensions.
  void changeBlock(TuningRecord &R) {
    R.Block = R.Conditions.Block;
    for (unsigned D = 0; D != Dim3::size(); ++D) {
      int64_t Threads = R.Conditions.Block[D],
              Own[] = {Threads, (Threads + 1) / 2, 2 * Threads, 3 * Threads, oneOf(1, 64)};
      (*R.Block)[D] = std::min(Own[oneOf(0, 4)], LargestBlock[D]);
    }
    if (R.Block->volume() > MostThreadsPerBlock)
      R.Block.reset();
  }
};

struct Structure {
  int64_t Number;
  char *Pointer;
};

/// What launchFor() makes of it; nothing where the tuned kernel must not be launched.
std::optional<PhysicalLaunch> expected(const TuningRecord &R, const AuthorLaunch &Author) {
  Expected<PhysicalLaunch> Launch = R.launchFor(Author, fakeMultiprocessors(fakeThread().Device));
  if (!Launch) {
    consumeError(Launch.takeError());
    return std::nullopt;
  }
  double Blocks = Author.Grid.volume();
  bool IsGrid = true;
  for (unsigned D = 0; D != Dim3::size(); ++D)
    IsGrid &= Author.Grid[D] >= 1 && Author.Grid[D] <= LargestGrid[D];
  if (!IsGrid || Author.Block != R.Conditions.Block || Blocks < double(R.Conditions.LeastBlocks) ||
      Blocks > double(R.Conditions.MostBlocks.value_or(UINT64_MAX)) ||
      Author.SharedBytes > uint64_t(FakeDefaultShared) || Launch->SharedBytes > uint64_t(FakeMostShared))
    return std::nullopt;
  return *Launch;
}

/// What an integer of so many bits, the first of which \p Number has, is.
double integer(int64_t Number, unsigned Bits, bool Signed) {
  if (Bits == 64)
    return Signed ? double(Number) : double(uint64_t(Number));
  return Signed ? double(int32_t(Number)) : double(uint32_t(Number));
}

bool goesFarEnough(const TuningRecord &R, int64_t Number) {
  const std::optional<LeastLoopEnd> &End = R.Conditions.LoopEnd;
  return !End || std::max(integer(Number, End->Bits, End->Signed), 0.0) >= double(End->Least);
}

/// Whether each block of \p Launch makes two iterations at least, of those that \p Number says, or the author
/// has as many blocks.
bool hasWork(const TuningRecord &R, const AuthorLaunch &Author, const PhysicalLaunch &Launch,
             int64_t Number) {
  if (!R.Contract.GridEnd)
    return true;
  const GridBound &End = *R.Contract.GridEnd;
  double Bound = integer(Number, End.Bits, End.Signed);
  double Blocks = double(Launch.Grid.X) * double(R.Contract.GridDivisor.X);
  double Stride = End.Stride * (End.PerThread ? double(R.ownBlock().X) : 1.0);
  return Blocks <= double(Author.Grid.X) || std::floor(Bound / Stride) >= 2 * Blocks;
}

bool isTheAuthors(const FakeLaunch &Launched, const AuthorLaunch &Author, void **Arguments) {
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (Launched.Grid[D] != Author.Grid[D] || Launched.Block[D] != Author.Block[D])
      return false;
  return Launched.Shared == Author.SharedBytes && Launched.Arguments == Arguments;
}

bool isPhysical(const FakeLaunch &Launched, const PhysicalLaunch &Launch) {
  std::vector<uint32_t> Hidden;
  for (const HiddenArgument &A : Launch.Hidden)
    Hidden.push_back(A.Value);
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (Launched.Grid[D] != Launch.Grid[D] || Launched.Block[D] != Launch.Block[D])
      return false;
  return Launched.Shared == Launch.SharedBytes && Launched.Hidden == Hidden;
}

} // namespace

TEST(DispatchProperty, WhatIsLaunchedIsWhatTheContractSaysOrTheAuthors) {
  forgetModeAndKernels();
  RandomCase Random(20), Ends(21); // Other ends leave the other cases what they are.
  alignas(64) char Buffer[256];
  unsigned Tuned = 0, InOtherBlocks = 0, Persistent = 0, FreeGrids = 0, WithLittle = 0, EndingSoon = 0,
           Original = 0, Failed = 0;
  for (unsigned Case = 0; Case != Cases; ++Case) {
    fakeThread() = {};
    fakeThread().Device = int(Random.oneOf(0, GPUPRUNE_MAX_DEVICES - 1));
    TuningRecord R = Random.record();
    R.Conditions.LoopEnd = Ends.loopEnd();
    AuthorLaunch Author = Random.launch(R);
    char *First = Buffer + Random.oneOf(0, 1) * Random.oneOf(0, 64);
    Structure Second = {Random.oneOf(0, 5)
                            ? Random.oneOf(0, 4) * Random.oneOf(0, int64_t(1) << Random.oneOf(10, 32))
                            : Random.oneOf(INT64_MIN, INT64_MAX),
                        Buffer + Random.oneOf(0, 1) * Random.oneOf(0, 64)};
    void *Arguments[] = {&First, &Second};
    DispatchedKernel K({R});
    std::optional<PhysicalLaunch> Launch = expected(R, Author);
    auto IsAligned = [&](const char *P) {
      return uintptr_t(P) % uintptr_t(R.Contract.PointerAlignment) == 0;
    };
    if (!IsAligned(First) || !IsAligned(Second.Pointer))
      Launch.reset();
    bool EndsSoon = Launch && !goesFarEnough(R, Second.Number);
    bool HadLittle = Launch && !hasWork(R, Author, *Launch, Second.Number);
    if (EndsSoon || HadLittle)
      Launch.reset();
    int Error = K.launch(Author, Arguments);
    ASSERT_EQ(fakeThread().LastError, Error);
    ASSERT_EQ(fakeThread().Launches.size(), Error ? 0u : 1u);
    auto Said = [&] { return printTuningRecord(R) + launchKey(asWritten(Author)); };
    if (Launch) {
      ASSERT_EQ(Error, FakeSuccess) << Said();
      ASSERT_EQ(fakeThread().Launches[0].Kernel, &K.Tuned[0]) << Said();
      ASSERT_TRUE(isPhysical(fakeThread().Launches[0], *Launch)) << Said();
      ++Tuned;
      InOtherBlocks += R.Block.has_value();
      Persistent += R.Contract.PersistentBlocks > 0;
      FreeGrids += R.Contract.GridBlocks > 0;
    } else if (!Error) {
      WithLittle += HadLittle;
      EndingSoon += EndsSoon;
      ASSERT_EQ(fakeThread().Launches[0].Kernel, &K.Original) << Said();
      ASSERT_TRUE(isTheAuthors(fakeThread().Launches[0], Author, Arguments)) << Said();
      ++Original;
    } else {
      ASSERT_EQ(fakeLaunchKernel(&K.Original, fakeExtents(Author.Grid), fakeExtents(Author.Block), Arguments,
                                 Author.SharedBytes, nullptr),
                Error)
          << Said();
      ++Failed;
    }
  }
  EXPECT_GE(Tuned, Cases / 10);
  EXPECT_GE(InOtherBlocks, Cases / 100);
  EXPECT_GE(Persistent, Cases / 20);
  EXPECT_GE(FreeGrids, Cases / 50);
  EXPECT_GE(WithLittle, Cases / 100);
  EXPECT_GE(EndingSoon, Cases / 200);
  EXPECT_GE(Original, Cases / 10);
  EXPECT_GE(Failed, Cases / 100);
}
