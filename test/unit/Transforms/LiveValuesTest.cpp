//===- LiveValuesTest.cpp - What a kernel's threads keep in registers ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Facts/LiveValues.h"
#include "KernelTesting.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

/// A kernel of which each block is executed \p Executions times, 1 where nothing is said.
struct Lives {
  TestKernel Kernel;
  BlockFrequencies Frequencies;
  DominatorTree DT;
  LoopInfo Loops;
  std::optional<LiveValues> Of;

  explicit Lives(StringRef Body, std::initializer_list<std::pair<StringRef, double>> Executions = {})
      : Kernel(Body), DT(Kernel.function()), Loops(DT) {
    for (const BasicBlock &Block : Kernel.function())
      Frequencies.Blocks[&Block] = 1;
    for (auto [Name, Count] : Executions)
      Frequencies.Blocks[&Kernel.block(Name)] = Count;
    Of.emplace(Kernel.function(), Frequencies);
  }

  LiveValues::Point peak() { return Of->peak(Loops); }
  Names liveAt(const LiveValues::Point &P) {
    return Kernel.values([&](const Instruction &I) { return Of->isLiveAt(I, P); });
  }
  double lifetime(StringRef Name) { return Of->lifetime(Kernel.value(Name)); }
};

} // namespace

TEST(WordsOf, RegistersByType) {
  TestKernel K(R"(
  %half = trunc i32 %n to i16
  %word = add i32 %n, 1
  %wide = zext i32 %n to i64
  %flag = icmp slt i32 %n, 5
  %quad = load <4 x float>, ptr addrspace(1) %p
  %pointer = getelementptr float, ptr addrspace(1) %p, i32 %n
  %shared = addrspacecast ptr addrspace(1) %pointer to ptr
  %parameter = addrspacecast ptr addrspace(1) %p to ptr
  %local = alloca [8 x i32]
  ret void
)");
  EXPECT_EQ(wordsOf(K.value("half")), 1u);
  EXPECT_EQ(wordsOf(K.value("word")), 1u);
  EXPECT_EQ(wordsOf(K.value("wide")), 2u);
  EXPECT_EQ(wordsOf(K.value("flag")), 0u) << "a predicate";
  EXPECT_EQ(wordsOf(K.value("quad")), 4u);
  EXPECT_EQ(wordsOf(K.value("pointer")), 2u);
  EXPECT_EQ(wordsOf(K.value("shared")), 2u);
  EXPECT_EQ(wordsOf(K.value("parameter")), 0u) << "from the constant bank";
  EXPECT_EQ(wordsOf(K.value("local")), 0u);
  EXPECT_EQ(wordsOf(*K.function().getArg(1)), 0u);
  EXPECT_EQ(wordsOf(*K.function().getEntryBlock().getTerminator()), 0u);
}

TEST(LiveValues, PeakOfOneBlock) {
  Lives L(R"(
  %a = add i32 %n, 1
  %b = add i32 %n, 2
  %c = add i32 %n, 3
  %ab = add i32 %a, %b
  %abc = add i32 %ab, %c
  store i32 %abc, ptr addrspace(1) %p
  ret void
)");
  LiveValues::Point Peak = L.peak();
  EXPECT_EQ(Peak.Words, 3u);
  EXPECT_EQ(Peak.Before->getName(), "ab");
  EXPECT_EQ(L.liveAt(Peak), Names({"a", "b", "c"}));
  EXPECT_EQ(L.lifetime("a"), 3) << "itself and two more, before the one that uses it";
  EXPECT_EQ(L.lifetime("c"), 2);
}

TEST(LiveValues, NothingIsLive) {
  Lives L("  ret void\n");
  EXPECT_EQ(L.peak().Words, 0u);
  EXPECT_EQ(L.liveAt(L.peak()), Names());
}

static constexpr char PlainLoop[] = R"(
entry:
  %a = add i32 %n, 1
  %b = add i32 %n, 2
  %c = add i32 %a, %b
  %through = mul i32 %n, %m
  br label %loop
loop:
  %i = phi i32 [ %c, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %through, ptr addrspace(1) %p
  ret void
)";

TEST(LiveValues, PeakIsLookedForInLoops) {
  Lives L(PlainLoop, {{"loop", 100}});
  LiveValues::Point Peak = L.peak();
  EXPECT_EQ(Peak.Words, 2u);
  EXPECT_EQ(Peak.Before->getParent()->getName(), "loop");
  EXPECT_TRUE(L.Of->isLiveAt(L.Kernel.value("through"), Peak)) << "though the loop does not use it";
}

TEST(LiveValues, LifetimeCountsEachIteration) {
  Lives L(PlainLoop, {{"loop", 100}});
  // Its block from there on, the loop, and the store's place in the last block.
  EXPECT_EQ(L.lifetime("through"), 2 + 100 * 4 + 0);
  // A PHI's operand lives to the end of the block that it comes from.
  EXPECT_EQ(L.lifetime("c"), 3);
  EXPECT_EQ(L.lifetime("next"), 100 * 3);
  EXPECT_EQ(L.Of->executions(L.Kernel.value("next")), 100);
  EXPECT_EQ(L.Of->position(L.Kernel.value("next")), 1u);
}

TEST(LiveValues, MostExecutedOfEqualPeaks) {
  StringRef Body = R"(
entry:
  br label %first
first:
  %i = phi i32 [ 0, %entry ], [ %inext, %first ]
  %inext = add i32 %i, 1
  %imore = icmp slt i32 %inext, %n
  br i1 %imore, label %first, label %second
second:
  %j = phi i32 [ 0, %first ], [ %jnext, %second ]
  %jnext = add i32 %j, 1
  %jmore = icmp slt i32 %jnext, %n
  br i1 %jmore, label %second, label %end
end:
  ret void
)";
  EXPECT_EQ(Lives(Body, {{"first", 10}, {"second", 20}}).peak().Before->getParent()->getName(), "second");
  EXPECT_EQ(Lives(Body, {{"first", 20}, {"second", 10}}).peak().Before->getParent()->getName(), "first");
}

TEST(LiveValues, OnlyOnTheWayThatUsesThem) {
  Lives L(R"(
entry:
  %v = add i32 %n, 1
  switch i32 %m, label %end [
    i32 0, label %a
    i32 1, label %b
  ]
a:
  store i32 %v, ptr addrspace(1) %p
  br label %end
b:
  store i32 %n, ptr addrspace(1) %p
  br label %end
end:
  %x = phi i32 [ %v, %a ], [ 1, %b ], [ 0, %entry ]
  ret void
)",
          {{"a", 10}, {"b", 1000}});
  // Two instructions of the entry block, and all of %a: the PHI takes it from there.
  EXPECT_EQ(L.lifetime("v"), 2 + 10 * 2);
}

TEST(LiveValues, CycleWithTwoEntries) {
  Lives L(R"(
entry:
  %v = add i32 %n, 1
  %c = icmp slt i32 %n, 5
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  store i32 %v, ptr addrspace(1) %p
  %more = icmp slt i32 %m, 7
  br i1 %more, label %a, label %end
end:
  ret void
)");
  ASSERT_TRUE(L.Loops.empty()) << "LLVM knows it as no loop";
  EXPECT_EQ(L.lifetime("v"), 3 + 1 + 3) << "all around the cycle";
  EXPECT_EQ(L.peak().Words, 1u);
}

TEST(LiveValues, LoopsWithSeveralExitsOrNone) {
  Lives L(R"(
entry:
  %v = add i32 %n, 1
  %w = add i32 %n, 2
  br label %header
header:
  %c = icmp slt i32 %n, 5
  br i1 %c, label %early, label %latch
latch:
  %d = icmp slt i32 %m, 5
  br i1 %d, label %header, label %forever
early:
  store i32 %v, ptr addrspace(1) %p
  ret void
forever:
  store i32 %w, ptr addrspace(1) %p
  br label %forever
)");
  EXPECT_EQ(L.lifetime("v"), 3 + 2 + 2 + 0);
  EXPECT_EQ(L.lifetime("w"), 2 + 2 + 2 + 2) << "for ever";
  EXPECT_EQ(L.peak().Words, 2u);
}

TEST(LiveValues, BlocksThatAreNeverReached) {
  Lives L(R"(
entry:
  %v = add i32 %n, 1
  br label %end
dead:
  %w = add i32 %n, 2
  %x = add i32 %w, %w
  store i32 %x, ptr addrspace(1) %p
  br label %end
end:
  %y = phi i32 [ %v, %entry ], [ %w, %dead ]
  store i32 %y, ptr addrspace(1) %p
  ret void
)");
  EXPECT_EQ(L.peak().Words, 1u);
  EXPECT_EQ(L.lifetime("v"), 2);
  EXPECT_EQ(L.lifetime("w"), 0) << "no thread executes an instruction of it";
  EXPECT_FALSE(L.Of->isLiveAt(L.Kernel.value("w"), L.peak()));
}
