//===- WorkloadTest.cpp - Workloads from YAML -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Workload.h"
#include "../ExpectedTesting.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Workload/Problem.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace gpuprune;

static const char Scale[] = R"yaml(source: scale.cu
flags: [-DFAST, "-I include"]
kernel: scale
defines:
  WIDTH: [4, 2]
  KIND: float
sizes:
  tune: { n: 1024*1024, m: 0x10 }
  check: [ { n: 96, m: 3 } ]
grid: "cdiv(n, block.x)"
block: [ 32 * WIDTH ]
shared: 4 * block.x
buffers:
  In: { type: f32, count: n, fill: { uniform: [-0.5, 0.5], seed: 7 }, role: in }
  Table: { type: u8, count: m, fill: { uniform: [0, 255] }, role: in }
  Sum: { type: i64, count: 1, fill: { constant: -3 }, role: inout }
  Order: { type: i32, count: n, fill: iota, role: inout }
  Out:
    type: f32
    count: n
    role: out
arguments: [ In, Table, Sum, Order, Out, { i32: n }, { f32: 0.25 }, { f64: n - 1 } ]
tolerance: { relative: 1e-3 }
work: { byte: 8*n }
)yaml";

static std::string replaced(StringRef Text, StringRef From, StringRef To) {
  size_t At = Text.find(From);
  EXPECT_NE(At, StringRef::npos) << From.str();
  return (Text.take_front(At) + To + Text.drop_front(At + From.size())).str();
}

/// The message for \p Text, which must not be a workload.
static std::string errorOf(StringRef Text) {
  return test::inputErrorOf(parseWorkload(Text, "scale.yaml").takeError());
}

/// The message after one change of the good workload.
static std::string errorWith(StringRef From, StringRef To) { return errorOf(replaced(Scale, From, To)); }

static Workload parsed(StringRef Text, StringRef Path = "scale.yaml") {
  return test::valueOf(parseWorkload(Text, Path));
}

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

TEST(Workload, AnArgumentMayPointIntoABuffer) {
  std::string Part = replaced(Scale, "[ In, Table,", "[ { buffer: In, offset: n / 2 }, { buffer: Table },");
  Workload W = parsed(Part);
  ResolvedProblem P = test::valueOf(resolve(W, W.TuneSize));
  EXPECT_EQ(P.tuned().Arguments[0].Buffer, 0u);
  EXPECT_EQ(P.tuned().Arguments[0].Offset, 4u * (1 << 19)) << "bytes";
  EXPECT_EQ(P.tuned().Arguments[1].Buffer, 1u);
  EXPECT_EQ(P.tuned().Arguments[1].Offset, 0u);
  EXPECT_EQ(test::valueOf(resolve(W, W.CheckSizes[0])).tuned().Arguments[0].Offset,
            2u * uint64_t(W.CheckSizes[0].lookup("n")));
}

TEST(Workload, AnOffsetIsAnElementOfTheBufferAtEverySize) {
  auto ErrorOf = [](StringRef Argument) {
    return errorWith("[ In, Table,", ("[ " + Argument + ", Table,").str());
  };
  EXPECT_NE(
      ErrorOf("{ buffer: In, offset: n }")
          .find("arguments[0].offset: 'n' is 1048576, and the buffer 'In' has 1048576 elements; expected "
                "at most 1048575 (with n = 1048576)"),
      std::string::npos)
      << ErrorOf("{ buffer: In, offset: n }");
  EXPECT_NE(ErrorOf("{ buffer: In, offset: 1 - n }").find("expected at least 0"), std::string::npos);
  EXPECT_NE(ErrorOf("{ buffer: In, offset: 93 + m }").find("(with m = 3)"), std::string::npos)
      << "only the check size has so few elements: " << ErrorOf("{ buffer: In, offset: 93 + m }");
  EXPECT_NE(ErrorOf("{ buffer: In, offset: k }").find("arguments[0].offset: unknown name 'k'"),
            std::string::npos);
  EXPECT_NE(ErrorOf("{ buffer: In, offset: block.x }").find("unknown name 'block.x'"), std::string::npos);
  EXPECT_NE(ErrorOf("{ offset: 1 }").find("arguments[0]: the key 'buffer' is missing"), std::string::npos)
      << ErrorOf("{ offset: 1 }");
  EXPECT_NE(ErrorOf("{ buffer: In, ofset: 1 }").find("ofset"), std::string::npos);
  EXPECT_NE(ErrorOf("{ buffer: Im }").find("arguments[0].buffer: no buffer 'Im'; did you mean 'In'"),
            std::string::npos)
      << ErrorOf("{ buffer: Im }");
}

TEST(Workload, ATemporaryBufferIsOneThatIsNoResult) {
  std::string Temporary = replaced(Scale, "fill: { constant: -3 }, role: inout", "role: temp");
  Workload W = parsed(Temporary);
  EXPECT_EQ(W.Buffers[2].Role, BufferRole::Out);
  EXPECT_TRUE(W.Buffers[2].Temporary);
  EXPECT_FALSE(W.Buffers[4].Temporary);
  EXPECT_TRUE(test::valueOf(resolve(W, W.TuneSize)).Buffers[2].Temporary);
  EXPECT_NE(errorWith("role: inout", "role: temp")
                .find("buffers.Sum.fill: a buffer with the role 'temp' has no fill"),
            std::string::npos);
  EXPECT_NE(errorWith("fill: { constant: -3 }, role: inout", "role: temp, symbol: s")
                .find("buffers.Sum.symbol: a buffer that is copied to a variable has the role 'in'"),
            std::string::npos);
  EXPECT_NE(errorWith("role: inout", "role: tmp").find("unknown role 'tmp'; expected in, out, inout or temp"),
            std::string::npos);
  std::string None = replaced(Temporary, "fill: iota, role: inout", "role: temp");
  EXPECT_NE(
      errorOf(replaced(None, "role: out", "role: temp")).find("no buffer has the role 'out' or 'inout'"),
      std::string::npos);
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

TEST(Workload, AffineFills) {
  Workload W = parsed(replaced(Scale, "fill: iota", "fill: { affine: [2, 30], jitter: 30, seed: 5 }"));
  const FillSpec &Rows = W.Buffers[3].Fill;
  EXPECT_EQ(Rows.FillKind, FillSpec::Kind::Affine);
  EXPECT_EQ(Rows.Start, 2);
  EXPECT_EQ(Rows.Step, 30);
  EXPECT_EQ(Rows.Jitter, 30);
  EXPECT_EQ(Rows.Seed, 5u);
  auto With = [](const char *Fill) { return errorWith("fill: iota", std::string("fill: ") + Fill); };
  EXPECT_NE(
      With("{ affine: [0, 30], jitter: -1 }").find("buffers.Order.fill.jitter: a jitter cannot be negative"),
      std::string::npos);
  EXPECT_NE(With("{ affine: 3 }").find("expected the first element and the step, [start, step]"),
            std::string::npos);
  EXPECT_NE(With("{ affine: [0, 0.5] }").find("buffers.Order.fill.affine[1]: "), std::string::npos);
  EXPECT_NE(With("{ affine: [0, 9007199254740993] }").find("at most 2^53"), std::string::npos);
  EXPECT_NE(With("{ affine: [0, 1], uniform: [0, 1] }").find("expected { constant: VALUE }, { uniform:"),
            std::string::npos);
  EXPECT_NE(With("{ uniform: [0, 1], jitter: 1 }").find("expected { constant: VALUE }, { uniform:"),
            std::string::npos);
  // 1048576 elements 4096 apart, the tuning size.
  EXPECT_NE(With("{ affine: [0, 4096] }")
                .find("buffers.Order.count: the last of 1048576 elements of the fill does not fit in i32"),
            std::string::npos);
}

TEST(Workload, FillsThatDependOnTheSize) {
  auto FillAt = [](const char *Fill, bool Tune = false) {
    Workload W = parsed(replaced(Scale, "fill: iota", std::string("fill: ") + Fill));
    return test::valueOf(resolve(W, Tune ? W.TuneSize : W.CheckSizes[0])).Buffers[3].Fill;
  };
  FillSpec Fill = FillAt("{ uniform: [-m, n - 1] }");
  EXPECT_EQ(Fill.LowInteger, -3);
  EXPECT_EQ(Fill.Low, -3);
  EXPECT_EQ(Fill.HighInteger, 95);
  EXPECT_TRUE(Fill.Parts.empty());
  EXPECT_EQ(FillAt("{ uniform: [0, n - 1] }", /*Tune=*/true).High, 1048575);
  EXPECT_EQ(FillAt("{ uniform: [0, n*WIDTH] }").High, 384) << "a define's first value";
  EXPECT_EQ(FillAt("{ constant: m }").LowInteger, 3);
  Fill = FillAt("{ affine: [m, -m], jitter: 2*m }");
  EXPECT_EQ(Fill.Start, 3);
  EXPECT_EQ(Fill.Step, -3);
  EXPECT_EQ(Fill.Jitter, 6);
  Workload W =
      parsed(replaced(Scale, "fill: { uniform: [-0.5, 0.5], seed: 7 }", "fill: { uniform: [-0.5, n] }"));
  EXPECT_EQ(test::valueOf(resolve(W, W.CheckSizes[0])).Buffers[0].Fill.Low, -0.5);
  EXPECT_EQ(test::valueOf(resolve(W, W.CheckSizes[0])).Buffers[0].Fill.High, 96);
  W = parsed(replaced(Scale, "type: i32, count: n, fill: iota",
                      "struct: { a: i32 }, count: n, fill: { a: { uniform: [0, m] } }"));
  EXPECT_EQ(test::valueOf(resolve(W, W.CheckSizes[0])).Buffers[3].Fill.Fields[0].High, 3);
  auto With = [](const char *Fill) { return errorWith("fill: iota", std::string("fill: ") + Fill); };
  EXPECT_NE(With("{ uniform: [0, k] }").find("buffers.Order.fill.uniform[1]: unknown name 'k'"),
            std::string::npos);
  EXPECT_NE(
      With("{ uniform: [n, m] }")
          .find("buffers.Order.fill.uniform[0]: the lower bound is above the upper one (with n = 1048576)"),
      std::string::npos);
  EXPECT_NE(With("{ uniform: [0, n*n] }").find("fill.uniform[1]: 1099511627776 does not fit in i32"),
            std::string::npos);
  EXPECT_NE(With("{ constant: n*n }").find("fill.constant: 1099511627776 does not fit in i32"),
            std::string::npos);
  EXPECT_NE(With("{ affine: [0, n*n*n] }").find("fill.affine[1]: 1152921504606846976; expected an integer"),
            std::string::npos);
  EXPECT_NE(With("{ affine: [0, n] }").find("the last of 1048576 elements of the fill does not fit in i32"),
            std::string::npos);
  EXPECT_NE(With("{ affine: [0, 1], jitter: -m }").find("fill.jitter: -16; a jitter cannot be negative"),
            std::string::npos);
  EXPECT_NE(With("{ uniform: [0, m/0] }").find("fill.uniform[1]: "), std::string::npos);
  EXPECT_NE(With("{ uniform: [0, block.x] }").find("fill.uniform[1]: unknown name 'block.x'"),
            std::string::npos);
}

TEST(Workload, Structures) {
  std::string Good =
      replaced(Scale, "Order: { type: i32, count: n, fill: iota, role: inout }",
               "Order: { struct: { a: u8, x: f64, id: i16 }, count: n, role: inout, fill: {\n"
               "    id: { affine: [0, 0] }, a: { uniform: [0, 9] }, x: { uniform: [0, 1] } } }");
  Workload W = parsed(Good);
  const BufferSpec &Order = W.Buffers[3];
  EXPECT_EQ(Order.Type.text(), "{ a: u8, x: f64, id: i16 }");
  EXPECT_EQ(Order.Type.bytes(), 24u);
  ASSERT_EQ(Order.Fill.FillKind, FillSpec::Kind::Fields);
  ASSERT_EQ(Order.Fill.Fields.size(), 3u);
  EXPECT_EQ(Order.Fill.Fields[0].FillKind, FillSpec::Kind::Uniform) << "in the order of the structure";
  EXPECT_EQ(Order.Fill.Fields[2].FillKind, FillSpec::Kind::Affine);
  EXPECT_NE(Order.Fill.Fields[0].Seed, Order.Fill.Fields[1].Seed);
  EXPECT_EQ(test::valueOf(resolve(W, W.CheckSizes[0])).Buffers[3].Bytes, 24u * 96);
  W = parsed(replaced(Good, "count: n, role: inout, fill: {", "align: 16, count: n, role: inout, fill: {"));
  EXPECT_EQ(W.Buffers[3].Type.bytes(), 32u);
  EXPECT_EQ(
      parsed(replaced(Scale, "Out:\n    type: f32", "Out:\n    struct: { x: f32 }")).Buffers[4].Fill.FillKind,
      FillSpec::Kind::None);
  auto With = [&](StringRef From, StringRef To) { return errorOf(replaced(Good, From, To)); };
  EXPECT_NE(With("id: i16", "id: i17").find("buffers.Order.struct.id: unknown type 'i17'"),
            std::string::npos);
  EXPECT_NE(With("id: { affine: [0, 0] },", "").find("buffers.Order.fill: the key 'id' is missing"),
            std::string::npos);
  EXPECT_NE(
      With("fill: {\n    id:", "fill: {\n    ib:").find("buffers.Order.fill.ib: unknown key; did you mean"),
      std::string::npos);
  EXPECT_NE(With("uniform: [0, 9]", "uniform: [0, 256]").find("fill.a.uniform[1]: 256 does not fit in u8"),
            std::string::npos);
  EXPECT_NE(With("affine: [0, 0]", "affine: [0, 1]")
                .find("buffers.Order.count: the last of 1048576 elements of the fill does not fit in i16"),
            std::string::npos);
  EXPECT_NE(With("struct: { a: u8, x: f64, id: i16 }", "struct: { a: u8, a: i8 }").find("scale.yaml"),
            std::string::npos);
  EXPECT_NE(With("struct: { a: u8, x: f64, id: i16 }", "struct: {}").find("1 to 256 fields, not 0"),
            std::string::npos);
  EXPECT_NE(
      With("struct: { a: u8, x: f64, id: i16 }", "struct: [ u8 ]").find("expected the fields of a structure"),
      std::string::npos);
  EXPECT_NE(With("struct: {", "type: f32, struct: {").find("buffers.Order.type: a buffer has either 'type'"),
            std::string::npos);
  EXPECT_NE(With("struct: {", "align: 3, struct: {")
                .find("buffers.Order.align: expected an alignment of 1, 2, 4, 8 or 16"),
            std::string::npos);
  EXPECT_NE(errorWith("type: i32", "align: 8, type: i32")
                .find("buffers.Order.align: is for elements that are structures"),
            std::string::npos);
  EXPECT_NE(errorWith("type: i32, ", "").find("buffers.Order: the key 'type' or 'struct' is missing"),
            std::string::npos);
  EXPECT_NE(errorWith("type: i32, count: n, fill: iota", "struct: { x: i32 }, count: n, fill: iota")
                .find("buffers.Order.fill: expected zero, { file: NAME }, or a fill for each field such as { "
                      "x: iota }"),
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
  EXPECT_NE(ErrorWithSpace("space: { pipeline: p, parameters: { f: [none, 4] }, constraints: [ \"f < 9\" ] }")
                .find("space.constraints[0]: the parameter 'f' can be 'none', which is no integer"),
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
