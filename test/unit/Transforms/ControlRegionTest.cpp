//===- ControlRegionTest.cpp - The part of a kernel that a branch decides ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Facts/ControlRegion.h"
#include "KernelTesting.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

/// The region around the blocks \p Inside of a kernel, which must be what ControlRegion.h says where
/// there is one.
class Isolated {
public:
  Isolated(StringRef Body, std::initializer_list<StringRef> Inside) : Kernel(Body) {
    SmallVector<BasicBlock *, 4> Blocks;
    for (StringRef Name : Inside)
      Blocks.push_back(&Kernel.block(Name));
    R = RegionFinder(Kernel.function()).isolate(Blocks);
    EXPECT_TRUE(Kernel.isValid());
    if (!R)
      return;
    for (BasicBlock *Block : Blocks)
      EXPECT_TRUE(any_of(R->Blocks, [&](BasicBlock *Own) { return leadsTo(*Block, *Own); }));
    checkForm();
  }

  bool found() const { return R.has_value(); }
  Names names() const {
    Names Found;
    for (const BasicBlock *Block : R->Blocks)
      Found.insert(Block->getName().str());
    return Found;
  }
  std::string exit() const { return R->Exit->getName().str(); }

private:
  TestKernel Kernel;
  std::optional<ControlRegion> R;

  /// Whether \p Own is \p Block, or what was split from it.
  static bool leadsTo(const BasicBlock &Block, const BasicBlock &Own) {
    return &Block == &Own || Own.getSinglePredecessor() == &Block;
  }

  void checkForm() {
    EXPECT_TRUE(R->Blocks.contains(R->Head));
    EXPECT_TRUE(R->Blocks.contains(R->Join));
    EXPECT_FALSE(R->Blocks.contains(R->Exit));
    EXPECT_EQ(&R->Head->front(), R->Head->getTerminator());
    EXPECT_EQ(R->Join->getSingleSuccessor(), R->Exit);
    for (BasicBlock *Block : R->Blocks) {
      for (BasicBlock *Next : successors(Block))
        EXPECT_TRUE(R->Blocks.contains(Next) || Block == R->Join)
            << "another way out, from " << Block->getName().str();
      for (BasicBlock *Previous : predecessors(Block))
        EXPECT_NE(R->Blocks.contains(Previous), Block == R->Head)
            << "another way in, to " << Block->getName().str();
    }
  }
};

} // namespace

TEST(ControlRegion, HoldsBothWaysOfABranch) {
  Isolated R(R"(
entry:
  %c = icmp slt i32 %n, 5
  br i1 %c, label %then, label %else
then:
  br label %meet
else:
  br label %meet
meet:
  %v = phi i32 [ 1, %then ], [ 2, %else ]
  br label %end
end:
  ret void
)",
             {"entry"});
  ASSERT_TRUE(R.found());
  EXPECT_EQ(R.names(), Names({"branch", "then", "else", "meet.join"})) << "the head's instructions stay out";
  EXPECT_EQ(R.exit(), "meet");
}

TEST(ControlRegion, HoldsAWholeLoop) {
  Isolated R(R"(
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
)",
             {"loop"});
  ASSERT_TRUE(R.found());
  EXPECT_EQ(R.names(), Names({"branch", "loop", "end.join"}));
  EXPECT_EQ(R.exit(), "end");
}

TEST(ControlRegion, StaysInAnIteration) {
  Isolated R(R"(
entry:
  br label %header
header:
  %c = icmp slt i32 %n, 5
  br i1 %c, label %then, label %latch
then:
  br label %latch
latch:
  %more = icmp slt i32 %m, 7
  br i1 %more, label %header, label %end
end:
  ret void
)",
             {"header"});
  ASSERT_TRUE(R.found());
  EXPECT_EQ(R.names(), Names({"branch", "then", "latch.join"}));
  EXPECT_EQ(R.exit(), "latch");
}

TEST(ControlRegion, LoopWithSeveralExits) {
  Isolated R(R"(
entry:
  br label %header
header:
  %c = icmp slt i32 %n, 5
  br i1 %c, label %early, label %latch
latch:
  %more = icmp slt i32 %m, 7
  br i1 %more, label %header, label %late
early:
  br label %end
late:
  br label %end
end:
  ret void
)",
             {"header"});
  ASSERT_TRUE(R.found());
  EXPECT_EQ(R.names(), Names({"branch", "header", "latch", "early", "late", "end.join"}));
  EXPECT_EQ(R.exit(), "end");
}

TEST(ControlRegion, SwitchWithCasesThatFallThrough) {
  Isolated R(R"(
entry:
  switch i32 %n, label %end [
    i32 0, label %a
    i32 1, label %b
    i32 2, label %b
  ]
a:
  br label %b
b:
  br label %end
end:
  ret void
)",
             {"entry"});
  ASSERT_TRUE(R.found());
  EXPECT_EQ(R.names(), Names({"branch", "a", "b", "end.join"}));
}

TEST(ControlRegion, SeveralBlocksAtOnce) {
  Isolated R(R"(
entry:
  %c = icmp slt i32 %n, 5
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  br i1 %c, label %d, label %end
d:
  br label %end
end:
  ret void
)",
             {"entry", "b"});
  ASSERT_TRUE(R.found());
  EXPECT_EQ(R.names(), Names({"branch", "a", "b", "d", "end.join"}));
}

TEST(ControlRegion, EntryAndHeaderOfOneLoop) {
  // What lies between them is entered again from the latch.
  Isolated R(R"(
entry:
  br label %before
before:
  br label %header
header:
  br label %latch
latch:
  %more = icmp slt i32 %m, 7
  br i1 %more, label %header, label %end
end:
  ret void
)",
             {"before", "header"});
  ASSERT_TRUE(R.found());
  EXPECT_EQ(R.exit(), "end");
}

TEST(ControlRegion, CycleWithTwoEntries) {
  Isolated R(R"(
entry:
  %c = icmp slt i32 %n, 5
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  %more = icmp slt i32 %m, 7
  br i1 %more, label %a, label %end
end:
  ret void
)",
             {"entry"});
  ASSERT_TRUE(R.found());
  EXPECT_EQ(R.names(), Names({"branch", "a", "b", "end.join"}));
  EXPECT_EQ(R.exit(), "end");
}

TEST(ControlRegion, NoneBesideALoopWithoutEnd) {
  for (StringRef Branch : {"label %forever, label %end", "label %end, label %forever"}) {
    Isolated R(("entry:\n  %c = icmp slt i32 %n, 5\n  br i1 %c, " + Branch + R"(
forever:
  br label %forever
end:
  ret void
)")
                   .str(),
               {"entry"});
    EXPECT_FALSE(R.found());
  }
}

TEST(ControlRegion, NoneOfWhatLeadsAroundALoopWithoutEnd) {
  for (StringRef Branch : {"label %a, label %b", "label %b, label %a"}) {
    Isolated R(("entry:\n  br label %header\nheader:\n  %c = icmp slt i32 %n, 5\n  br i1 %c, " + Branch + R"(
a:
  br label %latch
b:
  br label %header
latch:
  br label %header
)")
                   .str(),
               {"header"});
    EXPECT_FALSE(R.found());
  }
}

TEST(ControlRegion, OneAfterAnother) {
  TestKernel K(R"(
entry:
  %c = icmp slt i32 %n, 5
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  br i1 %c, label %d, label %end
d:
  br label %end
end:
  ret void
)");
  RegionFinder Finder(K.function());
  std::optional<ControlRegion> First = Finder.isolate({&K.block("entry")});
  std::optional<ControlRegion> Second = Finder.isolate({&K.block("b")});
  ASSERT_TRUE(First && Second);
  EXPECT_TRUE(K.isValid());
  for (BasicBlock *Block : First->Blocks)
    EXPECT_FALSE(Second->Blocks.contains(Block));
}

TEST(UnifyReturns, AllEndsBecomeOne) {
  TestKernel K(R"(
entry:
  %c = icmp slt i32 %n, 5
  br i1 %c, label %a, label %b
a:
  ret void
b:
  unreachable
)");
  BasicBlock *Return = unifyReturns(K.function());
  EXPECT_TRUE(K.isValid());
  EXPECT_EQ(pred_size(Return), 2u);
  EXPECT_TRUE(isa<ReturnInst>(Return->front()));
  EXPECT_EQ(unifyReturns(K.function()), Return) << "it is one already";
}

TEST(UnifyReturns, EntryBlockIsSplit) {
  TestKernel K("  ret void\n");
  BasicBlock *Return = unifyReturns(K.function());
  EXPECT_TRUE(K.isValid());
  EXPECT_FALSE(Return->isEntryBlock());
}

TEST(UnifyReturns, KernelWithoutEnd) {
  TestKernel K("entry:\n  br label %loop\nloop:\n  br label %loop\n");
  BasicBlock *Return = unifyReturns(K.function());
  EXPECT_TRUE(K.isValid());
  EXPECT_TRUE(pred_empty(Return));
}
