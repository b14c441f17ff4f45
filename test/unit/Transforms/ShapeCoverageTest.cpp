//===- ShapeCoverageTest.cpp - One launch in place of another -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/BlockShapeFreedom.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

constexpr char Before[] = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
define ptx_kernel void @kernel(ptr addrspace(1) %y, i32 %n, i32 %m, i32 %w) #0 {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %px = mul i32 %cx, %nx
  %x = add i32 %px, %tx
  %sx = mul i32 %gx, %nx
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %cy = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %py = mul i32 %cy, %ny
  %r = add i32 %py, %ty
)";

/// \p Body is that of a kernel of a pointer y and integers n, m and w. %x and %r are the thread's indices
/// in the grid, %sx its extent.
BlockShapeFreedom freedomOf(StringRef Body, StringRef Attributes = "nounwind") {
  LLVMContext Context;
  SMDiagnostic Said;
  std::string Text = (Before + Body + "\n}\nattributes #0 = { " + Attributes + " }\n").str();
  std::unique_ptr<Module> M = parseAssemblyString(Text, Said, Context);
  EXPECT_TRUE(M) << Said.getMessage().str() << " in line " << Said.getLineNo();
  return M ? findBlockShapeFreedom(*M->getFunction("kernel"), {0, std::nullopt, std::nullopt, std::nullopt})
           : BlockShapeFreedom();
}

struct Shape {
  Dim3 Grid, Block;
};

/// The name of what stands against it, "" for nothing. Integers are n, m and w.
std::string against(const BlockShapeFreedom &Freedom, const Shape &Author, const Shape &Other,
                    std::array<int64_t, 3> Integers, std::array<bool, 3> Promised = {}) {
  std::vector<std::optional<int64_t>> Scalars = {std::nullopt, Integers[0], Integers[1], Integers[2]};
  std::optional<ShapeObstacle> Found =
      Freedom.whyNot({Author.Grid, Author.Block, Scalars}, {Other.Grid, Other.Block, Scalars}, Promised);
  return Found ? shapeObstacleName(Found->Kind).str() : "";
}

/// The same of launches that are not known.
std::string againstAny(const BlockShapeFreedom &Freedom, const Dim3 &Author, const Dim3 &Other) {
  std::optional<ShapeObstacle> Found = Freedom.whyNotAsManyThreads(Author, Other);
  return Found ? shapeObstacleName(Found->Kind).str() : "";
}

constexpr char Guarded[] = R"(
  %in = icmp slt i32 %x, %n
  br i1 %in, label %work, label %end
work:
  %i = sext i32 %x to i64
  %p = getelementptr float, ptr addrspace(1) %y, i64 %i
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
)";

} // namespace

TEST(ShapeCoverage, GuardsMustLieInBothGrids) {
  BlockShapeFreedom Freedom = freedomOf(Guarded);
  Shape Author{{4, 1, 1}, {256, 1, 1}};
  EXPECT_EQ(against(Freedom, Author, {{2, 1, 1}, {512, 1, 1}}, {1000, 0, 0}), "");
  EXPECT_EQ(against(Freedom, Author, {{32, 1, 1}, {32, 1, 1}}, {1000, 0, 0}), "");
  EXPECT_EQ(against(Freedom, Author, {{1, 1, 1}, {1000, 1, 1}}, {1000, 0, 0}), "") << "just enough";
  EXPECT_EQ(against(Freedom, Author, {{1, 1, 1}, {999, 1, 1}}, {1000, 0, 0}), "Coverage") << "one too few";
  EXPECT_EQ(against(Freedom, Author, {{9, 1, 1}, {128, 1, 1}}, {1025, 0, 0}), "Coverage")
      << "the author's grid is too small, and the other one would do more";
  EXPECT_EQ(against(Freedom, Author, {{8, 1, 1}, {128, 1, 1}}, {1025, 0, 0}), "") << "both are";
  EXPECT_EQ(against(Freedom, Author, {{1, 1, 1}, {32, 1, 1}}, {-5, 0, 0}), "") << "no thread passes";
}

TEST(ShapeCoverage, AnotherDimensionNeedsItsOwnGuard) {
  BlockShapeFreedom Freedom = freedomOf(Guarded);
  Shape Author{{4, 1, 1}, {256, 1, 1}};
  EXPECT_EQ(against(Freedom, Author, {{4, 1, 1}, {256, 2, 1}}, {1000, 0, 0}), "Unguarded");
  EXPECT_EQ(against(Freedom, Author, {{4, 1, 1}, {256, 2, 1}}, {1000, 0, 0}, {false, true, false}), "")
      << "promised";
}

TEST(ShapeCoverage, IndicesMustNotWrap) {
  BlockShapeFreedom Freedom = freedomOf(Guarded);
  Shape Author{{1 << 23, 1, 1}, {256, 1, 1}};
  EXPECT_EQ(against(Freedom, Author, {{(1 << 23) + 1, 1, 1}, {256, 1, 1}}, {1000, 0, 0}), "Wrap");
  EXPECT_EQ(against(Freedom, Author, {{1 << 22, 1, 1}, {512, 1, 1}}, {1000, 0, 0}), "")
      << "the same indices, wrapped or not";
  EXPECT_EQ(against(Freedom, {{(1 << 23) - 2, 1, 1}, {256, 1, 1}}, {{(1 << 22) - 2, 1, 1}, {512, 1, 1}},
                    {1000, 0, 0}),
            "");
}

TEST(ShapeCoverage, ExtendedProductsMustNotWrap) {
  BlockShapeFreedom Freedom = freedomOf(R"(
  %wide = zext i32 %px to i64
  %t = zext i32 %tx to i64
  %i = add i64 %wide, %t
  %p = getelementptr float, ptr addrspace(1) %y, i64 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
)");
  EXPECT_EQ(against(Freedom, {{4, 1, 1}, {256, 1, 1}}, {{2, 1, 1}, {512, 1, 1}}, {}), "");
  EXPECT_EQ(against(Freedom, {{1 << 24, 1, 1}, {256, 1, 1}}, {{1 << 23, 1, 1}, {512, 1, 1}}, {}), "Wrap");
}

TEST(ShapeCoverage, BoundsAreComputedFromArguments) {
  BlockShapeFreedom Freedom = freedomOf(R"(
  %half = sdiv i32 %n, %m
  %i4 = shl i32 %x, 2
  %last = add i32 %i4, 3
  %in = icmp sle i32 %last, %half
  br i1 %in, label %work, label %end
work:
  %i = sext i32 %x to i64
  %p = getelementptr float, ptr addrspace(1) %y, i64 %i
  store float 1.0, ptr addrspace(1) %p
  br label %end
end:
  ret void
)");
  Shape Author{{1, 1, 1}, {256, 1, 1}};
  // 4 x + 3 <= 400 / 2: x < 50.
  EXPECT_EQ(against(Freedom, Author, {{1, 1, 1}, {50, 1, 1}}, {400, 2, 0}), "");
  EXPECT_EQ(against(Freedom, Author, {{1, 1, 1}, {49, 1, 1}}, {400, 2, 0}), "Coverage");
  EXPECT_EQ(against(Freedom, Author, {{1, 1, 1}, {64, 1, 1}}, {400, 0, 0}), "Wrap") << "nothing is known";
}

TEST(ShapeCoverage, LoopsOverTheGridTakeAnyGrid) {
  BlockShapeFreedom Freedom = freedomOf(R"(
  %in = icmp slt i32 %x, %n
  br i1 %in, label %before, label %end
before:
  br label %work
work:
  %i = phi i32 [ %x, %before ], [ %next, %work ]
  %wide = sext i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %y, i64 %wide
  %old = load float, ptr addrspace(1) %p
  %new = fadd float %old, 1.0
  store float %new, ptr addrspace(1) %p
  %next = add i32 %i, %sx
  %more = icmp slt i32 %next, %n
  br i1 %more, label %work, label %leave
leave:
  br label %end
end:
  ret void
)");
  Shape Author{{4, 1, 1}, {256, 1, 1}};
  EXPECT_EQ(against(Freedom, Author, {{1, 1, 1}, {32, 1, 1}}, {1000000, 0, 0}), "");
  EXPECT_EQ(against(Freedom, Author, {{4096, 1, 1}, {1024, 1, 1}}, {1000, 0, 0}), "");
  EXPECT_EQ(against(Freedom, Author, {{1, 1, 1}, {32, 1, 1}}, {INT32_MAX - 1000, 0, 0}), "Wrap")
      << "the index after the last may wrap and go on";
}

TEST(ShapeCoverage, StridesByTheGridTakeAGridAsLarge) {
  BlockShapeFreedom Freedom = freedomOf(R"(
  %row = mul i32 %r, %sx
  %at = add i32 %row, %x
  %i = sext i32 %at to i64
  %p = getelementptr float, ptr addrspace(1) %y, i64 %i
  %old = load float, ptr addrspace(1) %p
  %new = fadd float %old, 1.0
  store float %new, ptr addrspace(1) %p
  ret void
)");
  Shape Author{{4, 4, 1}, {16, 16, 1}};
  EXPECT_EQ(against(Freedom, Author, {{2, 8, 1}, {32, 8, 1}}, {}), "");
  EXPECT_EQ(against(Freedom, Author, {{3, 8, 1}, {32, 8, 1}}, {}), "GridExtent");
  EXPECT_EQ(against(Freedom, Author, {{2, 9, 1}, {32, 8, 1}}, {}), "Unguarded");
}

TEST(ShapeCoverage, OwnPlacesMustBeApart) {
  BlockShapeFreedom Freedom = freedomOf(R"(
  %inx = icmp slt i32 %x, %n
  %inr = icmp slt i32 %r, %m
  %in = and i1 %inx, %inr
  br i1 %in, label %work, label %end
work:
  %row = mul i32 %r, %w
  %at = add i32 %row, %x
  %i = sext i32 %at to i64
  %p = getelementptr float, ptr addrspace(1) %y, i64 %i
  %old = load float, ptr addrspace(1) %p
  %new = fadd float %old, 1.0
  store float %new, ptr addrspace(1) %p
  br label %end
end:
  ret void
)");
  Shape Author{{7, 7, 1}, {16, 16, 1}}, Other{{4, 13, 1}, {32, 8, 1}};
  EXPECT_EQ(against(Freedom, Author, Other, {100, 100, 100}), "") << "rows one after another";
  EXPECT_EQ(against(Freedom, Author, Other, {100, 100, 128}), "") << "with gaps";
  EXPECT_EQ(against(Freedom, Author, Other, {100, 100, 99}), "Communication") << "rows that overlap";
  EXPECT_EQ(against(Freedom, Author, Other, {100, 100, 0}), "Communication") << "one row";
  EXPECT_EQ(against(Freedom, Author, Other, {100, 100, 50000000}), "Communication") << "beyond 32 bits";
  EXPECT_EQ(against(Freedom, Author, {{7, 7, 2}, {16, 16, 1}}, {100, 100, 100}), "Unguarded");
  EXPECT_EQ(against(Freedom, {{7, 7, 2}, {16, 16, 1}}, {{4, 13, 2}, {32, 8, 1}}, {100, 100, 100}),
            "Communication")
      << "two threads in z have one place";
}

TEST(ShapeCoverage, BoundsOfTheBlock) {
  BlockShapeFreedom Freedom = freedomOf(Guarded, "\"nvvm.maxntid\"=\"256\"");
  Shape Author{{4, 1, 1}, {256, 1, 1}};
  EXPECT_EQ(against(Freedom, Author, {{8, 1, 1}, {128, 1, 1}}, {1000, 0, 0}), "");
  EXPECT_EQ(against(Freedom, Author, {{2, 1, 1}, {512, 1, 1}}, {1000, 0, 0}), "LaunchBound");
}

TEST(ShapeCoverage, ArgumentsMustBeTheSame) {
  BlockShapeFreedom Freedom = freedomOf(Guarded);
  LaunchNumbers Author{{4, 1, 1}, {256, 1, 1}, {std::nullopt, 1000, 0, 0}};
  LaunchNumbers Other{{8, 1, 1}, {128, 1, 1}, {std::nullopt, 1000, 0, 1}};
  EXPECT_EQ(Freedom.whyNot(Author, Other)->Kind, ShapeObstacleKind::BlockArgument);
  EXPECT_FALSE(Freedom.whyNot(Author, Other, {true, false, false})) << "promised";
  Other.Scalars = Author.Scalars;
  EXPECT_FALSE(Freedom.whyNot(Author, Other));
  Author.Structures = {{}, {}, {}, {}, {1, 2}};
  Other.Structures = {{}, {}, {}, {}, {1, 3}};
  EXPECT_EQ(Freedom.whyNot(Author, Other)->Kind, ShapeObstacleKind::BlockArgument);
}

TEST(LaunchFormula, ComputesAsTheKernelDoes) {
  using F = LaunchFormula;
  LaunchNumbers Launch{{2, 3, 1}, {32, 8, 1}, {std::nullopt, -1, 7}};
  auto Of = [&](const F &Formula) { return Formula.evaluate(Launch); };
  EXPECT_EQ(Of(F::scalar(1, 32))->getZExtValue(), 0xffffffffu);
  EXPECT_EQ(Of(F::extent(1, 64))->getZExtValue(), 24u);
  EXPECT_EQ(Of(F::apply({F::scalar(1, 32)}, {F::Op::ZeroExtend, 64}))->getZExtValue(), 0xffffffffu);
  EXPECT_EQ(Of(F::apply({F::scalar(1, 32)}, {F::Op::SignExtend, 64}))->getSExtValue(), -1);
  EXPECT_FALSE(Of(F::scalar(0, 32))) << "a pointer";
  EXPECT_FALSE(Of(F::scalar(9, 32))) << "no such argument";
  EXPECT_FALSE(Of(F::apply({F::scalar(2, 32), F::constant(0, 32)}, {F::Op::Binary, 32, Instruction::UDiv})));
  EXPECT_EQ(
      Of(F::apply({F::apply({F::scalar(1, 32), F::scalar(2, 32)}, {F::Op::Compare, 1, CmpInst::ICMP_SLT}),
                   F::constant(5, 32), F::constant(6, 32)},
                  {F::Op::Select, 32}))
          ->getZExtValue(),
      5u);
  EXPECT_EQ(Of(F::apply({F::scalar(1, 32), F::scalar(2, 32)}, {F::Op::UnsignedMin, 32}))->getZExtValue(), 7u);
  EXPECT_FALSE(F::scalar(2, 32).constantValue());
  Launch.Structures = {{}, {0xff, 0xff, 0xff, 0x80, 1, 2}};
  EXPECT_EQ(Of(F::member(1, 0, 32))->getZExtValue(), 0x80ffffffu);
  EXPECT_EQ(Of(F::member(1, 4, 16))->getZExtValue(), 0x201u);
  EXPECT_FALSE(Of(F::member(1, 3, 32))) << "beyond its end";
  EXPECT_FALSE(Of(F::member(0, 0, 8))) << "no structure";
  EXPECT_FALSE(Of(F::member(2, 0, 8))) << "no such argument";
  EXPECT_FALSE(F::member(1, 0, 8).constantValue());
  EXPECT_EQ(F::constant(9, 32).constantValue()->getZExtValue(), 9u);
}

TEST(ShapeCoverage, AsManyThreadsNeedNoGuards) {
  BlockShapeFreedom Freedom = freedomOf(R"(
  %i = sext i32 %x to i64
  %p = getelementptr float, ptr addrspace(1) %y, i64 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
)");
  EXPECT_EQ(against(Freedom, {{4, 1, 1}, {256, 1, 1}}, {{3, 1, 1}, {512, 1, 1}}, {1000, 0, 0}), "Unguarded");
  EXPECT_EQ(againstAny(Freedom, {256, 1, 1}, {512, 1, 1}), "");
  EXPECT_EQ(againstAny(Freedom, {16, 16, 1}, {32, 4, 2}), "");
}

TEST(ShapeCoverage, AsManyThreadsHavePlacesOfTheirOwn) {
  BlockShapeFreedom Freedom = freedomOf(R"(
  %row = mul i32 %r, %w
  %at = add i32 %row, %x
  %i = sext i32 %at to i64
  %p = getelementptr float, ptr addrspace(1) %y, i64 %i
  %old = load float, ptr addrspace(1) %p
  %new = fadd float %old, 1.0
  store float %new, ptr addrspace(1) %p
  ret void
)");
  Shape Author{{2, 4, 1}, {32, 8, 1}}, Other{{1, 8, 1}, {64, 4, 1}};
  EXPECT_EQ(against(Freedom, Author, Other, {0, 0, 63}), "Communication") << "rows overlap, which is a race";
  EXPECT_EQ(against(Freedom, Author, Other, {0, 0, 64}), "");
  EXPECT_EQ(againstAny(Freedom, Author.Block, Other.Block), "");
}

TEST(ShapeCoverage, AsManyThreadsAreAskedOnlyWhereTheBlockChanges) {
  BlockShapeFreedom Freedom = freedomOf(R"(
  %at = add i32 %x, %ty
  %i = sext i32 %at to i64
  %p = getelementptr float, ptr addrspace(1) %y, i64 %i
  store float 1.0, ptr addrspace(1) %p
  ret void
)");
  EXPECT_EQ(againstAny(Freedom, {16, 16, 1}, {32, 16, 1}), "");
  EXPECT_EQ(againstAny(Freedom, {16, 16, 1}, {16, 8, 1}), "BlockIndex");
}

TEST(ShapeCoverage, AsManyThreadsStayBelowTheLaunchBound) {
  BlockShapeFreedom Freedom = freedomOf(Guarded, "\"nvvm.maxntid\"=\"256\"");
  EXPECT_EQ(againstAny(Freedom, {128, 1, 1}, {256, 1, 1}), "");
  EXPECT_EQ(againstAny(Freedom, {128, 1, 1}, {256, 2, 1}), "LaunchBound");
  EXPECT_EQ(againstAny(freedomOf(Guarded, "\"nvvm.reqntid\"=\"128\""), {128, 1, 1}, {64, 1, 1}),
            "LaunchBound");
}
