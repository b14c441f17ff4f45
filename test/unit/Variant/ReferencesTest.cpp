//===- ReferencesTest.cpp - What variants are compared with ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/References.h"
#include "ExpectedTesting.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;
using namespace gpuprune;
using test::valueOf;

namespace {

class ReferencesTest : public testing::Test {
protected:
  TuningTarget Target{valueOf(parseWorkload(R"yaml(
source: k.cu
kernel: k
defines: { T: [8, 4] }
sizes: { tune: { n: 4096 }, check: [ { n: 64 } ] }
grid: [ "cdiv(n, block.x)" ]
block: [ 64 ]
buffers:
  y: { type: f32, count: n, role: out }
arguments: [ y, { i32: n } ]
)yaml",
                                            "w.yaml")),
                      valueOf(findDevice("sm_90")),
                      {}};
  VariantBuilder Builder{Target};

  static std::vector<BuiltVariant> variants(ArrayRef<const char *> Texts) {
    std::vector<BuiltVariant> All;
    for (const char *Text : Texts)
      All.emplace_back(valueOf(parseVariant(Text)));
    return All;
  }
};

} // namespace

TEST_F(ReferencesTest, ThereIsOneForEachChoiceOfDefinesBesideTheAuthors) {
  std::vector<BuiltVariant> Variants =
      variants({"-DT=8", "-DT=8 gpu-registers<max=32>", "-DT=4 gpu-registers<max=32>", "-DT=4"});
  References Compared(Builder, Variants);
  ASSERT_EQ(Compared.all().size(), 3u);
  EXPECT_TRUE(Compared.stock().Stock);
  EXPECT_FALSE(Compared.author().Stock);
  EXPECT_EQ(Compared.preparedFor(Variants[0]), &Compared.author());
  EXPECT_EQ(Compared.preparedFor(Variants[1]), &Compared.author());
  EXPECT_EQ(Compared.preparedFor(Variants[2]), &Compared.all()[2]);
  EXPECT_EQ(Compared.preparedFor(Variants[3]), &Compared.all()[2]);
  EXPECT_EQ(Compared.stockFor(Variants[0]), &Compared.stock());
  EXPECT_EQ(Compared.stockFor(Variants[2]), nullptr) << "stock clang's code was asked for with T=8 alone";
}

TEST_F(ReferencesTest, WhatCouldNotBeBuiltIsComparedWithNothing) {
  std::vector<BuiltVariant> Variants = variants({"-DT=4", ""});
  References Compared(Builder, Variants);
  Compared.all()[2].fail(makeError(ErrorKind::Input, "no"));
  EXPECT_EQ(Compared.preparedFor(Variants[0]), nullptr);
  EXPECT_EQ(Compared.preparedFor(Variants[1]), &Compared.author());
}
