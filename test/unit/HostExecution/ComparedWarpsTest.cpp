//===- ComparedWarpsTest.cpp - Samples of threads and of whole warps ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CountedKernel.h"
#include "llvm/Support/FormatVariadic.h"

using namespace gpuprune;
using namespace gpuprune::test;
using namespace llvm;

/// A loop whose trip count is %trips.
static std::string loopOf(StringRef Trips) {
  return (R"(
define ptx_kernel void @k() {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
)" + Trips +
          R"(
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %trips
  br i1 %more, label %body, label %exit
body:
  %next = add i32 %i, 1
  br label %header
exit:
  ret void
}
)")
      .str();
}

static std::optional<ComparedWarps> warpsOf(StringRef Trips, int64_t Blocks = 1000, int64_t Threads = 128) {
  Counted Kernel(loopOf(Trips));
  Kernel.Request.Launch.Grid = {Blocks, 1, 1};
  Kernel.Request.Launch.Block = {Threads, 1, 1};
  Kernel.run();
  return Kernel.Result.Warps;
}

static double bodiesOf(StringRef Trips, const Dim3 &Grid) {
  Counted Kernel(loopOf(Trips));
  Kernel.Request.Launch.Grid = Grid;
  return Kernel.run()["body"];
}

TEST(ComparedWarps, ASampleHasNoPeriod) {
  for (int64_t Blocks : {1024, 3998, 4000, 4098, 65536})
    for (int Bit = 0; Bit < 3; ++Bit) {
      std::string Trips =
          formatv("%bit = lshr i32 %b, {0}\n%odd = and i32 %bit, 1\n%trips = mul i32 %odd, 64", Bit).str();
      EXPECT_NEAR(bodiesOf(Trips, {Blocks, 1, 1}), 32, 1) << Blocks << " blocks, bit " << Bit;
    }
}

TEST(ComparedWarps, EachThreadIsSeenInAllPartsOfTheGrid) {
  // The first thread of the blocks in one half.
  for (const char *Half : {"slt", "sge"}) {
    std::string Trips = formatv("%first = icmp eq i32 %t, 0\n"
                                "%half = icmp {0} i32 %b, 32768\n"
                                "%both = and i1 %first, %half\n"
                                "%trips = select i1 %both, i32 12800, i32 0",
                                Half)
                            .str();
    EXPECT_NEAR(bodiesOf(Trips, {65536, 1, 1}), 50, 2) << Half;
  }
  // The thread whose number is the block's.
  EXPECT_NEAR(bodiesOf("%number = and i32 %b, 127\n"
                       "%same = icmp eq i32 %t, %number\n"
                       "%trips = select i1 %same, i32 12800, i32 0",
                       {16384, 1, 1}),
              100, 20);
}

TEST(ComparedWarps, BothColumnsOfAGridAreSeenAlike) {
  EXPECT_NEAR(bodiesOf("%row = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()\n"
                       "%odd = and i32 %row, 1\n"
                       "%same = icmp eq i32 %odd, %b\n"
                       "%trips = select i1 %same, i32 64, i32 0",
                       {2, 40000, 1}),
              32, 1);
}

TEST(ComparedWarps, WarpsOfAllBlocksAreCompared) {
  // One lane of each warp goes round in even blocks and all of them in odd ones, or the other way.
  for (int Odd : {0, 1}) {
    std::string Trips = formatv("%parity = and i32 %b, 1\n"
                                "%lane = and i32 %t, 31\n"
                                "%leader = icmp eq i32 %lane, 0\n"
                                "%all = icmp eq i32 %parity, {0}\n"
                                "%goes = or i1 %leader, %all\n"
                                "%trips = select i1 %goes, i32 1000, i32 0",
                                Odd)
                            .str();
    EXPECT_NEAR(warpsOf(Trips, 3998)->Divergence, 2 / (1 + 1 / 32.0), 0.1) << Odd;
  }
}

TEST(ComparedWarps, WarpsVaryFromBlockToBlock) {
  // A quarter of them goes round 1000 times, the others not at all, or once.
  EXPECT_NEAR(warpsOf("%last = and i32 %b, 3\n"
                      "%long = icmp eq i32 %last, 3\n"
                      "%lane = and i32 %t, 1\n"
                      "%trips = select i1 %long, i32 1000, i32 %lane")
                  ->Variation,
              3, 0.8); // By chance it is not a quarter of those that are drawn.
  EXPECT_NEAR(warpsOf("%first = icmp slt i32 %t, 32\n"
                      "%trips = select i1 %first, i32 1000, i32 0")
                  ->Variation,
              0, 1e-12);
}

TEST(ComparedWarps, AWarpWithFewThreadsIsOneLikeTheOthers) {
  // Of two warps one goes round, of 33 threads one.
  EXPECT_NEAR(warpsOf("%last = icmp eq i32 %t, 32\n"
                      "%trips = select i1 %last, i32 2000, i32 0",
                      1000, 33)
                  ->Divergence,
              33 / 2.0, 0.5);
}

TEST(ComparedWarps, AWarpGoesRoundAsOftenAsTheLaneThatGoesMost) {
  // The header has the branch.
  EXPECT_NEAR(warpsOf("%trips = and i32 %t, 31")->Divergence, 32 / 16.5, 1e-9);
  EXPECT_NEAR(warpsOf("%trips = lshr i32 %t, 5")->Divergence, 1, 1e-12);
  EXPECT_FALSE(warpsOf("%trips = and i32 %b, 31")); // No thread asks which it is.
  // Threads that tell each other something are not run one by one.
  EXPECT_FALSE(warpsOf("%trips = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 1, i32 31)"));
}

TEST(ComparedWarps, LanesOfTheLastWarpThatAreNotThereDoNotDiverge) {
  EXPECT_NEAR(warpsOf("%half = lshr i32 %t, 6\n"
                      "%trips = add i32 %half, 8",
                      1000, 40)
                  ->Divergence,
              1, 1e-12);
}
