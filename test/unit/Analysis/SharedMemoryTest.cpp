//===- SharedMemoryTest.cpp - Tests of static shared memory ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/SharedMemory.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

TEST(SharedMemory, AddsUpWhatAKernelUsesItself) {
  auto Module = parseInput("matmul.ll");
  EXPECT_EQ(sharedArrays(Module->function("matmul")).size(), 2u);
  EXPECT_EQ(sharedBytes(Module->function("matmul")), 2048u);
}

TEST(SharedMemory, FollowsCallsAlignmentAndLeavesOutOtherKernels) {
  auto Module = parseKernels(R"(
@small = internal addrspace(3) global [3 x i8] undef, align 1
@wide = internal addrspace(3) global [5 x float] undef, align 16
@other = internal addrspace(3) global [100 x float] undef, align 4
@dynamic = external addrspace(3) global [0 x float], align 4
@indirect = internal addrspace(3) global [8 x i8] undef, align 8
define internal void @helper() {
  store float 0.0, ptr addrspacecast (ptr addrspace(3) @wide to ptr)
  ret void
}
define internal void @called(ptr %p) {
  store i8 0, ptr addrspace(3) @indirect
  ret void
}
define ptx_kernel void @k() {
  store i8 0, ptr addrspace(3) @small
  store float 1.0, ptr addrspace(3) @dynamic
  call void @helper()
  ret void
}
define ptx_kernel void @other_kernel(ptr %f) {
  store float 1.0, ptr addrspace(3) @other
  store ptr @called, ptr %f
  ret void
}
define ptx_kernel void @through_pointer(ptr %f) {
  %g = load ptr, ptr %f
  call void %g(ptr %f)
  ret void
}
)");
  EXPECT_EQ(sharedBytes(Module->function("k")), 36u);
  EXPECT_EQ(sharedBytes(Module->function("other_kernel")), 400u);
  EXPECT_EQ(sharedBytes(Module->function("through_pointer")), 8u);
}
