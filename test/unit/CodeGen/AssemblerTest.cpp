//===- AssemblerTest.cpp - Batches of variants through ptxas ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/Assembler.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace llvm;

namespace {

class AssemblerTest : public testing::Test {
protected:
  Toolchain Tools = cantFail(findToolchain());
  const DeviceInfo &H200 = *cantFail(findDevice("sm_90"));
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());

  static void SetUpTestSuite() { initializeCodeGen(); }

  std::string ptx(const char *Pipeline) {
    static const std::string Bitcode = cantFail(compileToBitcode(
        cantFail(findToolchain()), {GPUPRUNE_SOURCE_DIR "/kernels/matmul/matmul.cu", {}, {}, "sm_90"}));
    VariantRequest Request;
    Request.Bitcode = Bitcode;
    Request.Pipeline = Pipeline;
    return cantFail(compileVariant(Request)).Ptx;
  }
};

constexpr const char *Kernel = "_Z6matmulPKfS0_Pfi";

TEST_F(AssemblerTest, BatchEqualsAlone) {
  std::vector<std::string> Ptx{ptx(""), ptx("gpu-block-coarsen<x=4;y=4;shared=interleaved>"),
                               ptx("gpu-block-coarsen<x=2>,gpu-registers<max=32>")};
  std::vector<AssemblyJob> Jobs;
  for (const std::string &P : Ptx)
    Jobs.push_back({P, Kernel});
  auto Together = assemble(Tools, H200, Jobs, Directory.file("together.cubin"));
  ASSERT_EQ(Together.size(), 3u);
  for (size_t I = 0; I < Jobs.size(); ++I) {
    auto Alone = assemble(Tools, H200, Jobs[I], Directory.file("alone.cubin"));
    ASSERT_TRUE(bool(Together[I])) << toString(Together[I].takeError());
    ASSERT_TRUE(bool(Alone[0])) << toString(Alone[0].takeError());
    EXPECT_EQ(Together[I]->Resources.Registers, Alone[0]->Resources.Registers);
    EXPECT_EQ(Together[I]->Resources.StaticShared, Alone[0]->Resources.StaticShared);
    EXPECT_EQ(Together[I]->Resources.CodeBytes, Alone[0]->Resources.CodeBytes);
    EXPECT_GT(Alone[0]->Resources.CodeBytes, 0u);
  }
  EXPECT_EQ(Together[0]->Resources.StaticShared, 2u * 16 * 16 * 4);
  EXPECT_EQ(Together[1]->Resources.StaticShared, 8u * 16 * 16 * 4);
  EXPECT_LE(Together[2]->Resources.Registers, 32u);
}

TEST_F(AssemblerTest, OneBadVariantCostsOnlyItself) {
  std::string Good = ptx("");
  std::string Bad =
      ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry broken() {\n  nonsense;\n}\n";
  auto Results = assemble(Tools, H200, {{Good, Kernel}, {Bad, "broken"}}, Directory.file("mixed.cubin"));
  ASSERT_EQ(Results.size(), 2u);
  EXPECT_TRUE(bool(Results[0]));
  ASSERT_FALSE(bool(Results[1]));
  TakenError E = takeError(Results[1].takeError());
  EXPECT_EQ(E.Kind, ErrorKind::Ptxas);
  EXPECT_NE(E.Text.find("nonsense"), std::string::npos) << E.Text;
}

TEST_F(AssemblerTest, TooMuchSharedMemoryIsResources) {
  StringRef Ptx = ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry big() {\n"
                  "  .shared .b8 tile[65536];\n  .reg .b32 %r<2>;\n  mov.b32 %r1, tile;\n"
                  "  st.shared.b32 [%r1], %r1;\n  ret;\n}\n";
  auto Results = assemble(Tools, H200, AssemblyJob{Ptx, "big"}, Directory.file("big.cubin"));
  ASSERT_EQ(Results.size(), 1u);
  ASSERT_FALSE(bool(Results[0]));
  EXPECT_EQ(takeError(Results[0].takeError()).Kind, ErrorKind::Resources);
}

TEST_F(AssemblerTest, SpillsAreReported) {
  std::string Ptx = ptx("gpu-block-coarsen<x=8;y=8;shared=interleaved>,gpu-registers<max=40>");
  auto Results = assemble(Tools, H200, AssemblyJob{Ptx, Kernel}, Directory.file("spill.cubin"));
  ASSERT_TRUE(bool(Results[0])) << toString(Results[0].takeError());
  EXPECT_GT(Results[0]->SpillStoreBytes, 0u);
  EXPECT_GT(Results[0]->SpillLoadBytes, 0u);
  EXPECT_GT(Results[0]->Resources.LocalBytes, 0u);
}

TEST_F(AssemblerTest, BoundsSayWhichBlocksAreTaken) {
  auto Bounded = [&](const char *Bounds) {
    std::string Ptx = formatv(
        ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k()\n{0}\n{{\n  ret;\n}\n", Bounds);
    return cantFail(
               std::move(assemble(Tools, H200, AssemblyJob{Ptx, "k"}, Directory.file("k.cubin")).front()))
        .Resources;
  };
  CubinKernel Free = Bounded(""), AtMost = Bounded(".maxntid 16, 8"), Exactly = Bounded(".reqntid 16, 8");
  EXPECT_TRUE(Free.takesBlock({1024, 1, 1}));
  EXPECT_TRUE(AtMost.takesBlock({128, 1, 1}));
  EXPECT_FALSE(AtMost.takesBlock({129, 1, 1}));
  EXPECT_TRUE(Exactly.takesBlock({16, 8, 1}));
  EXPECT_FALSE(Exactly.takesBlock({8, 16, 1}));
}

TEST(RenameSymbolsTest, OnlyWhatTheModuleDefines) {
  StringRef Ptx =
      ".extern .func (.param .b32 r) vprintf\n(\n\t.param .b64 p\n);\n"
      ".func  (.param .b32 func_retval0) helper(\n\t.param .b32 helper_param_0\n)\n{\n\tret;\n}\n"
      ".shared .align 4 .b8 tile[64];\n"
      ".visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\tmov.u32 %r1, tile;\n\tcall (r), helper, (p);\n"
      "\tcall (r), vprintf, (p);\n}\n";
  std::string Renamed = renameSymbols(Ptx, "_v1");
  EXPECT_NE(Renamed.find(".entry k_v1("), std::string::npos) << Renamed;
  EXPECT_NE(Renamed.find("tile_v1[64]"), std::string::npos);
  EXPECT_NE(Renamed.find("%r1, tile_v1;"), std::string::npos);
  EXPECT_NE(Renamed.find(") helper_v1("), std::string::npos);
  EXPECT_NE(Renamed.find(", helper_v1, "), std::string::npos);
  EXPECT_EQ(Renamed.find("vprintf_v1"), std::string::npos);
  EXPECT_NE(Renamed.find("k_param_0"), std::string::npos);
  EXPECT_EQ(Renamed.find("k_param_0_v1"), std::string::npos);
}

TEST(RenameSymbolsTest, VariablesOfTheHostKeepTheirNames) {
  StringRef Ptx =
      ".visible .const .align 4 .b8 weights[64];\n.visible .global .align 4 .u32 counter;\n"
      ".global .align 4 .b8 table[4] = {1, 2, 3, 4};\n"
      ".visible .entry k()\n{\n\tld.const.b32 %r1, [weights];\n\tld.global.b32 %r2, [table];\n}\n";
  std::string Renamed = renameSymbols(Ptx, "_v1");
  EXPECT_NE(Renamed.find("[weights]"), std::string::npos) << Renamed;
  EXPECT_NE(Renamed.find(".u32 counter;"), std::string::npos);
  EXPECT_NE(Renamed.find("[table_v1]"), std::string::npos);
  EXPECT_NE(Renamed.find(".entry k_v1("), std::string::npos);
}

/// A kernel that reads \p Index of a constant array of \p Bytes.
std::string constantPtx(unsigned Bytes, unsigned Index) {
  return formatv(".version 8.8\n.target sm_90\n.address_size 64\n.visible .const .align 4 .b8 weights[{0}];\n"
                 ".visible .entry k(.param .u64 k_param_0) {{\n  .reg .b32 %r<2>;\n  .reg .b64 %rd<2>;\n"
                 "  ld.param.b64 %rd1, [k_param_0];\n  ld.const.b32 %r1, [weights+{1}];\n"
                 "  st.global.b32 [%rd1], %r1;\n  ret;\n}\n",
                 Bytes, Index);
}

TEST_F(AssemblerTest, ConstantsThatFillTheBankAreThereOnce) {
  std::string First = constantPtx(64000, 0), Second = constantPtx(64000, 63996);
  auto Results = assemble(Tools, H200, {{First, "k"}, {Second, "k"}}, Directory.file("constant.cubin"));
  ASSERT_EQ(Results.size(), 2u);
  for (auto &R : Results)
    ASSERT_TRUE(bool(R)) << toString(R.takeError());
  EXPECT_EQ(Results[0]->Cubin, Results[1]->Cubin);
  EXPECT_EQ(Results[0]->Symbol, "k_v0");
  EXPECT_EQ(Results[1]->Symbol, "k_v1");
}

TEST_F(AssemblerTest, ConstantsThatDifferStayApart) {
  std::string First = constantPtx(64, 0), Second = constantPtx(128, 0);
  auto Results = assemble(Tools, H200, {{First, "k"}, {Second, "k"}}, Directory.file("differ.cubin"));
  ASSERT_EQ(Results.size(), 2u);
  for (auto &R : Results)
    ASSERT_TRUE(bool(R)) << toString(R.takeError());
  EXPECT_NE(Results[0]->Cubin, Results[1]->Cubin);
}

TEST(ReadCubinTest, RefusesOtherFiles) {
  for (StringRef Image : {"", "\177ELF", "not an ELF file at all, but long enough"}) {
    auto Kernels = readCubin(Image, 0);
    ASSERT_FALSE(bool(Kernels));
    EXPECT_EQ(takeError(Kernels.takeError()).Kind, ErrorKind::CodeGen);
  }
}

} // namespace
