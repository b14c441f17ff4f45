//===- BuildPhaseTest.cpp - The phase that builds variants ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/BuildPhase.h"
#include "ExpectedTesting.h"

using namespace llvm;
using namespace gpuprune;

using Indices = std::vector<size_t>;

namespace {

std::vector<Variant> variants(ArrayRef<const char *> Texts) {
  std::vector<Variant> All;
  for (const char *Text : Texts)
    All.push_back(test::valueOf(parseVariant(Text)));
  return All;
}

} // namespace

TEST(BuildOrder, IsThatOfTheSpaceWhereAllAreBuiltFirst) {
  std::vector<Variant> All =
      variants({"gpu-registers<max=32>", "gpu-registers<max=64>", "gpu-registers<max=96>"});
  EXPECT_EQ(buildOrder(All, {}, {}), (Indices{0, 1, 2}));
  EXPECT_EQ(buildOrder({}, {}, {/*Spread=*/true, /*SoleChoicesFirst=*/true}), Indices());
}

TEST(BuildOrder, EachVariantOnceWhereAnyBeginningIsASample) {
  std::vector<Variant> All;
  for (unsigned Most = 32; Most != 64; ++Most)
    All.push_back(test::valueOf(parseVariant(("gpu-registers<max=" + Twine(Most) + ">").str())));
  Indices Order = buildOrder(All, {}, {/*Spread=*/true});
  EXPECT_NE(Order, buildOrder(All, {}, {}));
  llvm::sort(Order);
  EXPECT_EQ(Order, buildOrder(All, {}, {}));
}

TEST(BuildOrder, SoleChoicesComeBeforeTheRest) {
  std::vector<Variant> All = variants({"", "gpu-unroll<loop=0;factor=2>,gpu-registers<max=64>",
                                       "gpu-unroll<loop=0;factor=2>", "gpu-registers<max=64>"});
  EXPECT_EQ(buildOrder(All, {}, {/*Spread=*/false, /*SoleChoicesFirst=*/true}), (Indices{2, 3, 0, 1}));
}
