//===- VariantTest.cpp - Variants as text ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Variant.h"
#include "../ExpectedTesting.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace gpuprune;

static Variant parsed(StringRef Text) { return test::valueOf(parseVariant(Text)); }

static std::string errorOf(StringRef Text) { return test::inputErrorOf(parseVariant(Text).takeError()); }

TEST(Variant, PartsAreRead) {
  Variant V = parsed(
      "-DTILE=16 -DT=a,b block=32,4 gpu-block-coarsen<x=8;y=8;shared=interleaved>,gpu-unroll<loop=1;full>");
  ASSERT_EQ(V.Defines.size(), 2u);
  EXPECT_EQ(V.Defines[0], (DefineSetting{"TILE", "16"}));
  EXPECT_EQ(V.Defines[1], (DefineSetting{"T", "a,b"}));
  EXPECT_EQ(V.Block, (Dim3{32, 4, 1}));
  ASSERT_EQ(V.Pipeline.size(), 2u);
  EXPECT_EQ(V.Pipeline[0].Name, "gpu-block-coarsen");
  EXPECT_EQ(V.Pipeline[0].value("shared"), StringRef("interleaved"));
  EXPECT_EQ(V.Pipeline[0].value("z"), std::nullopt);
  EXPECT_EQ(V.Pipeline[1].Parameters[1], (PassParameter{"full", std::nullopt}));
  EXPECT_EQ(V.Pipeline[1].value("full"), std::nullopt);
}

TEST(Variant, EmptyTextIsTheKernelAsWritten) {
  EXPECT_EQ(parsed(""), Variant());
  EXPECT_EQ(parsed("  "), Variant());
  EXPECT_EQ(printVariant(Variant()), "");
}

TEST(Variant, IsFoundByItsParts) {
  DenseMap<Variant, int> Known;
  StringRef Texts[] = {"",           "-DA=1",        "-DA=2",          "block=1,2,3", "block=3,2,1",
                       "-DA=1 p<a>", "-DA=1 p<a=1>", "-DA=1 p<a=1>,q", "p,p<a=1>"};
  for (const auto &[Index, Text] : enumerate(Texts))
    Known[parsed(Text)] = int(Index);
  EXPECT_EQ(Known.size(), std::size(Texts));
  for (const auto &[Index, Text] : enumerate(Texts))
    EXPECT_EQ(Known.lookup(parsed(Text)), int(Index)) << Text.str();
  EXPECT_FALSE(Known.contains(parsed("-DA=1 q")));
}

TEST(Variant, PrintsWhatItParsed) {
  for (StringRef Text :
       {"", "-DTILE=16", "block=1,2,3", "gpu-prepare", "-DA=1 -DB=x block=64,1,1 p<a=1;b>,q,p<a=2>",
        "gpu-block-coarsen<x=8;y=8;shared=interleaved>,gpu-prefetch<loop=0>,gpu-unroll<loop=1;factor=4>",
        "gpu-registers<max=64;min-blocks=2>", "p<list=1,2,3>,q<v=a=b>"})
    EXPECT_EQ(printVariant(parsed(Text)), Text);
  EXPECT_EQ(printVariant(parsed(" -DA=1   block=8  p , q ")), "-DA=1 block=8,1,1 p,q");
}

TEST(Variant, RandomRoundTrip) {
  std::mt19937 Random(1);
  auto Word = [&](StringRef Alphabet) {
    std::string Result;
    for (unsigned Length = 1 + Random() % 6; Length; --Length)
      Result += Alphabet[Random() % Alphabet.size()];
    return Result;
  };
  for (int I = 0; I != 2000; ++I) {
    Variant V;
    for (unsigned D = Random() % 3; D; --D)
      V.Defines.push_back({"D" + std::to_string(D) + Word("AZ_09"), Word("a1(),;<>=\"-")});
    if (Random() % 2)
      V.Block = Dim3{int64_t(1 + Random() % 64), int64_t(1 + Random() % 64), int64_t(1 + Random() % 4)};
    for (unsigned P = Random() % 4; P; --P) {
      PassElement Element{"p" + Word("abz-09"), {}};
      for (unsigned K = Random() % 4; K; --K) {
        PassParameter Parameter{Word("abz-09{}"), std::nullopt};
        if (Random() % 2)
          Parameter.Value = Word("a1,={}/-");
        Element.Parameters.push_back(std::move(Parameter));
      }
      V.Pipeline.push_back(std::move(Element));
    }
    EXPECT_EQ(parsed(printVariant(V)), V) << printVariant(V);
  }
}

TEST(Variant, ErrorsGiveTheColumn) {
  EXPECT_EQ(errorOf("p<a=1"),
            "variant 'p<a=1', column 6: expected ';' or the '>' for the '<' at column 2, found the end");
  EXPECT_EQ(errorOf("p<>"), "variant 'p<>', column 3: expected a parameter, found '>'");
  EXPECT_EQ(errorOf("p<a=>"), "variant 'p<a=>', column 5: expected a value for 'a', found '>'");
  EXPECT_EQ(errorOf("p<a;>"), "variant 'p<a;>', column 5: expected a parameter, found '>'");
  EXPECT_EQ(errorOf("p<a=b<c>"),
            "variant 'p<a=b<c>', column 9: expected ';' or the '>' for the '<' at column 2, found the end");
  EXPECT_EQ(errorOf("p<a=b<c"), "variant 'p<a=b<c', column 6: expected the '>' for this '<', found the end");
  EXPECT_EQ(errorOf("p,"), "variant 'p,', column 3: expected the name of a pass after ','");
  EXPECT_EQ(errorOf(",p"), "variant ',p', column 1: expected the name of a pass, found ','");
  EXPECT_EQ(errorOf("p,,q"), "variant 'p,,q', column 3: expected the name of a pass, found ','");
  EXPECT_EQ(errorOf("p,-DA=1"), "variant 'p,-DA=1', column 3: expected the name of a pass, found '-'");
  EXPECT_EQ(errorOf("p -DA=1"),
            "variant 'p -DA=1', column 3: expected ',' between passes, found '-'; defines and "
            "block= come before the pipeline");
  EXPECT_EQ(errorOf("-DA"), "variant '-DA', column 4: expected '=' after -DA, found the end; write -DA=1");
  EXPECT_EQ(errorOf("-DA= p"), "variant '-DA= p', column 5: expected a value after -DA=");
  EXPECT_EQ(errorOf("-D1=2"), "variant '-D1=2', column 3: expected the name of a macro after -D");
  EXPECT_EQ(errorOf("-DA=1 -DA=2"), "variant '-DA=1 -DA=2', column 7: -DA appears twice");
  EXPECT_EQ(
      errorOf("block=1,2,3,4"),
      "variant 'block=1,2,3,4', column 1: expected block=X, block=X,Y or block=X,Y,Z with positive integers, "
      "found 'block=1,2,3,4'");
  EXPECT_EQ(
      errorOf("block=8,0"),
      "variant 'block=8,0', column 1: expected block=X, block=X,Y or block=X,Y,Z with positive integers, "
      "found 'block=8,0'");
  EXPECT_EQ(errorOf("block=8 block=8"), "variant 'block=8 block=8', column 9: block= appears twice");
  EXPECT_EQ(errorOf("block=8 -DA=1"), "variant 'block=8 -DA=1', column 9: defines come before block=");
}

TEST(Variant, OfALongTextThePlaceIsShown) {
  std::string Long(100000, 'x');
  EXPECT_EQ(errorOf(Long + "!" + Long), "variant '[...]" + std::string(100, 'x') + "!" +
                                            std::string(99, 'x') +
                                            "[...]', column 100001: expected ',' between passes, found '!'; "
                                            "defines and block= come before the pipeline");
}

TEST(Variant, NoInputCrashes) {
  std::mt19937 Random(2);
  StringRef Alphabet = "-D=block,<>;p1 \t\xff";
  for (int I = 0; I != 50000; ++I) {
    std::string Text;
    for (unsigned Length = Random() % 20; Length; --Length)
      Text += Alphabet[Random() % Alphabet.size()];
    Expected<Variant> V = parseVariant(Text);
    if (!V)
      EXPECT_FALSE(takeError(V.takeError()).Text.empty());
    else
      EXPECT_EQ(parsed(printVariant(*V)), *V);
  }
}

TEST(Variant, NormaliseDropsWhatChangesNothing) {
  auto Normal = [](StringRef Text) {
    Variant V = parsed(Text);
    normalise(V.Pipeline);
    return printVariant(V);
  };
  EXPECT_EQ(Normal("gpu-block-coarsen<x=1;y=1;shared=interleaved>,gpu-unroll<loop=0;factor=1>"),
            "gpu-unroll<loop=0;factor=1>");
  EXPECT_EQ(Normal("gpu-block-coarsen<x=1;y=4;shared=blocked>"), "gpu-block-coarsen<y=4;shared=blocked>");
  EXPECT_EQ(Normal("gpu-block-coarsen<x=2;y=4>"), "gpu-block-coarsen<x=2;y=4>");
  EXPECT_EQ(Normal("gpu-prepare,gpu-registers<max=64>"), "gpu-registers<max=64>");
  EXPECT_EQ(Normal("gpu-prefetch<loop=0;distance=0>,gpu-prefetch<loop=1>"), "gpu-prefetch<loop=1>");
  EXPECT_EQ(Normal("gpu-registers<max=64;spill=0;spill-to=local>"), "gpu-registers<max=64>");
  EXPECT_EQ(Normal("gpu-registers<spill=0;spill-to=local>"), "");
  EXPECT_EQ(Normal("gpu-registers<spill=2;spill-to=local>"), "gpu-registers<spill=2;spill-to=local>");
  EXPECT_EQ(Normal("other<x=1>"), "other<x=1>");
}

/// They would be taken for the kernel as written.
TEST(Variant, MistakesAreNotDropped) {
  for (StringRef Text :
       {"gpu-unroll<loop=0;facter=4>", "gpu-block-coarsen<w=2>", "gpu-thread-coarsen<facter=4>"}) {
    Variant V = parsed(Text);
    normalise(V.Pipeline);
    EXPECT_EQ(printVariant(V), Text);
  }
  for (StringRef Text : {"gpu-unroll<loop=0>", "gpu-unroll<loop=0;remainder=none>"})
    EXPECT_TRUE(errorToBool(checkDropped(parsed(Text).Pipeline))) << Text.str();
  for (StringRef Text :
       {"", "gpu-block-coarsen<x=1;y=1>", "gpu-thread-coarsen<dim=x;factor=1>", "gpu-block-swizzle<group=1>",
        "gpu-block-coarsen<x=2>", "gpu-unroll<loop=0;facter=4>", "other<x=1>"})
    EXPECT_FALSE(errorToBool(checkDropped(parsed(Text).Pipeline))) << Text.str();
}

TEST(Variant, TheLaunchIsNamedInNumbers) {
  Variant V = parsed("gpu-registers<max=64;threads=launch>,gpu-unroll<loop=1;factor=4>");
  nameBlock(V.Pipeline, {16, 4, 1});
  EXPECT_EQ(printVariant(V), "gpu-registers<max=64;threads=16x4x1>,gpu-unroll<loop=1;factor=4>");
}
