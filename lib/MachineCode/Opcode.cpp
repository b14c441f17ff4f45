//===- Opcode.cpp - The opcodes of sm_80 to sm_121 --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/Opcode.h"
#include <array>

using namespace llvm;

namespace gpuprune {

namespace {

/// Where the bits of a row mean its opcode.
enum class When : uint8_t { Always, Before90, From90, Before100, From100, Form2, Form6, Form7, Dense };

struct OpcodeRow {
  OpcodeInfo Info;
  When Condition;
};

} // namespace

static bool holds(When Condition, const Encoding &Code, unsigned Architecture) {
  switch (Condition) {
  case When::Always:
    return true;
  case When::Before90:
    return Architecture < 90;
  case When::From90:
    return Architecture >= 90;
  case When::Before100:
    return Architecture < 100;
  case When::From100:
    return Architecture >= 100;
  case When::Form2:
    return Code.form() == 2;
  case When::Form6:
    return Code.form() == 6;
  case When::Form7:
    return Code.form() == 7;
  case When::Dense:
    return !Code.bit(72);
  }
  return false;
}

static constexpr OpcodeRow makeRow(OpcodeInfo Info, When Condition) { return {Info, Condition}; }

static constexpr auto makeRows() {
  using namespace operand;
  return std::to_array<OpcodeRow>({
#define OPCODE(Bits, Condition, Name, Class, Unit, Latency, Operands, Size)                                  \
  makeRow(                                                                                                   \
      {#Name, Bits, InstructionClass::Class, Pipe::Unit, LatencyKind::Latency, Operands, OperandSize::Size}, \
      When::Condition),
#define ASYNCHRONOUS(Bits, Condition, Name, Class, Unit)                                                     \
  makeRow({#Name, Bits, InstructionClass::Class, Pipe::Unit, LatencyKind::None, operand::None,               \
           OperandSize::One, /*IsKnown=*/true, /*IsAsynchronous=*/true},                                     \
          When::Condition),
#include "gpuprune/MachineCode/Opcodes.def"
  });
}

static constexpr auto Rows = makeRows();
static constexpr unsigned NumOpcodes = 1 << 9;

/// The first row of each opcode; the number of rows where there is none.
static constexpr std::array<uint16_t, NumOpcodes> makeFirstRows() {
  std::array<uint16_t, NumOpcodes> First{};
  First.fill(Rows.size());
  for (size_t Row = Rows.size(); Row-- != 0;)
    First[Rows[Row].Info.Bits] = uint16_t(Row);
  return First;
}

static constexpr std::array<uint16_t, NumOpcodes> FirstRows = makeFirstRows();

static constexpr bool isInOrder() {
  for (size_t Row = 1; Row < Rows.size(); ++Row)
    if (Rows[Row - 1].Info.Bits > Rows[Row].Info.Bits)
      return false;
  return true;
}
static_assert(isInOrder(), "rows of one opcode have to follow each other");

static constexpr OpcodeInfo Unknown = {
    "Unknown",        0, InstructionClass::Other, Pipe::None, LatencyKind::None, operand::None,
    OperandSize::One,
    /*IsKnown=*/false};

bool OpcodeInfo::isVariable(unsigned Architecture) const {
  bool HasFastFp64 = Architecture == 90 || Architecture == 100;
  return Latency == LatencyKind::Variable || (Latency == LatencyKind::Fp64 && !HasFastFp64);
}

const OpcodeInfo &findOpcode(const Encoding &Code, unsigned Architecture) {
  for (size_t Row = FirstRows[Code.opcode()]; Row < Rows.size() && Rows[Row].Info.Bits == Code.opcode();
       ++Row)
    if (holds(Rows[Row].Condition, Code, Architecture))
      return Rows[Row].Info;
  return Unknown;
}

} // namespace gpuprune
