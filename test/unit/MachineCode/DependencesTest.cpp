//===- DependencesTest.cpp - Whether results are waited for -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// test/MachineCode/waits.test checks all kernels.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/Dependences.h"
#include "gpuprune/CodeGen/Assembler.h"
#include "gpuprune/MachineCode/CubinFile.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace llvm;

namespace {

constexpr uint8_t None = ControlBits::NoBarrier;

/// \p Code with other control bits.
Encoding with(Encoding Code, uint8_t WriteBarrier, uint8_t WaitMask, uint8_t ReadBarrier = None) {
  constexpr uint64_t Mask = uint64_t(0xfff) << (110 - 64);
  uint64_t Bits = uint64_t(WriteBarrier) | uint64_t(ReadBarrier) << 3 | uint64_t(WaitMask) << 6;
  Code.High = (Code.High & ~Mask) | Bits << (110 - 64);
  return Code;
}

/// Under P0 or, negated, under !P0.
Encoding guarded(Encoding Code, bool IsNegated) {
  Code.Low = (Code.Low & ~uint64_t(0xf000)) | (IsNegated ? 0x8000 : 0);
  return Code;
}

constexpr Encoding LoadR8{0x0000000608087981, 0x000f62000c1e1900}, // LDG.E R8, desc[UR6][R8.64]
    SharedR8{0x0000000010087984, 0x000e680000000800},              // LDS R8, [R16]
    SharedR13{0x00000000100d7984, 0x000e680000000800},             // LDS R13, [R16]
    SpecialR14{0x00000005000e7308, 0x008e220000001000},            // MUFU.RCP R14, R5
    ReadR8{0x0000000b080b7223, 0x004fc80000000000},                // FFMA R11, R8, R11, R0
    WriteR8{0x0000000b0d087223, 0x004fc80000000000},               // FFMA R8, R13, R11, R0
    WriteP0{0x000000090000720c, 0x002fda0003f06270},               // ISETP.GE.AND P0, PT, R0, R9, PT
    Jump{0xfffffffc00fc7947, 0x000fc0000383ffff},                  // BRA
    AtMostOne{0x000080400000791a, 0x000fc80000000000};             // DEPBAR.LE SB0, 0x1

KernelCode kernel(ArrayRef<Encoding> Codes) {
  KernelCode Code;
  Code.Architecture = 90;
  for (const Encoding &Bits : Codes)
    Code.Instructions.push_back(
        decodeInstruction(Bits, uint32_t(Code.Instructions.size() * InstructionBytes), 90));
  return Code;
}

std::vector<MissingWait> missing(ArrayRef<Encoding> Codes) { return findMissingWaits(kernel(Codes)); }

TEST(DependencesTest, UsersWait) {
  EXPECT_TRUE(missing({with(LoadR8, 3, 0), with(ReadR8, None, 1 << 3)}).empty());
  EXPECT_TRUE(missing({with(LoadR8, 3, 0), with(Jump, None, 1 << 3), with(ReadR8, None, 0)}).empty());
  std::vector<MissingWait> Missing = missing({with(LoadR8, 3, 0), with(ReadR8, None, 1 << 2)});
  ASSERT_EQ(Missing.size(), 1u);
  EXPECT_EQ(Missing[0].Producer, 0u);
  EXPECT_EQ(Missing[0].User, 1u);
  EXPECT_EQ(Missing[0].Register, (RegisterRange{RegisterFile::General, 8, 1}));
  EXPECT_EQ(Missing[0].Barrier, 3);
  EXPECT_FALSE(Missing[0].IsOverwrite || Missing[0].InOrderWith);
}

TEST(DependencesTest, WhoOverwritesWaits) {
  std::vector<MissingWait> Missing = missing({with(LoadR8, 3, 0), with(WriteR8, None, 0)});
  ASSERT_EQ(Missing.size(), 1u);
  EXPECT_TRUE(Missing[0].IsOverwrite);
  EXPECT_TRUE(missing({with(LoadR8, 3, 0), with(WriteR8, None, 1 << 3)}).empty());
}

TEST(DependencesTest, OneUnitFinishesInOrder) {
  std::vector<MissingWait> Missing =
      missing({with(SharedR8, None, 0), with(SharedR13, 1, 0), with(ReadR8, None, 1 << 1)});
  ASSERT_EQ(Missing.size(), 1u);
  EXPECT_EQ(Missing[0].InOrderWith, 1u);
  // Not before the later one has finished, not behind one before it, and not across units.
  using Three = std::array<Encoding, 3>;
  for (const Three &Codes :
       {Three{with(SharedR8, None, 0), with(SharedR13, 1, 0), with(ReadR8, None, 0)},
        Three{with(SharedR13, 1, 0), with(SharedR8, None, 0), with(ReadR8, None, 1 << 1)},
        Three{with(SharedR8, None, 0), with(SpecialR14, 1, 0), with(ReadR8, None, 1 << 1)}}) {
    Missing = missing(Codes);
    ASSERT_EQ(Missing.size(), 1u);
    EXPECT_FALSE(Missing[0].InOrderWith);
  }
}

TEST(DependencesTest, OppositeGuardsExclude) {
  Encoding Load = guarded(with(LoadR8, 3, 0), false), Read = guarded(with(ReadR8, None, 0), true);
  EXPECT_TRUE(missing({Load, Read}).empty());
  EXPECT_EQ(missing({Load, guarded(Read, false)}).size(), 1u);
  EXPECT_EQ(missing({Load, WriteP0, Read}).size(), 1u);
}

TEST(DependencesTest, CountedWaits) {
  ASSERT_TRUE(kernel({AtMostOne}).Instructions[0].CountedWait);
  // The oldest of two has come, the newest not.
  EXPECT_TRUE(missing({with(LoadR8, 0, 0), with(SharedR13, 0, 0), AtMostOne, with(ReadR8, None, 0)}).empty());
  EXPECT_EQ(missing({with(SharedR13, 0, 0), with(LoadR8, 0, 0), AtMostOne, with(ReadR8, None, 0)}).size(),
            1u);
}

TEST(DependencesTest, NothingIsKnownBehindAJump) {
  EXPECT_TRUE(missing({with(LoadR8, 3, 0), Jump, with(ReadR8, None, 0)}).empty());
  EXPECT_EQ(missing({with(LoadR8, 3, 0), guarded(Jump, false), with(ReadR8, None, 0)}).size(), 1u);
}

constexpr StringLiteral LoadsAndRoots =
    ".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n .reg .b32 %r<9>;\n"
    " .reg .f32 %f<9>;\n .reg .b64 %rd<9>;\n ld.param.b64 %rd1, [p];\n mov.u32 %r1, %tid.x;\n"
    " mul.wide.u32 %rd2, %r1, 4;\n add.u64 %rd3, %rd1, %rd2;\n ld.global.f32 %f1, [%rd3];\n"
    " sqrt.approx.f32 %f2, %f1;\n add.f32 %f3, %f2, %f1;\n st.global.f32 [%rd3], %f3;\n ret;\n}\n";

/// Each bit of a wait mask in the file, cleared by itself, is missed. In this kernel all waits are for
/// results.
TEST(DependencesTest, FindsEveryClearedWait) {
  std::string Image =
      cantFail(assembleImage(cantFail(findToolchain()), *cantFail(findDevice("sm_90")), LoadsAndRoots));
  CubinFile File = cantFail(readCubinFile(Image));
  auto Text = find_if(File.Sections, [](const CubinSection &S) { return S.Name == ".text.k"; });
  ASSERT_NE(Text, File.Sections.end());
  size_t Begin = size_t(Text->Contents.data() - Image.data());
  std::vector<KernelCode> Codes = cantFail(readKernelCode(Image));
  EXPECT_TRUE(findMissingWaits(Codes[0]).empty());
  unsigned Cleared = 0;
  for (const DecodedInstruction &I : Codes[0].Instructions)
    for (unsigned Barrier = 0; Barrier != ControlBits::NumBarriers; ++Barrier) {
      if (!I.Control.waitsOn(Barrier))
        continue;
      std::string Changed = Image;
      unsigned Bit = 116 + Barrier;
      Changed[Begin + I.Offset + Bit / 8] &= char(~(1 << Bit % 8));
      ++Cleared;
      EXPECT_FALSE(findMissingWaits(cantFail(readKernelCode(Changed))[0]).empty())
          << I.Opcode->Name << " waits on " << Barrier;
    }
  EXPECT_GE(Cleared, 3u);
}

} // namespace
