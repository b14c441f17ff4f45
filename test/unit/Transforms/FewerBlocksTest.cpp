//===- FewerBlocksTest.cpp - Whether blocks of a launch may be left out ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/FewerBlocks.h"
#include "KernelTesting.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace gpuprune::test;

static std::string whyNot(llvm::StringRef Body) {
  TestKernel K(Body);
  EXPECT_TRUE(K.isValid());
  return whyNotFewerBlocks(K.function());
}

TEST(FewerBlocks, OfBlocksByThemselvesAreALaunch) {
  EXPECT_EQ(whyNot(R"(
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %block, %threads
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %old = atomicrmw add ptr addrspace(1) %p, i32 %first monotonic
  ret void
)"),
            "");
}

TEST(FewerBlocks, TheNumberOfBlocksIsReadByNobody) {
  for (const char *Register : {"x", "y", "z"})
    EXPECT_EQ(whyNot((llvm::Twine("  %all = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.") + Register +
                      "()\n  store i32 %all, ptr addrspace(1) %p\n  ret void\n")
                         .str()),
              "the kernel reads how many blocks there are");
  EXPECT_NE(whyNot(R"(
  %all = call i32 asm "mov.u32 $0, %nctaid.x;", "=r"()
  store i32 %all, ptr addrspace(1) %p
  ret void
)"),
            "");
}

TEST(FewerBlocks, NoBlockWaitsForAnother) {
  EXPECT_NE(whyNot(R"(
  br label %wait
wait:
  %seen = load volatile i32, ptr addrspace(1) %p
  %done = icmp eq i32 %seen, %n
  br i1 %done, label %end, label %wait
end:
  ret void
)"),
            "");
  EXPECT_NE(whyNot(R"(
  br label %wait
wait:
  %seen = atomicrmw add ptr addrspace(1) %p, i32 0 monotonic
  %done = icmp eq i32 %seen, %n
  br i1 %done, label %end, label %wait
end:
  ret void
)"),
            "");
  EXPECT_NE(whyNot(R"(
  %seen = load atomic i32, ptr addrspace(1) %p acquire, align 4
  ret void
)"),
            "");
}
