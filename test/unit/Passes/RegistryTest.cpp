//===- RegistryTest.cpp - What the passes say of themselves ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Passes/Registry.h"
#include "../ExpectedTesting.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "gpuprune/Transforms/Unroll.h"
#include "llvm/ADT/StringSet.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static const PassDescription &pass(StringRef Name) { return *findPass(Name); }

static PassElement element(StringRef Text) { return test::valueOf(parsePipeline(Text)).front(); }

static std::string textOf(const PassElement &Element) { return printPipeline(Element); }

TEST(Registry, RowsHaveTheNamesOfTheirDescriptors) {
  static constexpr StringLiteral Names[] = {
#define GPUPRUNE_PASS(DESCRIPTOR, NAME) NAME,
#include "gpuprune/Transforms/GpuPrunePasses.def"
  };
  ASSERT_EQ(passDescriptors().size(), std::size(Names));
  for (const auto &[Pass, Name] : zip_equal(passDescriptors(), Names))
    EXPECT_EQ(Pass->Name, Name);
}

TEST(Registry, EachPassIsAddedInOneWayAndSaysWhatItDoes) {
  for (const PassDescriptor *Pass : passDescriptors()) {
    EXPECT_NE(bool(Pass->AddToModule), bool(Pass->AddToFunction)) << Pass->Name.str();
    EXPECT_FALSE(Pass->Effect.empty()) << Pass->Name.str();
    EXPECT_FALSE(Pass->ClassName.empty()) << Pass->Name.str();
  }
}

TEST(Registry, KeysDifferAndWhatIsOfAnotherNamesIt) {
  for (const PassDescription *Pass : passDescriptions()) {
    StringSet<> Keys;
    for (const OptionForm &Form : Pass->Options)
      EXPECT_TRUE(Keys.insert(Form.Key).second) << Form.Key.str();
    for (const OptionForm &Form : Pass->Options)
      EXPECT_TRUE(Form.Of.empty() || Keys.contains(Form.Of)) << Form.Key.str();
  }
}

TEST(Registry, NoPassTakesAnUnknownOption) {
  for (const PassDescription *Pass : passDescriptions())
    EXPECT_NE(toString(Pass->Check("no-such-option=1")), "") << Pass->Name.str();
}

TEST(Registry, RequiredOptionsAreListed) {
  EXPECT_EQ(toString(pass("gpu-unroll").Check("")),
            "gpu-unroll needs loop=N and factor=F|full: "
            "gpu-unroll<loop=N;factor=F|full;remainder=loop|unrolled|none;loads=scalar|vector;kernel=NAME>");
  EXPECT_EQ(toString(pass("gpu-unroll").Check("loop=0;factor=2")), "");
}

TEST(Registry, OnlySomeOptionsChangeTheLaunch) {
  for (StringRef Text :
       {"gpu-block-coarsen<x=2>", "gpu-thread-coarsen<dim=x;factor=2>", "gpu-thread-coarsen<align=16>",
        "gpu-prefetch<loop=0;launch=larger>", "gpu-memory<arg=0;space=constant;bytes=64>",
        "gpu-unroll<loop=0;factor=2>,gpu-block-coarsen<y=2>"})
    EXPECT_TRUE(test::valueOf(changesGeometry(Text))) << Text.str();
  for (StringRef Text : {"gpu-block-coarsen<x=1>", "gpu-thread-coarsen<dim=x;factor=1>",
                         "gpu-prefetch<loop=0>", "gpu-memory<arg=0;space=readonly>", "gpu-registers<max=64>",
                         "gpu-skip<selects=4>", "gpu-prepare", "instcombine"})
    EXPECT_FALSE(test::valueOf(changesGeometry(Text))) << Text.str();
}

TEST(Registry, VariablesAndForeignPassesLookAtOtherKernels) {
  EXPECT_TRUE(test::valueOf(looksAtOtherKernels("gpu-memory<symbol=t;space=readonly>")));
  EXPECT_TRUE(test::valueOf(looksAtOtherKernels("gpu-unroll<loop=0;factor=2>,instcombine")));
  EXPECT_FALSE(
      test::valueOf(looksAtOtherKernels("gpu-memory<arg=0;space=readonly>,gpu-unroll<loop=0;factor=2>")));
}

TEST(Registry, NeutralValuesGo) {
  auto Normalised = [](StringRef Text) {
    PassElement Element = element(Text);
    return pass(Element.Name).Normalise(Element) ? textOf(Element) : "";
  };
  EXPECT_EQ(Normalised("gpu-block-coarsen<x=1;y=2;shared=grouped>"), "gpu-block-coarsen<y=2;shared=grouped>");
  EXPECT_EQ(Normalised("gpu-block-coarsen<x=1;shared=grouped>"), "");
  EXPECT_EQ(Normalised("gpu-thread-coarsen<dim=x;factor=2;stride=block;align=16>"),
            "gpu-thread-coarsen<dim=x;factor=2>");
  EXPECT_EQ(Normalised("gpu-thread-coarsen<dim=x;factor=2;stride=consecutive;align=16>"),
            "gpu-thread-coarsen<dim=x;factor=2;stride=consecutive;align=16>");
  EXPECT_EQ(Normalised("gpu-thread-coarsen<dim=x;factor=1;stride=consecutive;align=16>"), "");
  EXPECT_EQ(Normalised("gpu-unroll<loop=0;factor=1;loads=vector>"), "gpu-unroll<loop=0;factor=1>");
  EXPECT_EQ(Normalised("gpu-unroll<loop=0;loads=vector>"), "") << "no factor";
  EXPECT_EQ(Normalised("gpu-prefetch<loop=0;distance=0>"), "");
  EXPECT_EQ(Normalised("gpu-registers<spill=0;spill-to=local>"), "");
  EXPECT_EQ(Normalised("gpu-registers<max=64;spill=0;spill-to=local>"), "gpu-registers<max=64>");
}

TEST(Registry, StepsOfAnOfferNeverGrow) {
  auto Combinations = [](const PassOffer &Offer) {
    uint64_t Product = 1;
    for (const OfferedChoice &Choice : Offer.Choices)
      Product *= Choice.Values.size();
    return Product;
  };
  PassOffers Offers = offerUnrolling({{0, 16}, {1, std::nullopt}, {2, 200}, {3, std::nullopt, true}});
  for (unsigned Step = 1; Step != SpaceSteps; ++Step)
    EXPECT_LE(Combinations(Offers[Step]), Combinations(Offers[Step - 1])) << Step;
  EXPECT_EQ(Offers.front().Choices.size(), 5u) << "four factors, and which loads";
  EXPECT_EQ(Offers.back().Choices.size(), 1u) << "one factor for all";
}
