//===- RecurrencesTest.cpp - Updates of elements are no sums --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FreedomTesting.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

TEST(Recurrences, StraightLineCodeIsBitwiseAlsoInPlace) {
  std::vector<ArgumentFreedom> Found = argumentsOf(R"(
define ptx_kernel void @k(ptr %x, ptr %y, float %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %py = getelementptr float, ptr %y, i32 %t
  %vx = load float, ptr %px
  %vy = load float, ptr %py
  %r = call float @llvm.fma.f32(float %a, float %vx, float %vy)
  store float %r, ptr %py
  %again = load float, ptr %py
  %s = fadd float %again, 1.0
  store float %s, ptr %py
  ret void
})");
  expectBitwise(Found[0]);
  expectBitwise(Found[1]);
}

/// y[index] += x[i] for i, i + step, ...
std::string updates(StringRef Index, StringRef Advance = "%i.next = add nsw i32 %i, %step") {
  return formatv(R"(
define ptx_kernel void @k(ptr %x, ptr %y, i32 %n, i32 %step, ptr %table) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %i.next, %loop ]
  %px = getelementptr float, ptr %x, i32 %i
  %vx = load float, ptr %px
  {0}
  %py = getelementptr float, ptr %y, i32 %index
  %vy = load float, ptr %py
  %r = fadd float %vx, %vy
  store float %r, ptr %py
  {1}
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
})",
                 Index, Advance);
}

TEST(Recurrences, AnElementOfEachIterationIsUpdatedNotSummedUp) {
  expectBitwise(argumentsOf(updates("%index = add nsw i32 %i, 4"))[1]);
  // A stride over the grid, read where it is used; it may wrap, for all that is known.
  constexpr StringRef Own = "%index = add i32 %i, 0";
  expectBitwise(argumentsOf(updates(Own, "%s = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()\n"
                                         "%i.next = add i32 %i, %s"))[1]);
  expectOpenBetweenLaunches(argumentsOf(updates(Own, "%s = load i32, ptr %table\n"
                                                     "%i.next = add i32 %i, %s"))[1],
                            "fadd in a recurrence");
  // The same element in each iteration, or maybe.
  expectOpenBetweenLaunches(argumentsOf(updates("%index = add i32 %t, 0"))[1], "fadd in a recurrence");
  expectOpenBetweenLaunches(argumentsOf(updates("%pi = getelementptr i32, ptr %table, i32 %i\n"
                                                "%index = load i32, ptr %pi"))[1],
                            "fadd in a recurrence");
}

/// y[row + j] += 1 for i and for j.
TEST(Recurrences, LoopsThatComeToTheSameElementSumUp) {
  auto Nest = [](StringRef Row, StringRef Columns = "%n") {
    return argumentsOf(formatv(R"(
define ptx_kernel void @k(ptr %y, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %row = {0}
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %index = add nuw nsw i32 %row, %j
  %p = getelementptr float, ptr %y, i32 %index
  %v = load float, ptr %p
  %r = fadd float %v, 1.0
  store float %r, ptr %p
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp slt i32 %j.next, {1}
  br i1 %more, label %inner, label %latch
latch:
  %i.next = add nuw nsw i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %outer, label %end
end:
  ret void
})",
                               Row, Columns)
                           .str())[0];
  };
  expectBitwise(Nest("mul nuw nsw i32 %i, %n"));
  expectBitwise(Nest("mul nuw nsw i32 %i, 4", "4"));
  for (StringRef Row : {"add nuw nsw i32 %i, 0", "mul nuw nsw i32 %i, 3", "mul nuw nsw i32 %i, -3"})
    expectOpenBetweenLaunches(Nest(Row, "4"), "fadd in a recurrence");
  expectOpenBetweenLaunches(Nest("mul nuw nsw i32 %i, 4"), "fadd in a recurrence");
  expectOpenBetweenLaunches(Nest("add i32 0, 0", "4"), "fadd in a recurrence");
}

TEST(Recurrences, ARowOfEachIterationIsUpdatedAlsoByStridesOverTheGrid) {
  auto Nest = [](StringRef Index) {
    return argumentsOf(formatv(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
define ptx_kernel void @k(ptr %y, i32 %w, i32 %h) {
entry:
  %first = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  br label %outer
outer:
  %r = phi i32 [ %r0, %entry ], [ %r.next, %latch ]
  br label %inner
inner:
  %c = phi i32 [ %first, %outer ], [ %c.next, %inner ]
  {0}
  %p = getelementptr float, ptr %y, i32 %index
  %v = load float, ptr %p
  %s = fadd float %v, 1.0
  store float %s, ptr %p
  %across = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %c.next = add i32 %c, %across
  %more = icmp slt i32 %c.next, %w
  br i1 %more, label %inner, label %latch
latch:
  %down = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %r.next = add i32 %r, %down
  %again = icmp slt i32 %r.next, %h
  br i1 %again, label %outer, label %end
end:
  ret void
})",
                               Index)
                           .str())[0];
  };
  expectBitwise(Nest("%row = mul i32 %r, %w\n%index = add i32 %row, %c"));
  for (StringRef Index : {"%index = add i32 %r, %c", "%index = add i32 %c, 0", "%index = mul i32 %r, %w"})
    expectOpenBetweenLaunches(Nest(Index), "fadd in a recurrence");
}

} // namespace
