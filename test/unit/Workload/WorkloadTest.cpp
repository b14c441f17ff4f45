//===- WorkloadTest.cpp - Workloads from YAML -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Workload.h"
#include "WorkloadTesting.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Workload/Problem.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

TEST(Workload, EveryKeyIsRead) {
  Workload W = parsed(Scale, "some/dir/scale.yaml");
  EXPECT_EQ(W.Source, "some/dir/scale.cu");
  EXPECT_EQ(W.Flags, (std::vector<std::string>{"-DFAST", "-I include"}));
  ASSERT_EQ(W.Defines.size(), 2u);
  EXPECT_EQ(W.Defines[0].Values, (std::vector<std::string>{"4", "2"}));
  EXPECT_EQ(W.Defines[1].Values, (std::vector<std::string>{"float"}));
  EXPECT_EQ(W.SizeNames, (std::vector<std::string>{"n", "m"}));
  EXPECT_EQ(W.TuneSize.lookup("n"), 1024 * 1024);
  EXPECT_EQ(W.TuneSize.lookup("m"), 16);
  ASSERT_EQ(W.CheckSizes.size(), 1u);
  EXPECT_EQ(W.CheckSizes[0].lookup("m"), 3);
  ASSERT_EQ(W.Buffers.size(), 5u);
  EXPECT_EQ(W.Buffers[0].Fill.Seed, 7u);
  EXPECT_EQ(W.Buffers[0].Fill.Low, -0.5);
  EXPECT_EQ(W.Buffers[1].Fill.HighInteger, 255);
  EXPECT_NE(W.Buffers[1].Fill.Seed, W.Buffers[0].Fill.Seed);
  EXPECT_EQ(W.Buffers[2].Fill.FillKind, FillSpec::Kind::Constant);
  EXPECT_EQ(W.Buffers[2].Fill.LowInteger, -3);
  EXPECT_EQ(W.Buffers[2].Role, BufferRole::InOut);
  EXPECT_EQ(W.Buffers[3].Fill.FillKind, FillSpec::Kind::Iota);
  EXPECT_EQ(W.Buffers[4].Fill.FillKind, FillSpec::Kind::None);
  EXPECT_EQ(W.Buffers[4].Role, BufferRole::Out);
  ASSERT_EQ(W.Launches.size(), 1u);
  EXPECT_EQ(W.Launches[0].Kernel, "scale");
  EXPECT_EQ(W.Launches[0].Arguments.size(), 8u);
  EXPECT_EQ(W.Tolerance.Relative, 1e-3);
  EXPECT_FALSE(W.Tolerance.Absolute) << "measured by the reference";
  ASSERT_TRUE(W.Work);
  EXPECT_EQ(W.Work->Unit, "byte");
  EXPECT_FALSE(W.Space);
}

TEST(Workload, SeveralLaunches) {
  Workload W = parsed(R"yaml(source: a.cu
sizes: { tune: { n: 64 }, check: { n: 32 } }
buffers: { X: { type: f32, count: n, fill: zero, role: inout } }
launches:
  - { kernel: first, grid: n / 32, block: 32, arguments: [ X ] }
  - { kernel: second, grid: [ 1, 2, 3 ], block: [ 8, 4 ], arguments: [ X, { u32: n } ] }
)yaml");
  ASSERT_EQ(W.Launches.size(), 2u);
  EXPECT_EQ(W.Launches[1].Kernel, "second");
  EXPECT_EQ(W.Launches[1].Grid.size(), 3u);
}

TEST(Workload, MatmulOfThisRepository) {
  Expected<Workload> W = loadWorkload(GPUPRUNE_SOURCE_DIR "/kernels/matmul");
  ASSERT_TRUE(bool(W)) << takeError(W.takeError()).Text;
  EXPECT_EQ(W->TuneSize.lookup("n"), 4096);
  EXPECT_EQ(W->Defines.front().Values.front(), "16");
  ASSERT_TRUE(W->Space);
}

TEST(Workload, MissingFile) {
  Expected<Workload> W = loadWorkload(GPUPRUNE_SOURCE_DIR "/no-such-folder");
  ASSERT_FALSE(bool(W));
  TakenError Taken = takeError(W.takeError());
  EXPECT_EQ(Taken.Kind, ErrorKind::Io);
  EXPECT_NE(Taken.Text.find("no-such-folder"), std::string::npos);
}

TEST(Workload, KeyErrors) {
  EXPECT_NE(errorWith("kernel: scale", "kernal: scale")
                .find("scale.yaml:3:1: kernal: unknown key; did you mean 'kernel'?"),
            std::string::npos);
  EXPECT_EQ(errorWith("source: scale.cu\n", ""), "scale.yaml:1:1: the key 'source' is missing");
  EXPECT_EQ(errorWith("kernel: scale", "kernel: scale\nkernel: scale"),
            "scale.yaml:4:1: the key 'kernel' appears twice");
  EXPECT_NE(errorWith("count: n, fill: { uniform: [-0.5", "length: n, fill: { uniform: [-0.5")
                .find("buffers.In.length: unknown key"),
            std::string::npos);
  EXPECT_NE(errorWith("kernel: scale", "kernel: scale\nlaunches: []")
                .find("scale.yaml:3:9: kernel: belongs inside 'launches'"),
            std::string::npos);
}

TEST(Workload, ValueErrors) {
  EXPECT_EQ(errorWith("{ constant: -3 }", "{ constant: x }"),
            "scale.yaml:16:49: buffers.Sum.fill.constant: unknown name 'x'; did you mean 'n'? (known: n, m, "
            "WIDTH, KIND)");
  EXPECT_NE(errorWith("[0, 255]", "[0, 256]").find("buffers.Table.fill.uniform[1]: 256 does not fit in u8"),
            std::string::npos);
  EXPECT_NE(errorWith("[-0.5, 0.5]", "[0.5, -0.5]").find("the lower bound is above the upper one"),
            std::string::npos);
  EXPECT_NE(errorWith("[-0.5, 0.5]", "[nan, 0.5]").find("expected a finite number, found 'nan'"),
            std::string::npos);
  EXPECT_NE(errorWith("type: f32, count: n", "type: f31, count: n")
                .find("buffers.In.type: unknown type 'f31'; did you mean 'f32'?"),
            std::string::npos);
  EXPECT_NE(errorWith("role: in }", "role: input }").find("buffers.In.role: unknown role 'input'"),
            std::string::npos);
  EXPECT_NE(errorWith("fill: iota, ", "").find("buffers.Order: the key 'fill' is missing"),
            std::string::npos);
  EXPECT_NE(errorWith("    role: out", "    role: out\n    fill: zero")
                .find("buffers.Out.fill: a buffer with the role 'out' has no fill"),
            std::string::npos);
  EXPECT_NE(
      errorWith("relative: 1e-3", "relative: -1").find("tolerance.relative: a tolerance cannot be negative"),
      std::string::npos);
  EXPECT_NE(errorWith("fill: iota", "fill: itoa").find("unknown fill 'itoa'; did you mean 'iota'?"),
            std::string::npos);
  EXPECT_NE(errorWith("[ 32 * WIDTH ]", "[1, 2, 3, 4]").find("block: expected one to three expressions"),
            std::string::npos);
  EXPECT_NE(errorWith("WIDTH: [4, 2]", "WIDTH: [4, 4]").find("defines.WIDTH[1]: the value '4' appears twice"),
            std::string::npos);
  EXPECT_NE(errorWith("{ n: 96, m: 3 }", "{ n: 96 }").find("sizes.check[0]: the size 'm' is missing"),
            std::string::npos);
  EXPECT_NE(
      errorWith("{ n: 96, m: 3 }", "{ n: 96, m: 3, k: 1 }").find("sizes.check[0].k: not a size of 'tune'"),
      std::string::npos);
}

TEST(Workload, SymbolsAreNoArguments) {
  std::string WithSymbol = replaced(Scale, "fill: { uniform: [0, 255] }, role: in",
                                    "fill: { uniform: [0, 255] }, role: in, symbol: weights");
  std::string Good = replaced(WithSymbol, "In, Table,", "In,");
  Workload W = parsed(Good);
  EXPECT_EQ(W.Buffers[1].Symbol, "weights");
  EXPECT_EQ(W.Buffers[0].Symbol, "");
  ResolvedProblem P = test::valueOf(resolve(W, W.TuneSize));
  EXPECT_EQ(P.Buffers[1].Symbol, "weights");
  EXPECT_NE(errorOf(WithSymbol).find("arguments[1]: the buffer 'Table' is copied to the variable 'weights'"),
            std::string::npos);
  EXPECT_NE(errorWith("fill: iota, role: inout", "fill: iota, role: inout, symbol: s")
                .find("buffers.Order.symbol: a buffer that is copied to a variable has the role 'in'"),
            std::string::npos);
  EXPECT_NE(errorWith("fill: iota, role: inout", "fill: iota, role: in, symbol: ''")
                .find("buffers.Order.symbol: expected the name of"),
            std::string::npos);
}

TEST(Workload, ExpressionErrors) {
  EXPECT_EQ(errorWith("count: m", "count: mm"), "scale.yaml:15:29: buffers.Table.count: unknown name 'mm'; "
                                                "did you mean 'm'? (known: n, m, WIDTH, KIND)");
  EXPECT_NE(errorWith("count: m", "count: m +")
                .find("scale.yaml:15:29: buffers.Table.count: 'm +', column 4: expected a number"),
            std::string::npos);
  EXPECT_NE(errorWith("shared: 4 * block.x", "shared: KIND")
                .find("shared: 'KIND' has the value 'float', which is no integer"),
            std::string::npos);
  EXPECT_NE(errorWith("[ 32 * WIDTH ]", "[ cdiv(n, 2) ]").find("put an expression with a comma in quotes"),
            std::string::npos);
  EXPECT_NE(
      errorWith("{ i32: n }", "{ i32: n, f32: 1 }").find("arguments[5]: expected one type and its value"),
      std::string::npos);
  EXPECT_NE(errorWith("arguments: [ In", "arguments: [ Inn")
                .find("arguments[0]: no buffer 'Inn'; did you mean 'In'?"),
            std::string::npos);
}

TEST(Workload, SizesThatDoNotFitAreFoundAtOnce) {
  EXPECT_EQ(
      errorWith("grid: \"cdiv(n, block.x)\"", "grid: n / block.x"),
      "scale.yaml:10:7: grid: 'n / block.x', column 3: 96 / 128 leaves the remainder 96; cdiv(a, b) rounds "
      "up (with n = 96, block.x = 128)");
  EXPECT_NE(errorWith("{ n: 96, m: 3 }", "{ n: 96, m: 0 }")
                .find("buffers.Table.count: 'm' is 0; expected at least 1 (with m = 0)"),
            std::string::npos);
}

TEST(Workload, OnlyTheAuthorsChoiceHasToFit) {
  // Legal for the author's WIDTH, not for the other one.
  Workload W = parsed(replaced(Scale, "[ 32 * WIDTH ]", "[ 32 * (WIDTH - 2) ]"));
  EXPECT_TRUE(bool(resolve(W, W.TuneSize)));
  DefineValues Other;
  Other["WIDTH"] = "2";
  EXPECT_NE(test::inputErrorOf(resolve(W, W.TuneSize, Other).takeError())
                .find("expected at least 1 (with WIDTH = 2)"),
            std::string::npos);
  EXPECT_NE(errorWith("[ 32 * WIDTH ]", "[ 32 * (WIDTH - 4) ]").find("expected at least 1 (with WIDTH = 4)"),
            std::string::npos);
}

TEST(Workload, YamlErrors) {
  EXPECT_NE(errorOf("source: [a, b\nkernel: x\n").find("scale.yaml:"), std::string::npos);
  EXPECT_NE(errorOf("source: [a, b\nkernel: x\n").find("not valid YAML"), std::string::npos);
  EXPECT_NE(errorOf("").find("expected a mapping with the keys source"), std::string::npos);
  EXPECT_NE(errorOf("[1, 2]").find("expected a mapping with the keys source"), std::string::npos);
  EXPECT_NE(errorOf("source: &x a.cu\n").find("anchors (&), aliases (*) and tags (!) are not supported"),
            std::string::npos);
  EXPECT_NE(errorOf("source: a\n---\nsource: b\n").find("more than one YAML document"), std::string::npos);
  std::string Deep = "source: " + std::string(10000, '[') + std::string(10000, ']');
  EXPECT_NE(errorOf(Deep).find("nested more than 50 deep"), std::string::npos);
}

TEST(Workload, SpaceErrors) {
  auto ErrorWithSpace = [](StringRef Space) { return errorOf((Scale + Space).str()); };
  EXPECT_NE(ErrorWithSpace("space: { parameters: { f: [1] } }").find("space: the key 'pipeline' is missing"),
            std::string::npos);
  EXPECT_NE(
      ErrorWithSpace("space: { pipeline: p, parameters: { f: [none, full] }, constraints: [ \"f < 9\" ] }")
          .find("space.constraints[0]: the parameter 'f' can be 'full', which is no integer"),
      std::string::npos);
  EXPECT_NE(ErrorWithSpace("space: { pipeline: p, parameters: { n: [4] } }")
                .find("space.parameters.n: 'n' is a size already"),
            std::string::npos);
  EXPECT_NE(ErrorWithSpace("space: { pipeline: p, constraints: [ \"g < 9\" ] }")
                .find("space.constraints[0]: unknown name 'g'"),
            std::string::npos);
  EXPECT_NE(ErrorWithSpace("space: { pipeline: p, parameters: { f: [\"a b\"] } }")
                .find("space.parameters.f[0]: 'a b' is not an integer or a word"),
            std::string::npos);
}

TEST(Workload, BlocksOfTheSpace) {
  std::string Free = replaced(Scale, "block: [ 32 * WIDTH ]", "block: [ 32 ]");
  auto ErrorWithBlocks = [&](StringRef Blocks) {
    return errorOf((Free + "space: { blocks: " + Blocks + " }").str());
  };
  Workload W = parsed(Free + "space: { blocks: [ author, 64, [32, 2, 4] ] }");
  EXPECT_EQ(W.Space->Blocks,
            (std::vector<std::optional<Dim3>>{std::nullopt, Dim3{64, 1, 1}, Dim3{32, 2, 4}}));
  EXPECT_TRUE(W.blockIsFree(0));
  EXPECT_FALSE(W.blockIsFree(1)) << "nothing follows block.y";
  EXPECT_FALSE(parsed(Scale).blockIsFree(0)) << "a define decides";
  EXPECT_NE(ErrorWithBlocks("[ 64, [64, 1] ]").find("space.blocks[1]: this block appears twice"),
            std::string::npos);
  EXPECT_NE(ErrorWithBlocks("[ 0 ]").find("space.blocks[0]: a block has at least one thread"),
            std::string::npos);
  EXPECT_NE(
      ErrorWithBlocks("[ [1, 1, 1, 1] ]").find("space.blocks[0]: expected author, or threads in x, y and z"),
      std::string::npos);
  EXPECT_NE(ErrorWithBlocks("[]").find("space.blocks: expected at least one block"), std::string::npos);
  EXPECT_NE(errorOf(Scale + std::string("space: { blocks: [ 64 ] }"))
                .find("space.blocks: the block cannot be chosen"),
            std::string::npos);
}

TEST(Workload, PromisedBlocks) {
  std::string Free = replaced(Scale, "block: [ 32 * WIDTH ]", "block: [ 32 ]");
  EXPECT_EQ(parsed(Free).BlockPromised, (std::array<bool, 3>{}));
  Workload W = parsed(Free + "block-free: [ x ]");
  EXPECT_EQ(W.BlockPromised, (std::array<bool, 3>{true, false, false}));
  auto ErrorWith = [&](StringRef Promise) { return errorOf((Free + "block-free: " + Promise).str()); };
  EXPECT_NE(ErrorWith("[ w ]").find("block-free[0]: 'w' is no dimension of a block; expected x, y or z"),
            std::string::npos);
  EXPECT_NE(ErrorWith("[ x, x ]").find("block-free[1]: 'x' appears twice"), std::string::npos);
  EXPECT_NE(ErrorWith("[ y ]").find("block-free[0]: the launch does not follow block.y"), std::string::npos);
  EXPECT_NE(ErrorWith("[]").find("block-free: expected at least one of x, y and z"), std::string::npos);
  EXPECT_NE(ErrorWith("x").find("block-free: expected a list of dimensions"), std::string::npos)
      << ErrorWith("x");
}

TEST(Workload, WhetherTheKernelSeesTheBlock) {
  EXPECT_TRUE(parsed(Scale).kernelSeesBlock(0)) << "by the shared memory";
  EXPECT_FALSE(parsed(Scale).kernelSeesBlock(1));
  std::string GridAlone = replaced(Scale, "shared: 4 * block.x\n", "");
  EXPECT_FALSE(parsed(GridAlone).kernelSeesBlock(0));
  EXPECT_TRUE(parsed(replaced(GridAlone, "{ i32: n }", "{ i32: block.x }")).kernelSeesBlock(0));
}

// Whatever stands in the file, the answer is a workload or a message.
TEST(Workload, NoInputCrashes) {
  std::mt19937 Random(1);
  StringRef Alphabet = "{}[]:,-#&*!|>'\"%@`\n\t aN0?\xc3\xff";
  for (int I = 0; I != 3000; ++I) {
    std::string Text = Scale;
    for (unsigned Changes = 1 + Random() % 4; Changes; --Changes) {
      size_t At = Random() % Text.size();
      switch (Random() % 3) {
      case 0:
        Text[At] = Alphabet[Random() % Alphabet.size()];
        break;
      case 1:
        Text.erase(At, 1 + Random() % 8);
        break;
      default:
        Text.insert(At, 1, Alphabet[Random() % Alphabet.size()]);
      }
    }
    Expected<Workload> W = parseWorkload(Text, "scale.yaml");
    if (!W) {
      std::string Message = takeError(W.takeError()).Text;
      EXPECT_TRUE(StringRef(Message).starts_with("scale.yaml:")) << Message;
    }
  }
}

TEST(Workload, FlagsThatChangeThePipelineAreRefused) {
  auto Read = [](StringRef Flags) {
    Expected<Workload> W =
        parseWorkload(("source: k.cu\nkernel: k\nflags: [ " + Flags +
                       " ]\nsizes: { tune: { n: 4 }, check: { n: 2 } }\ngrid: [n]\nblock: [32]\n"
                       "buffers: { o: { type: f32, count: n, role: out } }\narguments: [o]\n")
                          .str(),
                      "w.yaml");
    return W ? "" : toString(W.takeError());
  };
  for (StringRef Flag :
       {"-O0", "-O2", "-Os", "-Ofast", "-mllvm", "-mllvm=-unroll-count=3", "-disable-llvm-passes"})
    EXPECT_EQ(Read(Flag), ("w.yaml:3:10: flags[0]: '" + Flag +
                           "' changes LLVM's passes, which run as clang++ -O3 has them; leave it out")
                              .str());
  EXPECT_EQ(Read("-O3, -ffast-math"), "");
}
