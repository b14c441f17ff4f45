//===- EnumerateVariantsTest.cpp - The variants of a tuning run -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/EnumerateVariants.h"
#include "ExpectedTesting.h"

using namespace llvm;
using namespace gpuprune;

using Texts = std::vector<std::string>;

static constexpr StringLiteral Head = R"(
source: k.cu
kernel: k
defines: { TILE: [16, 32] }
sizes: { tune: { n: 1024 }, check: [ { n: 64 } ] }
grid: [ n / 64 ]
block: [ 64 ]
buffers:
  out: { type: f32, count: n, role: out }
arguments: [ out, { i32: n } ]
)";

static constexpr StringLiteral SpaceText =
    "space:\n  pipeline: gpu-unroll<loop=0;factor={f}>\n  parameters: { f: [2, 4, 8] }\n";

static Expected<EnumeratedVariants> enumerated(const EnumerateOptions &Options, const Twine &Yaml) {
  Workload W = test::valueOf(parseWorkload(Yaml.str(), "w.yaml"));
  Expected<Space> Searched = spaceOf(W);
  if (!Searched)
    return Searched.takeError();
  return enumerateVariants(W, *Searched, Options, authorDefines(W));
}

static Texts textsOf(const EnumerateOptions &Options) {
  Texts Result;
  for (const Variant &V : test::valueOf(enumerated(Options, Twine(Head) + SpaceText)).Variants)
    Result.push_back(printVariant(V));
  return Result;
}

TEST(EnumerateVariants, TheSpaceInItsOrder) {
  EnumeratedVariants All = test::valueOf(enumerated({}, Twine(Head) + SpaceText));
  EXPECT_EQ(All.Combinations, 6u);
  EXPECT_EQ(All.SampledOf, 0u);
  EXPECT_EQ(textsOf({}).front(), "-DTILE=16 gpu-unroll<loop=0;factor=2>");
  EXPECT_EQ(textsOf({}).back(), "-DTILE=32 gpu-unroll<loop=0;factor=8>");
}

TEST(EnumerateVariants, ASampleIsTheSameForItsSeedAndHoldsTheFirst) {
  EnumerateOptions Options;
  Options.Sample = SampleOptions{3, 7};
  Texts All = textsOf({}), Some = textsOf(Options);
  EXPECT_EQ(Some.size(), 3u);
  EXPECT_EQ(Some.front(), All.front());
  EXPECT_EQ(Some, textsOf(Options));
  EXPECT_TRUE(std::includes(All.begin(), All.end(), Some.begin(), Some.end(), [&](auto &A, auto &B) {
    return find(All, A) < find(All, B);
  })) << "in the order of the space";
  EXPECT_EQ(test::valueOf(enumerated(Options, Twine(Head) + SpaceText)).SampledOf, 6u);
  Options.Sample->Count = 99;
  EXPECT_EQ(textsOf(Options), All);
}

TEST(EnumerateVariants, NamedOnesEachOnce) {
  EnumerateOptions Options;
  Options.Variants = {"-DTILE=32 gpu-registers<max=64>", "", "-DTILE=32 gpu-registers<max=64>"};
  EXPECT_EQ(textsOf(Options), (Texts{"-DTILE=32 gpu-registers<max=64>", ""}));
}

TEST(EnumerateVariants, EachChoiceAloneComesBehindTheSpace) {
  EnumerateOptions Options;
  Options.EachAlone = true;
  Texts All = textsOf(Options);
  ASSERT_GT(All.size(), 6u);
  EXPECT_EQ(Texts(All.begin(), All.begin() + 6), textsOf({}));
  EXPECT_TRUE(is_contained(All, "-DTILE=32")) << "the define alone";
}

TEST(EnumerateVariants, APassThatCannotBeReadIsAMistakeOfTheSpace) {
  std::string Wrong = (Twine(Head) + "space:\n  pipeline: gpu-unrol<loop=0;factor={f}>\n"
                                     "  parameters: { f: [2] }\n")
                          .str();
  Expected<EnumeratedVariants> All = enumerated({}, Wrong);
  ASSERT_FALSE(bool(All));
  TakenError Problem = takeError(All.takeError());
  EXPECT_NE(Problem.Text.find("w.yaml:12"), std::string::npos) << Problem.Text;
  EXPECT_NE(Problem.Text.find("gpu-unroll"), std::string::npos) << "the nearest name: " << Problem.Text;

  EnumerateOptions Named;
  Named.Variants = {"gpu-unrol<loop=0;factor=2>"};
  TakenError Own = takeError(enumerated(Named, Twine(Head) + SpaceText).takeError());
  EXPECT_EQ(Own.Text.find("w.yaml"), std::string::npos) << "no place in a file: " << Own.Text;
}

TEST(EnumerateVariants, NothingLeftIsAnError) {
  Expected<EnumeratedVariants> All = enumerated({}, Twine(Head) + SpaceText + "  constraints: [ f > 8 ]\n");
  ASSERT_FALSE(bool(All));
  EXPECT_NE(takeError(All.takeError()).Text.find("leave no variant"), std::string::npos);
}
