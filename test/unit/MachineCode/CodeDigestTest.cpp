//===- CodeDigestTest.cpp - When two kernels are the same program -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/CodeDigest.h"
#include "gpuprune/CodeGen/Assembler.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <set>

using namespace gpuprune;
using namespace llvm;

namespace {

constexpr StringLiteral Header = ".version 8.8\n.target sm_90\n.address_size 64\n";

/// What a kernel of the tests is made of; each is looked at by its instructions.
struct Parts {
  std::string Name = "k";
  std::string Bounds;         ///< Directives behind the parameters.
  std::string MoreParameters; ///< Behind the pointer and the number.
  std::string Variables;      ///< At module level.
  std::string Body = "add.u32 %r2, %r1, 5;";
  std::string Functions;
  unsigned SharedBytes = 64;
};

std::string ptx(const Parts &P) {
  return formatv("{0}{1}{2}.visible .entry {3}(.param .u64 p, .param .u32 n{4})\n{5}\n{{\n"
                 "  .reg .b32 %r<9>;\n  .reg .b64 %rd<9>;\n  .shared .align 4 .b8 tile[{6}];\n"
                 "  ld.param.b64 %rd1, [p];\n  ld.param.u32 %r1, [n];\n  {7}\n"
                 "  mov.u32 %r4, %tid.x;\n  shl.b32 %r4, %r4, 2;\n  mov.u32 %r5, tile;\n"
                 "  add.u32 %r5, %r5, %r4;\n  st.shared.b32 [%r5], %r2;\n  bar.sync 0;\n"
                 "  ld.shared.b32 %r3, [%r5+4];\n  st.global.b32 [%rd1], %r3;\n  ret;\n}\n",
                 Header, P.Variables, P.Functions, P.Name, P.MoreParameters, P.Bounds, P.SharedBytes, P.Body)
      .str();
}

class CodeDigestTest : public testing::Test {
protected:
  Toolchain Tools = cantFail(findToolchain());
  const DeviceInfo &H200 = *cantFail(findDevice("sm_90"));
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());

  /// Of the kernels of \p Texts, assembled in one run of ptxas.
  std::vector<std::string> batch(ArrayRef<Parts> All) {
    std::vector<std::string> Texts, Codes;
    for (const Parts &P : All)
      Texts.push_back(ptx(P));
    std::vector<AssemblyJob> Jobs;
    for (auto [Text, P] : zip_equal(Texts, All))
      Jobs.push_back({Text, P.Name});
    for (Expected<AssembledKernel> &Made : assemble(Tools, H200, Jobs, Directory.file("batch.cubin"))) {
      EXPECT_TRUE(bool(Made)) << toString(Made.takeError());
      Codes.push_back(Made ? Made->MachineCode : "");
      EXPECT_EQ(Codes.back().size(), 64u);
    }
    return Codes;
  }
  std::string code(const Parts &P) { return batch(P).front(); }
};

std::string helper(unsigned Factor) {
  return formatv(".func (.param .b32 r) helper(.param .b32 a)\n{{\n  .reg .b32 %r<9>;\n"
                 "  .reg .pred %p<2>;\n  ld.param.b32 %r1, [a];\n  setp.lt.s32 %p1, %r1, 2;\n"
                 "  @%p1 bra done;\n  sub.s32 %r3, %r1, 1;\n  {{ .param .b32 a0; .param .b32 r0;\n"
                 "  st.param.b32 [a0], %r3;\n  call.uni (r0), helper, (a0);\n"
                 "  ld.param.b32 %r1, [r0]; }\ndone:\n  mul.lo.s32 %r2, %r1, {0};\n"
                 "  st.param.b32 [r], %r2;\n  ret;\n}\n",
                 Factor);
}
constexpr const char *CallHelper = "{ .param .b32 a0; .param .b32 r0; st.param.b32 [a0], %r1;\n"
                                   "  call.uni (r0), helper, (a0); ld.param.b32 %r2, [r0]; }";

TEST_F(CodeDigestTest, BoundsThatDoNotBindDoNotCount) {
  std::string Plain = code({});
  for (const char *Bounds :
       {".maxnreg 64", ".maxnreg 128", ".maxntid 128", ".reqntid 64", ".maxntid 256\n.minnctapersm 2"}) {
    Parts Bounded;
    Bounded.Bounds = Bounds;
    EXPECT_EQ(code(Bounded), Plain) << Bounds;
  }
}

TEST_F(CodeDigestTest, WhatIsExecutedCounts) {
  Parts Immediate, Operation, MoreShared, Parameter, Cluster, Barriers;
  Immediate.Body = "add.u32 %r2, %r1, 6;";
  Operation.Body = "xor.b32 %r2, %r1, 5;";
  MoreShared.SharedBytes = 128;
  Parameter.MoreParameters = ", .param .u32 unused";
  Cluster.Bounds = ".reqntid 64\n.reqnctapercluster 2";
  Barriers.Body = "add.u32 %r2, %r1, 5;\n  bar.sync 3;";
  std::set<std::string> Different{code({})};
  for (const Parts &P : {Immediate, Operation, MoreShared, Parameter, Cluster, Barriers})
    EXPECT_TRUE(Different.insert(code(P)).second) << ptx(P);
}

TEST_F(CodeDigestTest, LayoutOfParametersCounts) {
  Parts Wide, Two;
  Wide.MoreParameters = ", .param .u64 a";
  Two.MoreParameters = ", .param .u32 a, .param .u32 b, .param .u32 c"; // As many bytes.
  EXPECT_NE(code(Wide), code(Two));
}

TEST_F(CodeDigestTest, CalledFunctionsCount) {
  auto Calling = [](unsigned Factor) {
    Parts P;
    P.Functions = helper(Factor);
    P.Body = CallHelper;
    return P;
  };
  EXPECT_EQ(code(Calling(77)), code(Calling(77)));
  EXPECT_NE(code(Calling(77)), code(Calling(78)));
}

Parts reading(std::string Variable) {
  Parts P;
  P.Variables = std::move(Variable);
  StringRef Space = StringRef(P.Variables).contains(".const ") ? "const" : "global";
  P.Body = formatv("mul.wide.u32 %rd3, %r1, 4;\n  mov.u64 %rd4, table;\n  add.u64 %rd4, %rd4, %rd3;\n"
                   "  ld.{0}.b32 %r2, [%rd4];",
                   Space);
  return P;
}

TEST_F(CodeDigestTest, VariablesCount) {
  std::set<std::string> Different;
  for (const char *Variable :
       {".global .align 4 .b32 table[2] = {1, 2};\n", ".global .align 4 .b32 table[2] = {1, 3};\n",
        ".global .align 4 .b32 table[3] = {1, 2, 0};\n",
        ".visible .global .align 4 .b32 table[2] = {1, 2};\n", ".global .align 4 .b32 table[2];\n",
        ".global .align 4 .b32 table[4];\n", ".visible .const .align 4 .b32 table[2] = {1, 2};\n",
        ".visible .const .align 4 .b32 table[2] = {1, 3};\n", ".visible .const .align 4 .b32 table[2];\n"}) {
    std::string Code = code(reading(Variable));
    EXPECT_TRUE(Different.insert(Code).second) << Variable;
    EXPECT_EQ(code(reading(Variable)), Code) << Variable;
  }
}

TEST_F(CodeDigestTest, WhatVariablesPointToCounts) {
  auto Pointing = [](unsigned Last) {
    return reading(formatv(".global .align 4 .b32 far[2] = {{1, {0}};\n"
                           ".global .align 8 .u64 table[1] = {{generic(far)};\n",
                           Last));
  };
  EXPECT_EQ(code(Pointing(2)), code(Pointing(2)));
  EXPECT_NE(code(Pointing(2)), code(Pointing(3)));
}

/// The host fills visible variables by name.
TEST_F(CodeDigestTest, NamesOfTheHostsVariablesCount) {
  auto Named = [](const char *First, const char *Second) {
    Parts P;
    P.Variables = formatv(".visible .const .align 4 .b32 {0}[4];\n.visible .const .align 4 .b32 {1}[4];\n",
                          First, Second);
    P.Body = formatv("ld.const.b32 %r2, [{0}];\n  ld.const.b32 %r3, [{1}+4];\n  add.u32 %r2, %r2, %r3;",
                     First, Second);
    return P;
  };
  EXPECT_EQ(code(Named("left", "right")), code(Named("left", "right")));
  EXPECT_NE(code(Named("left", "right")), code(Named("right", "left")));
}

TEST_F(CodeDigestTest, NamesOfKernelsAndFilesDoNotCount) {
  Parts Renamed;
  Renamed.Name = "a_kernel_of_another_name";
  EXPECT_EQ(code(Renamed), code({}));
}

TEST_F(CodeDigestTest, SameAloneAndAnywhereInABatch) {
  Parts Plain, Other, Calling, Constant, Renamed;
  Other.Body = "xor.b32 %r2, %r1, 5;";
  Other.SharedBytes = 256;
  Calling.Functions = helper(7);
  Calling.Body = CallHelper;
  Renamed.Name = "longer_name";
  std::string Alone = code(Plain), OtherAlone = code(Other), CallingAlone = code(Calling);
  std::vector<std::string> Codes = batch({Plain, Other, Plain, Calling, Renamed, Other, Calling});
  EXPECT_EQ(Codes, (std::vector<std::string>{Alone, OtherAlone, Alone, CallingAlone, Alone, OtherAlone,
                                             CallingAlone}));
  Constant = reading(".visible .const .align 4 .b32 table[2] = {1, 2};\n");
  std::string ConstantAlone = code(Constant);
  EXPECT_EQ(batch({Constant, Constant, Constant}), std::vector<std::string>(3, ConstantAlone));
}

TEST_F(CodeDigestTest, UnknownKernelsHaveNone) {
  std::string Path = Directory.file("one.cubin");
  cantFail(runPtxas(Tools, H200, ptx({}), Path).takeError());
  std::string Image = cantFail(readFile(Path));
  std::vector<std::string> Codes = cantFail(machineCodes(Image, {"k", "other"}));
  EXPECT_FALSE(Codes[0].empty());
  EXPECT_TRUE(Codes[1].empty());
}

/// Every byte of the code, and of what describes it, is looked at; what only describes the file is not.
TEST_F(CodeDigestTest, EveryByteOfTheCodeCounts) {
  std::string Path = Directory.file("one.cubin");
  cantFail(runPtxas(Tools, H200, ptx({}), Path).takeError());
  std::string Image = cantFail(readFile(Path));
  std::string Known = cantFail(machineCodes(Image, {"k"})).front();
  // EXIT, which ends the kernel.
  size_t Exit = Image.find(StringRef("\x4d\x79\0\0\0\0\0\0", 8).str());
  ASSERT_NE(Exit, std::string::npos);
  for (size_t Byte = 0; Byte != 16; ++Byte) {
    std::string Changed = Image;
    Changed[Exit + Byte] ^= 1;
    EXPECT_NE(cantFail(machineCodes(Changed, {"k"})).front(), Known) << Byte;
  }
  size_t Note = Image.find("Cuda compilation tools");
  ASSERT_NE(Note, std::string::npos);
  Image[Note] ^= 1;
  EXPECT_EQ(cantFail(machineCodes(Image, {"k"})).front(), Known);
}

TEST(CodeDigestsTest, RefusesOtherFiles) {
  for (StringRef Image : {"", "\177ELF", "not an ELF file at all, but long enough"}) {
    auto Codes = machineCodes(Image, {"k"});
    ASSERT_FALSE(bool(Codes));
    EXPECT_EQ(takeError(Codes.takeError()).Kind, ErrorKind::CodeGen);
  }
}

} // namespace
