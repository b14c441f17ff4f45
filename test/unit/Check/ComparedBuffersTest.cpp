//===- ComparedBuffersTest.cpp - Whether a sequence changes what is compared ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Check/ComparedBuffers.h"
#include "ExpectedTesting.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Workload/Sequence.h"

using namespace llvm;
using namespace gpuprune;
using test::valueOf;

namespace {

ResolvedBuffer buffer(std::string Name, BufferRole Role, bool Temporary = false) {
  ResolvedBuffer B;
  B.Name = std::move(Name);
  B.Role = Role;
  B.Temporary = Temporary;
  return B;
}

ResolvedProblem problem() {
  ResolvedProblem P;
  P.Buffers = {buffer("in", BufferRole::In), buffer("t", BufferRole::Out, /*Temporary=*/true),
               buffer("a", BufferRole::InOut), buffer("b", BufferRole::Out)};
  return P;
}

TEST(ComparedBuffers, OneThatIsChangedIsEnough) {
  EXPECT_EQ(nothingCompared(problem(), {{}, {}, {}, {0}}), "");
  EXPECT_EQ(nothingCompared(problem(), {{}, {0}, {1}, {}}), "");
}

TEST(ComparedBuffers, WhatIsComparedAndWhatIsChangedIsSaid) {
  std::string Said = nothingCompared(problem(), {{}, {0, 2}, {}, {}});
  EXPECT_NE(Said.find("compared at the end, 'a' and 'b', so"), std::string::npos) << Said;
  EXPECT_NE(Said.find("what they change is 't', which is temporary, by launch 1, launch 3 ("),
            std::string::npos)
      << Said;
  Said = nothingCompared(problem(), {{}, {}, {}, {}});
  EXPECT_NE(Said.find("what they change is nothing ("), std::string::npos) << Said;
}

/// Two launches of one kernel, which writes the first elements of its second argument.
class ComparedSequence : public testing::Test {
protected:
  /// What is wrong with \p Steps; empty: nothing.
  static std::string check(StringRef Steps, StringRef Kernel = "to[i] = from[i] + 1") {
    initializeCodeGen();
    TemporaryDirectory Home = cantFail(TemporaryDirectory::create());
    std::string Source = ("__global__ void shift(const int *from, int *to, int n) {\n"
                          "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n)\n    " +
                          Kernel + ";\n}\n")
                             .str();
    EXPECT_FALSE(errorToBool(writeFile(Home.file("k.cu"), Source)));
    std::string Text = ("source: k.cu\nsizes: { tune: { n: 64 }, check: [ { n: 16 }, { n: 8 } ] }\n"
                        "buffers:\n  a: { type: i32, count: n, fill: iota, role: inout }\n"
                        "  b: { type: i32, count: n, role: temp }\nlaunches:\n" +
                        Steps)
                           .str();
    TuningTarget Target{valueOf(parseWorkload(Text, Home.file("w.yaml"))), valueOf(findDevice("sm_90")), {}};
    Target.Tools.Clang = valueOf(findClang());
    Workload Whole = Target.W;
    Target.W = upToLaunch(Target.W, Whole.Launches.size() - 1);
    std::vector<std::unique_ptr<BuiltLaunch>> Built;
    for (size_t Number = 0; Number != Whole.Launches.size(); ++Number) {
      Built.push_back(std::make_unique<BuiltLaunch>(Target, Number, /*Kept=*/nullptr));
      EXPECT_EQ(toString(Built.back()->build("")), "");
    }
    return toString(checkComparedChange(Whole, Built));
  }
};

constexpr StringLiteral Launch =
    "  - { kernel: shift, grid: [ 1 ], block: [ 64 ], arguments: [ a, b, { i32: n } ] }\n";
constexpr StringLiteral Swap = "  - swap: [ a, b ]\n";

TEST_F(ComparedSequence, ALastSwapThatIsForgotten) {
  std::string Said = check((Launch + Launch).str());
  EXPECT_NE(Said.find("w.yaml: at n=16 the launches change none"), std::string::npos) << Said;
  EXPECT_NE(Said.find("'b', which is temporary, by launch 1 ("), std::string::npos) << Said;
  EXPECT_EQ(check((Launch + Launch + Swap).str()), "");
  EXPECT_EQ(check((Launch + Swap + Launch).str()), "");
}

TEST_F(ComparedSequence, WhatDoesSomethingAtALargerSizeAloneIsRight) {
  EXPECT_EQ(check((Launch + Launch + Swap).str(), "to[i] = n > 8 ? i + 1 : from[i]"), "");
  EXPECT_NE(check((Launch + Launch).str(), "to[i] = n > 8 ? i + 1 : from[i]"), "");
}

TEST_F(ComparedSequence, WhatTheCpuCannotTellIsForTheLaunchToSay) {
  EXPECT_EQ(check((Launch + Launch).str(), "to[i + 1000000] = 1"), "");
  EXPECT_EQ(check((Launch + Launch).str(), "asm volatile(\"no.such.instruction;\")"), "");
}

} // namespace
