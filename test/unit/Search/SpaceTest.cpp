//===- SpaceTest.cpp - Spaces of variants ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Space.h"
#include "../ExpectedTesting.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/BlockCoarsen.h"
#include "gpuprune/Transforms/Memory.h"
#include "gpuprune/Transforms/Prefetch.h"
#include "gpuprune/Transforms/Registers.h"
#include "gpuprune/Transforms/ThreadCoarsen.h"
#include "gpuprune/Transforms/Unroll.h"
#include "gpuprune/Transforms/UnrollAndJam.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using namespace gpuprune;

static const char Base[] = R"yaml(source: a.cu
kernel: k
defines: { TILE: [16, 8], MODE: 1 }
sizes: { tune: { n: 64 }, check: { n: 32 } }
grid: n / TILE
block: TILE
buffers: { X: { type: f32, count: n, fill: zero, role: inout } }
arguments: [ X ]
)yaml";

static Workload workload(StringRef Text) { return test::valueOf(parseWorkload(Text, "w.yaml")); }

static Enumeration enumerated(const Space &S) { return test::valueOf(S.enumerate()); }

static Enumeration enumeratedWith(StringRef SpaceText) {
  Expected<Space> S = spaceOf(workload((Base + SpaceText).str()));
  if (!S) {
    ADD_FAILURE() << takeError(S.takeError()).Text;
    return {};
  }
  return enumerated(*S);
}

static std::vector<std::string> texts(const Enumeration &E) {
  std::vector<std::string> Result;
  for (const Variant &V : E.Variants)
    Result.push_back(printVariant(V));
  return Result;
}

static std::string errorWith(StringRef SpaceText) {
  Expected<Space> S = spaceOf(workload((Base + SpaceText).str()));
  if (S) {
    Expected<Enumeration> E = S->enumerate();
    return E ? "" : takeError(E.takeError()).Text;
  }
  return takeError(S.takeError()).Text;
}

TEST(Space, TheFirstDimensionChangesSlowest) {
  Enumeration E = enumeratedWith("space: { pipeline: \"p<f={f}>\", parameters: { f: [none, 2] } }");
  EXPECT_EQ(texts(E),
            (std::vector<std::string>{"-DTILE=16", "-DTILE=16 p<f=2>", "-DTILE=8", "-DTILE=8 p<f=2>"}));
  EXPECT_EQ(E.Combinations, 4u);
}

TEST(Space, NoneDropsTheParameterAndAnElementOfNones) {
  Enumeration E = enumeratedWith("space: { pipeline: \"p<a={a};b={b};c=1>,q<{w}>\", parameters: { a: [none, "
                                 "1], b: [none, 2], w: [none, full] }, "
                                 "constraints: [ TILE == 8 ] }");
  EXPECT_EQ(texts(E), (std::vector<std::string>{"-DTILE=8", "-DTILE=8 q<full>", "-DTILE=8 p<b=2;c=1>",
                                                "-DTILE=8 p<b=2;c=1>,q<full>", "-DTILE=8 p<a=1;c=1>",
                                                "-DTILE=8 p<a=1;c=1>,q<full>", "-DTILE=8 p<a=1;b=2;c=1>",
                                                "-DTILE=8 p<a=1;b=2;c=1>,q<full>"}));
}

TEST(Space, ConstraintsAndDuplicatesAreCounted) {
  Enumeration E = enumeratedWith(
      "space: { pipeline: \"gpu-block-coarsen<x={x};shared={s}>\", parameters: { x: [1, 2, 4], s: [blocked, "
      "interleaved] }, constraints: [ \"x * TILE <= n / 2\", \"n / TILE % x == 0 && MODE == 1\" ] }");
  // x = 4 with TILE = 16 is too large; for x = 1 both layouts are the same.
  EXPECT_EQ(E.Combinations, 12u);
  EXPECT_EQ(E.removedByConstraints(), 2u);
  EXPECT_EQ(E.Duplicates, 2u);
  EXPECT_EQ(E.Variants.size(), 8u);
  EXPECT_EQ(E.Combinations, E.removedByConstraints() + E.Duplicates + E.Variants.size());
  std::vector<std::string> Texts = texts(E);
  EXPECT_EQ(std::set<std::string>(Texts.begin(), Texts.end()).size(), Texts.size());
}

TEST(Space, NoneCountsAsZeroInConstraints) {
  Enumeration E = enumeratedWith("space: { pipeline: \"p<a={a}>\", parameters: { a: [none, 2, 4] }, "
                                 "constraints: [ \"TILE == 8 && a < 4\" ] }");
  EXPECT_EQ(texts(E), (std::vector<std::string>{"-DTILE=8", "-DTILE=8 p<a=2>"}));
}

TEST(Space, APlaceholderMayBePartOfAValue) {
  Enumeration E = enumeratedWith(
      "space: { pipeline: \"p<v=a{f}b{f}>\", parameters: { f: [3] }, constraints: [ TILE == 8 ] }");
  EXPECT_EQ(texts(E), (std::vector<std::string>{"-DTILE=8 p<v=a3b3>"}));
}

TEST(Space, Errors) {
  EXPECT_EQ(
      errorWith("space: { pipeline: \"p<f={g}>\", parameters: { f: [1] } }"),
      "w.yaml:9:20: space.pipeline: no parameter 'g' for the placeholder {g}; did you mean 'f'? (known: f)");
  EXPECT_EQ(errorWith("space: { pipeline: p, parameters: { f: [1] } }"),
            "w.yaml:9:41: space.parameters.f: the pipeline has no placeholder {f}");
  EXPECT_EQ(errorWith("space: { pipeline: \"p<\" }"),
            "w.yaml:9:20: space.pipeline: variant 'p<', column 3: expected a parameter, found the end");
  EXPECT_EQ(errorWith("space: { pipeline: p, constraints: [ 10 / TILE ] }"),
            "constraint '10 / TILE', column 4: 10 / 16 leaves the remainder 10; cdiv(a, b) rounds up");
}

TEST(Space, TooManyCombinations) {
  std::vector<std::unique_ptr<Dimension>> Dimensions;
  for (unsigned D = 0; D != 8; ++D) {
    std::vector<std::string> Values;
    for (unsigned V = 0; V != 10; ++V)
      Values.push_back(std::to_string(V));
    Dimensions.push_back(makeParameterDimension("p" + std::to_string(D), Values));
  }
  Expected<Enumeration> E = Space({}, std::move(Dimensions), {}, {}).enumerate();
  ASSERT_FALSE(bool(E));
  EXPECT_NE(takeError(E.takeError()).Text.find("100000000 combinations"), std::string::npos);
}

TEST(Space, MatmulOfThisRepository) {
  Expected<Workload> W = loadWorkload(GPUPRUNE_SOURCE_DIR "/kernels/matmul");
  ASSERT_TRUE(bool(W));
  Expected<Space> S = spaceOf(*W);
  ASSERT_TRUE(bool(S)) << takeError(S.takeError()).Text;
  Enumeration First = enumerated(*S);
  EXPECT_GE(First.Variants.size(), 150u);
  EXPECT_EQ(texts(First), texts(enumerated(*S)));
  EXPECT_TRUE(is_contained(texts(First), "-DTILE=16"));
  EXPECT_TRUE(is_contained(
      texts(First), "-DTILE=16 gpu-block-coarsen<x=16;y=8;shared=grouped>,gpu-prefetch<loop=0;to=register>,"
                    "gpu-unroll<loop=1;factor=full>,gpu-registers<threads=launch;spill=14;spill-to=local>"));
}

/// A kernel as the passes see it.
struct TestKernel : SpaceFacts {
  std::vector<InnermostLoop> Innermost;
  std::vector<unsigned> TileLoops, JammableLoops;
  std::array<bool, 3> GridUsed = {};
  bool HasSharedArrays = false, HasJointSums = false, DependsOnWarps = false, ReusesLoads = false;
  std::vector<UniformTable> Uniform;
  std::vector<std::string> Tables;
};

static Space deriveSpace(TestKernel Kernel, uint64_t MaxVariants = 2000) {
  Kernel.SharesReads = Kernel.HasSharedArrays || Kernel.ReusesLoads;
  Kernel.Offers = {offerPlacement(Kernel.Tables, Kernel.Uniform),
                   Kernel.DependsOnWarps
                       ? PassOffers()
                       : offerThreadCoarsening(Kernel.Block, Kernel.HasRaggedLoops, Kernel.HasJointSums),
                   offerBlockCoarsening(Kernel.GridUsed, Kernel.HasSharedArrays, Kernel.HasRaggedLoops,
                                        Kernel.HasJointSums),
                   offerPrefetching(Kernel.TileLoops),
                   offerJamming(Kernel.JammableLoops),
                   offerUnrolling(Kernel.Innermost),
                   offerRegisterCaps()};
  return gpuprune::deriveSpace(Kernel, MaxVariants);
}

static TestKernel matmulFacts() {
  TestKernel Facts;
  Facts.Innermost = {{1, 16}};
  Facts.GridUsed = {true, true, false};
  Facts.HasSharedArrays = true;
  Facts.Defines = {{"TILE", {"16", "8"}}, {"ONE", {"1"}}};
  return Facts;
}

TEST(DeriveSpace, Matmul) {
  Space S = deriveSpace(matmulFacts());
  EXPECT_EQ(S.pipeline(),
            "gpu-block-coarsen<x={x};y={y};shared={shared}>,gpu-unroll<loop=1;factor={unroll1}>,"
            "gpu-registers<max={registers}>");
  Enumeration E = enumerated(S);
  EXPECT_LE(E.Combinations, 2000u);
  EXPECT_EQ(E.Combinations, 2u * 4 * 4 * 2 * 6 * 3);
  EXPECT_EQ(printVariant(E.Variants.front()), "-DTILE=16");
  EXPECT_TRUE(is_contained(texts(E), "-DTILE=8 gpu-block-coarsen<x=8;y=8;shared=grouped>,"
                                     "gpu-unroll<loop=1;factor=full>,gpu-registers<max=128>"));
}

TEST(DeriveSpace, TakesAnyGridWhereTheFactorsDoNotDivide) {
  TestKernel Facts;
  Facts.GridUsed = {true, false, false};
  Facts.GridsOf = [](const Variant &) { return LaunchGrids{{12, 1, 1}, {{2, 1, 1}, {4, 1, 1}}}; };
  std::vector<std::string> All = texts(enumerated(deriveSpace(Facts)));
  EXPECT_TRUE(is_contained(All, "gpu-block-coarsen<x=2>")) << "divides all of them";
  EXPECT_TRUE(is_contained(All, "gpu-block-coarsen<x=4>")) << "divides one that is checked";
  EXPECT_TRUE(is_contained(All, "gpu-block-coarsen<x=8;grid=any>")) << "12";
  Facts.GridsOf = [](const Variant &) { return LaunchGrids{{16, 1, 1}, {{2, 1, 1}, {4, 1, 1}}}; };
  EXPECT_TRUE(is_contained(texts(enumerated(deriveSpace(Facts))), "gpu-block-coarsen<x=8;grid=any>"))
      << "no size could be checked";
  Facts.GridsOf = [](const Variant &) { return std::optional<LaunchGrids>(); };
  EXPECT_TRUE(is_contained(texts(enumerated(deriveSpace(Facts))), "gpu-block-coarsen<x=8>"));
}

TEST(DeriveSpace, PrefetchesLoopsThatReadTiles) {
  TestKernel Facts = matmulFacts();
  Facts.TileLoops = {0};
  Space S = deriveSpace(Facts);
  EXPECT_EQ(S.pipeline(), "gpu-block-coarsen<x={x};y={y};shared={shared}>,gpu-prefetch<loop=0;to={prefetch}>,"
                          "gpu-unroll<loop=1;factor={unroll1}>,gpu-registers<max={registers}>");
  Enumeration E = enumerated(S);
  EXPECT_LE(E.Combinations, 2000u);
  std::vector<std::string> All = texts(E);
  EXPECT_TRUE(
      is_contained(All, "-DTILE=8 gpu-block-coarsen<x=8;y=8;shared=grouped>,gpu-prefetch<loop=0;to=register>,"
                        "gpu-unroll<loop=1;factor=full>,gpu-registers<max=128>"));
  EXPECT_FALSE(any_of(All, [](StringRef Text) { return Text.contains("none"); }));
}

TEST(DeriveSpace, JamsBeforeItUnrolls) {
  TestKernel Facts;
  Facts.JammableLoops = {1};
  Facts.Innermost = {{2, 64}, {3, 4}};
  Space S = deriveSpace(Facts);
  EXPECT_TRUE(
      StringRef(S.pipeline()).starts_with("gpu-unroll-and-jam<loop=1;factor={jam}>,gpu-unroll<loop=2;"))
      << S.pipeline();
  std::vector<std::string> All = texts(enumerated(S));
  EXPECT_TRUE(is_contained(All, "gpu-unroll-and-jam<loop=1;factor=4>,gpu-unroll<loop=2;factor=8>"));
  EXPECT_TRUE(is_contained(All, ""));
}

TEST(DeriveSpace, TablesMayBeReadOnlyGlobalMemory) {
  TestKernel Facts;
  Facts.Tables = {"atoms", "weights"};
  Space S = deriveSpace(Facts);
  EXPECT_EQ(S.pipeline(), "gpu-memory<symbol=atoms;space={memory}>,gpu-memory<symbol=weights;space={memory}>,"
                          "gpu-registers<max={registers}>");
  std::vector<std::string> All = texts(enumerated(S));
  EXPECT_EQ(All.size(), 6u);
  EXPECT_TRUE(
      is_contained(All, "gpu-memory<symbol=atoms;space=readonly>,gpu-memory<symbol=weights;space=readonly>"));
}

TEST(DeriveSpace, SmallBuffersMayBeConstantMemory) {
  TestKernel Facts;
  Facts.Uniform = {{1, 2048}, {3, 16}};
  Space S = deriveSpace(Facts);
  EXPECT_EQ(S.pipeline(),
            "gpu-memory<arg=1;space={table};bytes=2048>,gpu-memory<arg=3;space={table};bytes=16>,"
            "gpu-registers<max={registers}>");
  std::vector<std::string> All = texts(enumerated(S));
  EXPECT_EQ(All.size(), 6u);
  EXPECT_TRUE(is_contained(
      All, "gpu-memory<arg=1;space=constant;bytes=2048>,gpu-memory<arg=3;space=constant;bytes=16>"));
}

TEST(DeriveSpace, CoarsensThreadsOfLongRowsOrOfSeveral) {
  TestKernel Facts;
  Facts.Block = {256, 1, 1};
  std::vector<std::string> Row = texts(enumerated(deriveSpace(Facts)));
  EXPECT_TRUE(is_contained(Row, "gpu-thread-coarsen<dim=x;factor=4;stride=consecutive;align=16>"));
  EXPECT_TRUE(is_contained(Row, "gpu-thread-coarsen<dim=x;factor=2>"));
  EXPECT_EQ(Row.size(), 3u * 5) << "without factor there is one variant for each cap";
  Facts.Block = {32, 8, 1};
  std::vector<std::string> Rows = texts(enumerated(deriveSpace(Facts)));
  EXPECT_TRUE(is_contained(Rows, "gpu-thread-coarsen<dim=y;factor=4>"));
  EXPECT_FALSE(any_of(Rows, [](StringRef Text) { return Text.contains("dim=x"); }));
  Facts.DependsOnWarps = true;
  EXPECT_EQ(deriveSpace(Facts).pipeline(), "gpu-registers<max={registers}>");
  Facts = TestKernel();
  Facts.Block = {96, 2, 1};
  EXPECT_EQ(deriveSpace(Facts).pipeline(), "gpu-registers<max={registers}>");
}

/// A plain product: no tiles, two grid dimensions, one long loop, a block that may differ.
static TestKernel plainProduct(bool ReusesLoads) {
  TestKernel Facts;
  Facts.Innermost = {{0, std::nullopt}};
  Facts.GridUsed = {true, true, false};
  Facts.Block = {16, 16, 1};
  Facts.ReusesLoads = ReusesLoads;
  return Facts;
}

TEST(DeriveSpace, ManyResultsWhereTheyShareLoads) {
  std::vector<std::string> Shares = texts(enumerated(deriveSpace(plainProduct(true))));
  EXPECT_TRUE(is_contained(Shares, "gpu-block-coarsen<x=8;y=8>"));
  EXPECT_TRUE(is_contained(Shares, "gpu-thread-coarsen<dim=y;factor=4>,gpu-block-coarsen<x=8;y=2>"));
  EXPECT_FALSE(is_contained(Shares, "gpu-thread-coarsen<dim=y;factor=4>,gpu-block-coarsen<x=8;y=4>"))
      << "128 results";
  std::vector<std::string> Streams = texts(enumerated(deriveSpace(plainProduct(false))));
  EXPECT_TRUE(is_contained(Streams, "gpu-block-coarsen<x=8;y=2>"));
  EXPECT_FALSE(is_contained(Streams, "gpu-block-coarsen<x=8;y=4>"));
}

TEST(DeriveSpace, WhatTheConstraintRemovesMakesNoMenuShorter) {
  // All factors of the longest menu: 4 x 4 x 3 of x, y and threads, 5 of the loop, 3 caps.
  TestKernel Facts = plainProduct(false);
  Enumeration All = enumerated(deriveSpace(Facts, 720));
  EXPECT_EQ(All.Combinations, 4u * 4 * 3 * 5 * 3);
  uint64_t Stay = All.Combinations - All.removedByConstraints();
  EXPECT_GT(All.removedByConstraints(), 0u);
  EXPECT_EQ(enumerated(deriveSpace(Facts, Stay)).Combinations, All.Combinations);
  EXPECT_LT(enumerated(deriveSpace(Facts, Stay - 1)).Combinations, All.Combinations);
  EXPECT_EQ(deriveSpace(Facts, Stay).combinationsUnshortened(), std::nullopt);
  EXPECT_EQ(deriveSpace(Facts, Stay - 1).combinationsUnshortened(), Stay);
  EXPECT_EQ(deriveSpace(Facts, 1).combinationsUnshortened(), Stay);
}

TEST(DeriveSpace, BlocksMayAddUpInOneArray) {
  TestKernel Facts;
  Facts.Block = {256, 1, 1};
  Facts.GridUsed = {true, false, false};
  EXPECT_FALSE(StringRef(deriveSpace(Facts).pipeline()).contains("sums="));
  Facts.HasJointSums = true;
  std::vector<std::string> All = texts(enumerated(deriveSpace(Facts)));
  EXPECT_TRUE(is_contained(All, "gpu-block-coarsen<x=4;sums=joint>"));
  EXPECT_TRUE(is_contained(All, "gpu-block-coarsen<x=4>"));
  EXPECT_FALSE(any_of(All, [](StringRef Text) { return Text.contains("shared="); }));
  Facts.HasSharedArrays = true;
  EXPECT_TRUE(is_contained(texts(enumerated(deriveSpace(Facts))),
                           "gpu-block-coarsen<x=4;shared=grouped;sums=joint>"));
}

TEST(DeriveSpace, ShortMenusKeepTwoThreadsInOneWhereBlocksAddUp) {
  TestKernel Facts;
  Facts.Block = {256, 1, 1};
  Facts.GridUsed = {true, false, false};
  Facts.Innermost = {{0, std::nullopt}, {1, std::nullopt}, {2, std::nullopt}};
  auto HasTwo = [&] {
    return is_contained(texts(enumerated(deriveSpace(Facts, 600))),
                        "gpu-thread-coarsen<dim=x;factor=2>,gpu-block-coarsen<x=4" +
                            std::string(Facts.HasJointSums ? ";sums=joint>" : ">"));
  };
  EXPECT_FALSE(HasTwo());
  Facts.HasJointSums = true;
  EXPECT_TRUE(HasTwo());
}

TEST(DeriveSpace, RaggedLoopsMayRunReplicaByReplica) {
  TestKernel Facts;
  Facts.Block = {256, 1, 1};
  Facts.BlockFree = {true, false, false};
  Facts.GridUsed = {true, false, false};
  Facts.Innermost = {{0, std::nullopt}};
  EXPECT_FALSE(StringRef(deriveSpace(Facts).pipeline()).contains("loops="));
  Facts.HasRaggedLoops = true;
  Space S = deriveSpace(Facts);
  EXPECT_TRUE(
      StringRef(S.pipeline())
          .starts_with("gpu-thread-coarsen<dim=x;factor={threads};stride={stride};align=16;loops={loops}>,"
                       "gpu-block-coarsen<x={x};loops={loops}>"))
      << S.pipeline();
  Enumeration E = enumerated(S);
  EXPECT_LE(E.Combinations, 2000u);
  std::vector<std::string> All = texts(E);
  EXPECT_TRUE(
      is_contained(All, "block=32,1,1 gpu-thread-coarsen<dim=x;factor=4;loops=apart>,gpu-registers<max=64>"));
  EXPECT_TRUE(
      is_contained(All, "gpu-thread-coarsen<dim=x;factor=4;loops=apart>,gpu-block-coarsen<x=2;loops=apart>"));
  EXPECT_TRUE(is_contained(All, "gpu-block-coarsen<x=2>"));
  EXPECT_FALSE(any_of(All, [](StringRef Text) { return Text.contains("loops=none"); }));
  Facts.GridUsed = {};
  Facts.DependsOnWarps = true;
  EXPECT_FALSE(StringRef(deriveSpace(Facts).pipeline()).contains("loops=")) << "nothing to coarsen";
}

TEST(DeriveSpace, OnlyWhatTheKernelHas) {
  TestKernel Facts;
  Facts.GridUsed = {true, false, false};
  EXPECT_EQ(deriveSpace(Facts).pipeline(), "gpu-block-coarsen<x={x}>,gpu-registers<max={registers}>");
  EXPECT_EQ(deriveSpace(TestKernel()).pipeline(), "gpu-registers<max={registers}>");
}

TEST(DeriveSpace, BlocksWhereTheLaunchFollows) {
  TestKernel Facts;
  Facts.Block = {16, 16, 1};
  Facts.BlockFree = {true, true, false};
  std::vector<std::string> Texts = texts(enumerated(deriveSpace(Facts)));
  EXPECT_EQ(Texts.front(), "") << "the author's block is not named";
  EXPECT_TRUE(is_contained(Texts, "block=32,8,1"));
  EXPECT_FALSE(is_contained(Texts, "block=16,16,1")) << "the author's once";
  for (StringRef Text : Texts)
    EXPECT_TRUE(!Text.contains("block=") || Text.contains(",1 ") || Text.ends_with(",1")) << Text.str();
  Facts.TakesBlock = [](const Dim3 &Block) { return Block.X != 32; };
  for (StringRef Text : texts(enumerated(deriveSpace(Facts))))
    EXPECT_FALSE(Text.contains("block=32,")) << Text.str();
  EXPECT_TRUE(is_contained(texts(enumerated(deriveSpace(Facts))), "block=64,4,1"));
  Facts.TakesBlock = nullptr;
  Facts.BlockFree = {false, true, false};
  for (StringRef Text : texts(enumerated(deriveSpace(Facts))))
    EXPECT_TRUE(!Text.contains("block=") || Text.contains("block=16,")) << Text.str();
}

TEST(Space, BlocksAreADimension) {
  std::string Text = R"yaml(source: a.cu
kernel: k
sizes: { tune: { n: 64 }, check: { n: 32 } }
grid: "cdiv(n, block.x)"
block: 16
buffers: { X: { type: f32, count: n, fill: zero, role: inout } }
arguments: [ X ]
space: { blocks: [ author, 64, [32, 4] ] }
)yaml";
  Expected<Space> S = spaceOf(workload(Text));
  ASSERT_TRUE(bool(S)) << takeError(S.takeError()).Text;
  EXPECT_EQ(texts(enumerated(*S)), (std::vector<std::string>{"", "block=64,1,1", "block=32,4,1"}));
}

TEST(DeriveSpace, UnrollFactorsStayBelowTheTripCount) {
  TestKernel Facts;
  Facts.Innermost = {{0, 4}};
  Enumeration E = enumerated(deriveSpace(Facts));
  EXPECT_TRUE(is_contained(texts(E), "gpu-unroll<loop=0;factor=2>"));
  EXPECT_TRUE(is_contained(texts(E), "gpu-unroll<loop=0;factor=full>"));
  EXPECT_FALSE(is_contained(texts(E), "gpu-unroll<loop=0;factor=4>"));
}

TEST(DeriveSpace, LongLoopsAreNotUnrolledFully) {
  TestKernel Facts;
  Facts.Innermost = {{0, 100000}};
  EXPECT_FALSE(is_contained(texts(enumerated(deriveSpace(Facts))), "gpu-unroll<loop=0;factor=full>"));
}

TEST(DeriveSpace, MenusShrinkToTheBudget) {
  TestKernel Facts = matmulFacts();
  EXPECT_LE(enumerated(deriveSpace(Facts, 400)).Combinations, 400u);
  // Many loops share one factor.
  for (unsigned Loop = 2; Loop != 12; ++Loop)
    Facts.Innermost.push_back({Loop, std::nullopt});
  Enumeration E = enumerated(deriveSpace(Facts));
  EXPECT_LE(E.Combinations, 2000u);
  EXPECT_GE(E.Combinations, 100u);
}
