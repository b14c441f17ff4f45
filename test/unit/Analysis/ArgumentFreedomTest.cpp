//===- ArgumentFreedomTest.cpp - Which arguments' bits are open -----------===//
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

/// A loop in which %acc becomes %next from %v = %x[i], then %out[0] = %next.
std::string reduction(StringRef Type, StringRef Combine) {
  return formatv(R"(
declare float @llvm.maxnum.f32(float, float)
define ptx_kernel void @k(ptr %x, ptr %out, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %acc = phi {0} [ zeroinitializer, %entry ], [ %next, %loop ]
  %px = getelementptr {0}, ptr %x, i32 %i
  %v = load {0}, ptr %px
  {1}
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %end
end:
  store {0} %next, ptr %out
  ret void
})",
                 Type, Combine);
}

TEST(ArgumentFreedom, ALoopsAccumulatorIsOpenBetweenLaunches) {
  const std::pair<const char *, const char *> Cases[] = {
      {"%next = fadd float %acc, %v", "fadd"},
      {"%next = fsub float %acc, %v", "fsub"},
      {"%next = fmul float %acc, %v", "fmul"},
      {"%next = call float @llvm.fma.f32(float %v, float %v, float %acc)", "fma"},
      {"%next = call float asm \"add.rn.f32 $0, $1, $2;\", \"=f,f,f\"(float %acc, float %v)", "add.rn.f32"},
      {"%c = fcmp ogt float %v, 0.0\n%s = fadd float %acc, %v\n%next = select i1 %c, float %s, float %acc",
       "fadd"}};
  for (auto [Combine, Name] : Cases) {
    std::vector<ArgumentFreedom> Found = argumentsOf(reduction("float", Combine));
    ASSERT_EQ(Found.size(), 3u);
    expectBitwise(Found[0]);
    expectOpenBetweenLaunches(Found[1], std::string(Name) + " in a recurrence");
    expectBitwise(Found[2]);
  }
}

TEST(ArgumentFreedom, MaximaAndIntegersAreExact) {
  for (const char *Combine : {"%next = call float @llvm.maxnum.f32(float %acc, float %v)",
                              "%c = fcmp ogt float %v, %acc\n%next = select i1 %c, float %v, float %acc",
                              "%d = fadd float %v, %v\n"
                              "%next = call float @llvm.maxnum.f32(float %acc, float %d)"})
    expectBitwise(argumentsOf(reduction("float", Combine))[1]);
  expectBitwise(argumentsOf(reduction("i32", "%next = add i32 %acc, %v"))[1]);
}

TEST(ArgumentFreedom, TheLineIsSaidWhereItIsKnown) {
  std::string Text = reduction("float", "%next = fadd float %acc, %v, !dbg !5") + R"(
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!6}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "")
!2 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = !DILocation(line: 12, scope: !2)
!6 = !{i32 2, !"Debug Info Version", i32 3}
)";
  Text.replace(Text.find("i32 %n) {"), 9, "i32 %n) !dbg !2 {");
  EXPECT_EQ(argumentsOf(Text)[1].BetweenLaunches, "fadd in a recurrence at line 12");
}

static const char TreeHead[] = R"(
@s = internal addrspace(3) global [256 x float] poison
define ptx_kernel void @k(ptr %x, ptr %out, ptr %copy) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %px
  %pc = getelementptr float, ptr %copy, i32 %t
  %v2 = fmul float %v, 2.0
  store float %v2, ptr %pc
  %ps = getelementptr float, ptr addrspace(3) @s, i32 %t
  store float %v, ptr addrspace(3) %ps
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
)";
static const char TreeEnd[] = R"(
  %sum = load float, ptr addrspace(3) @s
  %pout = getelementptr float, ptr %out, i32 %t
  %o = fdiv float %v, %sum
  store float %o, ptr %pout
  ret void
})";

TEST(ArgumentFreedom, ATreeThroughSharedMemoryReachesWhatItsSumGoesTo) {
  std::vector<ArgumentFreedom> Found = argumentsOf(std::string(TreeHead) + R"(
  br label %loop
loop:
  %k = phi i32 [ 128, %entry ], [ %k.next, %latch ]
  %c = icmp ult i32 %t, %k
  br i1 %c, label %then, label %latch
then:
  %a = load float, ptr addrspace(3) %ps
  %far = add i32 %t, %k
  %pf = getelementptr float, ptr addrspace(3) @s, i32 %far
  %b = load float, ptr addrspace(3) %pf
  %ab = fadd float %a, %b
  store float %ab, ptr addrspace(3) %ps
  br label %latch
latch:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %k.next = lshr i32 %k, 1
  %more = icmp ne i32 %k.next, 0
  br i1 %more, label %loop, label %end
end:)" + TreeEnd);
  expectBitwise(Found[0]);
  expectOpenBetweenLaunches(Found[1], "fadd in a recurrence");
  expectBitwise(Found[2]);
}

/// s[t] += s[t + Distance], without a loop.
std::string treeStep(unsigned Distance, StringRef Combine = "fadd float") {
  return formatv(R"(
  %a{0} = load float, ptr addrspace(3) %ps
  %far{0} = add i32 %t, {0}
  %pf{0} = getelementptr float, ptr addrspace(3) @s, i32 %far{0}
  %b{0} = load float, ptr addrspace(3) %pf{0}
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %ab{0} = {1} %a{0}, %b{0}
  store float %ab{0}, ptr addrspace(3) %ps
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
)",
                 Distance, Combine);
}

TEST(ArgumentFreedom, AnUnrolledTreeIsOneToo) {
  expectOpenBetweenLaunches(argumentsOf(TreeHead + treeStep(2) + treeStep(1) + TreeEnd)[1],
                            "fadd in a recurrence");
  // One sum of two is the same in any order.
  expectBitwise(argumentsOf(std::string(TreeHead) + R"(
  %far = add i32 %t, 1
  %pf = getelementptr float, ptr addrspace(3) @s, i32 %far
  %b = load float, ptr addrspace(3) %pf
  %ab = fadd float %v, %b
  store float %ab, ptr %out
  ret void
})")[1]);
}

/// \p Steps times v += __shfl_down_sync(v); as \p Combine.
std::string shuffles(unsigned Steps, StringRef Combine) {
  std::string Text = R"(
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)
declare float @llvm.maxnum.f32(float, float)
define ptx_kernel void @k(ptr %x, ptr %out, ptr %copy) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %v0 = load float, ptr %px
  %pc = getelementptr float, ptr %copy, i32 %t
  store float %v0, ptr %pc
)";
  for (unsigned Step = 0; Step != Steps; ++Step)
    Text += formatv("%s{0} = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v{0}, i32 {2}, i32 31)\n"
                    "%v{1} = {3} float %v{0}, float %s{0})\n",
                    Step, Step + 1, 16 >> Step, Combine);
  return Text + formatv("store float %v{0}, ptr %out\nret void\n}", Steps).str();
}

TEST(ArgumentFreedom, ShufflesAddUpAlsoUnrolled) {
  constexpr StringRef Adds = "call float asm \"add.f32 $0, $1, $2;\", \"=f,f,f\"(";
  std::vector<ArgumentFreedom> Found = argumentsOf(shuffles(5, Adds));
  expectOpenBetweenLaunches(Found[1], "add.f32 in a recurrence");
  expectBitwise(Found[2]);
  expectBitwise(argumentsOf(shuffles(1, Adds))[1]);
  expectBitwise(argumentsOf(shuffles(5, "call float @llvm.maxnum.f32("))[1]);
}

TEST(ArgumentFreedom, AtomicSumsAreOpenAndOtherBuffersAreNot) {
  auto With = [](StringRef Atomic) {
    return argumentsOf(formatv(R"(
define ptx_kernel void @k(ptr %x, ptr %sum, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %px
  {0}
  %w = fmul float %v, %v
  %po = getelementptr float, ptr %out, i32 %t
  store float %w, ptr %po
  ret void
})",
                               Atomic)
                           .str());
  };
  const std::pair<const char *, const char *> Sums[] = {
      {"%old = atomicrmw fadd ptr %sum, float %v monotonic", "atomicrmw fadd"},
      {"%old = atomicrmw fsub ptr %sum, float %v monotonic", "atomicrmw fsub"},
      {"call void asm sideeffect \"red.global.add.f32 [$0], $1;\", \"l,f,~{memory}\"(ptr %sum, float %v)",
       "red.global.add.f32"}};
  for (auto [Atomic, Name] : Sums) {
    std::vector<ArgumentFreedom> Found = With(Atomic);
    expectBitwise(Found[0]);
    expectOpen(Found[1], Name);
    expectBitwise(Found[2]);
  }
  for (const char *Exact : {"%old = atomicrmw fmax ptr %sum, float %v monotonic",
                            "%i = bitcast float %v to i32\n%old = atomicrmw add ptr %sum, i32 %i monotonic",
                            "%old = atomicrmw xchg ptr %sum, float %v monotonic"})
    expectBitwise(With(Exact)[1]);
}

TEST(ArgumentFreedom, ALoopAroundCompareAndExchangeIsASum) {
  auto With = [](StringRef New) {
    return argumentsOf(formatv(R"(
declare float @llvm.maxnum.f32(float, float)
define ptx_kernel void @k(ptr %sum, float %v) {
entry:
  %first = load i32, ptr %sum
  %own = fadd float %v, 1.0
  br label %loop
loop:
  %seen = phi i32 [ %first, %entry ], [ %old, %loop ]
  %f = bitcast i32 %seen to float
  %new = {0}
  %bits = bitcast float %new to i32
  %pair = cmpxchg ptr %sum, i32 %seen, i32 %bits seq_cst seq_cst
  %old = extractvalue {{ i32, i1 } %pair, 0
  %done = extractvalue {{ i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
})",
                               New)
                           .str())[0];
  };
  expectOpen(With("fadd float %f, %own"), "cmpxchg of an fadd");
  expectBitwise(With("call float @llvm.maxnum.f32(float %f, float %own)"));
}

TEST(ArgumentFreedom, FastMathOpensWhatItsResultReaches) {
  std::vector<ArgumentFreedom> Found = argumentsOf(R"(
define ptx_kernel void @k(ptr %x, ptr %fast, ptr %exact, ptr %flag) {
  %v = load float, ptr %x
  %a = fmul fast float %v, 3.0
  %b = fmul float %v, 3.0
  store float %a, ptr %fast
  store float %b, ptr %exact
  %c = fcmp ogt float %a, 1.0
  %i = select i1 %c, i32 1, i32 2
  store i32 %i, ptr %flag
  ret void
})");
  expectBitwise(Found[0]);
  expectOpen(Found[1], "fmul with fast-math flags");
  expectBitwise(Found[2]);
  expectOpen(Found[3], "fmul with fast-math flags");
}

TEST(ArgumentFreedom, BranchesAreNotFollowed) {
  expectBitwise(argumentsOf(R"(
define ptx_kernel void @k(ptr %x, ptr %out) {
  %v = load float, ptr %x
  %a = fmul fast float %v, 3.0
  %c = fcmp ogt float %a, 1.0
  br i1 %c, label %then, label %end
then:
  store float 1.0, ptr %out
  br label %end
end:
  ret void
})")[1]);
}

TEST(ArgumentFreedom, AHistogramIsBitwise) {
  std::vector<ArgumentFreedom> Found = argumentsOf(R"(
define ptx_kernel void @k(ptr %x, ptr %bins) {
  %v = load float, ptr %x
  %s = fmul float %v, 2.560000e+02
  %i = fptoui float %s to i32
  %p = getelementptr i32, ptr %bins, i32 %i
  %old = atomicrmw add ptr %p, i32 1 monotonic
  ret void
})");
  expectBitwise(Found[0]);
  expectBitwise(Found[1]);
}

TEST(ArgumentFreedom, ATileOfMatmulIsOpenBetweenLaunchesOnly) {
  auto Module = parseInput("matmul.ll");
  Function &Kernel = Module->function("matmul");
  std::vector<ArgumentFreedom> Found = floatingPointFreedom(*Module->M, &Kernel).Arguments;
  ASSERT_EQ(Found.size(), Kernel.arg_size());
  unsigned Open = 0;
  for (const ArgumentFreedom &A : Found) {
    EXPECT_EQ(A.BetweenVariants, "");
    Open += !A.BetweenLaunches.empty();
  }
  EXPECT_EQ(Open, 1u);
}

TEST(ArgumentFreedom, AnUnknownPointerMayBeAnyArgument) {
  auto With = [](StringRef Where) {
    return argumentsOf(formatv(R"(
define ptx_kernel void @k(ptr %table, ptr %out) {
  %unknown = load ptr, ptr %table
  %v = load float, ptr %unknown
  %a = fmul fast float %v, 3.0
  store float %a, ptr {0}
  ret void
})",
                               Where)
                           .str());
  };
  expectOpen(With("%unknown")[0], "fmul with fast-math flags");
  expectOpen(With("%unknown")[1], "fmul with fast-math flags");
  expectBitwise(With("%table")[1]);
  expectOpen(With("%out")[1], "fmul with fast-math flags");
}

TEST(ArgumentFreedom, CallsAreFollowed) {
  std::vector<ArgumentFreedom> Found = argumentsOf(R"(
define internal float @twice(float %x) noinline {
  %r = fadd float %x, %x
  ret float %r
}
define internal void @put(ptr %p, float %x) noinline {
  store float %x, ptr %p
  ret void
}
define ptx_kernel void @k(ptr %x, ptr %out, ptr %other) {
  %v = load float, ptr %x
  %a = fmul fast float %v, 3.0
  %b = call float @twice(float %a)
  call void @put(ptr %out, float %b)
  store float %v, ptr %other
  ret void
})");
  expectOpen(Found[1], "fmul with fast-math flags");
  expectBitwise(Found[2]);
}

} // namespace
