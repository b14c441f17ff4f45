//===- BlockCountsTest.cpp - Tests of counting by running ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ExpectedTesting.h"
#include "CountedKernel.h"
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

/// New ones for each run; \p Data are the last.
static void provideNewRows(Counted &Kernel, std::unique_ptr<RowData> &Data) {
  Kernel.Request.Launch.argument<void *>(nullptr).argument<void *>(nullptr);
  Kernel.Request.ProvideData = [&Data](HostProgram &, HostLaunch &Launch) {
    Data = std::make_unique<RowData>();
    Launch.Memory = &Data->Memory;
    Launch.Arguments.clear();
    Launch.argument(Data->Rows).argument<void *>(nullptr);
    return Error::success();
  };
}

TEST(BlockCounts, RunsTheWholeKernelOverNewDataWhereControlDependsOnWhatItWrites) {
  Counted Kernel(CountsDown);
  Kernel.Request.Launch.Grid = {4, 1, 1};
  std::unique_ptr<RowData> Data;
  provideNewRows(Kernel, Data);
  EXPECT_NEAR(Kernel.run()["body"], Data->Mean, 1e-9);
  EXPECT_EQ(Kernel.Result.Source, InstrSource::ExactRun);
}

TEST(BlockCounts, LanesAreComparedOverDataThatNoOtherHasChanged) {
  Counted Kernel(CountsDown);
  std::unique_ptr<RowData> Data;
  provideNewRows(Kernel, Data);
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
