//===- DecodedInstruction.cpp - A decoded instruction of machine code --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/DecodedInstruction.h"
#include "Operands.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

std::string registerName(RegisterFile File, unsigned Number) {
  static constexpr const char *Prefixes[] = {"R", "UR", "P", "UP"};
  return Prefixes[size_t(File)] + std::to_string(Number);
}

ControlBits decodeControl(const Encoding &Code) {
  ControlBits Control;
  Control.Stall = uint8_t(Code.field(105, 4));
  Control.Yield = !Code.bit(109);
  Control.WriteBarrier = uint8_t(Code.field(110, 3));
  Control.ReadBarrier = uint8_t(Code.field(113, 3));
  Control.WaitMask = uint8_t(Code.field(116, 6));
  Control.Reuse = uint8_t(Code.field(122, 4));
  return Control;
}

static GuardPredicate decodeGuard(const Encoding &Code, const OpcodeInfo &Opcode) {
  return {.Number = uint8_t(Code.field(12, 3)),
          .IsNegated = Code.bit(15),
          .IsUniform = (Opcode.Operands & operand::U) != 0};
}

/// Relative to the next instruction, in units of four bytes; from sm_90 on the low eight bits are apart.
static int64_t relativeTarget(const Encoding &Code, unsigned Architecture) {
  uint64_t High = Code.field(34, 48);
  if (Architecture < 90)
    return SignExtend64<48>(High) * 4;
  return SignExtend64<56>(High << 8 | Code.field(16, 8)) * 4;
}

static std::optional<int64_t> decodeTarget(const Encoding &Code, const DecodedInstruction &I,
                                           unsigned Architecture) {
  if (I.Opcode->Class != InstructionClass::Branch)
    return std::nullopt;
  int64_t Next = int64_t(I.Offset) + InstructionBytes;
  if (I.isNamed("BSSY"))
    return Next + SignExtend64<32>(Code.field(32, 32));
  if (I.isNamed("BRA") || (I.isNamed("CALL") && Code.form() != 1))
    return Next + relativeTarget(Code, Architecture);
  return std::nullopt;
}

static std::optional<CountedWait> decodeCountedWait(const Encoding &Code, const DecodedInstruction &I) {
  if (!I.isNamed("DEPBAR") || !Code.bit(47))
    return std::nullopt;
  return CountedWait{uint8_t(Code.field(44, 3)), uint8_t(Code.field(38, 6))};
}

DecodedInstruction decodeInstruction(const Encoding &Code, uint32_t Offset, unsigned Architecture) {
  DecodedInstruction I;
  I.Offset = Offset;
  I.Opcode = &findOpcode(Code, Architecture);
  I.Guard = decodeGuard(Code, *I.Opcode);
  I.Control = decodeControl(Code);
  I.Target = decodeTarget(Code, I, Architecture);
  I.CountedWait = decodeCountedWait(Code, I);
  decodeOperands(Code, Architecture, I);
  return I;
}

bool isDecodable(unsigned Architecture) { return Architecture >= 80 && Architecture < 130; }

} // namespace gpuprune
