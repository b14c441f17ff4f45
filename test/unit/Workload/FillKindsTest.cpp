//===- FillKindsTest.cpp - What buffers may hold ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ExpectedTesting.h"
#include "gpuprune/Workload/Problem.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

/// A workload with n = 128 and, to check, n = 6; \p Buffer are the keys of its buffer.
Expected<Workload> workload(StringRef Buffer, StringRef Check = "n: 6, m: 6") {
  std::string Text =
      formatv("source: k.cu\nkernel: k\nsizes: {{ tune: {{ n: 128, m: 128 }, check: {{ {0} } }\n"
              "grid: [1]\nblock: [32]\nbuffers:\n"
              "  A: {{ {1}, role: inout }\narguments: [ A ]\n",
              Check, Buffer);
  return parseWorkload(Text, "w.yaml");
}

/// At the size to check.
ResolvedBuffer resolved(StringRef Buffer) {
  Workload W = test::valueOf(workload(Buffer));
  return test::valueOf(resolve(W, W.CheckSizes[0])).Buffers[0];
}

FillSpec fillOf(StringRef Buffer) { return resolved(Buffer).Fill; }

std::string errorOf(StringRef Buffer, StringRef Check = "n: 6, m: 6") {
  return test::inputErrorOf(workload(Buffer, Check).takeError());
}

void expectError(StringRef Buffer, StringRef Part, StringRef Check = "n: 6, m: 6") {
  std::string Message = errorOf(Buffer, Check);
  EXPECT_NE(Message.find(Part), std::string::npos) << Message << "\nhas no: " << Part.str();
}

template <typename T> std::vector<T> elements(ArrayRef<uint8_t> Bytes) {
  std::vector<T> Values(Bytes.size() / sizeof(T));
  std::memcpy(Values.data(), Bytes.data(), Bytes.size());
  return Values;
}

TEST(FillKinds, RealNumbersAreComputed) {
  FillSpec Fill = fillOf("type: f32, count: n, fill: { uniform: [-1.0/n, 1.0 / n] }");
  EXPECT_EQ(Fill.Low, -1.0 / 6);
  EXPECT_EQ(Fill.High, 1.0 / 6);
  EXPECT_TRUE(Fill.Parts.empty());
  EXPECT_EQ(fillOf("type: f64, count: n, fill: { constant: 1 / n }").Low, 1.0 / 6);
  EXPECT_EQ(fillOf("type: f64, count: n, fill: { constant: 2.0 / 3 }").Low, 2.0 / 3) << "without a name";
  EXPECT_EQ(fillOf("type: f64, count: n, fill: { constant: 2*3 }").Low, 6);
  EXPECT_EQ(fillOf("type: f64, count: n, fill: { constant: +1.5e-3 }").Low, 1.5e-3);
  EXPECT_EQ(fillOf("type: f32, count: n, fill: { affine: [1.0/2, -1.0/n], jitter: 1.0/n }").Jitter, 1.0 / 6);
  EXPECT_EQ(fillOf("struct: { x: f32 }, count: n, fill: { x: { constant: 1.0/n } }").Fields[0].Low, 1.0 / 6);
  EXPECT_EQ(fillOf("type: i32, count: n, fill: { constant: 2*3 }").LowInteger, 6);
  EXPECT_EQ(fillOf("type: i64, count: n, fill: { uniform: [0, 0x4000000000000000] }").High, 0x1p62);
  expectError("type: i32, count: n, fill: { constant: 1.0 / n }",
              "w.yaml:7:47: buffers.A.fill.constant: '1.0 / n', column 1: '1.0' is not a decimal");
  expectError("type: i32, count: n, fill: { constant: n / 5 }", "leaves the remainder 3");
  expectError("type: f16, count: n, fill: { constant: 1e5 / 1 }",
              "fill.constant: 100000 does not fit in f16");
  expectError("type: f16, count: n, fill: { constant: 1e4 * n }",
              "fill.constant: 1280000 does not fit in f16 (with n = 128)");
  expectError("type: f32, count: n, fill: { constant: 1.0 / (n - 6) }", "division by zero (with n = 6)");
  expectError("type: f32, count: n, fill: { uniform: [1.0/n, -1.0/n] }", "the lower bound is above");
  expectError("type: f32, count: n, fill: { uniform: [2.0/4, 1.0/4] }",
              "fill.uniform: the lower bound is above the upper one");
  expectError("type: f32, count: n, fill: { affine: [0, 1], jitter: -1.0/n }",
              "fill.jitter: -0.0078125; exp");
  expectError("type: f32, count: n, fill: { constant: nan }", "expected a finite number");
  expectError("type: i64, count: n, fill: { constant: 9007199254740993 }",
              "9007199254740993; expected an integer that double precision holds");
}

TEST(FillKinds, ScalarsMayBeRealExpressions) {
  std::string Text = "source: k.cu\nkernel: k\nsizes: { tune: { n: 8 }, check: { n: 4 } }\ngrid: [1]\n"
                     "block: [32]\nbuffers: { A: { type: f32, count: n, role: out } }\n"
                     "arguments: [ A, { f32: 1.0/n }, { f64: n - 1 } ]\n";
  Workload W = test::valueOf(parseWorkload(Text, "w.yaml"));
  ResolvedProblem P = test::valueOf(resolve(W, W.TuneSize));
  EXPECT_EQ(toDouble(ElementType::F32, P.tuned().Arguments[1].Bits), 0.125);
  EXPECT_EQ(toDouble(ElementType::F64, P.tuned().Arguments[2].Bits), 7);
}

TEST(FillKinds, IndicesThatWrapAreRefused) {
  EXPECT_EQ(resolved("type: i8, count: n, fill: iota").Count, 6u);
  expectError(
      "type: i8, count: n + 1, fill: iota",
      "w.yaml:7:25: buffers.A.count: the fill has indices from 0 to 128, of which i8 does not hold all; "
      "take a wider type or, if any values will do, { uniform: [LOW, HIGH] } (with n = 128)");
  expectError("struct: { a: f32, b: i16 }, count: 300*n, fill: { a: iota, b: iota }",
              "i16 does not hold all");
  expectError("type: u8, count: 3*n, fill: permutation", "u8 does not hold all");
  expectError("type: u8, count: 3*n, fill: { shift: 1 }", "u8 does not hold all");
  expectError("type: u8, count: 3*n, fill: { clustered: 1 }", "u8 does not hold all");
  expectError("type: bf16, count: 3*n, fill: permutation", "bf16 does not hold all exactly");
  EXPECT_EQ(resolved("type: bf16, count: 3*n, fill: iota").Count, 18u) << "rounded";
  EXPECT_EQ(resolved("type: bf16, count: 2*n + 1, fill: permutation").Count, 13u);
  EXPECT_EQ(resolved("type: u8, count: 2*n, fill: permutation").Count, 12u);
  EXPECT_EQ(resolved("type: u8, count: 32*n, fill: { clustered: 1, per: 32 }").Fill.Among, 6);
}

TEST(FillKinds, Values) {
  FillSpec Fill = fillOf("type: i16, count: 3, fill: { values: [1, -2, n - 1, 5] }");
  EXPECT_EQ(Fill.FillKind, FillSpec::Kind::Values);
  EXPECT_EQ(elements<int16_t>(Fill.Bytes), (std::vector<int16_t>{1, -2, 5})) << "the first ones";
  EXPECT_EQ(Fill.List, nullptr);
  Fill = fillOf("type: f32, count: 4, fill: { values: [1.5, -1e-3, 1.0/n, 0x10] }");
  EXPECT_EQ(elements<float>(Fill.Bytes), (std::vector<float>{1.5, -1e-3f, float(1.0 / 6), 16}));
  Fill = fillOf("type: i64, count: 1, fill: { values: [9223372036854775807] }");
  EXPECT_EQ(elements<int64_t>(Fill.Bytes)[0], INT64_MAX) << "exact";
  Fill = fillOf("struct: { x: u8, y: f32 }, count: 2, fill: { x: { values: [3, 4] }, y: zero }");
  EXPECT_EQ(Fill.Fields[0].Bytes, (std::vector<uint8_t>{3, 4}));
  expectError(
      "type: i32, count: n, fill: { values: [1, 2] }",
      "buffers.A.count: the buffer has 128 elements, but the list of values at line 7 only 2 (with n = "
      "128)");
  expectError("type: u8, count: 2, fill: { values: [1, 256] }", "fill.values[1]: 256 does not fit in u8");
  expectError("type: u8, count: 2, fill: { values: [n, 3*n] }",
              "fill.values[1]: 384 does not fit in u8 (with n = 128)");
  expectError("type: u8, count: 2, fill: { values: [1, k] }", "fill.values[1]: unknown name 'k'");
  expectError("type: u8, count: 2, fill: { values: [1, 1.5] }",
              "fill.values[1]: '1.5', column 1: '1.5' is not");
  expectError("type: u8, count: 2, fill: { values: [] }", "fill.values: expected 1 to 4096 values, found 0");
  expectError("type: u8, count: 2, fill: { values: 3 }", "fill.values: expected a list of values such as");
  expectError("type: u8, count: 2, fill: { values: [1, 2], seed: 1 }",
              "fill.seed: does not go with 'values'; expected { values: [VALUE, ...] }");
  std::string Many = "0";
  for (int I = 0; I != 4096; ++I)
    Many += ",1";
  expectError("type: u8, count: 2, fill: { values: [" + Many + "] }",
              "found 4097; more are taken from a file: { file: NAME }");
}

TEST(FillKinds, ShiftPermutationAndClusters) {
  FillSpec Fill = fillOf("type: i32, count: n, fill: { shift: 1 }");
  EXPECT_EQ(Fill.FillKind, FillSpec::Kind::Shift);
  EXPECT_EQ(Fill.Shift, 1);
  EXPECT_EQ(fillOf("type: i32, count: n, fill: { shift: -1 }").Shift, 5);
  EXPECT_EQ(fillOf("type: i32, count: n, fill: { shift: 2*n + 3 }").Shift, 3);
  Fill = fillOf("type: f32, count: n, fill: { permutation: { seed: 7 } }");
  EXPECT_EQ(Fill.FillKind, FillSpec::Kind::Permutation);
  EXPECT_EQ(Fill.Seed, 7u);
  EXPECT_EQ(fillOf("type: i32, count: n, fill: permutation").Seed, 1u) << "of its own";
  Fill = fillOf("type: i32, count: 4*n, fill: { clustered: n / 2, per: 4, seed: 9 }");
  EXPECT_EQ(Fill.FillKind, FillSpec::Kind::Clustered);
  EXPECT_EQ(Fill.Window, 3);
  EXPECT_EQ(Fill.Per, 4);
  EXPECT_EQ(Fill.Among, 6);
  EXPECT_EQ(Fill.Seed, 9u);
  EXPECT_EQ(fillOf("type: i32, count: 4*n, fill: { clustered: 1, among: n }").Among, 6);
  EXPECT_EQ(fillOf("type: i32, count: n, fill: { clustered: 1, per: 4 }").Among, 2) << "rounded up";
  expectError("type: i32, count: n, fill: { shift: 1.5 }", "fill.shift: '1.5', column 1");
  expectError("type: f32, count: n, fill: { shift: 1.5 }", "fill.shift: '1.5', column 1");
  expectError("type: i32, count: n, fill: { shift: 1, seed: 1 }", "fill.seed: does not go with 'shift'");
  expectError("type: i32, count: n, fill: shift", "fill: expected { shift: NUMBER }");
  expectError("type: i32, count: n, fill: { permutation: 7 }", "fill.permutation: expected { seed: NUMBER }");
  expectError("type: i32, count: n, fill: { permutation: { seed: 1, sed: 2 } }",
              "permutation.sed: unknown key");
  expectError("type: i32, count: n, fill: { clustered: -1 }", "fill.clustered: -1; expected at least 0");
  expectError("type: i32, count: n, fill: { clustered: n - 7 }",
              "fill.clustered: -1; expected at least 0 (with n = 6)");
  expectError("type: i32, count: n, fill: { clustered: 1, per: 0 }", "fill.per: 0; expected at least 1");
  expectError("type: i32, count: n, fill: { clustered: 1, among: n - 6 }",
              "fill.among: 0; expected at least 1");
  expectError(
      "type: i32, count: n, fill: permutatoin",
      "unknown fill 'permutatoin'; did you mean 'permutation'? (known: zero, iota, permutation, constant, "
      "uniform, affine, shift, clustered, values, file)"); // Each once.
  expectError("type: i32, count: n, fill: { }", "fill: expected { constant: VALUE }, { uniform: [LOW, HIGH]");
}

TEST(FillKinds, SortedUniform) {
  FillSpec Fill = fillOf("type: i32, count: n, fill: { uniform: [0, n - 1], sorted: true, seed: 3 }");
  EXPECT_EQ(Fill.FillKind, FillSpec::Kind::Sorted);
  EXPECT_EQ(Fill.High, 5);
  EXPECT_EQ(Fill.Seed, 3u);
  EXPECT_EQ(fillOf("type: i32, count: n, fill: { uniform: [0, 9], sorted: false }").FillKind,
            FillSpec::Kind::Uniform);
  expectError("type: i32, count: n, fill: { uniform: [0, 9], sorted: yes }",
              "fill.sorted: expected true or false");
  expectError("type: i32, count: n, fill: { constant: 9, sorted: true }",
              "fill.sorted: does not go with 'constant'");
  expectError("type: i32, count: n, fill: { uniform: [n, m - 1], sorted: true }", "the lower bound is above");
}

TEST(FillKinds, ShapesAndTheirDiagonal) {
  ResolvedBuffer Buffer = resolved("type: f32, shape: [n, m + 1], fill: zero");
  EXPECT_EQ(Buffer.Count, 42u);
  EXPECT_EQ(resolved("type: f32, shape: [2, n, 3], fill: zero").Count, 36u);
  EXPECT_EQ(resolved("type: f32, shape: [n - 1], fill: zero").Count, 5u);
  EXPECT_EQ(fillOf("type: f32, shape: [n, n], fill: { uniform: [1, 9], zero-diagonal: true }").Columns, 6u);
  EXPECT_EQ(fillOf("type: f32, shape: [n, n], fill: { constant: 9, zero-diagonal: true }").Columns, 6u);
  EXPECT_EQ(fillOf("type: f32, shape: [n, m], fill: { affine: [9, 1], zero-diagonal: true }").Columns, 6u);
  EXPECT_EQ(fillOf("type: f32, shape: [n, n], fill: { constant: 9, zero-diagonal: false }").Columns, 0u);
  EXPECT_EQ(fillOf("struct: { a: i8 }, shape: [n, n], fill: { a: { constant: 9, zero-diagonal: true } }")
                .Fields[0]
                .Columns,
            6u);
  expectError("type: f32, shape: [n, m], fill: { constant: 9, zero-diagonal: true }",
              "buffers.A.shape: 6 x 7 is no square matrix", "n: 6, m: 7");
  expectError("type: f32, count: n*n, fill: { constant: 9, zero-diagonal: true }",
              "fill.zero-diagonal: the diagonal is that of a square matrix; give the buffer 'shape: [n, n]'");
  expectError("type: f32, shape: [n, n, 2], fill: { constant: 9, zero-diagonal: true }", "give the buffer");
  expectError("type: f32, shape: [n, n], fill: { shift: 1, zero-diagonal: true }",
              "fill.zero-diagonal: does not go with 'shift'");
  expectError("type: f32, shape: [n, n], fill: { uniform: [0, 1], sorted: true, zero-diagonal: true }",
              "fill.sorted: elements with zeros between them would not be sorted");
  expectError("type: f32, shape: [n, n], count: n, fill: zero",
              "buffers.A.shape: a buffer has either 'count' or 'shape'");
  expectError("type: f32, fill: zero", "buffers.A: the key 'count' or 'shape' is missing");
  expectError("type: f32, shape: n, fill: zero",
              "buffers.A.shape: expected a list of extents such as [h, w]");
  expectError("type: f32, shape: [], fill: zero", "buffers.A.shape: expected at least one extent");
  expectError("type: f32, shape: [n - 7, n - 7], fill: zero",
              "buffers.A.shape[0]: 'n - 7' is -1; expected at least 1 (with n = 6)");
  expectError("type: f32, shape: [n, k], fill: zero", "buffers.A.shape[1]: unknown name 'k'");
  expectError("type: f32, shape: [n, 1 <<], fill: zero", "buffers.A.shape[1]: ");
  expectError("type: f32, shape: [n*n*n*n, n*n*n*n, n*n*n], fill: zero", "buffers.A.shape: ");
}

TEST(FillKinds, ContentsTellProblemsApart) {
  FillSpec One = fillOf("type: i32, count: n, fill: { shift: 1 }");
  EXPECT_EQ(One, fillOf("type: i32, count: n, fill: { shift: n + 1 }"));
  EXPECT_NE(One, fillOf("type: i32, count: n, fill: { shift: 2 }"));
  EXPECT_NE(fillOf("type: i32, count: 2, fill: { values: [1, 2] }"),
            fillOf("type: i32, count: 2, fill: { values: [1, 3] }"));
}

} // namespace
