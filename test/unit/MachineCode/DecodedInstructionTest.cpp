//===- DecodedInstructionTest.cpp - Instructions decoded one by one ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Encodings that ptxas 13.0 made of the kernels; the comments show what nvdisasm
// prints. test/MachineCode/disassembly.test compares whole kernels.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/DecodedInstruction.h"
#include "gtest/gtest.h"

using namespace gpuprune;
using namespace llvm;

namespace {

/// "R4-7 UR6-7": ranges by their first and last register.
std::string text(ArrayRef<RegisterRange> Ranges) {
  std::string Text;
  for (const RegisterRange &R : Ranges) {
    Text += (Text.empty() ? "" : " ") + registerName(R.File, R.First);
    if (R.Count > 1)
      Text += "-" + std::to_string(R.First + R.Count - 1);
  }
  return Text;
}

struct Expected {
  const char *Name, *Writes, *Reads;
};

DecodedInstruction expect(unsigned Architecture, const Encoding &Code, const struct Expected &E) {
  DecodedInstruction I = decodeInstruction(Code, 0x100, Architecture);
  EXPECT_STREQ(I.Opcode->Name, E.Name);
  EXPECT_EQ(text(I.Writes), E.Writes) << E.Name;
  EXPECT_EQ(text(I.Reads), E.Reads) << E.Name;
  return I;
}

TEST(DecodedInstructionTest, ControlBits) {
  // S2R R3, SR_TID.X
  DecodedInstruction I = expect(90, {0x0000000000037919, 0x000e2e0000002100}, {"S2R", "R3", ""});
  EXPECT_EQ(I.Control.Stall, 7);
  EXPECT_FALSE(I.Control.Yield);
  EXPECT_EQ(I.Control.WriteBarrier, 0);
  EXPECT_EQ(I.Control.ReadBarrier, ControlBits::NoBarrier);
  EXPECT_EQ(I.Control.WaitMask, 0);
  // FFMA R11, R13, R11, R0
  I = expect(90, {0x0000000b0d0b7223, 0x004fc80000000000}, {"FFMA", "R11", "R13 R11 R0"});
  EXPECT_EQ(I.Control.Stall, 4);
  EXPECT_TRUE(I.Control.Yield);
  EXPECT_EQ(I.Control.WriteBarrier, ControlBits::NoBarrier);
  EXPECT_TRUE(I.Control.waitsOn(2));
  EXPECT_FALSE(I.Control.waitsOn(1));
  EXPECT_FALSE(I.Control.waitsOn(ControlBits::NoBarrier));
  // HMMA.16816.F32 R4, R12.reuse, R28, RZ
  I = expect(90, {0x0000001c0c04723c, 0x044fec00000018ff}, {"HMMA", "R4-7", "R12-15 R28-29"});
  EXPECT_EQ(I.Control.Reuse, 1);
}

TEST(DecodedInstructionTest, OffsetsOfConstants) {
  // ULDC.64 UR6, c[0x3][UR9+-0x8]
  DecodedInstruction I = expect(90, {0x00fffe0009067abb, 0x000fe20008000a00}, {"ULDC", "UR6-7", "UR9"});
  EXPECT_EQ(I.ConstantOffset, -8);
  // ULDC UR6, c[0x3][UR8]
  I = expect(90, {0x00c0000008067abb, 0x000fe20008000800}, {"ULDC", "UR6", "UR8"});
  EXPECT_EQ(I.ConstantOffset, 0);
  // LDC.64 R12, c[0x0][0x210]
  I = expect(90, {0x00008400ff0c7b82, 0x000e220000000a00}, {"LDC", "R12-13", ""});
  EXPECT_EQ(I.ConstantOffset, 0x210);
  // LDS.128 R8, [R16]
  I = expect(90, {0x0000000010087984, 0x000e680000000c00}, {"LDS", "R8-11", "R16"});
  EXPECT_FALSE(I.ConstantOffset);
}

TEST(DecodedInstructionTest, GroupsOfRegisters) {
  // LDG.E.128 R8, desc[UR6][R8.64]
  DecodedInstruction I = expect(90, {0x0000000608087981, 0x000f62000c1e1d00}, {"LDG", "R8-11", "R8-9 UR6-7"});
  EXPECT_EQ(I.AccessBytes, 16);
  // STG.E.64 [R14.64], R8
  I = expect(80, {0x000000080e007986, 0x000fe4000c101b06}, {"STG", "", "R8-9 R14-15 UR6-7"});
  EXPECT_EQ(I.AccessBytes, 8);
  // LDS.128 R8, [R16]
  expect(90, {0x0000000010087984, 0x000e680000000c00}, {"LDS", "R8-11", "R16"});
  // IMAD.WIDE R12, R10, 0x4, R12
  expect(90, {0x000000040a0c7825, 0x001fc800078e020c}, {"IMAD", "R12-13", "R10 R12-13"});
  // DFMA R10, R2, -R12, 1
  expect(90, {0x3ff00000020a742b, 0x002fe2000000080c}, {"DFMA", "R10-11", "R2-3 R12-13"});
  // @!P0 DFMA R16, R16, R18, -UR4
  expect(90, {0x8000000410108e2b, 0x000fc60008000012}, {"DFMA", "R16-17", "P0 R16-17 R18-19 UR4-5"});
  // LDC.64 R12, c[0x0][0x210]
  expect(90, {0x00008400ff0c7b82, 0x000e220000000a00}, {"LDC", "R12-13", ""});
}

TEST(DecodedInstructionTest, Predicates) {
  // ISETP.GE.AND P0, PT, R0, R9, PT
  DecodedInstruction I = expect(90, {0x000000090000720c, 0x002fda0003f06270}, {"ISETP", "P0", "R0 R9"});
  EXPECT_TRUE(I.Guard.isAlways());
  // @!P0 FFMA R2, R2, 1.84467440737095516160e+19, RZ
  I = expect(90, {0x5f80000002028823, 0x000fe200000000ff}, {"FFMA", "R2", "P0 R2"});
  EXPECT_EQ(I.Guard.Number, 0);
  EXPECT_TRUE(I.Guard.IsNegated);
  EXPECT_FALSE(I.Guard.isAlways() || I.Guard.isNever() || I.Guard.IsUniform);
  // P2R R0, PR, RZ, 0x1
  expect(90, {0x00000001ff007803, 0x000fe40000000000}, {"P2R", "R0", "P0"});
}

/// URZ is register 63 before sm_100, 255 from there on.
TEST(DecodedInstructionTest, UniformRegisters) {
  // UIADD3 UR4, UP0, UR4, 0x8, URZ
  expect(80, {0x0000000804047890, 0x000fe2000ff1e03f}, {"UIADD3", "UR4 UP0", "UR4"});
  // UIADD3 UR5, UPT, UPT, UR5, 0x4, URZ
  expect(120, {0x0000000405057890, 0x000fc8000fffe0ff}, {"UIADD3", "UR5", "UR5"});
  // @!UPT UIADD3 URZ, URZ, URZ, URZ
  DecodedInstruction I = expect(80, {0x0000003f3f3ff290, 0x000ff6000fffe03f}, {"UIADD3", "", ""});
  EXPECT_TRUE(I.Guard.isNever() && I.Guard.IsUniform);
}

TEST(DecodedInstructionTest, Targets) {
  // @!P0 BRA, 0x3a0 bytes ahead; the low bits of the distance are elsewhere from sm_90 on.
  DecodedInstruction I = expect(80, {0x000003a000008947, 0x000fea0003800000}, {"BRA", "", "P0"});
  EXPECT_EQ(I.Target, 0x100 + 16 + 0x3a0);
  I = expect(90, {0x0000000000f08947, 0x000fea0003800000}, {"BRA", "", "P0"});
  EXPECT_EQ(I.Target, 0x100 + 16 + 0x3c0);
  // BRA to itself.
  I = expect(90, {0xfffffffc00fc7947, 0x000fc0000383ffff}, {"BRA", "", ""});
  EXPECT_EQ(I.Target, 0x100);
  // BSSY B0
  I = expect(90, {0x0000007000007945, 0x000fd80003800000}, {"BSSY", "", ""});
  EXPECT_EQ(I.Target, 0x100 + 16 + 0x70);
  // EXIT
  I = expect(90, {0x000000000000094d, 0x000fea0003800000}, {"EXIT", "", "P0"});
  EXPECT_FALSE(I.Target);
}

TEST(DecodedInstructionTest, CountedWaits) {
  // DEPBAR.LE SB5, 0x5
  DecodedInstruction I = expect(80, {0x0000d1400000791a, 0x000fc80000000000}, {"DEPBAR", "", ""});
  ASSERT_TRUE(I.CountedWait);
  EXPECT_EQ(I.CountedWait->Barrier, 5);
  EXPECT_EQ(I.CountedWait->Count, 5);
}

TEST(DecodedInstructionTest, OneOpcodeOfTwoNames) {
  Encoding Code{0x0000000404047235, 0x000fc80000000000};
  EXPECT_STREQ(decodeInstruction(Code, 0, 90).Opcode->Name, "HFMA2");
  EXPECT_STREQ(decodeInstruction(Code, 0, 120).Opcode->Name, "IADD");
  Code.Low = 0x000000040400798e;
  EXPECT_STREQ(decodeInstruction(Code, 0, 80).Opcode->Name, "RED");
  EXPECT_STREQ(decodeInstruction(Code, 0, 90).Opcode->Name, "REDG");
}

TEST(DecodedInstructionTest, DoublePrecisionLatencyDependsOnTheArchitecture) {
  const OpcodeInfo &Fma = findOpcode({0x3ff00000020a742b, 0}, 90);
  for (unsigned Architecture : {90, 100})
    EXPECT_FALSE(Fma.isVariable(Architecture)) << Architecture;
  for (unsigned Architecture : {80, 86, 89, 103, 110, 120, 121})
    EXPECT_TRUE(Fma.isVariable(Architecture)) << Architecture;
}

TEST(DecodedInstructionTest, UnknownOpcodesAreNamedSo) {
  // TEX.LL RZ, R0, R6, R25, UR4, 0x0, 2D, 0x1
  DecodedInstruction I = expect(90, {0x2000041906007f60, 0x000f6200099e01ff}, {"Unknown", "", ""});
  EXPECT_FALSE(I.Opcode->IsKnown);
  EXPECT_EQ(I.Control.WriteBarrier, 5);
  EXPECT_EQ(I.Control.Stall, 1);
}

/// Groups end at the last register, whatever the bits say.
TEST(DecodedInstructionTest, NoRegisterBehindTheLast) {
  // LDS.128 R8, [R16] with destination 254.
  DecodedInstruction I = decodeInstruction({0x0000000010fe7984, 0x000e680000000c00}, 0, 90);
  EXPECT_EQ(text(I.Writes), "R254");
}

} // namespace
