//===- TuningRecordVariantsTest.cpp - Tests of files of several variants --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ExpectedTesting.h"
#include "DeployTesting.h"
#include "gpuprune/Deploy/TuningRecord.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

/// One kernel up to 99 blocks and from 1000 blocks on, another one between.
std::vector<TuningRecord> threeRanges() {
  std::vector<TuningRecord> File(3, shortRecord());
  File[0].Conditions.MostBlocks = 99;
  File[1].Conditions = {{256, 1, 1}, 100, 999};
  File[1].Variant = "gpu-unroll<loop=0;factor=2>";
  File[2].Conditions.LeastBlocks = 1000;
  return File;
}

std::string problemOf(ArrayRef<TuningRecord> File) {
  Expected<std::vector<TuningRecord>> Read = parseTuningRecord(printTuningRecord(File));
  Error Said = checkTuningRecord(File);
  std::string Text = Read ? "" : inputErrorOf(Read.takeError());
  EXPECT_EQ(Text, Said ? inputErrorOf(std::move(Said)) : "");
  return Text;
}

} // namespace

TEST(TuningRecordVariants, ComeBackInTheirOrder) {
  std::vector<TuningRecord> File = threeRanges();
  File[1].Bitwise = true;
  File[2].Bitwise = false;
  File[2].Difference = "buffer y differs by 1e-7";
  File[0].Times = {"a GPU", 2, 1};
  for (TuningRecord &R : File)
    R.Tools.Ptxas = "13.0";
  EXPECT_EQ(valueOf(parseTuningRecord(printTuningRecord(File))), File);
  std::swap(File[0], File[2]);
  EXPECT_EQ(valueOf(parseTuningRecord(printTuningRecord(File))), File);
}

TEST(TuningRecordVariants, OfTheSameKernelShareASymbol) {
  std::vector<TuningRecord> File = threeRanges();
  std::vector<std::string> Symbols = tunedSymbols(File, "k");
  ASSERT_EQ(Symbols.size(), 3u);
  EXPECT_EQ(Symbols[0], Symbols[2]);
  EXPECT_NE(Symbols[0], Symbols[1]);
  EXPECT_EQ(Symbols[1], tunedSymbols(File[1], "k").front()) << "what others there are does not matter";
  // The conditions of each of them are in the digest; those of the other kernel are not.
  File[1].Conditions.MostBlocks = 998;
  EXPECT_EQ(tunedSymbols(File, "k")[0], Symbols[0]);
  EXPECT_NE(tunedSymbols(File, "k")[1], Symbols[1]);
  File[2].Conditions.LeastBlocks = 999;
  EXPECT_NE(tunedSymbols(File, "k")[0], Symbols[0]);
}

TEST(TuningRecordVariants, OfOtherBlocksContractsAndRegistersAreOtherKernels) {
  for (void (*Change)(TuningRecord &) : {+[](TuningRecord &R) { R.Conditions.Block.X = 128; },
                                         +[](TuningRecord &R) { R.Contract.SharedCarveout = 50; },
                                         +[](TuningRecord &R) { R.Registers = 33; }}) {
    std::vector<TuningRecord> File = threeRanges();
    Change(File[2]);
    std::vector<std::string> Symbols = tunedSymbols(File, "k");
    EXPECT_NE(Symbols[0], Symbols[2]);
    EXPECT_EQ(problemOf(File), "");
  }
}

TEST(TuningRecordVariants, AreThoseOfOneKernelEachOnce) {
  std::vector<TuningRecord> File = threeRanges();
  EXPECT_EQ(problemOf(File), "");
  File.push_back(File[0]);
  EXPECT_EQ(problemOf(File), "the variant 'gpu-block-coarsen<x=4>' is there twice under the same conditions");
  File.back().Conditions.MostBlocks = 98;
  EXPECT_EQ(problemOf(File), "") << "the first that holds is taken";
  File.back().Registers = 0;
  EXPECT_EQ(problemOf(File), "registers is 0; expected 1 to 255");
}

TEST(TuningRecordVariants, OfAnotherKernelAreNotWritten) {
  for (void (*Change)(TuningRecord &) :
       {+[](TuningRecord &R) { R.Kernel = "other"; }, +[](TuningRecord &R) { R.Arch = "sm_80"; },
        +[](TuningRecord &R) { R.Digest[0] = '1'; }, +[](TuningRecord &R) { R.Arguments.Count = 4; },
        +[](TuningRecord &R) { R.Tools.Clang = "other"; }}) {
    std::vector<TuningRecord> File = threeRanges();
    Change(File[1]);
    EXPECT_EQ(inputErrorOf(checkTuningRecord(File)), "the variants are not those of one kernel");
  }
}

TEST(TuningRecordVariants, AreManyButNotWithoutEnd) {
  std::vector<TuningRecord> File(MostVariants, shortRecord());
  for (auto [Index, R] : enumerate(File))
    R.Conditions.LeastBlocks = Index;
  EXPECT_EQ(problemOf(File), "");
  File.push_back(fullRecord());
  EXPECT_EQ(inputErrorOf(checkTuningRecord(File)), "65 tuned variants; expected 1 to 64");
  EXPECT_EQ(inputErrorOf(checkTuningRecord({})), "0 tuned variants; expected 1 to 64");
}
