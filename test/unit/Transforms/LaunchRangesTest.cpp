//===- LaunchRangesTest.cpp ------------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Alias/ArgumentRanges.h"
#include "KernelTesting.h"
#include "gpuprune/Support/Dim3.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

struct Launch {
  int64_t N = 0, M = 0;
  Dim3 Grid{1, 1, 1}, Block{1, 1, 1};
};

struct Bytes {
  int64_t Begin = 0, End = 0;
  bool Holds = true; ///< All conditions do.
  bool operator==(const Bytes &) const = default;
};

void PrintTo(const Bytes &B, std::ostream *OS) {
  *OS << B.Begin << " to " << B.End << (B.Holds ? "" : ", a condition does not hold");
}

/// What is accessed through the pointer of a kernel with \p Body; nothing where that is not known.
std::optional<Bytes> ranges(StringRef Body, const Launch &L) {
  TestKernel K((R"(
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %bd = mul i32 %b, %d
  %i = add i32 %bd, %t
  %s = mul i32 %g, %d
)" + Body)
                   .str());
  EXPECT_TRUE(K.isValid());
  Function &F = K.function();
  DominatorTree DT(F);
  LoopInfo LI(DT);
  AssumptionCache AC(F);
  TargetLibraryInfoImpl Library(F.getParent()->getTargetTriple());
  TargetLibraryInfo TLI(Library);
  ScalarEvolution SE(F, TLI, AC, DT, LI);
  SmallVector<Value *, 6> Extents;
  for (const Dim3 &Of : {L.Block, L.Grid})
    for (unsigned D = 0; D < 3; ++D)
      Extents.push_back(ConstantInt::get(Type::getInt32Ty(F.getContext()), uint64_t(Of[D])));
  LaunchRanges Ranges(F, SE, Extents);
  Instruction *Unknown = nullptr;
  auto All = [](const Instruction &) { return true; };
  ArgumentRanges Found = rangesOfArguments(F, SE, Ranges, All, Unknown);
  if (Unknown || Found.empty())
    return std::nullopt;
  ValueToSCEVMapTy Given;
  Given[F.getArg(1)] = SE.getConstant(APInt(32, uint64_t(L.N), true));
  Given[F.getArg(2)] = SE.getConstant(APInt(32, uint64_t(L.M), true));
  auto Number = [&](const SCEV *S) {
    return cast<SCEVConstant>(SCEVParameterRewriter::rewrite(S, SE, Given))->getAPInt().getSExtValue();
  };
  const ArgumentRange &OfP = Found.begin()->second;
  bool Holds = true;
  for (const SCEV *Condition : Ranges.conditions())
    Holds &= Number(Condition) >= 0;
  return Bytes{Number(OfP.Begin), Number(OfP.End), Holds};
}

/// p[INDEX] = 0
#define STORE_AT(INDEX)                                                                                      \
  "  %w = sext i32 " INDEX " to i64\n"                                                                       \
  "  %q = getelementptr float, ptr addrspace(1) %p, i64 %w\n"                                                \
  "  store float 0.0, ptr addrspace(1) %q\n"

/// Whether there are ranges, and what they assume is so; some of that is known not to be as soon as the
/// extents are.
bool hold(StringRef Body, const Launch &L) {
  std::optional<Bytes> Found = ranges(Body, L);
  return Found && Found->Holds;
}

constexpr StringLiteral Guarded = R"(
  %c = icmp slt i32 %i, %n
  br i1 %c, label %then, label %end
then:
)" STORE_AT("%i") R"(  br label %end
end:
  ret void)";

constexpr StringLiteral Strided = R"(
  %c = icmp slt i32 %i, %n
  br i1 %c, label %loop, label %end
loop:
  %k = phi i32 [ %i, %0 ], [ %next, %loop ]
)" STORE_AT("%k") R"(  %next = add i32 %k, %s
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void)";

/// p[i * m + k] for all k below m, i below n.
constexpr StringLiteral Rows = R"(
  %c = icmp slt i32 %i, %n
  %some = icmp sgt i32 %m, 0
  %both = and i1 %c, %some
  br i1 %both, label %loop, label %end
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %row = mul nsw i32 %i, %m
  %at = add nsw i32 %row, %k
)" STORE_AT("%at") R"(  %next = add nuw nsw i32 %k, 1
  %more = icmp ne i32 %next, %m
  br i1 %more, label %loop, label %end
end:
  ret void)";

/// p[k] for k from m - 1 down to 0.
constexpr StringLiteral Downwards = R"(
  %some = icmp sgt i32 %m, 0
  br i1 %some, label %loop, label %end
loop:
  %k = phi i32 [ %m, %0 ], [ %next, %loop ]
  %next = add nsw i32 %k, -1
)" STORE_AT("%next") R"(  %more = icmp sgt i32 %next, 0
  br i1 %more, label %loop, label %end
end:
  ret void)";

/// p[i - 1] and p[i + 1].
constexpr StringLiteral Neighbours = R"(
  %c = icmp slt i32 %i, %n
  br i1 %c, label %then, label %end
then:
  %before = add nsw i32 %i, -1
  %w = sext i32 %before to i64
  %q = getelementptr float, ptr addrspace(1) %p, i64 %w
  %v = load float, ptr addrspace(1) %q
  %behind = add nsw i32 %i, 1
  %x = sext i32 %behind to i64
  %r = getelementptr float, ptr addrspace(1) %p, i64 %x
  store float %v, ptr addrspace(1) %r
  br label %end
end:
  ret void)";

/// The same where 0 < i < n - 1, as it is written and as LLVM writes it.
std::string inner(bool AsOneTest) {
  return ((AsOneTest ? R"(
  %from = add i32 %i, -1
  %width = add i32 %n, -2
  %inner = icmp ult i32 %from, %width
  br i1 %inner, label %then, label %end
)"
                     : R"(
  %last = add nsw i32 %n, -1
  %c = icmp slt i32 %i, %last
  %some = icmp sgt i32 %i, 0
  %both = and i1 %c, %some
  br i1 %both, label %then, label %end
)") + Neighbours.substr(Neighbours.find("then:")))
      .str();
}

/// p[(y - 1) * n + i] of rows from the second on, y being the index in a block.
constexpr StringLiteral RowBefore = R"(
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %c = icmp slt i32 %i, %n
  %some = icmp sgt i32 %y, 0
  %both = and i1 %c, %some
  br i1 %both, label %then, label %end
then:
  %before = add nsw i32 %y, -1
  %row = mul nsw i32 %before, %n
  %at = add nsw i32 %row, %i
)" STORE_AT("%at") R"(  br label %end
end:
  ret void)";

/// The guard is of another branch than the access.
constexpr StringLiteral Elsewhere = R"(
  %c = icmp slt i32 %i, %n
  br i1 %c, label %end, label %then
then:
)" STORE_AT("%i") R"(  br label %end
end:
  ret void)";

/// Where the counter has passed n it goes on, and may wrap; what it is compared with holds in one block
/// alone.
constexpr StringLiteral GoesOn = R"(
  br label %loop
loop:
  %k = phi i32 [ %i, %0 ], [ %next, %latch ]
  %c = icmp slt i32 %k, %n
  br i1 %c, label %then, label %latch
then:
)" STORE_AT("%k") R"(  br label %latch
latch:
  %next = add i32 %k, %s
  %more = icmp ne i32 %next, %m
  br i1 %more, label %loop, label %end
end:
  ret void)";

} // namespace

TEST(LaunchRanges, GuardsBoundIndices) {
  EXPECT_EQ(ranges(Guarded, {.N = 1000, .Grid = {4, 1, 1}, .Block = {256, 1, 1}}), (Bytes{0, 4000, true}));
  EXPECT_EQ(ranges(Elsewhere, {.N = 1000, .Grid = {4, 1, 1}, .Block = {256, 1, 1}}), (Bytes{0, 4096, true}));
  EXPECT_EQ(ranges(Neighbours, {.N = 1000, .Grid = {4, 1, 1}, .Block = {256, 1, 1}}),
            (Bytes{-4, 4004, true}));
}

TEST(LaunchRanges, GuardsBoundFromBelow) {
  Launch L{.N = 1000, .Grid = {4, 8, 1}, .Block = {256, 1, 1}};
  EXPECT_EQ(ranges(inner(/*AsOneTest=*/false), L), (Bytes{0, 4000, true}));
  EXPECT_EQ(ranges(inner(/*AsOneTest=*/true), L), (Bytes{0, 4000, true}));
  EXPECT_EQ(ranges(RowBefore, L), (Bytes{0, 4 * 7 * 1000, true}));
  // Without the guard the row before the first may be meant.
  std::string Unguarded = StringRef(RowBefore).str();
  Unguarded.replace(Unguarded.find("sgt i32 %y, 0"), 13, "sgt i32 %y, -9");
  EXPECT_EQ(ranges(Unguarded, L), (Bytes{-4000, 4 * 7 * 1000, true}));
}

/// p[(k + 1) * n + i] of all but the first and the last of m rows. That there is one, 2 < m, says nothing of
/// the 2 in the place of the first, 2 * n + i.
TEST(LaunchRanges, NumbersStayWhatTheyAre) {
  EXPECT_EQ(ranges(R"(
  %c = icmp slt i32 %i, %n
  %some = icmp sgt i32 %m, 2
  %both = and i1 %c, %some
  %last = add i32 %m, -1
  br i1 %both, label %loop, label %end
loop:
  %k = phi i32 [ 1, %0 ], [ %next, %loop ]
  %row = mul nsw i32 %k, %n
  %here = add nsw i32 %row, %i
  %at = add nsw i32 %here, %n
)" STORE_AT("%at") R"(  %next = add nuw nsw i32 %k, 1
  %more = icmp ne i32 %next, %last
  br i1 %more, label %loop, label %end
end:
  ret void)",
                   {.N = 100, .M = 9, .Grid = {4, 1, 1}, .Block = {32, 1, 1}}),
            (Bytes{4 * 200, 4 * 900, true}));
}

TEST(LaunchRanges, StridesEndAtTheBound) {
  EXPECT_EQ(ranges(Strided, {.N = 1000, .Grid = {2, 1, 1}, .Block = {64, 1, 1}}), (Bytes{0, 4000, true}));
}

TEST(LaunchRanges, LoopsGoOverRowsAndDownwards) {
  Launch L{.N = 5, .M = 7, .Grid = {1, 1, 1}, .Block = {32, 1, 1}};
  EXPECT_EQ(ranges(Rows, L), (Bytes{0, 4 * 5 * 7, true}));
  // The counter may stand anywhere between m and 0 for all that is known of it.
  std::optional<Bytes> Down = ranges(Downwards, L);
  ASSERT_TRUE(Down);
  EXPECT_LE(Down->Begin, 0);
  EXPECT_GE(Down->End, 4 * 7);
}

TEST(LaunchRanges, WhatWrapsBreaksACondition) {
  // 2^31 threads or more.
  EXPECT_FALSE(hold(Guarded, {.N = 1000, .Grid = {1 << 22, 1, 1}, .Block = {1024, 1, 1}}));
  EXPECT_TRUE(hold(Guarded, {.N = 1000, .Grid = {1 << 21, 1, 1}, .Block = {1024, 1, 1}}));
  // The last step leads beyond 2^31 - 1, so that the author's loop may go on at the other end.
  int64_t Last = std::numeric_limits<int32_t>::max();
  EXPECT_FALSE(hold(Strided, {.N = Last, .Grid = {2, 1, 1}, .Block = {64, 1, 1}}));
  EXPECT_TRUE(hold(Strided, {.N = Last - 127, .Grid = {2, 1, 1}, .Block = {64, 1, 1}}));
  // Rows of a negative number of elements, and more elements than an index counts.
  EXPECT_FALSE(hold(Rows, {.N = 5, .M = -7, .Block = {32, 1, 1}}));
  EXPECT_FALSE(hold(Rows, {.N = 1 << 16, .M = 1 << 16, .Grid = {64, 1, 1}, .Block = {1024, 1, 1}}));
}

TEST(LaunchRanges, WhatIsNotKnownInEachIterationBoundsNoCounter) {
  EXPECT_FALSE(hold(GoesOn, {.N = 1000, .M = -6, .Grid = {2, 1, 1}, .Block = {64, 1, 1}}));
}
