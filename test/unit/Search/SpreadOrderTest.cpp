//===- SpreadOrderTest.cpp - What to look at first of a space -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/SpreadOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using namespace gpuprune;

static std::vector<Variant> variants(ArrayRef<std::string> Texts) {
  std::vector<Variant> Result;
  for (const std::string &Text : Texts)
    Result.push_back(cantFail(parseVariant(Text)));
  return Result;
}

/// Two defines, x and y of 1, 2, 4 and 8, four ways to unroll: 128 variants.
static std::vector<std::string> product() {
  std::vector<std::string> Texts;
  for (StringRef Tile : {"16", "32"})
    for (StringRef X : {"x=1", "x=2", "x=4", "x=8"})
      for (StringRef Y : {"y=1", "y=2", "y=4", "y=8"})
        for (StringRef Unroll : {"", ",gpu-unroll<loop=1;factor=1>", ",gpu-unroll<loop=1;factor=4>",
                                 ",gpu-unroll<loop=1;factor=full>"})
          Texts.push_back(formatv("-DTILE={0} gpu-block-coarsen<{1};{2}>{3}", Tile, X, Y, Unroll));
  return Texts;
}

TEST(SpreadOrder, HasEachVariantOnceAndStaysTheSame) {
  std::vector<Variant> All = variants(product());
  std::vector<size_t> Order = spreadOrder(All);
  EXPECT_EQ(Order, spreadOrder(All));
  EXPECT_EQ(std::set<size_t>(Order.begin(), Order.end()).size(), All.size());
  EXPECT_EQ(Order.size(), All.size());
  EXPECT_TRUE(spreadOrder({}).empty());
}

/// What a budget of seconds compiles is not the largest code of the space.
TEST(SpreadOrder, BeginsWithLittleCode) {
  std::vector<std::string> Texts = product();
  std::vector<size_t> Order = spreadOrder(variants(Texts));
  StringRef First = Texts[Order.front()];
  EXPECT_TRUE(First.contains("x=1") && First.contains("y=1") && !First.contains("full")) << First.str();
  for (size_t I : ArrayRef(Order).take_front(8))
    EXPECT_FALSE(StringRef(Texts[I]).contains("x=8;y=8")) << Texts[I];
}

TEST(SpreadOrder, BeginsInTheMiddleOfWhatIsNoCode) {
  std::vector<std::string> Texts;
  for (StringRef Most : {"32", "64", "128"})
    for (StringRef Block : {"64,1,1", "128,1,1", "256,1,1"})
      Texts.push_back(formatv("block={0} gpu-registers<max={1}>", Block, Most));
  EXPECT_TRUE(StringRef(Texts[spreadOrder(variants(Texts)).front()]).ends_with("gpu-registers<max=64>"));
}

TEST(SpreadOrder, EachValueComesEarly) {
  std::vector<std::string> Texts = product();
  std::vector<size_t> Order = spreadOrder(variants(Texts));
  std::string Beginning;
  for (size_t I : ArrayRef(Order).take_front(24))
    Beginning += Texts[I] + "\n";
  for (StringRef Value : {"TILE=16", "TILE=32", "x=1", "x=2", "x=4", "x=8", "y=1", "y=2", "y=4", "y=8",
                          "factor=1", "factor=4", "factor=full"})
    EXPECT_TRUE(StringRef(Beginning).contains(Value)) << Value.str() << " not in\n" << Beginning;
}

TEST(SpreadOrder, NoValueComesMuchMoreOftenThanAnother) {
  std::vector<std::string> Texts = product();
  std::vector<size_t> Order = spreadOrder(variants(Texts));
  for (size_t Length : {16u, 32u, 64u})
    for (StringRef Value : {"x=1", "x=2", "x=4", "x=8", "y=1", "y=2", "y=4", "y=8"}) {
      size_t Times = count_if(ArrayRef(Order).take_front(Length),
                              [&](size_t I) { return StringRef(Texts[I]).contains(Value); });
      EXPECT_NEAR(double(Times), double(Length) / 4, 2) << Value.str() << " in the first " << Length;
    }
}

TEST(SpreadOrder, LoopsAreThingsToChooseOfTheirOwn) {
  std::vector<std::string> Texts;
  for (StringRef Outer : {"1", "2", "4"})
    for (StringRef Inner : {"1", "2", "4"})
      Texts.push_back(formatv("gpu-unroll<loop=0;factor={0}>,gpu-unroll<loop=1;factor={1}>", Outer, Inner));
  std::vector<size_t> Order = spreadOrder(variants(Texts));
  EXPECT_EQ(Texts[Order.front()], "gpu-unroll<loop=0;factor=1>,gpu-unroll<loop=1;factor=1>");
  std::set<std::string> Outer, Inner;
  for (size_t I : ArrayRef(Order).take_front(6)) {
    Outer.insert(Texts[I].substr(0, Texts[I].find(',')));
    Inner.insert(Texts[I].substr(Texts[I].find(',')));
  }
  EXPECT_EQ(Outer.size(), 3u);
  EXPECT_EQ(Inner.size(), 3u);
}
