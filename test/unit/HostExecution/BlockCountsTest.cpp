//===- BlockCountsTest.cpp - Tests of counting by running ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/HostExecution/BlockCounts.h"
#include "../ExpectedTesting.h"
#include "HostTesting.h"
#include "gpuprune/Analysis/BlockFrequencies.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/SourceMgr.h"

using namespace gpuprune;
using namespace gpuprune::test;
using namespace llvm;

namespace {

/// A kernel from text, with what counting says of its blocks, by name.
class Counted {
public:
  explicit Counted(StringRef Body) {
    SMDiagnostic Problem;
    std::string Text = ("target triple = \"nvptx64-nvidia-cuda\"\n"
                        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                        "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                        "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()\n"
                        "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n" +
                        Body)
                           .str();
    M = parseAssemblyString(Text, Problem, Context);
    EXPECT_TRUE(M) << Problem.getMessage().str();
    Request.Launch.Block = {128, 1, 1};
  }
  Function &kernel() { return *M->getFunction("k"); }
  std::map<std::string, double> run() {
    Result = valueOf(countBlocks(kernel(), Request));
    std::map<std::string, double> Named;
    for (auto &[Block, Count] : Result.Blocks)
      Named[Block->getName().str()] = Count;
    return Named;
  }

  CountingRequest Request;
  BlockFrequencies Result;

private:
  LLVMContext Context;
  std::unique_ptr<Module> M;
};

} // namespace

static constexpr const char *GuardedByThread = R"(
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = mul i32 %b, 128
  %i = add i32 %s, %t
  %c = icmp slt i32 %i, %n
  br i1 %c, label %inside, label %exit
inside:
  %a = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %a
  br label %exit
exit:
  ret void
}
)";

TEST(BlockCounts, CountsThreadsInsideAGuard) {
  Counted Kernel(GuardedByThread);
  Kernel.Request.Launch.Grid = {10, 1, 1};
  Kernel.Request.Launch.argument<void *>(nullptr).argument<int32_t>(1200);
  auto Counts = Kernel.run();
  EXPECT_EQ(Kernel.Result.Source, InstrSource::ExactRun);
  EXPECT_TRUE(Kernel.Result.Exact);
  EXPECT_DOUBLE_EQ(Counts["entry"], 1);
  EXPECT_DOUBLE_EQ(Counts["inside"], 1200.0 / 1280);
  EXPECT_DOUBLE_EQ(Counts["exit"], 1);
  const BasicBlock *Entry = &Kernel.kernel().getEntryBlock(), *Exit = &Kernel.kernel().back();
  EXPECT_DOUBLE_EQ(Kernel.Result.Edges.lookup({Entry, Exit}), 80.0 / 1280);
}

TEST(BlockCounts, LeavesTheKernelAsItIs) {
  Counted Kernel(GuardedByThread);
  std::string Before, After;
  raw_string_ostream(Before) << *Kernel.kernel().getParent();
  Kernel.Request.Launch.argument<void *>(nullptr).argument<int32_t>(5);
  Kernel.run();
  raw_string_ostream(After) << *Kernel.kernel().getParent();
  EXPECT_EQ(Before, After);
}

TEST(BlockCounts, WeighsTheEdgeOfALargeGrid) {
  Counted Kernel(GuardedByThread);
  Kernel.Request.Launch.Grid = {1000000, 1, 1};
  Kernel.Request.Instructions = 100000;
  // All blocks but the last are inside; the last has one thread.
  Kernel.Request.Launch.argument<void *>(nullptr).argument<int32_t>(999999 * 128 + 1);
  auto Counts = Kernel.run();
  EXPECT_EQ(Kernel.Result.Source, InstrSource::Sampled);
  EXPECT_NEAR(Counts["inside"], (999999 * 128 + 1) / 128e6, 1e-12);
}

TEST(BlockCounts, OneBlockStandsForADimensionThatControlDoesNotRead) {
  Counted Kernel(GuardedByThread);
  Kernel.Request.Launch.Grid = {10, 60000, 1};
  Kernel.Request.Launch.argument<void *>(nullptr).argument<int32_t>(1200);
  EXPECT_DOUBLE_EQ(Kernel.run()["inside"], 1200.0 / 1280);
  EXPECT_EQ(Kernel.Result.Source, InstrSource::ExactRun);
}

TEST(BlockCounts, FollowsLoopsThatDifferBetweenThreads) {
  Counted Kernel(R"(
define ptx_kernel void @k(ptr addrspace(1) %p) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %j.next = add i32 %j, 1
  store i32 %j, ptr addrspace(1) %p
  %more = icmp ule i32 %j.next, %t
  br i1 %more, label %inner, label %outer.latch
outer.latch:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %odd = and i32 %i, 1
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, 3
  br i1 %again, label %outer, label %exit
exit:
  ret void
}
)");
  Kernel.Request.Launch.argument<void *>(nullptr);
  auto Counts = Kernel.run();
  EXPECT_DOUBLE_EQ(Counts["outer"], 3);
  EXPECT_DOUBLE_EQ(Counts["inner"], 3 * (1 + 128) / 2.0);
  EXPECT_EQ(Kernel.Result.Source, InstrSource::ExactRun);
}

static constexpr const char *RowsOfData = R"(
define ptx_kernel void @k(ptr %rows, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = mul i32 %b, 128
  %i = add i32 %s, %t
  %a = getelementptr i32, ptr %rows, i32 %i
  %length = load i32, ptr %a
  br label %header
header:
  %j = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %j, %length
  br i1 %more, label %body, label %exit
body:
  %next = add i32 %j, 1
  %o = getelementptr i32, ptr %out, i32 %i
  store i32 %j, ptr %o
  br label %header
exit:
  ret void
}
)";

TEST(BlockCounts, RunsTheWholeKernelWhereControlDependsOnMemory) {
  Counted Kernel(RowsOfData);
  Kernel.Request.Launch.Grid = {4, 1, 1};
  Kernel.Request.Launch.argument<void *>(nullptr).argument<void *>(nullptr);
  GuardedMemory Memory;
  GuardedBuffer &Rows = cantFail(Memory.allocate("rows", 4 * 512)),
                &Out = cantFail(Memory.allocate("out", 4 * 512));
  double Sum = 0;
  for (int I = 0; I < 512; ++I) {
    Rows.as<int32_t>()[I] = I % 7;
    Sum += I % 7;
  }
  Kernel.Request.ProvideData = [&](HostProgram &, HostLaunch &Launch) {
    Launch.Memory = &Memory;
    Launch.Arguments.clear();
    Launch.argument(Rows).argument(Out);
    return Error::success();
  };
  auto Counts = Kernel.run();
  EXPECT_DOUBLE_EQ(Counts["body"], Sum / 512);
  EXPECT_DOUBLE_EQ(Counts["header"], Sum / 512 + 1);
  EXPECT_EQ(Kernel.Result.Source, InstrSource::ExactRun);
}

/// Rows of i % 7 elements for 4 blocks of 128 threads; the mean of these is 2.98.
class RowData {
public:
  RowData() {
    for (int I = 0; I < 512; ++I) {
      Rows.as<int32_t>()[I] = I % 7;
      Mean += double(I % 7) / 512;
    }
  }
  GuardedMemory Memory;
  GuardedBuffer &Rows = cantFail(Memory.allocate("rows", 4 * 512));
  double Mean = 0;
};

TEST(BlockCounts, WhatIsOnlyReadNeedsNoOtherData) {
  Counted Kernel(RowsOfData);
  Kernel.Request.Launch.Grid = {4, 1, 1};
  Kernel.Request.Launch.argument<void *>(nullptr).argument<void *>(nullptr);
  RowData Data;
  Kernel.Request.ProvideData = [&](HostProgram &, HostLaunch &Launch) {
    Launch.Memory = &Data.Memory;
    Launch.Arguments.clear();
    Launch.argument(Data.Rows).argument<void *>(nullptr); // Where a store would be a fault.
    return Error::success();
  };
  EXPECT_NEAR(Kernel.run()["body"], Data.Mean, 1e-9);
  EXPECT_EQ(Kernel.Result.Source, InstrSource::ExactRun);
}

/// Each thread counts an element of its own down to 0, in memory.
static constexpr const char *CountsDown = R"(
define ptx_kernel void @k(ptr %rows, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %s = mul i32 %b, 128
  %i = add i32 %s, %t
  %a = getelementptr i32, ptr %rows, i32 %i
  br label %header
header:
  %v = load i32, ptr %a
  %more = icmp sgt i32 %v, 0
  br i1 %more, label %body, label %exit
body:
  %less = sub i32 %v, 1
  store i32 %less, ptr %a
  br label %header
exit:
  ret void
}
)";

TEST(BlockCounts, RunsTheWholeKernelOverNewDataWhereControlDependsOnWhatItWrites) {
  Counted Kernel(CountsDown);
  Kernel.Request.Launch.Grid = {4, 1, 1};
  Kernel.Request.Launch.argument<void *>(nullptr).argument<void *>(nullptr);
  std::unique_ptr<RowData> Data;
  Kernel.Request.ProvideData = [&](HostProgram &, HostLaunch &Launch) {
    Data = std::make_unique<RowData>();
    Launch.Memory = &Data->Memory;
    Launch.Arguments.clear();
    Launch.argument(Data->Rows).argument<void *>(nullptr);
    return Error::success();
  };
  EXPECT_NEAR(Kernel.run()["body"], Data->Mean, 1e-9);
  EXPECT_EQ(Kernel.Result.Source, InstrSource::ExactRun);
}

TEST(BlockCounts, LanesAreComparedOverDataThatNoOtherHasChanged) {
  Counted Kernel(CountsDown);
  Kernel.Request.Launch.argument<void *>(nullptr).argument<void *>(nullptr);
  std::unique_ptr<RowData> Data;
  Kernel.Request.ProvideData = [&](HostProgram &, HostLaunch &Launch) {
    Data = std::make_unique<RowData>();
    Launch.Memory = &Data->Memory;
    Launch.Arguments.clear();
    Launch.argument(Data->Rows).argument<void *>(nullptr);
    return Error::success();
  };
  Kernel.run();
  // Each of the four warps has a thread with six elements.
  EXPECT_NEAR(Kernel.Result.Warps->Divergence, 7 / (1 + 379.0 / 128), 1e-9);
}

TEST(BlockCounts, TheSameSkeletonIsRunOnce) {
  CountCache Cache;
  unsigned Runs = 0;
  RowData Data;
  // What is stored feeds no control.
  std::string Other = StringRef(RowsOfData).str();
  Other.replace(Other.find("store i32 %j,"), 13, "store i32 %i,");
  for (const char *Body : {RowsOfData, Other.c_str(), CountsDown}) {
    Counted Kernel(Body);
    Kernel.Request.Cache = &Cache;
    Kernel.Request.Launch.argument<void *>(nullptr).argument<void *>(nullptr);
    Kernel.Request.ProvideData = [&](HostProgram &, HostLaunch &Launch) {
      ++Runs;
      Launch.Memory = &Data.Memory;
      Launch.Arguments.clear();
      Launch.argument(Data.Rows).argument<void *>(nullptr);
      return Error::success();
    };
    EXPECT_NEAR(Kernel.run()["body"], 379.0 / 128, 1e-9); // Of the first block.
    EXPECT_EQ(Runs, Body == CountsDown ? 4u : 2u);        // Threads are counted, and lanes of warps compared.
  }
}

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

static std::optional<double> divergenceOf(StringRef Trips, int64_t Blocks = 1000) {
  Counted Kernel(loopOf(Trips));
  Kernel.Request.Launch.Grid = {Blocks, 1, 1};
  Kernel.run();
  return Kernel.Result.Warps ? std::optional(Kernel.Result.Warps->Divergence) : std::nullopt;
}

static double bodiesOf(StringRef Trips, int64_t Blocks) {
  Counted Kernel(loopOf(Trips));
  Kernel.Request.Launch.Grid = {Blocks, 1, 1};
  return Kernel.run()["body"];
}

TEST(BlockCounts, ASampleHasNoPeriod) {
  for (int64_t Blocks : {1024, 3998, 4000, 4098, 65536})
    for (int Bit = 0; Bit < 3; ++Bit) {
      std::string Trips =
          formatv("%bit = lshr i32 %b, {0}\n%odd = and i32 %bit, 1\n%trips = mul i32 %odd, 64", Bit).str();
      EXPECT_NEAR(bodiesOf(Trips, Blocks), 32, 1) << Blocks << " blocks, bit " << Bit;
    }
}

TEST(BlockCounts, EachThreadIsSeenInAllPartsOfTheGrid) {
  // The first thread of the blocks in one half.
  for (const char *Half : {"slt", "sge"}) {
    std::string Trips = formatv("%first = icmp eq i32 %t, 0\n"
                                "%half = icmp {0} i32 %b, 32768\n"
                                "%both = and i1 %first, %half\n"
                                "%trips = select i1 %both, i32 12800, i32 0",
                                Half)
                            .str();
    EXPECT_NEAR(bodiesOf(Trips, 65536), 50, 2) << Half;
  }
  // The thread whose number is the block's.
  EXPECT_NEAR(bodiesOf("%number = and i32 %b, 127\n"
                       "%same = icmp eq i32 %t, %number\n"
                       "%trips = select i1 %same, i32 12800, i32 0",
                       16384),
              100, 20);
}

TEST(BlockCounts, BothColumnsOfAGridAreSeenAlike) {
  Counted Kernel(loopOf("%row = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()\n"
                        "%odd = and i32 %row, 1\n"
                        "%same = icmp eq i32 %odd, %b\n"
                        "%trips = select i1 %same, i32 64, i32 0"));
  Kernel.Request.Launch.Grid = {2, 40000, 1};
  EXPECT_NEAR(Kernel.run()["body"], 32, 1);
}

TEST(BlockCounts, WarpsOfAllBlocksAreCompared) {
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
    EXPECT_NEAR(*divergenceOf(Trips, 3998), 2 / (1 + 1 / 32.0), 0.1) << Odd;
  }
}

static double variationOf(StringRef Trips) {
  Counted Kernel(loopOf(Trips));
  Kernel.Request.Launch.Grid = {1000, 1, 1};
  Kernel.run();
  return Kernel.Result.Warps->Variation;
}

TEST(BlockCounts, WarpsVaryFromBlockToBlock) {
  // A quarter of them goes round 1000 times, the others not at all, or once.
  EXPECT_NEAR(variationOf("%last = and i32 %b, 3\n"
                          "%long = icmp eq i32 %last, 3\n"
                          "%lane = and i32 %t, 1\n"
                          "%trips = select i1 %long, i32 1000, i32 %lane"),
              3, 0.8); // By chance it is not a quarter of those that are drawn.
  EXPECT_NEAR(variationOf("%first = icmp slt i32 %t, 32\n"
                          "%trips = select i1 %first, i32 1000, i32 0"),
              0, 1e-12);
}

TEST(BlockCounts, AWarpWithFewThreadsIsOneLikeTheOthers) {
  Counted Kernel(loopOf("%last = icmp eq i32 %t, 32\n"
                        "%trips = select i1 %last, i32 2000, i32 0"));
  Kernel.Request.Launch.Block = {33, 1, 1};
  Kernel.Request.Launch.Grid = {1000, 1, 1};
  Kernel.run();
  // Of two warps one goes round, of 33 threads one.
  EXPECT_NEAR(Kernel.Result.Warps->Divergence, 33 / 2.0, 0.5);
}

TEST(BlockCounts, AWarpGoesRoundAsOftenAsTheLaneThatGoesMost) {
  // The header has the branch.
  EXPECT_NEAR(*divergenceOf("%trips = and i32 %t, 31"), 32 / 16.5, 1e-9);
  EXPECT_NEAR(*divergenceOf("%trips = lshr i32 %t, 5"), 1, 1e-12);
  EXPECT_EQ(divergenceOf("%trips = and i32 %b, 31"), std::nullopt); // No thread asks which it is.
  // Threads that tell each other something are not run one by one.
  EXPECT_EQ(divergenceOf("%trips = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 1, i32 31)"),
            std::nullopt);
}

TEST(BlockCounts, LanesOfTheLastWarpThatAreNotThereDoNotDiverge) {
  Counted Kernel(loopOf("%half = lshr i32 %t, 6\n"
                        "%trips = add i32 %half, 8"));
  Kernel.Request.Launch.Block = {40, 1, 1};
  Kernel.Request.Launch.Grid = {1000, 1, 1};
  Kernel.run();
  EXPECT_NEAR(Kernel.Result.Warps->Divergence, 1, 1e-12);
}

/// The first thread of each block, threads in even blocks, and those of the first row.
static constexpr const char *Patterned = R"(
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)
define ptx_kernel void @k(ptr %p, float %x) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %y = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %x, i32 1, i32 31)
  store float %y, ptr %p
  %first = icmp eq i32 %t, 0
  br i1 %first, label %leader, label %join
leader:
  br label %join
join:
  %odd = and i32 %b, 1
  %even = icmp eq i32 %odd, 0
  br i1 %even, label %inEven, label %next
inEven:
  br label %next
next:
  %top = icmp eq i32 %row, 0
  br i1 %top, label %border, label %exit
border:
  br label %exit
exit:
  ret void
}
)";

TEST(BlockCounts, ASampleHasAllPlacesOfABlockAndTheBordersAlike) {
  Counted Kernel(Patterned);
  Kernel.Request.Launch.Grid = {100000, 1000, 1};
  Kernel.Request.Launch.argument<void *>(nullptr).argument<float>(1);
  auto Counts = Kernel.run();
  EXPECT_EQ(Kernel.Result.Source, InstrSource::Sampled);
  EXPECT_NEAR(Counts["leader"], 1 / 128.0, 1e-12);
  EXPECT_NEAR(Counts["border"], 1 / 1000.0, 1e-12);
  EXPECT_NEAR(Counts["inEven"], 0.5, 0.01);
}

TEST(BlockCounts, RefusesWithoutTheData) {
  Counted Kernel(RowsOfData);
  Kernel.Request.Launch.argument<void *>(nullptr).argument<void *>(nullptr);
  Expected<BlockFrequencies> Counts = countBlocks(Kernel.kernel(), Kernel.Request);
  ASSERT_FALSE(Counts);
  TakenError Problem = gpuprune::takeError(Counts.takeError());
  EXPECT_EQ(Problem.Kind, ErrorKind::Refused);
  EXPECT_NE(Problem.Text.find("depends on memory"), std::string::npos) << Problem.Text;
}

TEST(BlockCounts, AKernelThatNeverEndsIsStopped) {
  Counted Kernel(R"(
define ptx_kernel void @k(ptr %p) {
entry:
  br label %loop
loop:
  %v = load volatile i32, ptr %p
  %c = icmp eq i32 %v, 0
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
)");
  GuardedMemory Memory;
  GuardedBuffer &Flag = cantFail(Memory.allocate("flag", 4, 0));
  Kernel.Request.Rounds = 1 << 20;
  Kernel.Request.ProvideData = [&](HostProgram &, HostLaunch &Launch) {
    Launch.Memory = &Memory;
    Launch.argument(Flag);
    return Error::success();
  };
  Expected<BlockFrequencies> Counts = countBlocks(Kernel.kernel(), Kernel.Request);
  ASSERT_FALSE(Counts);
  EXPECT_EQ(gpuprune::takeError(Counts.takeError()).Kind, ErrorKind::Resources);
}

/// The fastest variant of the matrix product on an H200: counting by running agrees
/// with what follows from the code alone.
TEST(BlockCounts, AgreesWithTheStaticCounts) {
  std::string Code =
      deviceCode("kernels/matmul/matmul.cu",
                 {{"TILE=32"},
                  "gpu-block-coarsen<x=4;y=8;shared=interleaved>,gpu-unroll<loop=1;factor=full>,"
                  "gpu-registers<max=64>",
                  {}});
  LLVMContext Context;
  auto M = valueOf(parseBitcodeFile(MemoryBufferRef(Code, "matmul"), Context));
  Function *Kernel = nullptr;
  for (Function &F : *M)
    if (F.getCallingConv() == CallingConv::PTX_Kernel)
      Kernel = &F;
  ASSERT_TRUE(Kernel);
  CountingRequest Request;
  Request.Launch.Grid = {4096 / 32 / 4, 4096 / 32 / 8, 1};
  Request.Launch.Block = {32, 32, 1};
  for (int Pointer = 0; Pointer < 3; ++Pointer)
    Request.Launch.argument<void *>(nullptr);
  Request.Launch.argument<int32_t>(4096);
  BlockFrequencies Ran = valueOf(countBlocks(*Kernel, Request));

  TargetLibraryInfoImpl Impl(M->getTargetTriple());
  TargetLibraryInfo TLI(Impl, Kernel);
  AssumptionCache AC(*Kernel);
  DominatorTree DT(*Kernel);
  LoopInfo LI(DT);
  ScalarEvolution SE(*Kernel, TLI, AC, DT, LI);
  BlockFrequencies Static = computeBlockFrequencies(
      *Kernel, LI, SE, {Request.Launch.Grid, Request.Launch.Block, {{}, {}, {}, 4096}});
  ASSERT_TRUE(Static.Exact);
  EXPECT_EQ(Ran.Source, InstrSource::ExactRun);
  for (const BasicBlock &Block : *Kernel)
    EXPECT_DOUBLE_EQ(Ran.of(&Block), Static.of(&Block));
  for (auto &[Edge, Count] : Static.Edges)
    EXPECT_DOUBLE_EQ(Ran.Edges.lookup(Edge), Count);
}
