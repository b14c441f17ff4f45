//===- GridLoopEndTest.cpp - Tests of where loops over the grid end --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/GridLoopEnd.h"
#include "KernelTesting.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

/// A loop over the grid up to \p End, whose blocks have the names \p Name and more, and the block after it.
std::string loopTo(StringRef End, StringRef Name) {
  return formatv(R"(
{0}.ask:
  %{0}.goes = icmp slt i32 %first, {1}
  br i1 %{0}.goes, label %{0}.before, label %{0}.end
{0}.before:
  br label %{0}
{0}:
  %{0}.i = phi i32 [ %first, %{0}.before ], [ %{0}.next, %{0} ]
  %{0}.at = getelementptr i32, ptr addrspace(1) %p, i32 %{0}.i
  store i32 1, ptr addrspace(1) %{0}.at
  %{0}.next = add nsw i32 %{0}.i, %step
  %{0}.again = icmp slt i32 %{0}.next, {1}
  br i1 %{0}.again, label %{0}, label %{0}.end
{0}.end:
)",
                 Name, End);
}

const char *Grid = R"(
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = mul i32 %block, %threads
  %first = add i32 %start, %thread
  %step = mul i32 %blocks, %threads
  %twice = shl i32 %n, 1
)";

/// Of a kernel with loops over the grid up to \p Ends, one behind the other, and \p Rest behind them.
std::string endOf(ArrayRef<StringRef> Ends, StringRef Rest = "") {
  std::string Body = Grid;
  for (auto [Number, End] : enumerate(Ends)) {
    std::string Name = formatv("loop{0}", Number);
    Body += formatv("  br label %{0}.ask\n{1}", Name, loopTo(End, Name));
  }
  TestKernel K(Body + Rest.str() + "  ret void\n");
  EXPECT_TRUE(K.isValid());
  std::optional<GridBound> End = gridLoopEnd(K.function());
  return End ? formatv("{0}, {1} bits{2}", End->Argument, End->Bits, End->Signed ? "" : ", unsigned").str()
             : "none";
}

} // namespace

TEST(GridLoopEnd, IsTheArgumentOfAllLoopsOverTheGrid) {
  EXPECT_EQ(endOf({"%n"}), "1, 32 bits");
  EXPECT_EQ(endOf({"%n", "%n"}), "1, 32 bits");
}

TEST(GridLoopEnd, IsNoneOfOthers) {
  EXPECT_EQ(endOf({}), "none");
  EXPECT_EQ(endOf({"%twice"}), "none");
  EXPECT_EQ(endOf({"%n", "%twice"}), "none");
  EXPECT_EQ(endOf({"4096"}), "none");
  // That it is asked how many blocks there are for something else.
  EXPECT_EQ(endOf({"%n"}, "  %last = add i32 %first, %step\n  store i32 %last, ptr addrspace(1) %p\n"),
            "none");
}
