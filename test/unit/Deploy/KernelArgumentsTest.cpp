//===- KernelArgumentsTest.cpp - Tests of where a kernel's pointers are ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/KernelArguments.h"
#include "../ExpectedTesting.h"
#include "DeployTesting.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

static KernelArguments argumentsOf(StringRef Parameters) {
  std::string Bitcode =
      deviceBitcode(("%inner = type { i32, ptr }\n%outer = type { ptr, [2 x %inner], float }\n"
                     "define ptx_kernel void @kernel(" +
                     Parameters + ") {\n  ret void\n}\n")
                        .str());
  return kernelArguments(valueOf(kernelParameters(Bitcode, "kernel")));
}

TEST(KernelArguments, CountsAllAndKnowsPointers) {
  EXPECT_EQ(argumentsOf(""), KernelArguments());
  EXPECT_EQ(argumentsOf("i32 %n, float %x"), (KernelArguments{2, {}}));
  EXPECT_EQ(argumentsOf("ptr %a, i32 %n, ptr %b"), (KernelArguments{3, {{0, 0}, {2, 0}}}));
}

TEST(KernelArguments, FindsPointersInStructures) {
  EXPECT_EQ(argumentsOf("i32 %n, ptr byval(%inner) %s, ptr %a"), (KernelArguments{3, {{1, 8}, {2, 0}}}));
  EXPECT_EQ(argumentsOf("ptr byval(%outer) %s"), (KernelArguments{1, {{0, 0}, {0, 16}, {0, 32}}}));
  EXPECT_EQ(argumentsOf("ptr byval({ i64, float }) %s"), (KernelArguments{1, {}}));
}
