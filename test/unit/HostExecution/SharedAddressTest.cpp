//===- SharedAddressTest.cpp - Addresses of shared variables in any place -===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostTesting.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

// Reduced from random kernels: what a phi takes from the entry block was computed
// ahead of the thread it belongs to.
TEST(SharedAddressTest, OfAPhiFromTheEntryBlock) {
  LLVMContext Context;
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseAssemblyString(R"(
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global [32 x float] undef, align 4
define ptx_kernel void @kernel(ptr %out) {
entry:
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %thread, 0
  br i1 %first, label %join, label %other
other:
  br label %join
join:
  %place = phi ptr addrspace(3) [ getelementptr (i8, ptr addrspace(3) @shared, i64 16), %entry ], [ @shared, %other ]
  %whole = addrspacecast ptr addrspace(3) %place to ptr
  %base = addrspacecast ptr addrspace(3) @shared to ptr
  %to = ptrtoint ptr %whole to i64
  %from = ptrtoint ptr %base to i64
  %offset = sub i64 %to, %from
  %short = trunc i64 %offset to i32
  %element = getelementptr i32, ptr %out, i32 %thread
  store i32 %short, ptr %element, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)",
                                                  Problem, Context);
  ASSERT_TRUE(M) << Problem.getMessage().str();
  Expected<std::unique_ptr<HostProgram>> Program = HostProgram::create(*M);
  ASSERT_TRUE(bool(Program)) << toString(Program.takeError());
  GuardedMemory Memory;
  GuardedBuffer &Out = cantFail(Memory.allocate("out", 2 * sizeof(int)));
  HostLaunch Launch;
  Launch.Kernel = "kernel";
  Launch.Block = {2};
  Launch.argument(Out);
  launched(**Program, Launch);
  EXPECT_EQ(Out.as<int>()[0], 16);
  EXPECT_EQ(Out.as<int>()[1], 0);
}

} // namespace
