//===- ProblemTest.cpp - Workloads with all numbers known -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Problem.h"
#include "../ExpectedTesting.h"
#include "gpuprune/Support/Error.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace llvm;
using namespace gpuprune;

static Workload matmul() { return test::valueOf(loadWorkload(GPUPRUNE_SOURCE_DIR "/kernels/matmul")); }

static Workload parsed(StringRef Text) { return test::valueOf(parseWorkload(Text, "w.yaml")); }

static const char Guarded[] = R"yaml(source: a.cu
kernel: guarded
defines: { FACTOR: [2, 4] }
sizes: { tune: { n: 1000 }, check: { n: 10 } }
grid: "cdiv(n, block.x * FACTOR)"
block: 256
shared: block.x * 4
buffers: { X: { type: f64, count: n, fill: zero, role: inout } }
arguments: [ X, { i16: n }, { f32: -0.5 }, { f64: n }, { i64: block.x } ]
)yaml";

TEST(Problem, ArgumentsNeedNotBeFinite) {
  std::string Text = Guarded;
  Text.replace(Text.find("-0.5"), 4, "-.inf");
  Text.replace(Text.find("f64: n }"), 8, "f64: -.nan }");
  Workload W = parsed(Text);
  ResolvedProblem P = test::valueOf(resolve(W, W.TuneSize));
  EXPECT_EQ(P.tuned().Arguments[2].Bits, 0xff800000u);
  EXPECT_EQ(P.tuned().Arguments[3].Bits, 0xfff8000000000000u);
  Text.replace(Text.find("i16: n"), 6, "i16: .inf");
  EXPECT_TRUE(errorToBool(parseWorkload(Text, "w.yaml").takeError())) << "an integer has none";
}

TEST(Problem, Matmul) {
  Workload W = matmul();
  Expected<ResolvedProblem> P = resolve(W, W.TuneSize);
  ASSERT_TRUE(bool(P)) << takeError(P.takeError()).Text;
  ASSERT_EQ(P->Buffers.size(), 3u);
  EXPECT_EQ(P->Buffers[0].Count, 4096u * 4096u);
  EXPECT_EQ(P->Buffers[2].Bytes, 4096u * 4096u * 4u);
  ASSERT_EQ(P->Launches.size(), 1u);
  EXPECT_EQ(P->Launches[0].Grid, (Dim3{256, 256, 1}));
  EXPECT_EQ(P->Launches[0].Block, (Dim3{16, 16, 1}));
  EXPECT_EQ(P->Launches[0].SharedBytes, 0u);
  EXPECT_EQ(P->Launches[0].threads(), 16777216.0);
  ASSERT_EQ(P->Launches[0].Arguments.size(), 4u);
  EXPECT_EQ(P->Launches[0].Arguments[2].Buffer, 2u);
  EXPECT_EQ(P->Launches[0].Arguments[3].Bits, 4096u);
  EXPECT_EQ(P->WorkAmount, 2 * int64_t(4096) * 4096 * 4096);
}

TEST(Problem, DefinesReplaceTheFirstValue) {
  Workload W = matmul();
  Expected<ResolvedProblem> P = resolve(W, W.CheckSizes[1], {{"TILE", "32"}});
  ASSERT_TRUE(bool(P)) << takeError(P.takeError()).Text;
  EXPECT_EQ(P->Launches[0].Grid, (Dim3{3, 3, 1}));
  EXPECT_EQ(P->Launches[0].Block, (Dim3{32, 32, 1}));
}

TEST(Problem, UnknownDefine) {
  Workload W = matmul();
  Expected<ResolvedProblem> P = resolve(W, W.TuneSize, {{"TIEL", "32"}});
  ASSERT_FALSE(bool(P));
  EXPECT_NE(takeError(P.takeError()).Text.find("no define 'TIEL'; did you mean 'TILE'?"), std::string::npos);
}

TEST(Problem, ADefineThatIsNoIntegerCannotBeUsedInExpressions) {
  Workload W = matmul();
  Expected<ResolvedProblem> P = resolve(W, W.TuneSize, {{"TILE", "big"}});
  ASSERT_FALSE(bool(P));
  EXPECT_NE(takeError(P.takeError())
                .Text.find("block[0]: the define 'TILE' has the value 'big', which is no integer"),
            std::string::npos);
}

TEST(Problem, GridFollowsTheBlock) {
  Workload W = parsed(Guarded);
  Expected<ResolvedProblem> P = resolve(W, W.TuneSize);
  ASSERT_TRUE(bool(P));
  EXPECT_EQ(P->Launches[0].Grid, (Dim3{2, 1, 1}));
  Expected<ResolvedProblem> Q = resolve(W, W.TuneSize, {{"FACTOR", "4"}}, Dim3{32, 2, 1});
  ASSERT_TRUE(bool(Q));
  EXPECT_EQ(Q->Launches[0].Grid, (Dim3{8, 1, 1}));
  EXPECT_EQ(Q->Launches[0].Block, (Dim3{32, 2, 1}));
  EXPECT_EQ(Q->Launches[0].SharedBytes, 128u);
  EXPECT_EQ(Q->Launches[0].Arguments[4].Bits, 32u);
  Expected<ResolvedProblem> Bad = resolve(W, W.TuneSize, {}, Dim3{32, 0, 1});
  ASSERT_FALSE(bool(Bad));
  EXPECT_NE(takeError(Bad.takeError()).Text.find("the block 32,0,1 has a dimension below 1"),
            std::string::npos);
}

TEST(Problem, ScalarsAreEncoded) {
  Workload W = parsed(Guarded);
  Expected<ResolvedProblem> P = resolve(W, W.TuneSize);
  ASSERT_TRUE(bool(P));
  ArrayRef<ResolvedArgument> Arguments = P->Launches[0].Arguments;
  EXPECT_FALSE(Arguments[1].Buffer);
  EXPECT_EQ(Arguments[1].Bits, 1000u);
  EXPECT_EQ(Arguments[2].Bits, 0xbf000000u);
  EXPECT_EQ(Arguments[3].Bits, 0x408f400000000000u);
}

TEST(Problem, StructuresAreLaidOutAsInCxx) {
  const char Text[] =
      "source: k.cu\nkernel: k\nsizes: { tune: { n: 300 }, check: [ { n: 9 } ] }\n"
      "grid: [1]\nblock: [32]\nbuffers: { A: { type: f32, count: n, role: out } }\n"
      "arguments: [ A, { struct: { low: { u8: 2 }, high: { f64: 0.5 }, count: { i16: n - 1 }, threads: "
      "{ u8: block.x } } } ]\n";
  Workload W = parsed(Text);
  ResolvedProblem P = test::valueOf(resolve(W, W.TuneSize));
  struct {
    uint8_t Low;
    double High;
    int16_t Count;
    uint8_t Threads;
  } Wanted;
  std::memset(&Wanted, 0, sizeof(Wanted));
  Wanted.Low = 2;
  Wanted.High = 0.5;
  Wanted.Count = 299;
  Wanted.Threads = 32;
  std::vector<uint8_t> Bytes = P.tuned().Arguments[1].bytes();
  ASSERT_EQ(Bytes.size(), sizeof(Wanted));
  EXPECT_EQ(std::memcmp(Bytes.data(), &Wanted, sizeof(Wanted)), 0);
  EXPECT_TRUE(W.kernelSeesBlock(0)) << "a field follows it";
  EXPECT_FALSE(W.kernelSeesBlock(1));
  EXPECT_EQ(P.tuned().Arguments[0].Structure, std::nullopt);
  auto ErrorOf = [&](StringRef From, StringRef To) {
    std::string Other = Text;
    Other.replace(Other.find(From), From.size(), To);
    return test::inputErrorOf(parseWorkload(Other, "w.yaml").takeError());
  };
  EXPECT_NE(ErrorOf("n - 1", "200*n").find("arguments[1].struct.count.i16: 60000 does not fit in i16"),
            std::string::npos);
  EXPECT_NE(ErrorOf("{ u8: 2 }", "2").find("arguments[1].struct.low: expected one type and its value"),
            std::string::npos);
  EXPECT_NE(ErrorOf("{ u8: 2 }", "A").find("arguments[1].struct.low: expected one type and its value"),
            std::string::npos);
  EXPECT_NE(ErrorOf("low: { u8: 2 }", "lo w: { u8: 2 }").find("'lo w' cannot be the name of a field"),
            std::string::npos);
  EXPECT_NE(ErrorOf("{ struct: {", "{ align: 5, struct: {").find("arguments[1].align: expected an alignment"),
            std::string::npos);
  EXPECT_NE(ErrorOf("{ struct: {", "{ i32: 5, struct: {").find("arguments[1].i32: unknown key"),
            std::string::npos);
  EXPECT_NE(ErrorOf("block.x", "block.w").find("arguments[1].struct.threads.u8: unknown name 'block.w'"),
            std::string::npos);
}

TEST(Problem, ErrorsNameTheKey) {
  Workload W = parsed(Guarded);
  auto ErrorOf = [&](int64_t N) { return takeError(resolve(W, {{"n", N}}).takeError()).Text; };
  EXPECT_EQ(ErrorOf(40000), "w.yaml:9:24: arguments[1].i16: 40000 does not fit in i16 (with n = 40000)");
  EXPECT_EQ(ErrorOf(-5), "w.yaml:8:35: buffers.X.count: 'n' is -5; expected at least 1 (with n = -5)");
  EXPECT_NE(
      ErrorOf(INT64_MAX / 4).find("buffers.X.count: 2305843009213693951 elements of 8 bytes are more than"),
      std::string::npos);
}
