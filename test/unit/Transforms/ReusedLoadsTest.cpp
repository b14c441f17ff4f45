//===- ReusedLoadsTest.cpp - Loads that results of several blocks share -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/ReusedLoads.h"
#include "KernelTesting.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

using Dimensions = std::array<bool, 3>;

/// A loop of \p Iteration, which ends at block latch; %x and %y are the block's indices, %k the loop's.
static Dimensions reuseOf(const Twine &Iteration) {
  TestKernel K((Twine(R"(
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
)") + Iteration +
                R"(
latch:
  %next = add i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
)")
                   .str());
  EXPECT_TRUE(K.isValid());
  return reusesLoads(K.function());
}

TEST(ReusedLoads, WhatDoesNotDependOnTheBlockIsShared) {
  EXPECT_EQ(reuseOf(R"(
  %i = add i32 %x, %k
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  %v = load float, ptr addrspace(1) %a
  br label %latch)"),
            (Dimensions{false, true, true}));
}

TEST(ReusedLoads, OneAddressInAllIterationsIsReadOnce) {
  EXPECT_EQ(reuseOf(R"(
  %v = load float, ptr addrspace(1) %p
  br label %latch)"),
            (Dimensions{false, false, false}));
}

TEST(ReusedLoads, WhatTheBlockDecidesToReadIsReadByEach) {
  EXPECT_EQ(reuseOf(R"(
  %column = add i32 %x, %k
  %inside = icmp slt i32 %column, %m
  br i1 %inside, label %reads, label %latch
reads:
  %a = getelementptr float, ptr addrspace(1) %p, i32 %k
  %v = load float, ptr addrspace(1) %a
  br label %latch)"),
            (Dimensions{false, true, true}));
}

TEST(ReusedLoads, AConditionThatIsTheSameForAllBlocksChangesNothing) {
  EXPECT_EQ(reuseOf(R"(
  %odd = trunc i32 %k to i1
  br i1 %odd, label %reads, label %latch
reads:
  %a = getelementptr float, ptr addrspace(1) %p, i32 %k
  %v = load float, ptr addrspace(1) %a
  br label %latch)"),
            (Dimensions{true, true, true}));
}

TEST(ReusedLoads, WhatIsReadBeforeTheConditionIsShared) {
  EXPECT_EQ(reuseOf(R"(
  %a = getelementptr float, ptr addrspace(1) %p, i32 %k
  %v = load float, ptr addrspace(1) %a
  %inside = icmp slt i32 %x, %k
  br i1 %inside, label %uses, label %latch
uses:
  br label %latch)"),
            (Dimensions{true, true, true}));
}
