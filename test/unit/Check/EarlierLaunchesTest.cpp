//===- EarlierLaunchesTest.cpp - The state in front of a launch ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Check/EarlierLaunches.h"
#include "ExpectedTesting.h"
#include "gpuprune/Workload/Sequence.h"

using namespace llvm;
using namespace gpuprune;
using test::valueOf;

namespace {

/// The second launch of test/e2e/Inputs/repeated, whose buffers are swapped after each iteration.
class RepeatedState : public testing::Test {
protected:
  RepeatedState() {
    initializeCodeGen();
    Target.Tools.Clang = valueOf(findClang());
    Target.W = upToLaunch(Target.W, 1);
  }

  std::unique_ptr<EarlierLaunches> build() {
    return cantFail(EarlierLaunches::build(Target, nullptr, "", 0));
  }

  using State = std::map<std::string, std::vector<uint8_t>>;
  /// By the names that buffers have in front of the iteration.
  State before(EarlierLaunches &Earlier, int64_t K) const {
    Environment Size = Target.W.CheckSizes.front();
    Size["k"] = K;
    HostProblem Problem =
        cantFail(Earlier.stateBefore(valueOf(resolve(Target.W, Size)), sizeName(Target.W, Size)));
    State Found;
    for (const auto &[Shape, Bytes] : zip_equal(Problem.buffers(), Problem.contents()))
      Found[Shape.Name] = Bytes;
    return Found;
  }

  TuningTarget Target{valueOf(loadWorkload(GPUPRUNE_SOURCE_DIR "/test/e2e/Inputs/repeated")),
                      valueOf(findDevice("sm_90")),
                      {}};
};

TEST_F(RepeatedState, EachIterationGoesOnFromTheOneInFront) {
  std::unique_ptr<EarlierLaunches> InOrder = build(), Alone = build();
  State First = before(*InOrder, 0);
  EXPECT_EQ(InOrder->runs(), 1u) << "the other launch of the same iteration";
  before(*InOrder, 1);
  EXPECT_EQ(InOrder->runs(), 3u);
  State Fifth = before(*InOrder, 4), Last = before(*InOrder, 7);
  EXPECT_EQ(InOrder->runs(), 15u) << "each once";
  EXPECT_EQ(before(*Alone, 7), Last);
  EXPECT_EQ(Alone->runs(), 15u);
  EXPECT_EQ(before(*Alone, 4), Fifth) << "what comes behind is of no use";
  EXPECT_EQ(Alone->runs(), 15u + 9);
  EXPECT_EQ(before(*Alone, 0), First);
  EXPECT_NE(First, Last);
  EXPECT_EQ(before(*InOrder, 4), Fifth);
  EXPECT_EQ(InOrder->runs(), 15u) << "known";
}

} // namespace
