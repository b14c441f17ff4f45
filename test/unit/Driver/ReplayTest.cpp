//===- ReplayTest.cpp - The lines that make a variant again -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ExpectedTesting.h"
#include "gpuprune/Report/TuneReport.h"

using namespace llvm;
using namespace gpuprune;

namespace {

ReplayLines linesOf(StringRef Text, function_ref<void(TuneReport &)> Change = [](TuneReport &) {}) {
  TuneReport T;
  T.Source = "k.cu";
  T.Device = "sm_90";
  T.Features = "+ptx88";
  Change(T);
  VariantResult Row;
  Row.Parts = test::valueOf(parseVariant(Text));
  return replayLines(T, Row);
}

std::string named(StringRef Pipeline, StringRef Kernel) {
  return printPipeline(withKernel(test::valueOf(parsePipeline(Pipeline)), Kernel));
}

} // namespace

TEST(Replay, LinesOfContractOne) {
  ReplayLines Lines = linesOf("gpu-unroll<loop=1;factor=4>");
  EXPECT_EQ(Lines.Clang,
            "clang++-22 -x cuda -O3 --cuda-device-only --cuda-gpu-arch=sm_90 -S "
            "-fpass-plugin=libGpuPrune.so -mllvm -gpuprune-pipeline='gpu-unroll<loop=1;factor=4>' k.cu "
            "-o kernel.s");
  EXPECT_TRUE(StringRef(Lines.Opt).contains("-Xclang -disable-llvm-passes k.cu -o kernel.bc && opt-22 "));
  EXPECT_TRUE(StringRef(Lines.Opt).contains(" -mcpu=sm_90 -mattr=+ptx88 -passes='default<O3>' "
                                            "-gpuprune-pipeline='gpu-unroll<loop=1;factor=4>' "));
  EXPECT_TRUE(StringRef(Lines.Llc).contains(" -fp-contract=fast -relocation-model=static "));
}

TEST(Replay, DefinesThatTheVariantDoesNotMentionHaveTheAuthorsValue) {
  auto Author = [](TuneReport &T) { T.AuthorDefines = {{"TILE", "16"}, {"TYPE", "float"}}; };
  for (StringRef Line : {linesOf("-DTILE=8", Author).Clang, linesOf("-DTILE=8", Author).Opt})
    EXPECT_TRUE(Line.contains(" -DTILE=8 -DTYPE=float k.cu ")) << Line.str();
  EXPECT_TRUE(StringRef(linesOf("", Author).Clang).contains(" -DTILE=16 -DTYPE=float k.cu "));
}

TEST(Replay, FlagsKeepTheirOrderAndAreQuoted) {
  ReplayLines Lines = linesOf("", [](TuneReport &T) {
    T.Flags = {"-include", "a b.h", "-DX=\"$Y\""};
    T.Source = "it's.cu";
  });
  EXPECT_TRUE(StringRef(Lines.Clang).contains(" -include \"a b.h\" \"-DX=\\\"\\$Y\\\"\" \"it's.cu\" -o "))
      << Lines.Clang;
}

TEST(Replay, PassesNameTheKernelWhereTheSourceHasSeveral) {
  auto Several = [](TuneReport &T) { T.PassKernel = "mine"; };
  StringRef Expected = "-gpuprune-pipeline='gpu-unroll<loop=1;full;kernel=mine>'";
  EXPECT_TRUE(StringRef(linesOf("gpu-unroll<loop=1;full>", Several).Clang).contains(Expected));
}

TEST(WithKernel, AddsWhereNoneIsNamed) {
  EXPECT_EQ(named("gpu-a,gpu-b<x=1;kernel=other>,gpu-c<full>", "mine"),
            "gpu-a<kernel=mine>,gpu-b<x=1;kernel=other>,gpu-c<full;kernel=mine>");
  EXPECT_EQ(named("gpu-a,gpu-b<x=1>", ""), "gpu-a,gpu-b<x=1>");
  EXPECT_EQ(named("", "mine"), "");
}
