//===- MeasurePlanTest.cpp - What the runner is asked -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/MeasurePlan.h"
#include "ExpectedTesting.h"
#include "gpuprune/Variant/LaunchCheck.h"
#include "gpuprune/Variant/ProtocolBuffers.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace gpuprune;

namespace {

constexpr StringLiteral Yaml = R"(
source: k.cu
kernel: k
defines: { TILE: [16, 8] }
sizes: { tune: { n: 1024 }, check: [ { n: 96 }, { n: 64 }, { n: 96 }, { n: 1024 } ] }
grid: [ n / TILE, 2 ]
block: [ TILE, 2 ]
shared: 4*TILE
buffers:
  in: { type: f32, count: n, fill: { uniform: [-1, 1], seed: 7 }, role: in }
  sum: { type: i64, count: 1, fill: { constant: 3 }, role: inout }
  out: { type: f32, count: 2*n, role: out }
arguments: [ in, sum, out, { i32: n }, { f32: 0.5 } ]
tolerance: { relative: 0.25, absolute: 0.5 }
)";

class MeasurePlan : public testing::Test {
protected:
  TuningTarget Target{test::valueOf(parseWorkload(Yaml, "w.yaml")), test::valueOf(findDevice("sm_90")), {}};
  VariantBuilder Builder{Target};
  BuiltVariant Stock = built("", "stock.cubin", /*IsStock=*/true), Author = built("", "author.cubin");

  static BuiltVariant built(StringRef Text, StringRef Cubin, bool IsStock = false) {
    BuiltVariant V(test::valueOf(parseVariant(Text)), IsStock);
    V.Code.emplace();
    V.Code->Cubin = ("/somewhere/" + Cubin).str();
    V.Code->Symbol = "k_v1";
    return V;
  }
  protocol::Job job(const BuiltVariant &V, const BuiltVariant &Reference) {
    return test::valueOf(makeJob(V, "id", {Target.W, Builder, Stock, Reference, Author, nullptr, {3, 11}}));
  }
};

std::string sizesOf(const protocol::Job &Job) {
  std::vector<std::string> Names;
  for (const protocol::Problem &P : Job.Checks)
    Names.push_back(P.Name);
  return join(Names, " ");
}

const protocol::Launch &only(const protocol::Program &P) { return P.Launches.front(); }

} // namespace

TEST_F(MeasurePlan, EverySizeOnceTheOneToTuneLast) {
  BuiltVariant Reference = built("-DTILE=8", "r.cubin"), V = built("-DTILE=8 gpu-a", "v.cubin");
  protocol::Job Job = job(V, Reference);
  EXPECT_EQ(sizesOf(Job), "n=96 n=64 n=1024");
  ASSERT_TRUE(Job.Timing);
  EXPECT_EQ(Job.Timing->Problem, "n=1024");
  EXPECT_EQ(Job.Timing->Warmup, 3u);
  EXPECT_EQ(Job.Timing->Samples, 11u);
  EXPECT_EQ(Job.Compare.Mode, protocol::CompareMode::Bitwise);
  EXPECT_EQ(Job.Compare.Relative, 0.25);
  EXPECT_EQ(Job.Compare.Absolute, 0.5);
  Error Invalid = protocol::validate(Job);
  EXPECT_FALSE(bool(Invalid)) << toString(std::move(Invalid));
}

TEST_F(MeasurePlan, ACoarsenedVariantIsLaunchedWhereItsFactorDividesTheGrid) {
  BuiltVariant Reference = built("-DTILE=8", "r.cubin"), V = built("-DTILE=8 gpu-a", "v.cubin");
  V.Kernel.Contract.GridDivisor = {8, 2, 1};
  protocol::Job Job = job(V, Reference);
  EXPECT_EQ(sizesOf(Job), "n=64 n=1024"); // 96 / 8 is 12 blocks.
  EXPECT_EQ(only(Job.Checks[0].Candidate).Grid, (Dim3{1, 1, 1}));
  EXPECT_EQ(only(*Job.Checks[0].Reference).Grid, (Dim3{8, 2, 1}));
  EXPECT_EQ(only(Job.Checks[1].Candidate).Grid, (Dim3{16, 1, 1}));
  EXPECT_EQ(only(*Job.Timing->Baseline).Grid, (Dim3{64, 2, 1})); // The author's TILE.
}

TEST_F(MeasurePlan, ConstantMemoryIsFilledWhereTheBufferFits) {
  BuiltVariant Reference = built("-DTILE=8", "r.cubin"), V = built("-DTILE=8 gpu-a", "v.cubin");
  protocol::Problem All = job(V, Reference).Checks[0]; // n=96.
  V.Kernel.Contract.ConstantCopies = {{0, All.Buffers[0].bytes(), "table"}};
  protocol::Job Job = job(V, Reference);
  EXPECT_EQ(sizesOf(Job), "n=96 n=64");
  EXPECT_EQ(only(Job.Checks[0].Candidate).ConstantCopies, V.Kernel.Contract.ConstantCopies);
  EXPECT_TRUE(only(*Job.Checks[0].Reference).ConstantCopies.empty());
}

TEST_F(MeasurePlan, WhereBuffersBeginIsToldOfTheVariantAlone) {
  BuiltVariant Reference = built("-DTILE=8", "r.cubin"), V = built("-DTILE=8 gpu-a", "v.cubin");
  V.Kernel.Contract.PointerAlignment = 16;
  protocol::Job Job = job(V, Reference);
  EXPECT_EQ(only(Job.Checks[0].Candidate).PointerAlignment, 16u);
  EXPECT_EQ(only(*Job.Checks[0].Reference).PointerAlignment, 1u);
  EXPECT_EQ(only(*Job.Timing->Baseline).PointerAlignment, 1u);
}

TEST_F(MeasurePlan, AnOffsetIsToldInBytesAndKeepsTheAlignment) {
  std::string Text = Yaml.str();
  size_t At = Text.find("arguments: [ in,");
  Text.replace(At, 16, "arguments: [ { buffer: in, offset: n / 32 },");
  Target.W = test::valueOf(parseWorkload(Text, "w.yaml"));
  BuiltVariant Reference = built("-DTILE=8", "r.cubin"), V = built("-DTILE=8 gpu-a", "v.cubin");
  protocol::Job Job = job(V, Reference);
  EXPECT_EQ(sizesOf(Job), "n=96 n=64 n=1024");
  EXPECT_EQ(only(Job.Checks[0].Candidate).Args[0], protocol::Argument::buffer(0, 12));
  EXPECT_EQ(only(*Job.Checks[0].Reference).Args[0], protocol::Argument::buffer(0, 12));
  EXPECT_EQ(only(*Job.Timing->Baseline).Args[0], protocol::Argument::buffer(0, 128));
  V.Kernel.Contract.PointerAlignment = 16;
  EXPECT_EQ(sizesOf(job(V, Reference)), "n=1024") << "12 and 8 bytes are no multiples of 16";
}

TEST_F(MeasurePlan, OnlyWholeBuffersAreCopiedToConstantMemory) {
  ResolvedProblem Problem = test::valueOf(resolve(Target.W, Target.W.TuneSize));
  LaunchContract Contract;
  Contract.ConstantCopies = {{0, Problem.Buffers[0].Bytes, "table"}};
  EXPECT_FALSE(errorToBool(checkBufferArguments(Contract, Problem)));
  Problem.tuned().Arguments[0].Offset = 16;
  EXPECT_NE(takeError(checkBufferArguments(Contract, Problem))
                .Text.find("passes the buffer 'in' from byte 16 on there; only whole buffers are copied"),
            std::string::npos);
}

TEST_F(MeasurePlan, BuffersAreRestoredUnlessNoKernelOfTheRoundsDependsOnThem) {
  BuiltVariant Reference = built("-DTILE=8", "r.cubin"), V = built("-DTILE=8 gpu-a", "v.cubin");
  auto Restores = [&](std::vector<std::string> OfReference, std::vector<std::string> OfAuthor) {
    Reference.Kernel.TimeDependence = std::move(OfReference);
    Author.Kernel.TimeDependence = std::move(OfAuthor);
    return job(V, Reference).Timing->Restore;
  };
  std::vector<std::string> None(5), OfIn = {"br", "", "", "", ""}, OfSum = {"", "br", "", "", ""};
  EXPECT_FALSE(Restores(None, None));
  EXPECT_FALSE(Restores(OfIn, OfIn)) << "what is only read is the same in each run";
  EXPECT_TRUE(Restores(OfSum, None));
  EXPECT_TRUE(Restores(None, OfSum)) << "the baseline has the author's defines";
  EXPECT_TRUE(Restores({}, None)) << "nothing is known";
  std::string Text = Yaml.str();
  Text.replace(Text.find("arguments: [ in, sum, out,"), 26, "arguments: [ in, sum, { buffer: sum },");
  Text.erase(Text.find("  out: {"), Text.find("arguments:") - Text.find("  out: {"));
  Target.W = test::valueOf(parseWorkload(Text, "w.yaml"));
  EXPECT_TRUE(Restores(None, None)) << "two arguments may be one place";
}

TEST_F(MeasurePlan, AVariantIsComparedWithItsReferenceBitByBit) {
  BuiltVariant Reference = built("-DTILE=8", "r.cubin"), V = built("-DTILE=8 gpu-a", "v.cubin");
  protocol::Job Job = job(V, Reference);
  for (const protocol::Problem &P : Job.Checks) {
    ASSERT_TRUE(P.Reference);
    EXPECT_FALSE(P.Stock);
    EXPECT_EQ(only(P.Candidate).Cubin, "v.cubin");
    EXPECT_EQ(only(*P.Reference).Cubin, "r.cubin");
  }
}

TEST_F(MeasurePlan, TheAuthorsLaunchIsComparedWithStock) {
  protocol::Job Job = job(Author, Author);
  EXPECT_FALSE(Job.Checks[0].Reference);
  EXPECT_FALSE(Job.Checks[0].Truth);
  ASSERT_TRUE(Job.Checks[0].Stock);
  EXPECT_EQ(only(*Job.Checks[0].Stock).Cubin, "stock.cubin");
  EXPECT_EQ(only(*Job.Checks[0].Stock).Block, (Dim3{16, 2, 1}));
  EXPECT_EQ(only(Job.Checks[0].Candidate).Cubin, "author.cubin");
}

TEST_F(MeasurePlan, AnotherChoiceIsComparedWithTheAuthorsLaunch) {
  BuiltVariant Reference = built("-DTILE=8", "r.cubin"), V = built("-DTILE=8 gpu-a", "v.cubin");
  for (const BuiltVariant *Each : {&Reference, &V}) {
    protocol::Problem P = job(*Each, Reference).Checks[0];
    EXPECT_FALSE(P.Stock);
    ASSERT_TRUE(P.Reference && P.Truth);
    EXPECT_EQ(only(*P.Reference).Cubin, "r.cubin");
    EXPECT_EQ(only(*P.Reference).Block, (Dim3{8, 2, 1}));
    EXPECT_EQ(only(*P.Truth).Cubin, "author.cubin");
    EXPECT_EQ(only(*P.Truth).Grid, (Dim3{6, 2, 1}));
    EXPECT_EQ(only(*P.Truth).Block, (Dim3{16, 2, 1}));
  }
}

TEST_F(MeasurePlan, TheAuthorsOwnVariantsNeedNoTruth) {
  protocol::Problem P = job(built("gpu-a", "v.cubin"), Author).Checks[0];
  EXPECT_FALSE(P.Truth);
  ASSERT_TRUE(P.Reference);
  EXPECT_EQ(only(*P.Reference).Cubin, "author.cubin");
}

TEST_F(MeasurePlan, OpenBuffersAreToldWithTheirReason) {
  BuiltVariant Reference = built("-DTILE=8", "r.cubin"), V = built("-DTILE=8 gpu-a", "v.cubin");
  Reference.Kernel.Freedom.Arguments = {{"", ""}, {"", "i"}, {"fadd at line 3", "fadd at line 3"}, {}, {}};
  protocol::Problem P = job(V, Reference).Checks[0];
  ASSERT_EQ(P.Open.size(), 1u) << "integers are compared bit by bit whatever reaches them";
  EXPECT_EQ(P.Open[0], (protocol::OpenBuffer{2, true, true, "fadd at line 3"}));
  Reference.Kernel.Freedom.Arguments = {};
  Author.Kernel.Freedom.Arguments = {{}, {}, {"", "fma at line 7"}, {}, {}};
  P = job(V, Reference).Checks[0];
  ASSERT_EQ(P.Open.size(), 1u);
  EXPECT_EQ(P.Open[0], (protocol::OpenBuffer{2, false, true, "fma at line 7"}));
}

TEST_F(MeasurePlan, LaunchAndBuffersAreTheWorkloads) {
  BuiltVariant Reference = built("", "r.cubin"), V = built("gpu-a", "v.cubin");
  protocol::Problem P = job(V, Reference).Checks[0];
  const protocol::Launch &L = only(P.Candidate);
  EXPECT_EQ(L.Symbol, "k_v1");
  EXPECT_EQ(L.SharedBytes, 64u);
  ASSERT_EQ(L.Args.size(), 5u);
  EXPECT_EQ(L.Args[2].Buffer, 2u);
  EXPECT_FALSE(L.Args[3].Buffer);
  EXPECT_EQ(L.Args[3].Bits, 96u);
  EXPECT_EQ(L.Args[4].Bits, 0x3f000000u);
  ASSERT_EQ(P.Buffers.size(), 3u);
  EXPECT_EQ(P.Buffers[0].Contents.Kind, protocol::FillKind::Uniform);
  EXPECT_EQ(P.Buffers[0].Contents.Low, -1);
  EXPECT_EQ(P.Buffers[0].Contents.Seed, 7u);
  EXPECT_EQ(P.Buffers[1].Contents.Kind, protocol::FillKind::Constant);
  EXPECT_EQ(P.Buffers[1].Contents.Value, 3);
  EXPECT_EQ(P.Buffers[1].Role, BufferRole::InOut);
  EXPECT_EQ(P.Buffers[2].Count, 192u);
  EXPECT_EQ(P.Buffers[2].Role, BufferRole::Out);
}

TEST(ProtocolBuffers, CarryFillsAndSymbols) {
  Workload W = test::valueOf(parseWorkload(R"(
source: k.cu
kernel: k
sizes: { tune: { n: 8 }, check: { n: 4 } }
grid: 1
block: 32
buffers:
  rows: { type: i32, count: n, fill: { affine: [1, 20], jitter: 15, seed: 3 }, role: inout }
  table: { type: f32, count: n, fill: iota, role: in, symbol: weights }
arguments: [ rows ]
)",
                                           "w.yaml"));
  std::vector<protocol::Buffer> Buffers = protocolBuffers(test::valueOf(resolve(W, W.TuneSize)));
  protocol::Fill Rows{protocol::FillKind::Affine};
  Rows.Start = 1;
  Rows.Step = 20;
  Rows.Jitter = 15;
  Rows.Seed = 3;
  ASSERT_EQ(Buffers.size(), 2u);
  EXPECT_EQ(Buffers[0].Contents, Rows);
  EXPECT_EQ(Buffers[0].Symbol, "");
  EXPECT_EQ(Buffers[1].Contents.Kind, protocol::FillKind::Iota);
  EXPECT_EQ(Buffers[1].Symbol, "weights");
}
