//===- InfluenceTest.cpp - What depends on some values of a kernel ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Facts/Influence.h"
#include "KernelTesting.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

/// What depends on the instruction %seed of a kernel.
struct OfSeed {
  TestKernel Kernel;
  Influence Of;

  explicit OfSeed(StringRef Body)
      : Kernel(Body), Of(Kernel.function(), [](const Instruction &I) { return I.getName() == "seed"; }) {}
  Names reached() {
    return Kernel.values([&](const Instruction &I) { return Of.reaches(I); });
  }
  Names parted() {
    return Kernel.values([&](const Instruction &I) { return Of.parts(I); });
  }
  Names decided() {
    return Kernel.blocks([&](const BasicBlock &Block) { return Of.decides(Block); });
  }
};

} // namespace

TEST(Influence, FollowsOperands) {
  OfSeed K(R"(
  %seed = add i32 %n, 1
  %a = mul i32 %seed, %m
  %b = sub i32 %a, 3
  %other = mul i32 %n, %m
  store i32 %b, ptr addrspace(1) %p
  %read = load i32, ptr addrspace(1) %p
  ret void
)");
  EXPECT_EQ(K.reached(), Names({"seed", "a", "b"})) << "memory is not followed";
  EXPECT_EQ(K.parted(), Names());
  EXPECT_EQ(K.decided(), Names());
}

TEST(Influence, EndsWhereItIsAsked) {
  TestKernel K(R"(
  %seed = add i32 %n, 1
  %end = mul i32 %seed, %m
  %behind = sub i32 %end, 3
  ret void
)");
  Influence Of(
      K.function(), [](const Instruction &I) { return I.getName() == "seed"; },
      [](const Instruction &I) { return I.getName() == "end"; });
  EXPECT_TRUE(Of.reaches(K.value("end")));
  EXPECT_FALSE(Of.reaches(K.value("behind")));
}

TEST(Influence, BranchDecidesUpToWhereItsWaysMeet) {
  OfSeed K(R"(
entry:
  %seed = icmp slt i32 %n, 5
  br i1 %seed, label %then, label %meet
then:
  %t = add i32 %m, 1
  br label %meet
meet:
  %chosen = phi i32 [ %t, %then ], [ %m, %entry ]
  %follows = add i32 %chosen, 1
  %free = add i32 %m, 1
  br label %behind
behind:
  ret void
)");
  EXPECT_EQ(K.decided(), Names({"then"}));
  EXPECT_EQ(K.parted(), Names({"chosen"}));
  EXPECT_EQ(K.reached(), Names({"seed", "chosen", "follows"}));
}

TEST(Influence, WaysThatEndApartDecideAllBehind) {
  OfSeed K(R"(
entry:
  %seed = icmp slt i32 %n, 5
  br i1 %seed, label %leave, label %stay
leave:
  ret void
stay:
  br label %last
last:
  ret void
)");
  EXPECT_EQ(K.decided(), Names({"leave", "stay", "last"}));
}

TEST(Influence, LoopIsLeftInDifferentIterations) {
  OfSeed K(R"(
entry:
  %seed = add i32 %n, 1
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %seed
  br i1 %more, label %loop, label %behind
behind:
  %last = add i32 %i, 7
  ret void
)");
  EXPECT_EQ(K.decided(), Names({"loop"}));
  EXPECT_EQ(K.parted(), Names({"last"})) << "those who still go on are in one iteration";
  EXPECT_FALSE(K.Of.reaches(K.Kernel.value("i")));
}

TEST(Influence, ExitIsReachedFromDifferentIterations) {
  // All leave at %early in an iteration of their own; their ways meet with the others' behind it only.
  OfSeed K(R"(
entry:
  %seed = add i32 %n, 1
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %full = icmp eq i32 %i, %m
  br i1 %full, label %late, label %test
test:
  %found = icmp eq i32 %i, %seed
  br i1 %found, label %early, label %latch
latch:
  %next = add i32 %i, 1
  br label %header
early:
  %when = mul i32 %i, 3
  %odd = trunc i32 %when to i1
  br i1 %odd, label %then, label %joined
then:
  br label %joined
joined:
  %which = phi i32 [ 1, %then ], [ 2, %early ]
  br label %end
late:
  br label %end
end:
  %chosen = phi i32 [ %which, %joined ], [ 0, %late ]
  ret void
)");
  EXPECT_EQ(K.decided(), Names({"early", "header", "joined", "late", "latch", "test", "then"}));
  EXPECT_TRUE(K.Of.parts(K.Kernel.value("when")));
  EXPECT_TRUE(K.Of.reaches(K.Kernel.value("odd")));
  EXPECT_TRUE(K.Of.parts(K.Kernel.value("which")));
  EXPECT_TRUE(K.Of.parts(K.Kernel.value("chosen")));
  EXPECT_FALSE(K.Of.reaches(K.Kernel.value("i")));
  EXPECT_FALSE(K.Of.reaches(K.Kernel.value("next")));
}

TEST(Influence, InnerLoopMeetsInTheOuterOne) {
  OfSeed K(R"(
entry:
  %seed = add i32 %n, 1
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %inext, %behind ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %jnext, %inner ]
  %jnext = add i32 %j, 1
  %more = icmp slt i32 %jnext, %seed
  br i1 %more, label %inner, label %behind
behind:
  %inext = add i32 %i, 1
  %again = icmp slt i32 %inext, %m
  br i1 %again, label %outer, label %end
end:
  ret void
)");
  EXPECT_EQ(K.decided(), Names({"inner"}));
  EXPECT_EQ(K.parted(), Names());
}

TEST(Influence, SwitchPartsWhereSeveralCasesMeet) {
  OfSeed K(R"(
entry:
  %seed = add i32 %n, 1
  switch i32 %seed, label %end [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %c
  ]
a:
  br label %ab
b:
  br label %ab
ab:
  %either = phi i32 [ 1, %a ], [ 2, %b ]
  br label %end
c:
  br label %end
end:
  %any = phi i32 [ %either, %ab ], [ 3, %c ], [ 0, %entry ]
  ret void
)");
  EXPECT_EQ(K.decided(), Names({"a", "ab", "b", "c"}));
  EXPECT_EQ(K.parted(), Names({"any", "either"}));
}

TEST(Influence, TwoCasesOfOneTargetAreOneWay) {
  OfSeed K(R"(
entry:
  %seed = add i32 %n, 1
  switch i32 %seed, label %end [
    i32 0, label %loop
    i32 1, label %loop
  ]
loop:
  %i = phi i32 [ 0, %entry ], [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %end
end:
  ret void
)");
  EXPECT_EQ(K.decided(), Names({"loop"}));
  EXPECT_EQ(K.parted(), Names()) << "both cases come to the loop with one value";
}

TEST(Influence, CycleWithTwoEntries) {
  OfSeed K(R"(
entry:
  %seed = icmp slt i32 %n, 5
  br i1 %seed, label %a, label %b
a:
  %x = phi i32 [ 0, %entry ], [ %y, %b ]
  br label %b
b:
  %y = phi i32 [ 1, %entry ], [ %x, %a ]
  %more = icmp slt i32 %m, 7
  br i1 %more, label %a, label %end
end:
  %behind = add i32 %y, 1
  ret void
)");
  EXPECT_TRUE(K.Of.parts(K.Kernel.value("y")));
  EXPECT_TRUE(K.Of.reaches(K.Kernel.value("x")));
  EXPECT_TRUE(K.Of.reaches(K.Kernel.value("behind")));
  EXPECT_TRUE(K.Of.decides(K.Kernel.block("a")));
  EXPECT_FALSE(K.Of.decides(K.Kernel.block("end")));
}

/// Two ways around a loop without an end.
static constexpr char Endless[] = R"(
entry:
  %seed = icmp slt i32 %n, 5
  br label %header
header:
  br i1 %seed, label %a, label %b
a:
  br label %latch
b:
  br label %latch
latch:
  %chosen = phi i32 [ 1, %a ], [ 2, %b ]
  br label %header
)";

TEST(Influence, WaysAroundALoopWithoutEnd) {
  OfSeed K(Endless);
  EXPECT_TRUE(K.Of.decides(K.Kernel.block("a")));
  EXPECT_TRUE(K.Of.decides(K.Kernel.block("b")));
  EXPECT_TRUE(K.Of.parts(K.Kernel.value("chosen")));
  EXPECT_FALSE(K.Of.decides(K.Kernel.block("entry")));
}

TEST(Influence, WaysAroundALoopWithoutEndTheOtherWayRound) {
  std::string Swapped = Endless;
  Swapped.replace(Swapped.find("label %a, label %b"), 18, "label %b, label %a");
  OfSeed K(Swapped);
  EXPECT_TRUE(K.Of.decides(K.Kernel.block("a")));
  EXPECT_TRUE(K.Of.decides(K.Kernel.block("b")));
  EXPECT_TRUE(K.Of.parts(K.Kernel.value("chosen")));
}

TEST(Influence, LoopWithoutEndOnOneWay) {
  OfSeed K(R"(
entry:
  %seed = icmp slt i32 %n, 5
  br i1 %seed, label %forever, label %end
forever:
  br label %forever
end:
  ret void
)");
  EXPECT_EQ(K.decided(), Names({"end", "forever"})) << "only some get to the end";
}

TEST(Influence, BlocksThatAreNeverReached) {
  OfSeed K(R"(
entry:
  %u = add i32 %n, 1
  br label %end
dead:
  %seed = icmp slt i32 %n, 5
  br i1 %seed, label %deader, label %end
deader:
  br label %end
end:
  %v = phi i32 [ %u, %entry ], [ 1, %dead ], [ 2, %deader ]
  ret void
)");
  EXPECT_TRUE(K.Of.decides(K.Kernel.block("deader")));
  EXPECT_FALSE(K.Of.decides(K.Kernel.block("entry")));
  EXPECT_FALSE(K.Of.reaches(K.Kernel.value("u")));
}

static Names ofThread(StringRef Body) {
  TestKernel K(Body);
  Influence Of = influenceOfThread(K.function());
  return K.values([&](const Instruction &I) { return Of.reaches(I); });
}

TEST(InfluenceOfThread, FollowsWhatTellsThreadsApart) {
  EXPECT_EQ(ofThread(R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %a = add i32 %t, %c
  %b = add i32 %c, %n
  %u = load i32, ptr addrspace(1) %p
  %own = alloca i32
  %of = getelementptr i32, ptr addrspace(1) %p, i32 %t
  %r = load i32, ptr addrspace(1) %of
  %add = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
  %v = load volatile i32, ptr addrspace(1) %p
  ret void
)"),
            Names({"a", "add", "of", "own", "r", "t", "v"}));
}

TEST(InfluenceOfThread, BlockAgreesOnAReduction) {
  EXPECT_EQ(ofThread(R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = icmp slt i32 %t, %n
  %all = call i32 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %own)
  %some = add i32 %all, 1
  ret void
)"),
            Names({"t", "own", "all"}))
      << "what is reached itself, nothing that follows";
}

static bool waitsForNobody(StringRef Body) {
  TestKernel K(Body);
  return !checkWaitsForNobody(K.function());
}

TEST(WaitsForNobody, LoopsThatAnotherThreadEnds) {
  EXPECT_FALSE(waitsForNobody(R"(
entry:
  br label %spin
spin:
  %flag = load volatile i32, ptr addrspace(1) %p
  %free = icmp eq i32 %flag, 0
  br i1 %free, label %end, label %spin
end:
  ret void
)"));
  EXPECT_FALSE(waitsForNobody(R"(
entry:
  br label %spin
spin:
  %lock = atomicrmw xchg ptr addrspace(1) %p, i32 1 seq_cst
  %free = icmp eq i32 %lock, 0
  br i1 %free, label %end, label %spin
end:
  ret void
)"));
}

TEST(WaitsForNobody, LoopLeftInAnIterationThatAnAtomicChose) {
  // Whether the outer loop ends follows from %i, which those who leave at %found bring from the iteration
  // in which the atomic let them go.
  EXPECT_FALSE(waitsForNobody(R"(
entry:
  br label %outer
outer:
  br label %header
header:
  %i = phi i32 [ 0, %outer ], [ %next, %latch ]
  %full = icmp eq i32 %i, %m
  br i1 %full, label %again, label %test
test:
  %lock = atomicrmw xchg ptr addrspace(1) %p, i32 1 seq_cst
  %free = icmp eq i32 %lock, 0
  br i1 %free, label %found, label %latch
latch:
  %next = add i32 %i, 1
  br label %header
found:
  %first = icmp eq i32 %i, 0
  br i1 %first, label %end, label %again
again:
  %over = icmp eq i32 %n, 0
  br i1 %over, label %end, label %outer
end:
  ret void
)"));
}

TEST(WaitsForNobody, LoopsThatEndByThemselves) {
  EXPECT_TRUE(waitsForNobody(R"(
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
)")) << "the atomic decides nothing";
  EXPECT_TRUE(waitsForNobody(R"(
entry:
  %begin = load i32, ptr addrspace(1) %p
  br label %try
try:
  %expected = phi i32 [ %begin, %entry ], [ %found, %try ]
  %new = add i32 %expected, %n
  %pair = cmpxchg ptr addrspace(1) %p, i32 %expected, i32 %new seq_cst seq_cst
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %try
end:
  ret void
)")) << "tried again with what was found";
  EXPECT_TRUE(waitsForNobody(R"(
entry:
  br label %loop
loop:
  %slot = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
  %more = icmp slt i32 %slot, %n
  br i1 %more, label %loop, label %end
end:
  ret void
)")) << "work is handed out until there is none";
  EXPECT_FALSE(waitsForNobody(R"(
entry:
  br label %loop
loop:
  %slot = atomicrmw sub ptr addrspace(1) %p, i32 1 seq_cst
  %more = icmp slt i32 %slot, %n
  br i1 %more, label %loop, label %end
end:
  ret void
)")) << "the other way";
}
