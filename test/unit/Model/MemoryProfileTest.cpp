//===- MemoryProfileTest.cpp - What a kernel's accesses cost, from a sample -===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Model/MemoryProfile.h"
#include "gtest/gtest.h"

using namespace gpuprune;

namespace {

constexpr uint64_t Base = 0x10000;

MemoryAccess load(uint32_t Thread, uint64_t Address, uint32_t Site = 0) {
  MemoryAccess A;
  A.Address = Address;
  A.Bytes = 4;
  A.Thread = Thread;
  A.Site = Site;
  return A;
}

std::optional<MemoryProfiler::Extent> oneBuffer(uint64_t) { return MemoryProfiler::Extent{Base, 65536}; }

/// Of one block of a warp, of a launch of \p Blocks.
ProfiledLaunch oneWarp(uint64_t Blocks, uint64_t L1Bytes) {
  ProfiledLaunch L;
  L.ThreadsPerBlock = L.ResidentThreads = 32;
  L.Blocks = Blocks;
  L.L1Bytes = L1Bytes;
  return L;
}

/// Each lane reads eight words of a row of 1024 bytes, which are one sector.
MemoryProfile rows(uint64_t L1Bytes) {
  MemoryProfiler P(oneWarp(1, L1Bytes));
  for (uint32_t Thread = 0; Thread != 32; ++Thread)
    for (uint64_t Word = 0; Word != 8; ++Word)
      P.add(load(Thread, Base + Thread * 1024 + Word * 4), false);
  P.finishBlock(false, false);
  return P.finish(oneBuffer);
}

} // namespace

TEST(MemoryProfile, neighboursShareSectors) {
  MemoryProfiler P(oneWarp(4, 65536));
  for (uint32_t Thread = 0; Thread != 32; ++Thread)
    P.add(load(Thread, Base + Thread * 4), false);
  P.finishBlock(false, false);
  MemoryProfile M = P.finish(oneBuffer);
  const GroupCost &Loads = M[AccessGroup::GlobalLoad];
  EXPECT_EQ(Loads.Requests, 1);
  EXPECT_EQ(Loads.Sectors, 4);
  EXPECT_EQ(Loads.Lines, 1);
  EXPECT_EQ(Loads.MissedSectors, 4);
  EXPECT_EQ(M.LoadedBytes, 4 * 32 * 4); // Four sectors in each of four blocks.
  EXPECT_EQ(M.Threads, 32);
}

TEST(MemoryProfile, rowsStayInL1WhereTheyFit) {
  // 32 lines of 128 bytes, of each of which one sector is read eight times.
  MemoryProfile Fits = rows(4096), TooSmall = rows(2048);
  EXPECT_EQ(Fits[AccessGroup::GlobalLoad].Sectors, 256);
  EXPECT_EQ(Fits[AccessGroup::GlobalLoad].MissedSectors, 32);
  EXPECT_EQ(Fits[AccessGroup::GlobalLoad].MissedRequests, 1);
  EXPECT_EQ(TooSmall[AccessGroup::GlobalLoad].MissedSectors, 256);
}

TEST(MemoryProfile, aBufferIsNotLoadedMoreThanWhole) {
  MemoryProfiler P(oneWarp(1000000, 65536));
  P.add(load(0, Base), false);
  P.finishBlock(false, false);
  EXPECT_EQ(P.finish(oneBuffer).LoadedBytes, 65536);
}

TEST(MemoryProfile, aBlockThatWasCutLosesItsLastWarp) {
  MemoryProfiler P(oneWarp(1, 65536));
  for (uint32_t Thread = 0; Thread != 40; ++Thread)
    P.add(load(Thread, Base + Thread * 4), false);
  P.finishBlock(/*WasCut=*/true, /*ThreadsMeet=*/false);
  MemoryProfile M = P.finish(oneBuffer);
  EXPECT_TRUE(M.IsCut);
  EXPECT_EQ(M.Threads, 32);
}

TEST(MemoryProfile, sharedConflictsAndConstants) {
  MemoryProfiler P(oneWarp(1, 65536));
  for (uint32_t Thread = 0; Thread != 32; ++Thread) {
    MemoryAccess A = load(Thread, Base + Thread * 8);
    A.Space = AccessSpace::Shared;
    P.add(A, false);
    P.add(load(Thread, Base, 1), /*IsConstant=*/true);
  }
  P.finishBlock(false, false);
  MemoryProfile M = P.finish(oneBuffer);
  EXPECT_EQ(M[AccessGroup::SharedLoad].Wavefronts, 2); // Every other bank, each twice.
  EXPECT_EQ(M[AccessGroup::ConstantLoad].Requests, 1);
  EXPECT_EQ(M[AccessGroup::ConstantLoad].Wavefronts, 1);
  EXPECT_EQ(M.LoadedBytes, 0);
}

TEST(MemoryProfile, addressesOfConstantsAreServedOneByOne) {
  MemoryProfiler P(oneWarp(1, 65536));
  for (uint32_t Thread = 0; Thread != 32; ++Thread)
    P.add(load(Thread, Base + Thread / 4 * 4), /*IsConstant=*/true);
  P.finishBlock(false, false);
  EXPECT_EQ(P.finish(oneBuffer)[AccessGroup::ConstantLoad].Wavefronts, 8);
}

TEST(MemoryProfile, divergenceIsWarpsOverThreads) {
  MemoryProfiler P(oneWarp(1, 65536));
  for (uint32_t Thread = 0; Thread != 32; ++Thread) {
    P.add(load(Thread, Base), false);
    for (uint32_t Round = 0; Round != (Thread == 0 ? 32u : 1u); ++Round) {
      MemoryAccess A;
      A.Kind = AccessKind::Branch;
      A.Thread = Thread;
      P.add(A, false);
    }
  }
  P.finishBlock(false, false);
  // 32 branches of the warp, (32 + 31) / 32 of a thread in the mean.
  EXPECT_DOUBLE_EQ(P.finish(oneBuffer).Divergence, 32.0 * 32 / 63);
}

TEST(MemoryProfile, constantsThatDoNotFitMissLineByLine) {
  auto Missed = [](uint64_t Lines) {
    MemoryProfiler P(oneWarp(1, 65536));
    for (uint64_t Round = 0; Round != 2; ++Round)
      for (uint64_t Line = 0; Line != Lines; ++Line)
        P.add(load(0, Base + Line * 64), /*IsConstant=*/true);
    P.finishBlock(false, false);
    return P.finish(oneBuffer)[AccessGroup::ConstantLoad].MissedLines;
  };
  EXPECT_EQ(Missed(32), 0); // 2 KiB.
  EXPECT_EQ(Missed(33), 66);
}

TEST(MemoryProfile, warpsOfAPartitionMissConstantsTogether) {
  auto Missed = [](uint32_t Warps) {
    MemoryProfiler P(oneWarp(1, 65536));
    for (uint64_t Line = 0; Line != 33; ++Line)
      for (uint32_t Warp = 0; Warp != Warps; ++Warp)
        P.add(load(32 * Warp, Base + Line * 64), /*IsConstant=*/true);
    P.finishBlock(false, false);
    return P.finish(oneBuffer)[AccessGroup::ConstantLoad].MissedLines;
  };
  EXPECT_EQ(Missed(2), 2 * 33);
  EXPECT_EQ(Missed(4), 4 * 33);
  EXPECT_EQ(Missed(16), 4 * 33);
}

TEST(MemoryProfile, lanesThatABlockLacksDoNotDiverge) {
  MemoryProfiler P(oneWarp(1, 65536));
  for (uint32_t Thread = 0; Thread != 8; ++Thread) {
    P.add(load(Thread, Base), false);
    MemoryAccess A;
    A.Kind = AccessKind::Branch;
    A.Thread = Thread;
    P.add(A, false);
  }
  P.finishBlock(false, false);
  EXPECT_EQ(P.finish(oneBuffer).Divergence, 1);
}

namespace {

/// Loads of \p Site by all lanes of a warp, each a word behind the one before it from \p Address on.
WarpAccess row(const std::array<uint64_t, 32> &Addresses, uint32_t Site = 0) {
  WarpAccess A;
  A.Bytes = 4;
  A.Site = Site;
  A.Lanes = ~0u;
  A.Addresses = Addresses.data();
  return A;
}

std::array<uint64_t, 32> wordsFrom(uint64_t Address) {
  std::array<uint64_t, 32> Addresses;
  for (uint64_t Lane = 0; Lane != 32; ++Lane)
    Addresses[Lane] = Address + 4 * Lane;
  return Addresses;
}

/// A block whose warp reads \p Rows rows of 128 bytes, \p Pitch apart, and is said to read \p Executions.
MemoryProfile partOf(uint64_t Rows, uint64_t Pitch, double Executions, bool WasCut) {
  MemoryProfiler P(oneWarp(1, 65536), [&](uint32_t) { return Executions; });
  for (uint64_t Row = 0; Row != Rows; ++Row)
    P.add(row(wordsFrom(Base + Row * Pitch)));
  P.finishBlock(WasCut, /*ThreadsMeet=*/true);
  return P.finish([](uint64_t) { return MemoryProfiler::Extent{Base, uint64_t(1) << 30}; });
}

} // namespace

TEST(MemoryProfile, warpsAreWhatTheirThreadsAre) {
  MemoryProfiler ByThread(oneWarp(1, 65536)), ByWarp(oneWarp(1, 65536));
  for (uint64_t Row = 0; Row != 3; ++Row) {
    std::array<uint64_t, 32> Addresses = wordsFrom(Base + Row * 100);
    for (uint32_t Thread = 0; Thread != 32; ++Thread)
      if (Row != 1 || Thread % 3 == 0)
        ByThread.add(load(Thread, Addresses[Thread]), false);
    WarpAccess A = row(Addresses);
    A.Lanes = Row != 1 ? ~0u : 0x49249249;
    ByWarp.add(A);
  }
  ByThread.finishBlock(false, true);
  ByWarp.finishBlock(false, true);
  MemoryProfile Threads = ByThread.finish(oneBuffer), Warps = ByWarp.finish(oneBuffer);
  for (auto Sum : {&GroupCost::LaneAccesses, &GroupCost::Requests, &GroupCost::Sectors, &GroupCost::Lines,
                   &GroupCost::MissedSectors})
    EXPECT_EQ(Threads[AccessGroup::GlobalLoad].*Sum, Warps[AccessGroup::GlobalLoad].*Sum);
  // The third row is the second execution of two thirds of the lanes.
  EXPECT_EQ(Warps[AccessGroup::GlobalLoad].Requests, 3);
  EXPECT_EQ(Warps[AccessGroup::GlobalLoad].LaneAccesses, 75);
}

TEST(MemoryProfile, whatIsSeenOfALoopStandsForAllOfIt) {
  MemoryProfile Streams = partOf(8, 128, 100, true), Stays = partOf(8, 0, 100, true);
  for (const MemoryProfile &M : {Streams, Stays}) {
    EXPECT_DOUBLE_EQ(M[AccessGroup::GlobalLoad].Requests, 100);
    EXPECT_DOUBLE_EQ(M[AccessGroup::GlobalLoad].Sectors, 400);
  }
  // New rows go on being new, and the one that was read is read no more than once.
  EXPECT_DOUBLE_EQ(Streams.LoadedBytes, 100 * 128);
  EXPECT_DOUBLE_EQ(Streams[AccessGroup::GlobalLoad].MissedSectors, 400);
  EXPECT_DOUBLE_EQ(Stays.LoadedBytes, 128);
  EXPECT_DOUBLE_EQ(Stays[AccessGroup::GlobalLoad].MissedSectors, 4);
}

TEST(MemoryProfile, whatIsWholeIsNotScaled) {
  MemoryProfile M = partOf(8, 128, 100, false);
  EXPECT_EQ(M[AccessGroup::GlobalLoad].Requests, 8);
  EXPECT_EQ(M.LoadedBytes, 8 * 128);
}

TEST(MemoryProfile, aPartOfConstantsHasAPartOfTheirCache) {
  // Two loops over the same 1024 lines, of each of which 16 iterations were seen: 1024 bytes of 65536.
  auto Missed = [](double Executions) {
    MemoryProfiler P(oneWarp(1, 65536), [&](uint32_t) { return Executions; });
    for (uint32_t Site = 0; Site != 2; ++Site)
      for (uint64_t Line = 0; Line != 16; ++Line) {
        std::array<uint64_t, 32> Addresses;
        Addresses.fill(Base + Line * 64);
        WarpAccess A = row(Addresses, Site);
        A.IsConstant = true;
        P.add(A);
      }
    P.finishBlock(/*WasCut=*/true, /*ThreadsMeet=*/true);
    return P.finish(oneBuffer)[AccessGroup::ConstantLoad].MissedLines;
  };
  EXPECT_DOUBLE_EQ(Missed(1024), 2048); // The second loop finds nothing of the first.
  EXPECT_EQ(Missed(32), 0);             // All of it fits.
}
