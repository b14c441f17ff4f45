//===- ReproductionTest.cpp - Whether a recorded launch is replayed ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Report/Reproduction.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

TEST(Reproduction, AllHaveToBeKnownAndTheSame) {
  EXPECT_EQ(isReproduced({}), std::nullopt);
  EXPECT_EQ(isReproduced({{"a", "11", "11"}, {"b", "22", "22"}}), true);
  EXPECT_EQ(isReproduced({{"a", "11", "11"}, {"b", "22", ""}}), std::nullopt);
  EXPECT_EQ(isReproduced({{"a", "11", "12"}, {"b", "22", ""}}), std::nullopt); // Nothing has run.
  EXPECT_EQ(isReproduced({{"a", "11", "12"}, {"b", "22", "22"}}), false);
}

TEST(Reproduction, SaysWhatIsNot) {
  EXPECT_EQ(reproductionText({}), "");
  EXPECT_EQ(reproductionText({{"a", "11", ""}}), "");
  EXPECT_EQ(reproductionText({{"a", "11", "11"}}), "1 of 1 recorded contents reproduced");
  EXPECT_EQ(reproductionText({{"a", "11", "11"}, {"b", "22", ""}}), "");
  EXPECT_EQ(reproductionText({{"a", "11", "11"}, {"b", "22", "23"}, {"c", "33", "34"}}),
            "1 of 3 recorded contents reproduced, not: b, c");
}

TEST(Reproduction, AsksForWhatIsNotKnown) {
  protocol::Problem P;
  P.Buffers = {{"other", ElementType::F32, 1, {}, BufferRole::InOut},
               {"known", ElementType::F32, 1, {}, BufferRole::In},
               {"asked", ElementType::F32, 1, {}, BufferRole::InOut}};
  std::vector<Reproduction> Each = {{"known", "11", "11"}, {"asked", "22", ""}};
  addExpected(Each, P);
  ASSERT_EQ(P.Expected.size(), 1u);
  EXPECT_EQ(P.Expected[0].Buffer, 2u);
  EXPECT_EQ(P.Expected[0].Hash, "22");
  protocol::ProblemCheck Check;
  Check.Outputs = {{"asked", "23", std::nullopt}};
  protocol::Result R;
  R.Checks = {Check};
  joinReproduction(Each, R);
  EXPECT_EQ(Each[0].Found, "11");
  EXPECT_EQ(Each[1].Found, "23");
}

TEST(Reproduction, IsReadBack) {
  Reproduction R{"a", "11", "12"}, Read;
  json::Path::Root Root;
  ASSERT_TRUE(fromJSON(toJSON(R), Read, Root));
  EXPECT_EQ(Read, R);
}

} // namespace
