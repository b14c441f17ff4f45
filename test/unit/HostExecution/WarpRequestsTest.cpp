//===- WarpRequestsTest.cpp - Sectors and wavefronts, counted by hand ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/HostExecution/WarpRequests.h"
#include "gtest/gtest.h"

using namespace gpuprune;

namespace {

using Lanes = std::vector<LaneAccess>;

/// Lane i accesses \p Bytes at \p Base + i * \p Stride.
Lanes strided(unsigned Count, uint64_t Stride, uint32_t Bytes, uint64_t Base = 4096) {
  Lanes All;
  for (unsigned Lane = 0; Lane < Count; ++Lane)
    All.push_back({Base + Lane * Stride, Bytes, Lane});
  return All;
}

TEST(WarpRequestsTest, SectorsOfStrides) {
  EXPECT_EQ(countSectors(strided(32, 4, 4)), 4u);
  EXPECT_EQ(countSectors(strided(32, 8, 4)), 8u);
  EXPECT_EQ(countSectors(strided(32, 128, 4)), 32u);
  EXPECT_EQ(countSectors(strided(32, 0, 4)), 1u);
  EXPECT_EQ(countSectors(strided(32, 8, 8)), 8u);
  EXPECT_EQ(countSectors(strided(32, 16, 16)), 16u);
  EXPECT_EQ(countSectors(strided(32, 1, 1)), 1u);
  EXPECT_EQ(countSectors({}), 0u);
}

TEST(WarpRequestsTest, SectorsOfMisalignedAndPartialWarps) {
  EXPECT_EQ(countSectors(strided(32, 4, 4, 4096 + 4)), 5u);
  EXPECT_EQ(countSectors(strided(32, 4, 4, 4096 + 32)), 4u);
  EXPECT_EQ(countSectors(strided(5, 4, 4)), 1u);
  EXPECT_EQ(countSectors(strided(9, 4, 4)), 2u);
}

TEST(WarpRequestsTest, FewestSectorsHoldTheSameBytes) {
  EXPECT_EQ(fewestSectors(strided(32, 4, 4, 4096 + 4)), 4u);
  EXPECT_EQ(fewestSectors(strided(32, 128, 4)), 4u);
  EXPECT_EQ(fewestSectors(strided(32, 0, 4)), 1u);
  EXPECT_EQ(fewestSectors(strided(32, 16, 16)), 16u);
}

TEST(WarpRequestsTest, StridesAreThoseOfAllLanes) {
  EXPECT_EQ(strideOf(strided(32, 4, 4)), 4);
  EXPECT_EQ(strideOf(strided(2, 128, 4)), 128);
  EXPECT_EQ(strideOf(strided(32, 0, 4)), 0);
  EXPECT_EQ(strideOf(strided(1, 4, 4)), 0);
  EXPECT_EQ(strideOf({}), 0);
  EXPECT_EQ(strideOf(strided(32, uint64_t(-8), 4, 1 << 20)), -8);
  Lanes Other = strided(32, 4, 4);
  Other.back().Address += 4;
  EXPECT_EQ(strideOf(Other), 0);
  // Where every other lane takes part, lanes in between would be where they belong.
  Lanes Half = {{4096, 4, 0}, {4104, 4, 2}, {4112, 4, 4}}, Odd = {{4096, 4, 0}, {4101, 4, 2}};
  EXPECT_EQ(strideOf(Half), 4);
  EXPECT_EQ(strideOf(Odd), 0);
}

TEST(WarpRequestsTest, AddressesAreCountedOnce) {
  EXPECT_EQ(countAddresses(strided(32, 0, 4)), 1u);
  EXPECT_EQ(countAddresses(strided(32, 4, 4)), 32u);
  EXPECT_EQ(countAddresses({{8, 4, 0}, {12, 4, 1}, {8, 4, 2}}), 2u);
  EXPECT_EQ(countAddresses({}), 0u);
}

TEST(WarpRequestsTest, WavefrontsOfStrides) {
  EXPECT_EQ(countWavefronts(strided(32, 4, 4), AccessKind::Load), 1u);
  EXPECT_EQ(countWavefronts(strided(32, 8, 4), AccessKind::Load), 2u);
  EXPECT_EQ(countWavefronts(strided(32, 12, 4), AccessKind::Load), 1u); // 3 and 32 have no common factor.
  EXPECT_EQ(countWavefronts(strided(32, 0, 4), AccessKind::Load), 1u);
  EXPECT_EQ(countWavefronts(strided(32, 1, 1), AccessKind::Load), 1u); // Four lanes a word.
  EXPECT_EQ(countWavefronts(strided(5, 128, 4), AccessKind::Load), 5u);
}

TEST(WarpRequestsTest, WavefrontsOfTheColumnOfATile) {
  EXPECT_EQ(countWavefronts(strided(32, 4 * 32, 4), AccessKind::Load), 32u);
  EXPECT_EQ(countWavefronts(strided(32, 4 * 33, 4), AccessKind::Load), 1u);
  EXPECT_EQ(fewestWavefronts(strided(32, 4 * 32, 4), AccessKind::Load), 1u);
}

TEST(WarpRequestsTest, WideAccessesAreServedInParts) {
  EXPECT_EQ(countWavefronts(strided(32, 8, 8), AccessKind::Load), 2u);
  EXPECT_EQ(countWavefronts(strided(32, 16, 16), AccessKind::Load), 4u);
  EXPECT_EQ(countWavefronts(strided(16, 8, 8), AccessKind::Load), 1u);
  // Every second double: 16 lanes want the even pairs of banks, two lanes each.
  EXPECT_EQ(countWavefronts(strided(32, 16, 8), AccessKind::Load), 4u);
  EXPECT_EQ(fewestWavefronts(strided(32, 16, 8), AccessKind::Load), 2u);
}

std::vector<LaneAccess> gathered(unsigned Bytes, llvm::function_ref<unsigned(unsigned)> ElementOf) {
  std::vector<LaneAccess> Lanes;
  for (unsigned Lane = 0; Lane != LanesOfWarp; ++Lane)
    Lanes.push_back({4096 + uint64_t(ElementOf(Lane)) * Bytes, Bytes, Lane});
  return Lanes;
}

// The figures of an H200 for a single warp.
TEST(WarpRequestsTest, WideLoadsOfPairsThatAgreeAreServedTogether) {
  auto Wavefronts = [](llvm::function_ref<unsigned(unsigned)> ElementOf) {
    std::vector<unsigned> Found;
    for (AccessKind Kind : {AccessKind::Load, AccessKind::Store})
      for (unsigned Bytes : {8, 16})
        Found.push_back(countWavefronts(gathered(Bytes, ElementOf), Kind));
    return Found;
  };
  using Counts = std::vector<unsigned>;
  EXPECT_EQ(Wavefronts([](unsigned) { return 0; }), (Counts{1, 2, 2, 4}));
  EXPECT_EQ(Wavefronts([](unsigned I) { return I / 2; }), (Counts{1, 2, 2, 4}));
  EXPECT_EQ(Wavefronts([](unsigned I) { return I & 1; }), (Counts{1, 2, 2, 4})) << "lane^2";
  EXPECT_EQ(Wavefronts([](unsigned I) { return (I & 1) + I / 4 * 2; }), (Counts{1, 2, 2, 4}));
  EXPECT_EQ(Wavefronts([](unsigned I) { return I & 3; }), (Counts{2, 4, 2, 4})) << "lane^4 does not count";
  EXPECT_EQ(Wavefronts([](unsigned I) { return 16 * (I & 1); }), (Counts{2, 4, 4, 8}));
  EXPECT_EQ(Wavefronts([](unsigned I) { return I < 16 ? 0 : I; }), (Counts{2, 4, 2, 4})) << "all or none";
  EXPECT_EQ(Wavefronts([](unsigned I) { return I < 31 ? 0 : 40; }), (Counts{2, 5, 2, 5}));
  EXPECT_EQ(Wavefronts([](unsigned I) { return 8 * (I / 2); }), (Counts{8, 16, 8, 16}));
}

TEST(WarpRequestsTest, AtomicsOnOneWordWaitForEachOther) {
  EXPECT_EQ(countWavefronts(strided(32, 0, 4), AccessKind::Atomic), 32u);
  EXPECT_EQ(countWavefronts(strided(32, 4, 4), AccessKind::Atomic), 1u);
}

MemoryAccess access(uint32_t Thread, uint64_t Address, uint64_t Block = 0, uint32_t Site = 0,
                    AccessSpace Space = AccessSpace::Global) {
  MemoryAccess A;
  A.Thread = Thread;
  A.Address = Address;
  A.Bytes = 4;
  A.Block = Block;
  A.Site = Site;
  A.Space = Space;
  return A;
}

TEST(WarpRequestsTest, ThreadsThatRunOneAfterAnotherMakeRequestsOfWarps) {
  WarpRequests Requests(40); // A warp and a quarter.
  for (uint64_t Block = 0; Block < 2; ++Block)
    for (uint32_t Thread = 0; Thread < 40; ++Thread)
      for (uint64_t Time = 0; Time < 3; ++Time)
        Requests.add(access(Thread, 4096 + 4 * (Thread + 64 * Time), Block));
  Requests.finish();
  ASSERT_EQ(Requests.totals().size(), 1u);
  const RequestTotals &T = Requests.totals().begin()->second;
  EXPECT_EQ(T.Requests, 2u * 3 * 2);
  EXPECT_EQ(T.Lanes, 2u * 3 * 40);
  EXPECT_EQ(T.FullLanes, 2u * 3 * 40);
  EXPECT_EQ(T.Bytes, 2u * 3 * 40 * 4);
  EXPECT_EQ(T.Sectors, 2u * 3 * (4 + 1));
  EXPECT_EQ(T.Width, 4u);
}

TEST(WarpRequestsTest, LanesThatLeaveALoopEarlyAreMissingInItsLastRequests) {
  WarpRequests Requests(32);
  for (uint32_t Thread = 0; Thread < 32; ++Thread)
    for (uint64_t Time = 0; Time <= Thread; ++Time)
      Requests.add(access(Thread, 4096 + 4 * Thread));
  Requests.finish();
  const RequestTotals &T = Requests.totals().begin()->second;
  EXPECT_EQ(T.Requests, 32u);
  EXPECT_EQ(T.Lanes, 32u * 33 / 2);
  EXPECT_EQ(T.FullLanes, 32u * 32);
  // Lanes 0 to 7 share the first sector, and so on: 8 requests of 4, 3, 2 and 1.
  EXPECT_EQ(T.Sectors, 8u * (4 + 3 + 2 + 1));
}

TEST(WarpRequestsTest, BranchesDivergeWhereLanesGoDifferentWays) {
  WarpRequests Requests(64);
  for (uint32_t Thread = 0; Thread < 64; ++Thread)
    for (uint64_t Time = 0; Time < 2; ++Time) { // The first time, the first warp diverges.
      MemoryAccess Branch = access(Thread, Time == 0 && Thread < 5);
      Branch.Kind = AccessKind::Branch;
      Requests.add(Branch);
    }
  Requests.finish();
  const RequestTotals &T = Requests.totals().begin()->second;
  EXPECT_EQ(T.Requests, 4u);
  EXPECT_EQ(T.Divergent, 1u);
  EXPECT_EQ(T.Sectors, 0u);
}

TEST(WarpRequestsTest, SitesAndSpacesAreApart) {
  WarpRequests Requests(32);
  Requests.add(access(0, 4096, 0, 1));
  Requests.add(access(0, 4096, 0, 2));
  Requests.add(access(0, 4096, 0, 2, AccessSpace::Shared));
  Requests.finish();
  EXPECT_EQ(Requests.totals().size(), 3u);
  EXPECT_EQ(Requests.totals().at({2, AccessSpace::Shared}).Wavefronts, 1u);
  EXPECT_EQ(Requests.totals().at({2, AccessSpace::Shared}).Sectors, 0u);
  EXPECT_EQ(Requests.totals().at({1, AccessSpace::Global}).Sectors, 1u);
}

} // namespace
