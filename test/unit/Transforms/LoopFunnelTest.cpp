//===- LoopFunnelTest.cpp - All ways past an inner loop lead through one test ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Facts/LoopFunnel.h"
#include "KernelTesting.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

/// What a thread stores that is given %n and %m, as "2 5 7 ", by following the IR of a kernel that knows
/// integers, i1, additions, comparisons, branches and stores alone. It ends with "?" where it takes
/// something of which the value is not known, and after \p Most instructions.
class Walk {
public:
  Walk(Function &F, int64_t N, int64_t M, unsigned Most = 10000) {
    Values[F.getArg(1)] = N;
    Values[F.getArg(2)] = M;
    Block = &F.getEntryBlock();
    while (Block && Most-- && !Failed)
      enter();
    Stored += Failed || Block ? "?" : "";
  }
  std::string stored() const { return Stored; }

private:
  DenseMap<const Value *, int64_t> Values;
  BasicBlock *Block = nullptr, *From = nullptr;
  std::string Stored;
  bool Failed = false;

  bool isKnown(const Value &V) { return isa<ConstantInt>(V) || Values.contains(&V); }
  int64_t of(const Value &V) {
    if (const auto *C = dyn_cast<ConstantInt>(&V))
      return C->getSExtValue();
    Failed |= !Values.contains(&V);
    return Values.lookup(&V);
  }

  /// Values that are not known may be chosen, as long as nothing follows from them.
  void choose(const Instruction &I, const Value &Chosen, DenseMap<const Value *, int64_t> &To) {
    To.erase(&I);
    if (isKnown(Chosen))
      To[&I] = of(Chosen);
  }

  void enter() {
    DenseMap<const Value *, int64_t> After = Values;
    for (PHINode &Phi : Block->phis())
      choose(Phi, *Phi.getIncomingValueForBlock(From), After);
    Values = std::move(After);
    for (Instruction &I : make_range(Block->getFirstNonPHIIt(), Block->end()))
      execute(I);
  }

  void execute(Instruction &I) {
    if (auto *Test = dyn_cast<ICmpInst>(&I))
      Values[&I] = ICmpInst::compare(APInt(64, of(*I.getOperand(0)), true),
                                     APInt(64, of(*I.getOperand(1)), true), Test->getPredicate());
    else if (I.getOpcode() == Instruction::Add)
      Values[&I] = of(*I.getOperand(0)) + of(*I.getOperand(1));
    else if (auto *Select = dyn_cast<SelectInst>(&I))
      choose(I, of(*Select->getCondition()) ? *Select->getTrueValue() : *Select->getFalseValue(), Values);
    else if (auto *Store = dyn_cast<StoreInst>(&I))
      Stored += std::to_string(of(*Store->getValueOperand())) + " ";
    else if (I.isTerminator())
      leave(I);
    else
      Failed = true;
  }

  void leave(Instruction &End) {
    From = Block;
    if (auto *Branch = dyn_cast<BranchInst>(&End))
      Block = Branch->getSuccessor(Branch->isConditional() && !of(*Branch->getCondition()) ? 1 : 0);
    else if (auto *Switch = dyn_cast<SwitchInst>(&End))
      Block = Switch
                  ->findCaseValue(cast<ConstantInt>(
                      ConstantInt::getSigned(Switch->getCondition()->getType(), of(*Switch->getCondition()))))
                  ->getCaseSuccessor();
    else
      Block = nullptr;
  }
};

/// The loop of header %inner in that of header %outer, funnelled; what a thread stores must be the same.
struct Funnelled {
  TestKernel Kernel;
  FunnelledLoop Loop;
  Verdict Refused;

  explicit Funnelled(StringRef Body) : Kernel(Body) {
    TestKernel Untouched(Body);
    DominatorTree DT(Kernel.function());
    LoopInfo Loops(DT);
    Refused = funnelLoop(Kernel.function(), *Loops.getLoopFor(&Kernel.block("outer")),
                         *Loops.getLoopFor(&Kernel.block("inner")), DT, Loop);
    EXPECT_TRUE(Kernel.isValid());
    for (int64_t N : {-1, 0, 1, 2, 3, 5})
      for (int64_t M : {-1, 0, 1, 2, 3, 5}) {
        std::string Expected = Walk(Untouched.function(), N, M).stored();
        EXPECT_EQ(Walk(Kernel.function(), N, M).stored(), Expected) << "n " << N << ", m " << M;
        EXPECT_EQ(StringRef(Expected).count('?'), 0u) << "n " << N << ", m " << M;
      }
    if (!Refused)
      checkForm();
  }

  bool isGuarded() const { return Loop.Guard; }
  bool isRefused() const { return Refused && Refused->Kind == RefusalKind::DependentControl; }

private:
  void checkForm() {
    DominatorTree DT(Kernel.function());
    LoopInfo Loops(DT);
    const llvm::Loop *Inner = Loops.getLoopFor(Loop.Header), *Outer = Inner->getParentLoop();
    ASSERT_TRUE(Outer);
    EXPECT_EQ(Inner->getHeader(), Loop.Header);
    EXPECT_EQ(Inner->getExitingBlock(), Inner->getLoopLatch()) << "it ends at its latch alone";
    EXPECT_TRUE(Outer->contains(Loop.Join));
    EXPECT_FALSE(Inner->contains(Loop.Join));
    EXPECT_TRUE(DT.dominates(Loop.Join, Outer->getLoopLatch())) << "all iterations come there";
    EXPECT_TRUE(Loop.Join->getSingleSuccessor());
    if (!Loop.Guard)
      return;
    EXPECT_TRUE(DT.dominates(Loop.Guard->getParent(), Outer->getLoopLatch()));
    EXPECT_EQ(Loop.Guard->getSuccessor(0), Inner->getLoopPreheader());
    EXPECT_EQ(Loop.Guard->getSuccessor(1), Loop.Join);
  }
};

/// Outer loop, n times; \p Body leads from %outer to %latch and may use %i.
std::string nest(StringRef Body) {
  return (R"(
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %inext, %latch ]
)" + Body +
          R"(
latch:
  %inext = add i32 %i, 1
  %again = icmp slt i32 %inext, %n
  br i1 %again, label %outer, label %end
end:
  ret void
)")
      .str();
}

} // namespace

TEST(LoopFunnel, LoopThatAllIterationsComeTo) {
  Funnelled F(nest(R"(
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %jnext, %inner ]
  %jnext = add i32 %j, 1
  store i32 %j, ptr addrspace(1) %p
  %more = icmp slt i32 %jnext, %m
  br i1 %more, label %inner, label %behind
behind:
  store i32 %jnext, ptr addrspace(1) %p
  br label %latch
)"));
  EXPECT_FALSE(F.Refused);
  EXPECT_FALSE(F.isGuarded());
}

TEST(LoopFunnel, WayPastGetsATest) {
  Funnelled F(nest(R"(
  %c = icmp slt i32 %i, 2
  br i1 %c, label %before, label %past
before:
  %x = add i32 %i, 10
  br label %inner
inner:
  %j = phi i32 [ 0, %before ], [ %jnext, %inner ]
  %jnext = add i32 %j, 1
  %xj = add i32 %x, %j
  store i32 %xj, ptr addrspace(1) %p
  %more = icmp slt i32 %jnext, %m
  br i1 %more, label %inner, label %behind
behind:
  store i32 %x, ptr addrspace(1) %p
  br label %latch
past:
  store i32 -1, ptr addrspace(1) %p
  br label %latch
)"));
  EXPECT_FALSE(F.Refused);
  EXPECT_TRUE(F.isGuarded());
}

TEST(LoopFunnel, SeveralWaysPast) {
  Funnelled F(nest(R"(
  %c = icmp slt i32 %i, 1
  br i1 %c, label %latch, label %second
second:
  %d = icmp slt i32 %i, 3
  br i1 %d, label %before, label %past
before:
  br label %inner
inner:
  %j = phi i32 [ 0, %before ], [ %jnext, %inner ]
  %jnext = add i32 %j, 1
  store i32 %j, ptr addrspace(1) %p
  %more = icmp slt i32 %jnext, %m
  br i1 %more, label %inner, label %latch.from
latch.from:
  br label %latch
past:
  store i32 77, ptr addrspace(1) %p
  br label %latch
)"));
  EXPECT_FALSE(F.Refused);
  EXPECT_TRUE(F.isGuarded());
}

TEST(LoopFunnel, SeveralExits) {
  Funnelled F(nest(R"(
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %jnext, %inner.latch ]
  %found = icmp eq i32 %j, %i
  br i1 %found, label %early, label %inner.latch
inner.latch:
  %jnext = add i32 %j, 1
  store i32 %j, ptr addrspace(1) %p
  %more = icmp slt i32 %jnext, %m
  br i1 %more, label %inner, label %late
early:
  %e = add i32 %j, 100
  br label %meet
late:
  br label %meet
meet:
  %v = phi i32 [ %e, %early ], [ %jnext, %late ]
  store i32 %v, ptr addrspace(1) %p
  br label %latch
)"));
  EXPECT_FALSE(F.Refused);
  EXPECT_FALSE(F.isGuarded());
}

TEST(LoopFunnel, ExitAtTheHeaderAndNoneAtTheLatch) {
  Funnelled F(nest(R"(
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %jnext, %inner.latch ]
  %more = icmp slt i32 %j, %m
  br i1 %more, label %inner.latch, label %latch.from
inner.latch:
  %jnext = add i32 %j, 1
  store i32 %j, ptr addrspace(1) %p
  br label %inner
latch.from:
  store i32 %j, ptr addrspace(1) %p
  br label %latch
)"));
  EXPECT_FALSE(F.Refused);
}

TEST(LoopFunnel, SwitchLeavesTheLoop) {
  Funnelled F(nest(R"(
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %jnext, %inner.latch ]
  switch i32 %j, label %inner.latch [
    i32 4, label %a
    i32 2, label %b
    i32 3, label %a
  ]
inner.latch:
  %jnext = add i32 %j, 1
  store i32 %j, ptr addrspace(1) %p
  %enough = icmp sge i32 %jnext, %m
  br i1 %enough, label %done, label %inner
a:
  store i32 50, ptr addrspace(1) %p
  br label %latch
b:
  store i32 60, ptr addrspace(1) %p
  br label %latch
done:
  br label %latch
)"));
  EXPECT_FALSE(F.Refused);
}

TEST(LoopFunnel, SwitchAsLatch) {
  Funnelled F(nest(R"(
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %jnext, %inner ]
  %jnext = add i32 %j, 1
  store i32 %j, ptr addrspace(1) %p
  switch i32 %jnext, label %latch.from [
    i32 1, label %inner
  ]
latch.from:
  br label %latch
)"));
  EXPECT_FALSE(F.Refused);
}

TEST(LoopFunnel, CycleWithTwoEntriesBehindTheLoop) {
  Funnelled F(nest(R"(
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %jnext, %inner ]
  %jnext = add i32 %j, 1
  %more = icmp slt i32 %jnext, %m
  br i1 %more, label %inner, label %fork
fork:
  %c = icmp slt i32 %i, 2
  br i1 %c, label %a, label %b
a:
  %x = phi i32 [ 0, %fork ], [ %ynext, %b ]
  store i32 %x, ptr addrspace(1) %p
  br label %b
b:
  %y = phi i32 [ 1, %fork ], [ %x, %a ]
  %ynext = add i32 %y, 1
  %round = icmp slt i32 %ynext, 3
  br i1 %round, label %a, label %latch
)"));
  EXPECT_FALSE(F.Refused);
}

TEST(LoopFunnel, RefusesIterationThatMayBeTheLast) {
  EXPECT_TRUE(Funnelled(nest(R"(
  %c = icmp slt i32 %i, 3
  br i1 %c, label %before, label %end
before:
  br label %inner
inner:
  %j = phi i32 [ 0, %before ], [ %jnext, %inner ]
  %jnext = add i32 %j, 1
  store i32 %j, ptr addrspace(1) %p
  %more = icmp slt i32 %jnext, %m
  br i1 %more, label %inner, label %latch
)"))
                  .isRefused())
      << "it leaves before the loop";
  EXPECT_TRUE(Funnelled(nest(R"(
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %jnext, %inner.latch ]
  %found = icmp eq i32 %j, 2
  br i1 %found, label %end, label %inner.latch
inner.latch:
  %jnext = add i32 %j, 1
  store i32 %j, ptr addrspace(1) %p
  %more = icmp slt i32 %jnext, %m
  br i1 %more, label %inner, label %latch
)"))
                  .isRefused())
      << "it leaves from the loop";
}

TEST(LoopFunnel, RefusesCycleWithTwoEntriesAroundTheLoop) {
  // What lies behind the loop leads back to before it, past the header of the loop around both.
  EXPECT_TRUE(Funnelled(nest(R"(
  %c = icmp slt i32 %i, 2
  br i1 %c, label %before, label %around
before:
  %k = phi i32 [ 0, %outer ], [ 1, %around ]
  br label %inner
inner:
  %j = phi i32 [ %k, %before ], [ %jnext, %inner ]
  %jnext = add i32 %j, 1
  store i32 %j, ptr addrspace(1) %p
  %more = icmp slt i32 %jnext, %m
  br i1 %more, label %inner, label %behind
behind:
  %first = icmp eq i32 %k, 0
  br i1 %first, label %around, label %latch
around:
  br label %before
)"))
                  .isRefused());
}
