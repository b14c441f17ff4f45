//===- BufferTest.cpp - Buffers from YAML ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WorkloadTesting.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Workload/Problem.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

TEST(WorkloadBuffers, AnArgumentMayPointIntoABuffer) {
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

TEST(WorkloadBuffers, AnOffsetIsAnElementOfTheBufferAtEverySize) {
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

TEST(WorkloadBuffers, ATemporaryBufferIsOneThatIsNoResult) {
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

TEST(WorkloadBuffers, AffineFills) {
  Workload W = parsed(replaced(Scale, "fill: iota", "fill: { affine: [2, 30], jitter: 30, seed: 5 }"));
  const FillSpec &Rows = W.Buffers[3].Fill;
  EXPECT_EQ(Rows.FillKind, FillSpec::Kind::Affine);
  EXPECT_EQ(Rows.Start, 2);
  EXPECT_EQ(Rows.Step, 30);
  EXPECT_EQ(Rows.Jitter, 30);
  EXPECT_EQ(Rows.Seed, 5u);
  auto With = [](const char *Fill) { return errorWith("fill: iota", std::string("fill: ") + Fill); };
  EXPECT_NE(
      With("{ affine: [0, 30], jitter: -1 }").find("buffers.Order.fill.jitter: -1; expected at least 0"),
      std::string::npos);
  EXPECT_NE(With("{ affine: 3 }").find("expected the first element and the step, [start, step]"),
            std::string::npos);
  EXPECT_NE(With("{ affine: [0, 0.5] }").find("buffers.Order.fill.affine[1]: "), std::string::npos);
  EXPECT_NE(With("{ affine: [0, 9007199254740993] }").find("at most 2^53"), std::string::npos);
  EXPECT_NE(With("{ affine: [0, 1], uniform: [0, 1] }")
                .find("buffers.Order.fill: expected one kind of fill, found 'uniform' and 'affine'"),
            std::string::npos);
  EXPECT_NE(
      With("{ uniform: [0, 1], jitter: 1 }")
          .find("buffers.Order.fill.jitter: does not go with 'uniform'; expected { uniform: [LOW, HIGH], "
                "seed: NUMBER }"),
      std::string::npos);
  EXPECT_NE(With("{ affine: [0, 1], seed: 1 }").find("buffers.Order.fill.seed: goes with 'jitter'"),
            std::string::npos);
  EXPECT_NE(With("{ affine: [-2147483649, 1] }").find("the first element of the fill does not fit in i32"),
            std::string::npos);
  // 1048576 elements 4096 apart, the tuning size.
  EXPECT_NE(With("{ affine: [0, 4096] }")
                .find("buffers.Order.count: the last of 1048576 elements of the fill does not fit in i32"),
            std::string::npos);
}

TEST(WorkloadBuffers, FillsThatDependOnTheSize) {
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
  EXPECT_NE(With("{ affine: [0, 1], jitter: -m }").find("fill.jitter: -16; expected at least 0"),
            std::string::npos);
  EXPECT_NE(With("{ uniform: [0, m/0] }").find("fill.uniform[1]: "), std::string::npos);
  EXPECT_NE(With("{ uniform: [0, block.x] }").find("fill.uniform[1]: unknown name 'block.x'"),
            std::string::npos);
}

TEST(WorkloadBuffers, Structures) {
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

TEST(WorkloadBuffers, MayLieAtAnAddress) {
  constexpr StringLiteral Last = "    role: out\n";
  std::string Placed = replaced(replaced(Scale, "role: in }", "role: in, address: 0x7f0000000000 }"), Last,
                                (Last + "    address: 0x7f0000400000\n").str());
  Workload W = parsed(Placed);
  EXPECT_EQ(W.Buffers[0].Address, 0x7f0000000000u);
  ResolvedProblem P = test::valueOf(resolve(W, W.TuneSize));
  EXPECT_TRUE(P.hasAddresses());
  EXPECT_EQ(P.Buffers[0].Address, 0x7f0000000000u);
  EXPECT_EQ(P.Buffers[1].Address, std::nullopt);
  EXPECT_EQ(P.Buffers[4].Address, 0x7f0000400000u) << "4 MiB behind the first, which has as many";
  W = parsed(Scale);
  EXPECT_FALSE(test::valueOf(resolve(W, W.TuneSize)).hasAddresses());
}

TEST(WorkloadBuffers, WithAnAddressNeedNoArgument) {
  StringRef Unseen = "  Unseen: { type: u32, count: 4, fill: zero, role: inout";
  auto With = [&](StringRef Rest) { return replaced(Scale, "  Out:\n", (Unseen + Rest + "  Out:\n").str()); };
  EXPECT_EQ(parsed(With(", address: 4096 }\n")).Buffers.size(), 6u);
  EXPECT_NE(errorOf(With(" }\n")).find("no argument is this buffer, and it has neither symbol nor address"),
            std::string::npos);
}

TEST(WorkloadBuffers, AddressesAreChecked) {
  auto ErrorOf = [](StringRef Address) {
    return errorWith("role: in }", ("role: in, address: " + Address + " }").str());
  };
  for (StringRef Bad : {"0", "-4", "0x7f0000000002", "1 << 3", "0x200000000000000", "n"})
    EXPECT_NE(ErrorOf(Bad).find("buffers.In.address"), std::string::npos)
        << Bad.str() << ": " << ErrorOf(Bad);
  EXPECT_NE(ErrorOf("2").find("expected a multiple of 4 above 0 and below 2^57"), std::string::npos);
  EXPECT_NE(
      errorWith("role: in }", "role: in, symbol: s, address: 4096 }").find("lies where the variable is"),
      std::string::npos);
  std::string Overlapping = replaced(replaced(Scale, "role: in }", "role: in, address: 0x100000 }"),
                                     "    role: out\n", "    role: out\n    address: 0x1ffffc\n");
  EXPECT_NE(errorOf(Overlapping)
                .find("buffers.Out.address: the buffer begins in 'In', which has 4194304 bytes "
                      "from 0x100000 on"),
            std::string::npos)
      << errorOf(Overlapping);
}
