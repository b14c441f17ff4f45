//===- NeighboursTest.cpp - How far variants are from each other ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Neighbours.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

static unsigned between(StringRef A, StringRef B) {
  Variant Left = cantFail(parseVariant(A)), Right = cantFail(parseVariant(B));
  EXPECT_EQ(distance(Left, Right), distance(Right, Left));
  return distance(Left, Right);
}

TEST(Neighbours, CountsDecisions) {
  EXPECT_EQ(between("", ""), 0u);
  EXPECT_EQ(between("-DT=16", "-DT=32"), 1u);
  EXPECT_EQ(between("-DT=16", "-DT=16 block=32,8,1"), 1u);
  EXPECT_EQ(between("block=64,1,1", "block=32,8,1"), 1u);
  EXPECT_EQ(between("gpu-registers<max=64>", "gpu-registers<max=128>"), 1u);
  EXPECT_EQ(between("gpu-registers<max=64>", "gpu-registers<max=64;spill=12;spill-to=local>"), 1u);
  EXPECT_EQ(between("gpu-registers<spill=12>", "gpu-registers<spill=12;spill-to=local>"), 1u);
  EXPECT_EQ(between("gpu-registers<spill=8;spill-to=local>", "gpu-registers<spill=12>"), 1u);
  EXPECT_EQ(between("gpu-unroll<loop=0;factor=4>", "gpu-unroll<loop=1;factor=4>"), 2u) << "two loops";
}

TEST(Neighbours, HowAPassWorksAddsNothingToWhetherItDoes) {
  StringRef Two = "gpu-block-coarsen<x=2;shared=blocked>";
  EXPECT_EQ(between("", Two), 1u);
  EXPECT_EQ(between("", "gpu-block-coarsen<x=2;y=4;shared=blocked>"), 2u);
  EXPECT_EQ(between(Two, "gpu-block-coarsen<x=2;shared=interleaved>"), 1u);
  EXPECT_EQ(between(Two, "gpu-block-coarsen<x=2;y=1;shared=blocked>"), 0u) << "a factor of 1 does nothing";
  EXPECT_EQ(between("", "gpu-prefetch<loop=0;to=register>"), 1u);
  EXPECT_EQ(between("", "gpu-thread-coarsen<factor=4;loops=apart>"), 1u);
}
