//===- BlockFrequenciesTest.cpp - Tests of the block frequencies ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/BlockFrequencies.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

static LaunchContext launch(std::vector<std::optional<int64_t>> Scalars) {
  return {Dim3{10, 1, 1}, Dim3{128, 1, 1}, std::move(Scalars)};
}

/// A loop 0..n whose body is guarded by \p Condition, an i1 called %c.
static std::string guardedLoop(const char *Condition) {
  return std::string(R"(
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %some = icmp sgt i32 %n, 0
  br i1 %some, label %loop, label %exit
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
)") + Condition +
         R"(
  br i1 %c, label %then, label %latch
then:
  store i32 %i, ptr %p
  br label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
)";
}

struct Case {
  const char *Condition;
  int64_t N;
  double Then;
  bool Exact;
};

TEST(BlockFrequencies, DecidesConditionsIterationByIteration) {
  for (const Case &C :
       {Case{"  %c = icmp ult i32 %i, 5", 20, 5, true}, Case{"  %c = icmp ult i32 %i, 5", 3, 3, true},
        Case{"  %c = icmp eq i32 %i, 7", 20, 1, true}, Case{"  %c = icmp eq i32 %i, 19", 20, 1, true},
        Case{"  %m = and i32 %i, 3\n  %c = icmp eq i32 %m, 0", 21, 6, true},
        Case{"  %m = and i32 %n, 3\n  %c = icmp eq i32 %m, 1", 21, 21, true},
        Case{"  %c = icmp ult i32 %tid, 128", 20, 20, true},
        Case{"  %c = icmp ult i32 %tid, 127", 20, 20, false},
        Case{"  %v = load i32, ptr %p\n  %c = icmp eq i32 %v, 0", 20, 20, false},
        Case{"  %b = mul i32 %ctaid, %ntid\n  %g = add i32 %b, %tid\n"
             "  %c = icmp slt i32 %g, 1280",
             20, 20, true},
        Case{"  %c = icmp ult i32 %i, 5", 0, 0, true}, Case{"  %c = icmp ult i32 %i, 5", -7, 0, true}}) {
    auto Module = parseKernels(guardedLoop(C.Condition));
    BlockFrequencies F = frequencies(*Module, "k", launch({std::nullopt, C.N}));
    double Iterations = double(std::max<int64_t>(0, C.N));
    EXPECT_EQ(F.of(&Module->block("k", "loop")), Iterations) << C.Condition << " n=" << C.N;
    EXPECT_EQ(F.of(&Module->block("k", "latch")), Iterations) << C.Condition << " n=" << C.N;
    EXPECT_EQ(F.of(&Module->block("k", "then")), C.Then) << C.Condition << " n=" << C.N;
    EXPECT_EQ(F.of(&Module->block("k", "exit")), 1) << C.Condition << " n=" << C.N;
    EXPECT_EQ(F.Exact, C.Exact) << C.Condition << " n=" << C.N;
    EXPECT_EQ(F.Reasons.empty(), C.Exact);
  }
}

TEST(BlockFrequencies, EstimatesALoopWithVaryingIterationsOverTheBudget) {
  auto Module = parseKernels(guardedLoop("  %c = icmp ult i32 %i, 5"));
  BlockFrequencies F = frequencies(*Module, "k", launch({std::nullopt, 100000}));
  EXPECT_FALSE(F.Exact);
  EXPECT_EQ(F.of(&Module->block("k", "latch")), 100000);
}

TEST(BlockFrequencies, AssumesATripCountWhereNothingIsKnown) {
  auto Module = parseKernels(guardedLoop("  %c = icmp ult i32 %ntid, 5"));
  BlockFrequencies F = frequencies(*Module, "k", LaunchContext{});
  EXPECT_FALSE(F.Exact);
  EXPECT_EQ(F.of(&Module->block("k", "latch")), AssumedTripCount);
  ASSERT_EQ(F.Loops.size(), 1u);
  EXPECT_FALSE(F.Loops[0].Exact);
}

TEST(BlockFrequencies, TakesTheFirstThreadWhereTheTripCountDependsOnTheThread) {
  auto Module = parseKernels(R"(
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %tid, %entry ], [ %next, %loop ]
  %next = add nuw nsw i32 %i, 128
  store i32 %i, ptr %p
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
)");
  BlockFrequencies F = frequencies(*Module, "k", launch({}));
  EXPECT_EQ(F.of(&Module->block("k", "loop")), 8);
  EXPECT_FALSE(F.Exact);
}

/// for (i = 0; i < n; ++i) for (j = 0; j <= i; ++j) and a header that tests first.
static constexpr char Nest[] = R"(
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  %goes = icmp slt i32 %i, %n
  br i1 %goes, label %inner, label %exit
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  store i32 %j, ptr %p
  %j.next = add nuw nsw i32 %j, 1
  %again = icmp sle i32 %j.next, %i
  br i1 %again, label %inner, label %outer.latch
outer.latch:
  %i.next = add nuw nsw i32 %i, 1
  br label %outer
exit:
  ret void
}
)";

TEST(BlockFrequencies, SumsATriangularNestAndALoopThatTestsFirst) {
  for (int64_t N : {0, 1, 2, 100}) {
    auto Module = parseKernels(Nest);
    BlockFrequencies F = frequencies(*Module, "k", launch({std::nullopt, N}));
    EXPECT_TRUE(F.Exact);
    EXPECT_EQ(F.of(&Module->block("k", "outer")), N + 1);
    EXPECT_EQ(F.of(&Module->block("k", "inner")), N * (N + 1) / 2);
    EXPECT_EQ(F.of(&Module->block("k", "outer.latch")), N);
    ASSERT_EQ(F.Loops.size(), 2u);
    EXPECT_EQ(F.Loops[1].Entries, N);
    EXPECT_EQ(F.Loops[1].Iterations, N * (N + 1) / 2);
    EXPECT_EQ(F.Loops[1].Depth, 2u);
  }
}

TEST(BlockFrequencies, FollowsAnExitValueIntoTheNextLoop) {
  // An unrolled loop that stops at n rounded down, and its remainder.
  auto Module = parseKernels(R"(
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  %enough = icmp ugt i32 %n, 3
  br i1 %enough, label %main, label %rest
main:
  %i = phi i32 [ 0, %entry ], [ %i.next, %main ]
  store i32 %i, ptr %p
  %i.next = add nuw nsw i32 %i, 4
  %room = sub i32 %n, %i.next
  %more = icmp ugt i32 %room, 3
  br i1 %more, label %main, label %rest
rest:
  %done = phi i32 [ 0, %entry ], [ %i.next, %main ]
  %left = icmp ult i32 %done, %n
  br i1 %left, label %tail, label %exit
tail:
  %t = phi i32 [ %done, %rest ], [ %t.next, %tail ]
  store i32 %t, ptr %p
  %t.next = add nuw nsw i32 %t, 1
  %again = icmp ult i32 %t.next, %n
  br i1 %again, label %tail, label %exit
exit:
  ret void
}
)");
  for (int64_t N : {0, 3, 4, 7, 8, 1001}) {
    BlockFrequencies F = frequencies(*Module, "k", launch({std::nullopt, N}));
    EXPECT_TRUE(F.Exact) << N << ": " << (F.Reasons.empty() ? "" : F.Reasons.front());
    EXPECT_EQ(F.of(&Module->block("k", "main")), N / 4) << N;
    EXPECT_EQ(F.of(&Module->block("k", "tail")), N % 4) << N;
  }
}

/// A loop that begins at \p Start, goes on by \p Next (defining %next) and repeats
/// while \p More (defining %more). A barrier inside keeps ScalarEvolution from
/// assuming that nothing wraps.
static std::string steppingLoop(const char *Start, const char *Next, const char *More) {
  return std::string("define ptx_kernel void @k(ptr %p, i32 %n) {\nentry:\n"
                     "  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n  br label %loop\n"
                     "loop:\n  %i = phi i32 [ ") +
         Start + ", %entry ], [ %next, %loop ]\n" + "  store volatile i32 %i, ptr %p\n" +
         "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n" + Next + "\n" + More +
         "\n  br i1 %more, label %loop, label %exit\nexit:\n  ret void\n}\n";
}

struct Stepping {
  const char *Start, *Next, *More;
  int64_t N;
  double Iterations;
};

TEST(BlockFrequencies, SolvesOrFollowsWhatScalarEvolutionHasNoCountFor) {
  const char *Add16 = "  %next = add i32 %i, 16", *Sub4 = "  %next = add i32 %i, -4";
  const char *Halve = "  %next = lshr i32 %i, 1", *Triple = "  %next = mul i32 %i, 3";
  for (const Stepping &S : {Stepping{"0", Add16, "  %more = icmp slt i32 %next, %n", 4096, 256},
                            Stepping{"0", Add16, "  %more = icmp slt i32 %next, %n", 4097, 257},
                            Stepping{"0", Add16, "  %more = icmp slt i32 %next, %n", -5, 1},
                            Stepping{"0", Add16, "  %more = icmp ne i32 %next, %n", 4096, 256},
                            Stepping{"0", Add16, "  %more = icmp sge i32 %n, %next", 4096, 257},
                            Stepping{"%n", Sub4, "  %more = icmp sgt i32 %next, 0", 100, 25},
                            Stepping{"%n", Sub4, "  %more = icmp ne i32 %next, 0", 100, 25},
                            Stepping{"%n", Sub4, "  %more = icmp ugt i32 %next, 3", 102, 25},
                            Stepping{"%n", Halve, "  %more = icmp ne i32 %next, 0", 1024, 11},
                            Stepping{"%ntid", Halve, "  %more = icmp ugt i32 %next, 32", 0, 2},
                            Stepping{"1", Triple, "  %more = icmp slt i32 %next, %n", 100, 5}}) {
    auto Module = parseKernels(steppingLoop(S.Start, S.Next, S.More));
    BlockFrequencies F = frequencies(*Module, "k", launch({std::nullopt, S.N}));
    EXPECT_TRUE(F.Exact) << S.Next << S.More << S.N;
    EXPECT_EQ(F.of(&Module->block("k", "loop")), S.Iterations) << S.Next << S.More << S.N;
  }
}

TEST(BlockFrequencies, DoesNotSolveWhatNeverEnds) {
  for (auto &[Next, More] : {std::pair{"  %next = add i32 %i, 16", "  %more = icmp ne i32 %next, 7"},
                             std::pair{"  %next = mul i32 %i, 3", "  %more = icmp sge i32 %next, 0"},
                             std::pair{"  %next = load i32, ptr %p", "  %more = icmp ne i32 %next, 7"}}) {
    auto Module = parseKernels(steppingLoop("0", Next, More));
    BlockFrequencies F = frequencies(*Module, "k", launch({}));
    EXPECT_FALSE(F.Exact) << Next;
    EXPECT_EQ(F.of(&Module->block("k", "loop")), AssumedTripCount) << Next;
    EXPECT_EQ(F.of(&Module->block("k", "exit")), 1) << Next;
  }
}

TEST(BlockFrequencies, FollowsAReductionInsideALoopAndItsEndValue) {
  // for (j = 0; j < n; j += 2) { for (s = ntid; s > 1;) if ((s >>= 1) > 16) ...; if (s == 1) ... }
  auto Module = parseKernels(R"(
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %outer
outer:
  %j = phi i32 [ 0, %entry ], [ %j.next, %outer.latch ]
  br label %inner
inner:
  %s = phi i32 [ %ntid, %outer ], [ %s.next, %inner.latch ]
  %s.next = lshr i32 %s, 1
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %wide = icmp ugt i32 %s.next, 16
  br i1 %wide, label %then, label %inner.latch
then:
  store volatile i32 %s, ptr %p
  br label %inner.latch
inner.latch:
  %again = icmp ugt i32 %s.next, 1
  br i1 %again, label %inner, label %after
after:
  %last = phi i32 [ %s.next, %inner.latch ]
  %one = icmp eq i32 %last, 1
  br i1 %one, label %expected, label %outer.latch
expected:
  store volatile i32 %last, ptr %p
  br label %outer.latch
outer.latch:
  %j.next = add i32 %j, 2
  %more = icmp slt i32 %j.next, %n
  br i1 %more, label %outer, label %exit
exit:
  ret void
}
)");
  BlockFrequencies F = frequencies(*Module, "k", launch({std::nullopt, 19}));
  EXPECT_TRUE(F.Exact) << (F.Reasons.empty() ? "" : F.Reasons.front());
  EXPECT_EQ(F.of(&Module->block("k", "outer")), 10);
  EXPECT_EQ(F.of(&Module->block("k", "inner")), 70);
  EXPECT_EQ(F.of(&Module->block("k", "then")), 20);
  EXPECT_EQ(F.of(&Module->block("k", "expected")), 10);
}

TEST(BlockFrequencies, SharesAnUndecidedBranchAndDoesNotTrap) {
  auto Module = parseKernels(R"(
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  %v = load i32, ptr %p
  %bad = icmp eq i32 %v, 0
  br i1 %bad, label %dead, label %fine
dead:
  call void @llvm.trap()
  unreachable
fine:
  switch i32 %v, label %a [ i32 1, label %b
                            i32 2, label %c ]
a:
  store i32 1, ptr %p
  br label %join
b:
  store i32 2, ptr %p
  br label %join
c:
  store i32 3, ptr %p
  br label %join
join:
  switch i32 %n, label %none [ i32 4, label %four ]
four:
  store i32 4, ptr %p
  br label %none
none:
  ret void
}
)");
  BlockFrequencies F = frequencies(*Module, "k", launch({std::nullopt, 4}));
  EXPECT_FALSE(F.Exact);
  EXPECT_EQ(F.of(&Module->block("k", "dead")), 0);
  EXPECT_EQ(F.of(&Module->block("k", "fine")), 1);
  EXPECT_NEAR(F.of(&Module->block("k", "b")), 1.0 / 3, 1e-12);
  EXPECT_NEAR(F.of(&Module->block("k", "join")), 1, 1e-12);
  EXPECT_NEAR(F.of(&Module->block("k", "four")), 1, 1e-12);
  F = frequencies(*Module, "k", launch({std::nullopt, 5}));
  EXPECT_EQ(F.of(&Module->block("k", "four")), 0);
}

TEST(BlockFrequencies, DoesNotTakeWhatIsSaidToBeUnlikely) {
  auto Module = parseKernels(R"(
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  %v = load i32, ptr %p
  %all = icmp slt i32 %v, %n
  br i1 %all, label %fast, label %slow, !prof !0
fast:
  store i32 1, ptr %p
  %also = icmp slt i32 %v, 3
  br i1 %also, label %a, label %b, !prof !1
a:
  store i32 2, ptr %p
  br label %exit
b:
  store i32 3, ptr %p
  br label %exit
slow:
  store i32 4, ptr %p
  br label %exit
exit:
  ret void
}
!0 = !{!"branch_weights", i32 1048575, i32 1}
!1 = !{!"branch_weights", i32 10, i32 1}
)");
  BlockFrequencies F = frequencies(*Module, "k", launch({std::nullopt, 4}));
  EXPECT_FALSE(F.Exact);
  EXPECT_EQ(F.of(&Module->block("k", "fast")), 1);
  EXPECT_EQ(F.of(&Module->block("k", "slow")), 0);
  EXPECT_NEAR(F.of(&Module->block("k", "b")), 0.5, 1e-12) << "not that unlikely";
}

TEST(BlockFrequencies, DoesNotTakeADataDependentBreakEarly) {
  auto Module = parseKernels(R"(
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %v = load i32, ptr %p
  %found = icmp eq i32 %v, %i
  br i1 %found, label %exit, label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
)");
  BlockFrequencies F = frequencies(*Module, "k", launch({std::nullopt, 50}));
  EXPECT_FALSE(F.Exact);
  EXPECT_EQ(F.of(&Module->block("k", "loop")), 50);
  EXPECT_EQ(F.of(&Module->block("k", "exit")), 1);
}

TEST(BlockFrequencies, EndsOnAnInfiniteLoopAndOnIrreducibleFlow) {
  auto Module = parseKernels(R"(
define ptx_kernel void @forever() {
entry:
  br label %loop
loop:
  br label %loop
}
define ptx_kernel void @knot(ptr %p, i1 %x) {
entry:
  br i1 %x, label %a, label %b
a:
  %v = load i1, ptr %p
  br i1 %v, label %b, label %exit
b:
  %w = load i1, ptr %p
  br i1 %w, label %a, label %exit
exit:
  ret void
}
)");
  EXPECT_FALSE(frequencies(*Module, "forever", launch({})).Exact);
  EXPECT_FALSE(frequencies(*Module, "knot", launch({})).Exact);
}

TEST(FrequencyMap, ForgetsABlockThatIsDeleted) {
  auto Module = parseKernels("define ptx_kernel void @k() {\nentry:\n  ret void\ngone:\n  ret void\n}\n");
  FrequencyMap Map;
  Map.add(Module->function("k"), frequencies(*Module, "k", launch({})));
  const_cast<BasicBlock &>(Module->block("k", "gone")).eraseFromParent();
  ASSERT_NE(Map.find("k"), nullptr);
  unsigned Alive = 0;
  for (auto &[Block, Count] : Map.find("k")->Blocks)
    Alive += Block != nullptr;
  EXPECT_EQ(Alive, 1u);
  EXPECT_EQ(Map.find("other"), nullptr);
}
