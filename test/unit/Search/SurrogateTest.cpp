//===- SurrogateTest.cpp - Times of variants from those of others -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Surrogate.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

std::vector<Variant> variants(ArrayRef<StringRef> Texts) {
  std::vector<Variant> All;
  for (StringRef Text : Texts)
    All.push_back(cantFail(parseVariant(Text)));
  return All;
}

TEST(Surrogate, ExpectsWhatFactorsMakeTogether) {
  Surrogate S(variants({"-DA=1 -DB=1", "-DA=1 -DB=2", "-DA=2 -DB=1", "-DA=2 -DB=2"}));
  // A=2 halves the time, B=2 takes a quarter of it. With a penalty the differences are smaller.
  S.fit({{0, 8}, {1, 2}, {2, 4}});
  EXPECT_LT(S.expectedMs(3), S.expectedMs(1));
  EXPECT_LT(S.expectedMs(1), S.expectedMs(2));
  EXPECT_LT(S.expectedMs(2), S.expectedMs(0));
  EXPECT_GT(S.expectedMs(3), 1);
}

TEST(Surrogate, ManyTimesOutweighThePenalty) {
  std::vector<Variant> Twice = variants({"-DA=1", "-DA=2"});
  Surrogate S(Twice);
  std::vector<Surrogate::KnownTime> Known;
  for (unsigned I = 0; I != 500; ++I)
    append_range(Known, ArrayRef<Surrogate::KnownTime>{{0, 8}, {1, 2}});
  S.fit(Known);
  EXPECT_NEAR(S.expectedMs(0), 8, 0.05);
  EXPECT_NEAR(S.expectedMs(1), 2, 0.05);
}

TEST(Surrogate, ExpectsTheMeanOfWhatItDoesNotKnow) {
  Surrogate S(variants({"-DA=1", "-DA=2", "-DA=3"}));
  S.fit({{0, 2}, {1, 8}});
  EXPECT_NEAR(S.expectedMs(2), 4, 1e-9); // The geometric one.
  // A new fit forgets the one before.
  S.fit({{1, 3}});
  EXPECT_NEAR(S.expectedMs(0), 3, 1e-9);
}

TEST(Surrogate, OneVariantHasNothingToChoose) {
  Surrogate S(variants({"gpu-unroll<loop=0;factor=2>"}));
  S.fit({{0, 5}});
  EXPECT_NEAR(S.expectedMs(0), 5, 1e-9);
}

} // namespace
