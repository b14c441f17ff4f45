//===- FileFillTest.cpp - Contents of buffers from files -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ExpectedTesting.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Workload/Problem.h"
#include "gpuprune/Workload/Workload.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

/// A file as numpy.save writes it, with \p Header in place of the usual one.
std::string npy(StringRef Header, size_t Bytes, char Version = 1) {
  std::string Text = Header.str();
  size_t LengthBytes = Version == 1 ? 2 : 4;
  Text.append(63 - (8 + LengthBytes + Text.size()) % 64, ' ');
  Text += '\n';
  std::string File = std::string("\x93NUMPY") + Version + '\0';
  for (size_t I = 0; I != LengthBytes; ++I)
    File += char(Text.size() >> 8 * I);
  File += Text;
  for (size_t I = 0; I != Bytes; ++I)
    File += char('a' + I % 26);
  return File;
}

std::string header(StringRef Type, StringRef Shape, StringRef Fortran = "False") {
  return formatv("{{'descr': '{0}', 'fortran_order': {1}, 'shape': {2}, }", Type, Fortran, Shape);
}

class FileFill : public ::testing::Test {
protected:
  void write(StringRef Name, StringRef Content) {
    ASSERT_FALSE(errorToBool(writeFile(Folder.file(Name), Content)));
  }
  Expected<Workload> load(StringRef Type, StringRef Fill, StringRef Check = "96") {
    std::string Text =
        formatv("source: k.cu\nkernel: k\nsizes: {{ tune: {{ n: 128 }, check: [ {{ n: {0} } ] }\n"
                "grid: [1]\nblock: [32]\nbuffers:\n"
                "  A: {{ {1}, count: n, fill: {2}, role: in }\n"
                "  B: {{ type: f32, count: n, role: out }\narguments: [ A, B ]\n",
                Check, Type, Fill);
    return parseWorkload(Text, Folder.file("w.yaml"));
  }
  std::string errorOf(StringRef Type, StringRef Fill) {
    return test::inputErrorOf(load(Type, Fill).takeError());
  }
  TemporaryDirectory Folder = cantFail(TemporaryDirectory::create());
};

TEST_F(FileFill, BytesOfTheElements) {
  write("a.bin", std::string(4 * 200, 'x'));
  Workload W = test::valueOf(load("type: f32", "{ file: a.bin }"));
  const FillSpec &Fill = W.Buffers[0].Fill;
  ASSERT_EQ(Fill.FillKind, FillSpec::Kind::File);
  EXPECT_EQ(Fill.FileOffset, 0u);
  EXPECT_EQ(Fill.File->Hash, contentHash(std::string(800, 'x')));
  ASSERT_EQ(W.Files.size(), 1u);
  EXPECT_EQ(W.Files[0].Written, "a.bin");
  EXPECT_EQ(test::valueOf(resolve(W, W.CheckSizes[0])).Buffers[0].Count, 96u) << "the first elements";
  // What was read stays, whatever becomes of the file; a file that was read is not read again.
  write("a.bin", "changed");
  EXPECT_EQ(Fill.File->Content.size(), 800u);
  Expected<Workload> Again =
      parseWorkload("source: k.cu\nkernel: k\nsizes: { tune: { n: 1 }, check: [ { n: 1 } ] }\n"
                    "grid: [1]\nblock: [32]\nbuffers:\n"
                    "  A: { type: f32, count: 200, fill: { file: a.bin }, role: inout }\n"
                    "arguments: [ A ]\n",
                    "elsewhere/w.yaml", W.Files);
  EXPECT_EQ(test::valueOf(std::move(Again)).Buffers[0].Fill.File, Fill.File);
}

TEST_F(FileFill, FilesOfNumPy) {
  struct {
    const char *Type, *Description, *Shape;
    unsigned Bytes;
  } const Cases[] = {
      {"f32", "<f4", "(128,)", 4}, {"f64", "<f8", "(2, 64)", 8},     {"f16", "<f2", "(128, 1)", 2},
      {"i8", "|i1", "(128,)", 1},  {"u16", "<u2", "(4, 4, 8)", 2},   {"i64", "<i8", "( 128 , )", 8},
      {"u8", "|u1", "(130,)", 1},  {"i32", "<i4", "(1, 128, 2)", 4}, {"u64", "<u8", "(128,)", 8}};
  for (const auto &Case : Cases)
    for (char Version : {1, 2, 3}) {
      size_t Elements = StringRef(Case.Shape) == "(130,)"        ? 130
                        : StringRef(Case.Shape) == "(1, 128, 2)" ? 256
                                                                 : 128;
      std::string File = npy(header(Case.Description, Case.Shape), Elements * Case.Bytes, Version);
      write("a.npy", File);
      Expected<Workload> W = load(std::string("type: ") + Case.Type, "{ file: a.npy }");
      ASSERT_TRUE(bool(W)) << Case.Type << ": " << toString(W.takeError());
      const FillSpec &Fill = W->Buffers[0].Fill;
      EXPECT_EQ(Fill.FileOffset % 64, 0u) << "as NumPy aligns it";
      EXPECT_EQ(Fill.FileOffset + Elements * Case.Bytes, File.size());
    }
}

TEST_F(FileFill, KeysOfTheHeaderMayComeInAnyOrder) {
  write("a.npy", npy("{\"shape\": (128,), \"fortran_order\": False, \"descr\": \"<f4\"}", 512));
  EXPECT_FALSE(errorToBool(load("type: f32", "{ file: a.npy }").takeError()));
}

TEST_F(FileFill, Structures) {
  write("x.npy", npy(header("<f4", "(128,)"), 512));
  write("all.bin", std::string(8 * 128, 'x'));
  Workload W = test::valueOf(load("struct: { x: f32, id: i16 }", "{ x: { file: x.npy }, id: iota }"));
  EXPECT_EQ(W.Buffers[0].Fill.Fields[0].FillKind, FillSpec::Kind::File);
  W = test::valueOf(load("struct: { x: f32, id: i16 }", "{ file: all.bin }"));
  EXPECT_EQ(W.Buffers[0].Fill.FillKind, FillSpec::Kind::File);
  W = test::valueOf(load("struct: { file: f32 }", "{ file: { file: x.npy } }"));
  EXPECT_EQ(W.Buffers[0].Fill.FillKind, FillSpec::Kind::Fields) << "a field of that name";
  EXPECT_NE(errorOf("struct: { x: f32, id: i16 }", "{ file: x.npy }").find("NumPy's files are of one type"),
            std::string::npos);
  write("short.npy", npy(header("<i2", "(100,)"), 200));
  EXPECT_NE(errorOf("struct: { x: f32, id: i16 }", "{ x: iota, id: { file: short.npy } }")
                .find("buffers.A.count: the buffer has 128 elements, but the file"),
            std::string::npos);
}

TEST_F(FileFill, WhatDoesNotFitIsAnError) {
  auto Of = [&](StringRef Type, StringRef Content, StringRef Name = "a.npy") {
    write(Name, Content);
    return errorOf(("type: " + Type).str(), ("{ file: " + Name + " }").str());
  };
  auto Has = [](const std::string &Message, StringRef Part) {
    EXPECT_NE(Message.find(Part), std::string::npos) << Message << "\nhas no: " << Part.str();
  };
  std::string Good = npy(header("<f4", "(128,)"), 512);
  Has(errorOf("type: f32", "{ file: none.npy }"), ":7:");
  Has(errorOf("type: f32", "{ file: none.npy }"), "buffers.A.fill.file: cannot read");
  Has(errorOf("type: f32", "{ file: . }"), "it is not a regular file");
  Has(errorOf("type: f32", "{ file: /dev/zero }"), "it is not a regular file");
  Has(errorOf("type: f32", "{ file: [ a ] }"), "buffers.A.fill.file: expected the path of a file");
  Has(errorOf("type: f32", "{ file: a.npy, seed: 1 }"),
      "buffers.A.fill.seed: does not go with 'file'; expected { file: NAME }");
  Has(Of("f64", Good), "it has elements of the type '<f4'; expected '<f8', NumPy's f64: convert it with "
                       "array.astype('<f8')");
  Has(Of("i32", Good), "expected '<i4'");
  Has(Of("f32", npy(header(">f4", "(128,)"), 512)), "type '>f4', in big-endian order; expected '<f4'");
  Has(Of("u8", npy(header("|b1", "(128,)"), 128)), "expected '|u1'");
  Has(Of("f32", npy("{'descr': '<f4', 'fortran_order': No }                    \n", 512)),
      "'fortran_order': No }', column"); // Without the padding.
  Has(Of("bf16", npy(header("<u2", "(128,)"), 256)), "NumPy has no bf16");
  Has(Of("f32", npy(header("<f4", "(2, 64)", "True"), 512)), "it is in Fortran's order");
  Has(Of("f32", npy("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (128,), }", 512)),
      "it has elements with fields");
  Has(Of("f32", npy(header("<f4", "(128,)"), 511)), "which is not what its shape says; copy it again");
  Has(Of("f32", npy(header("<f4", "(128,)"), 513)), "which is not what its shape says");
  Has(Of("f32", npy(header("<f4", "(4294967296, 4294967296)"), 512)), "which is not what its shape says");
  Has(Of("f32", npy(header("<f4", "(100,)"), 400)),
      "buffers.A.count: the buffer has 128 elements, but the file '");
  Has(Of("f32", npy(header("<f4", "()"), 4)), "only 1 (with n = 128)");
  Has(Of("f32", npy("{'descr': '<f4', 'shape': (128,)}", 512)), "expected descr, fortran_order and shape");
  Has(Of("f32", npy("{'descr': '<f4', 'descr': '<f4'}", 512)), "unknown or repeated key 'descr'");
  Has(Of("f32", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", 512)),
      "expected the extents");
  Has(Of("f32", npy("no dictionary", 512)), "expected '{'");
  Has(Of("f32", npy(header("<f4", "(128,)"), 512, 4)), "version 4.0; expected 1.0 to 3.0");
  Has(Of("f32", StringRef(Good).take_front(40)), "it ends within its header");
  Has(Of("f32", StringRef(Good).take_front(7)), "it is no .npy file");
  Has(Of("f32", std::string(512, 'x')), "it is no .npy file");
  Has(Of("f32", "", "empty.npy"), "it is no .npy file");
  Has(Of("f32", Good, "a.bin"), "it is one of NumPy's, whose header would be taken for elements");
  Has(Of("f32", std::string(513, 'x'), "a.bin"), "513 bytes are no whole number of elements of 4");
  Has(Of("f32", "", "empty.bin"), "only 0");
}

TEST_F(FileFill, NoHeaderCrashes) {
  std::string Good = npy(header("<f4", "(128,)"), 512);
  for (size_t At = 0; At != 128; ++At)
    for (char Odd : {'\0', '(', '\'', '9', '\xff'}) {
      std::string Other = Good;
      Other[At] = Odd;
      write("a.npy", Other);
      Expected<Workload> W = load("type: f32", "{ file: a.npy }");
      if (W)
        EXPECT_EQ(W->Buffers[0].Fill.FileOffset + 512, Other.size());
      else
        consumeError(W.takeError());
    }
}

} // namespace
