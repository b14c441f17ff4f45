//===- DebugInfoTest.cpp - Code with any debug information runs -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostTesting.h"

using namespace gpuprune;
using namespace gpuprune::test;

namespace {

/// The loop of a function that was inlined keeps that function's locations, which
/// nothing else has any more.
TEST(DebugInfoTest, LoopsOfInlinedFunctions) {
  for (std::vector<std::string> Flags : {std::vector<std::string>(), {"-g"}, {"-gline-tables-only"}})
    EXPECT_TRUE(hostProgram("kernels/reduction-shuffle/reduction-shuffle.cu",
                            {{}, "gpu-unroll<loop=1;factor=1>", Flags}));
}

TEST(DebugInfoTest, FaultsHaveTheirLineWhateverThereIs) {
  for (std::vector<std::string> Flags : {std::vector<std::string>(), {"-g"}, {"-gline-tables-only"}}) {
    HostRun Run("memory.cu", {{}, "", Flags});
    ASSERT_TRUE(Run.Program);
    HostFault Fault = Run.fault("outOfBounds", {}, {32}, Run.output<int>("data", 100), 7, long(100));
    EXPECT_TRUE(llvm::StringRef(Fault.File).ends_with("memory.cu")) << Fault.File;
    EXPECT_NE(Fault.Line, 0u);
  }
}

} // namespace
