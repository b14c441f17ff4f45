//===- KernelCodeTest.cpp - Kernels decoded from cubins ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/KernelCode.h"
#include "gpuprune/CodeGen/Assembler.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace llvm;

namespace {

constexpr StringLiteral Twice =
    "\n.address_size 64\n.visible .entry {0}(.param .u64 p)\n{\n .reg .b32 %r<9>;\n .reg .b64 %rd<9>;\n"
    " ld.param.b64 %rd1, [p];\n mov.u32 %r1, %tid.x;\n mul.wide.u32 %rd2, %r1, 4;\n add.u64 %rd3, %rd1, "
    "%rd2;\n"
    " ld.global.b32 %r2, [%rd3];\n shl.b32 %r3, %r2, 1;\n st.global.b32 [%rd3], %r3;\n ret;\n}\n";

std::string cubin(StringRef Architecture) {
  std::string Text = ".version 8.8\n.target " + Architecture.str() + Twice.str();
  Text.replace(Text.find("{0}"), 3, "twice");
  return cantFail(assembleImage(cantFail(findToolchain()), *cantFail(findDevice(Architecture)), Text));
}

std::string reason(Error E) {
  TakenError Taken = takeError(std::move(E));
  EXPECT_EQ(Taken.Kind, ErrorKind::CodeGen);
  return Taken.Text;
}

TEST(KernelCodeTest, KernelsOfAllArchitectures) {
  for (auto [Name, Architecture] : {std::pair("sm_80", 80u), std::pair("sm_90", 90u),
                                    std::pair("sm_100", 100u), std::pair("sm_120", 120u)}) {
    std::vector<KernelCode> Codes = cantFail(readKernelCode(cubin(Name)));
    ASSERT_EQ(Codes.size(), 1u) << Name;
    EXPECT_EQ(Codes[0].Name, "twice");
    EXPECT_EQ(Codes[0].Architecture, Architecture);
    EXPECT_FALSE(Codes[0].isEstimated());
    auto IsOf = [](InstructionClass Class) {
      return [=](const DecodedInstruction &I) { return I.Opcode->Class == Class; };
    };
    EXPECT_EQ(count_if(Codes[0].Instructions, IsOf(InstructionClass::LoadGlobal)), 1) << Name;
    EXPECT_EQ(count_if(Codes[0].Instructions, IsOf(InstructionClass::StoreGlobal)), 1) << Name;
    EXPECT_EQ(count_if(Codes[0].Instructions, [](const DecodedInstruction &I) { return I.isNamed("EXIT"); }),
              1);
    for (auto [Index, I] : enumerate(Codes[0].Instructions))
      EXPECT_EQ(I.Offset, Index * InstructionBytes);
  }
}

TEST(KernelCodeTest, RefusesAnotherEncoding) {
  auto Codes = readKernelCode(cubin("sm_75"));
  ASSERT_FALSE(bool(Codes));
  EXPECT_EQ(reason(Codes.takeError()),
            "not a cubin that can be read: its code is for sm_75; that of sm_80 to sm_121 can be decoded");
}

TEST(KernelCodeTest, RefusesOtherFiles) {
  for (StringRef Image : {"", "\177ELF", "not an ELF file at all, but long enough"}) {
    auto Codes = readKernelCode(Image);
    ASSERT_FALSE(bool(Codes));
    reason(Codes.takeError());
  }
}

TEST(KernelCodeTest, RefusesHalfAnInstruction) {
  std::string Section(3 * InstructionBytes, '\0');
  EXPECT_EQ(cantFail(decodeSection(Section, 90, "k")).Instructions.size(), 3u);
  for (size_t Size : {1, 15, 17, 47}) {
    auto Code = decodeSection(StringRef(Section).take_front(Size), 90, "k");
    ASSERT_FALSE(bool(Code)) << Size;
    EXPECT_EQ(reason(Code.takeError()),
              "not a cubin that can be read: the code of 'k' is no whole number of instructions");
  }
  EXPECT_TRUE(cantFail(decodeSection("", 90, "k")).Instructions.empty());
}

TEST(KernelCodeTest, NamesWhatMakesAnEstimate) {
  // TEX twice, SYNCS, EXIT.
  std::string Section;
  for (uint64_t Low : {0x7f60, 0x7f60, 0x79a7, 0x794d}) {
    for (unsigned Byte = 0; Byte != 8; ++Byte)
      Section += char(Low >> (8 * Byte));
    Section += std::string(8, '\0');
  }
  KernelCode Code = cantFail(decodeSection(Section, 90, "k"));
  EXPECT_TRUE(Code.isEstimated());
  EXPECT_EQ(Code.Estimated, (std::map<std::string, unsigned>{{"SYNCS", 1}, {"Unknown", 2}}));
}

/// Every opcode in every form, with all other bits set and none: nothing is worse than unknown.
TEST(KernelCodeTest, DecodesAnyBits) {
  for (unsigned Architecture : {80u, 90u, 100u, 120u})
    for (uint64_t Low = 0; Low != 1 << 12; ++Low)
      for (Encoding Code : {Encoding{Low, 0}, Encoding{Low | ~uint64_t(0xfff), ~uint64_t(0)}}) {
        DecodedInstruction I = decodeInstruction(Code, 0, Architecture);
        for (const RegisterRange &R : concat<const RegisterRange>(I.Reads, I.Writes))
          EXPECT_LT(unsigned(R.First) + R.Count, 256u) << I.Opcode->Name;
      }
}

} // namespace
