//===- KernelAloneTest.cpp - A kernel alone is the code it is in its file ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The machine code of each kernel of a file, from the whole of it by clang++ with the plugin, or by stock
// clang, and from what kernelAlone leaves: instructions, resources, constants and what relocations put in.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/KernelAlone.h"
#include "ShippedPtx.h"
#include "gpuprune/CodeGen/Assembler.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace llvm;

namespace {

using ELFT = object::ELF64LE;
using Elf = object::ELFFile<ELFT>;
/// What a cubin says of one kernel, section by section.
using Sections = std::map<std::string, std::string>;

std::string contents(ArrayRef<uint8_t> Bytes) { return std::string(Bytes.begin(), Bytes.end()); }

/// By offset, what the linker puts where relocations of section \p Name say: type, symbol, addend.
std::map<uint64_t, std::string> relocationsOf(const Elf &File, StringRef Name) {
  std::map<uint64_t, std::string> Found;
  auto Add = [&](const ELFT::Shdr &Section, const auto &R, int64_t Addend) {
    const ELFT::Shdr *Symbols = cantFail(File.getSection(Section.sh_link));
    StringRef Names = cantFail(File.getStringTableForSymtab(*Symbols, cantFail(File.sections())));
    StringRef Symbol = cantFail(cantFail(File.getRelocationSymbol(R, Symbols))->getName(Names));
    Found[R.r_offset] += formatv("{0} {1} + {2};", R.getType(false), Symbol, Addend);
  };
  for (const ELFT::Shdr &Section : cantFail(File.sections())) {
    StringRef Of = cantFail(File.getSectionName(Section));
    if (Section.sh_type == ELF::SHT_RELA && Of == (".rela" + Name).str())
      for (const ELFT::Rela &R : cantFail(File.relas(Section)))
        Add(Section, R, R.r_addend);
    if (Section.sh_type == ELF::SHT_REL && Of == (".rel" + Name).str())
      for (const ELFT::Rel &R : cantFail(File.rels(Section)))
        Add(Section, R, 0);
  }
  return Found;
}

constexpr unsigned MoveConstant = 0x802, LoadConstant = 0xb82, LoadUniformConstant = 0xab9;
constexpr unsigned NoRegister = 0xff, AddressBank = 4;

/// Instructions of 16 bytes, but for which word of the table of addresses of variables and functions they
/// load: what lies there instead. A file with more kernels has a longer table.
std::string instructionsOf(const Elf &File, std::string Code) {
  std::map<uint64_t, std::string> Addresses = relocationsOf(File, ".nv.constant4");
  std::string Loaded;
  std::map<unsigned, size_t> Moves; // By the register that has a constant, where it is moved there.
  for (size_t At = 0; At + 16 <= Code.size(); At += 16) {
    uint32_t First = support::endian::read32le(&Code[At]), Second = support::endian::read32le(&Code[At + 4]);
    unsigned Opcode = First & 0xfff, To = First >> 16 & 0xff, From = First >> 24;
    if (Opcode == MoveConstant)
      Moves[To] = At;
    if ((Opcode != LoadConstant && Opcode != LoadUniformConstant) || (Second >> 22 & 31) != AddressBank)
      continue;
    uint64_t Row = (Second >> 8 & 0x3fff) * 4;
    support::endian::write32le(&Code[At + 4], Second & ~(0x3fffu << 8));
    if (auto Move = Moves.find(From); Opcode == LoadConstant && From != NoRegister && Move != Moves.end()) {
      Row += support::endian::read32le(&Code[Move->second + 4]);
      support::endian::write32le(&Code[Move->second + 4], 0);
      Moves.erase(Move);
    }
    Loaded += formatv("{0}: {1}\n", At, Addresses[Row]);
  }
  return Code + Loaded;
}

StringRef symbolName(const Elf &File, uint32_t Number) {
  for (const ELFT::Shdr &Section : cantFail(File.sections()))
    if (Section.sh_type == ELF::SHT_SYMTAB)
      return cantFail(
          cantFail(File.getSymbol(&Section, Number))
              ->getName(cantFail(File.getStringTableForSymtab(Section, cantFail(File.sections())))));
  return "";
}

/// Records {format, attribute, size or value, payload} as Cubin.h says, with the names of symbols for their
/// numbers: PARAM_CBANK begins with one, EXTERNS is a list of them.
std::string recordsOf(const Elf &File, std::string Info) {
  constexpr char HasPayload = 4, ParameterBank = 0x0a, Externals = 0x0f;
  std::string Names;
  for (size_t At = 0; At + 4 <= Info.size();) {
    size_t Bytes = Info[At] == HasPayload ? support::endian::read16le(&Info[At + 2]) : 0;
    size_t Symbols = Info[At + 1] == ParameterBank ? 4 : Info[At + 1] == Externals ? Bytes : 0;
    for (size_t S = At + 4; S < At + 4 + std::min(Bytes, Symbols); S += 4) {
      Names += (symbolName(File, support::endian::read32le(&Info[S])) + ";").str();
      support::endian::write32le(&Info[S], 0);
    }
    At += 4 + Bytes;
  }
  return Info + Names;
}

Sections sectionsOf(StringRef Cubin, const std::string &Kernel) {
  Sections Found;
  Elf File = cantFail(Elf::create(Cubin));
  for (const ELFT::Shdr &Section : cantFail(File.sections())) {
    std::string Name = cantFail(File.getSectionName(Section)).str();
    bool IsKernels = StringRef(Name).ends_with("." + Kernel);
    if ((!IsKernels && Name != ".nv.constant3") || StringRef(Name).starts_with(".rel"))
      continue;
    std::string Content = Section.sh_type == ELF::SHT_NOBITS
                              ? std::to_string(Section.sh_size)
                              : contents(cantFail(File.getSectionContents(Section)));
    if (Name == ".text." + Kernel)
      Content = instructionsOf(File, std::move(Content));
    if (Name == ".nv.info." + Kernel)
      Content = recordsOf(File, std::move(Content));
    for (const auto &[Offset, Text] : relocationsOf(File, Name))
      Content += formatv("{0}: {1}\n", Offset, Text);
    Found[Name] = std::move(Content);
  }
  return Found;
}

struct AloneCase {
  const char *Name;
  std::string Kernel;
  const char *Pipeline; ///< Null: stock clang.
  const char *Source = "alone.cu";
};

void PrintTo(const AloneCase &Case, std::ostream *OS) { *OS << Case.Name; }

class KernelAloneTest : public testing::TestWithParam<AloneCase> {
protected:
  Toolchain Tools = cantFail(findToolchain());
  const DeviceInfo &H200 = *cantFail(findDevice("sm_90"));
  FrontendRequest Frontend{
      std::string(GPUPRUNE_SOURCE_DIR "/test/unit/CodeGen/Inputs/") + GetParam().Source, {}, {}, "sm_90"};
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());

  static void SetUpTestSuite() { initializeCodeGen(); }

  const std::string &bitcode() {
    static std::map<std::string, std::string> Known;
    std::string &Bitcode = Known[Frontend.Source];
    if (Bitcode.empty())
      Bitcode = cantFail(compileToBitcode(Tools, Frontend));
    return Bitcode;
  }

  const std::string &shipped(const char *Pipeline) {
    static std::map<std::string, std::string> Known;
    std::string &Ptx = Known[Frontend.Source + ";" + (Pipeline ? Pipeline : "stock")];
    if (Ptx.empty())
      Ptx = cantFail(ptxOfClang(Tools, Frontend, Pipeline));
    return Ptx;
  }

  std::string assembled(StringRef Ptx) {
    std::string Path = Directory.file("code.cubin");
    Expected<std::string> Log = runPtxas(Tools, H200, Ptx, Path);
    EXPECT_TRUE(bool(Log)) << (Log ? "" : toString(Log.takeError())) << Ptx.str();
    return cantFail(readFile(Path));
  }
};

TEST_P(KernelAloneTest, IsTheMachineCodeOfTheFile) {
  const auto &[Name, Kernel, Pipeline, Source] = GetParam();
  const std::string &Shipped = shipped(Pipeline);
  Expected<LoneKernel> Alone = kernelAlone(bitcode(), Kernel, {});
  ASSERT_TRUE(bool(Alone)) << toString(Alone.takeError());
  ASSERT_FALSE(Alone->Bitcode.empty());
  EXPECT_TRUE(Pipeline || Alone->AlsoForStock);
  VariantRequest Request;
  Request.Bitcode = Alone->Bitcode;
  Request.Stock = !Pipeline;
  Request.Pipeline = Pipeline ? Pipeline : "";
  Request.Kernel = Kernel;
  Expected<VariantCode> Code = compileVariant(Request);
  ASSERT_TRUE(bool(Code)) << toString(Code.takeError());
  EXPECT_LT(Code->Ptx.size(), Shipped.size());
  Sections InFile = sectionsOf(assembled(Shipped), Code->Symbol),
           ByItself = sectionsOf(assembled(Code->Ptx), Code->Symbol);
  EXPECT_GE(InFile.size(), 4u); // Instructions, records, parameters, constant memory.
  EXPECT_EQ(InFile.size(), ByItself.size());
  for (const auto &[Section, Content] : InFile)
    EXPECT_TRUE(ByItself[Section] == Content) << Section << "\nby itself:\n" << Code->Ptx;
}

std::vector<AloneCase> cases() {
  std::vector<AloneCase> All;
  for (const char *Kernel :
       {"many<1>", "many<2>", "many<3>", "writesState", "readsState", "readsPairs", "writesWide",
        "dispatches", "saysSo", "callsAny", "stages", "copies", "bareLoop"})
    All.push_back({Kernel, Kernel, ""});
  All.push_back({"ManyUnrolled", "many<2>", "gpu-unroll<loop=0;factor=2;kernel=many>"});
  All.push_back({"LoopUnrolled", "bareLoop", "gpu-unroll<loop=0;factor=4;kernel=bareLoop>"});
  All.push_back({"LoopCoarsened", "bareLoop", "gpu-block-coarsen<x=2;kernel=bareLoop>"});
  All.push_back({"CopiesToConstant", "copies", "gpu-memory<arg=1;space=constant;bytes=64;kernel=copies>"});
  All.push_back({"StockApart", "apart", nullptr, "apart.cu"});
  for (const char *Kernel : {"adds", "alsoAdds"})
    All.push_back({Kernel, Kernel, "", "apart.cu"});
  return All;
}

TEST(KernelAloneForStock, WhereNothingIsShared) {
  FrontendRequest Frontend{GPUPRUNE_SOURCE_DIR "/test/unit/CodeGen/Inputs/apart.cu", {}, {}, "sm_90"};
  std::string Bitcode = cantFail(compileToBitcode(cantFail(findToolchain()), Frontend));
  EXPECT_TRUE(cantFail(kernelAlone(Bitcode, "apart", {})).AlsoForStock);
  EXPECT_FALSE(cantFail(kernelAlone(Bitcode, "adds", {})).AlsoForStock);
  EXPECT_FALSE(cantFail(kernelAlone(Bitcode, "alsoAdds", {})).AlsoForStock);
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelAloneTest, testing::ValuesIn(cases()), [](const auto &Info) {
  std::string Name = Info.param.Name;
  erase_if(Name, [](char C) { return !isAlnum(C); });
  return Name;
});

//===----------------------------------------------------------------------===//
// What stays
//===----------------------------------------------------------------------===//

/// The IR of kernel "k" alone in a module with \p Text besides, "whole" where that is all of it.
std::string alone(const std::string &Text, ArrayRef<std::string> Symbols = {}) {
  LLVMContext Context;
  SMDiagnostic Problem;
  std::unique_ptr<Module> M =
      parseAssemblyString("target triple = \"nvptx64-nvidia-cuda\"\n" + Text, Problem, Context);
  EXPECT_TRUE(M) << Problem.getMessage().str();
  std::string Bitcode, Printed;
  raw_string_ostream BitcodeOS(Bitcode), OS(Printed);
  WriteBitcodeToFile(*M, BitcodeOS);
  Expected<LoneKernel> Alone = kernelAlone(Bitcode, "k", Symbols);
  if (!Alone)
    return toString(Alone.takeError());
  if (Alone->Bitcode.empty())
    return "whole";
  M = cantFail(parseBitcodeFile(MemoryBufferRef(Alone->Bitcode, "alone"), Context));
  EXPECT_FALSE(verifyModule(*M, &errs()));
  M->print(OS, nullptr);
  return Printed;
}

constexpr const char *TwoKernels = "define ptx_kernel void @k() {\n  ret void\n}\n"
                                   "define ptx_kernel void @other() {\n  ret void\n}\n";

bool has(StringRef Text, StringRef Part) { return Text.contains(Part); }

TEST(WhatStaysTest, TheWholeFileWhereNothingCanBeTold) {
  EXPECT_EQ(alone("define ptx_kernel void @k() {\n  ret void\n}\n"), "whole");
  EXPECT_NE(alone(TwoKernels), "whole");
  EXPECT_EQ(alone(std::string(TwoKernels) + "module asm \".global .u32 hidden;\"\n"), "whole");
  EXPECT_EQ(alone(std::string(TwoKernels) + "@same = alias void (), ptr @other\n"), "whole");
}

TEST(WhatStaysTest, OneKernelOfTheName) {
  EXPECT_EQ(alone("define ptx_kernel void @other() {\n  ret void\n}\n"),
            "0 kernels are called 'k'; expected one");
}

TEST(WhatStaysTest, WhatTheHostNamesAndConstantMemory) {
  std::string Text = std::string(TwoKernels) + "@named = addrspace(1) global i32 0\n"
                                               "@unnamed = addrspace(1) global i32 0\n"
                                               "@bank = addrspace(4) constant i32 0\n"
                                               "@dynamic = external addrspace(3) global [0 x i8]\n";
  std::string Found = alone(Text, {"named"});
  for (const char *Kept : {"@k(", "@named =", "@bank =", "@dynamic ="})
    EXPECT_TRUE(has(Found, Kept)) << Kept << "\n" << Found;
  for (const char *Gone : {"@other", "@unnamed"})
    EXPECT_FALSE(has(Found, Gone)) << Gone << "\n" << Found;
}

TEST(WhatStaysTest, MetadataOfWhatStays) {
  std::string Found =
      alone(std::string(TwoKernels) +
            "@llvm.used = appending global [1 x ptr] [ptr @other], section \"llvm.metadata\"\n"
            "!nvvm.annotations = !{!0, !1}\n!nvvmir.version = !{!2}\n"
            "!0 = !{ptr @k, !\"note\", i32 64}\n!1 = !{ptr @other, !\"note\", i32 32}\n"
            "!2 = !{i32 2, i32 0}\n");
  EXPECT_TRUE(has(Found, "!{ptr @k, !\"note\", i32 64}")) << Found;
  EXPECT_TRUE(has(Found, "!nvvmir.version")) << Found;
  EXPECT_FALSE(has(Found, "i32 32}")) << Found;
  EXPECT_FALSE(has(Found, "@llvm.used")) << Found;
}

/// @k reads @state; @other may write it, by way of @writes.
std::string withState(StringRef Linkage) {
  return formatv(
      "@state = {0} addrspace(1) global i32 0\n"
      "define linkonce_odr void @writes() {{\n  store i32 1, ptr addrspace(1) @state\n  ret void\n}\n"
      "define ptx_kernel void @k(ptr %p) {{\n  %x = load i32, ptr addrspace(1) @state\n"
      "  store i32 %x, ptr %p\n  ret void\n}\n"
      "define ptx_kernel void @other() {{\n  call void @writes()\n  ret void\n}\n"
      "define ptx_kernel void @third() {{\n  ret void\n}\n",
      Linkage);
}

TEST(WhatStaysTest, WhoWritesAnInternalVariable) {
  std::string Internal = alone(withState("internal")), Visible = alone(withState(""));
  EXPECT_TRUE(has(Internal, "@other") && has(Internal, "@writes")) << Internal;
  EXPECT_FALSE(has(Internal, "@third")) << Internal;
  EXPECT_FALSE(has(Visible, "@other") || has(Visible, "@writes")) << Visible;
}

} // namespace
