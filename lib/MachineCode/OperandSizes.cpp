//===- OperandSizes.cpp - How many registers an operand has -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OperandSizes.h"

using namespace llvm;

namespace gpuprune {

static constexpr OperandSizes AllTwo = {2, 2, 2, 2};

/// Of LD and the like: U8, S8, U16, S16, 32, 64, 128 and U.128.
static uint8_t bytesOfAccess(const Encoding &Code) {
  static constexpr uint8_t Bytes[] = {1, 1, 2, 2, 4, 8, 16, 16};
  return Bytes[Code.field(73, 3)];
}

/// U32, S32, U64, F32, F16x2, S64, F64 and one that is not known.
static uint8_t bytesOfAtomic(const Encoding &Code) {
  static constexpr uint8_t Bytes[] = {4, 4, 8, 4, 4, 8, 8, 4};
  return Bytes[Code.field(73, 3)];
}

/// Of those that add floating-point numbers: F32 is 1, F32x2 is 2, F64 is 7.
static uint8_t bytesOfAtomicFloat(const Encoding &Code) {
  static constexpr uint8_t Bytes[] = {4, 4, 8, 4, 4, 4, 4, 8};
  return Bytes[Code.field(73, 3)];
}

static uint8_t bytesOfMatrix(const Encoding &Code) { return uint8_t(4 << std::min<uint64_t>(Code.field(72, 2), 2)); }

static uint8_t registersOf(uint8_t Bytes) { return uint8_t((Bytes + 3) / 4); }

static OperandSizes ofDestination(uint8_t Bytes) { return {.D = registersOf(Bytes)}; }

/// HMMA: bit 75 has the larger K, bit 76 sums in fp32, bit 78 has the smaller K of TF32, bit 73 is sparse.
static OperandSizes halfTensor(const Encoding &Code) {
  uint8_t Sum = Code.bit(76) ? 4 : 2;
  bool IsLarge = Code.bit(75) && !Code.bit(78);
  uint8_t A = IsLarge && !Code.bit(73) ? 4 : 2;
  return {.D = Sum, .A = A, .B = uint8_t(IsLarge ? 2 : 1), .C = Sum};
}

/// IMMA.16816 and, with bit 75, IMMA.16832.
static OperandSizes intTensor(const Encoding &Code) {
  if (Code.bit(75))
    return {.D = 4, .A = 4, .B = 2, .C = 4};
  return {.D = 4, .A = 2, .B = 1, .C = 4};
}

OperandSizes operandSizes(OperandSize Rule, const Encoding &Code) {
  auto TwoIf = [](bool Condition) { return Condition ? AllTwo : OperandSizes(); };
  switch (Rule) {
  case OperandSize::One:
    return {};
  case OperandSize::Two:
    return AllTwo;
  case OperandSize::WideMultiply:
    return {.D = 2, .C = 2};
  case OperandSize::HighMultiply:
    return {.C = 2};
  case OperandSize::Flagged:
    return TwoIf(Code.bit(80));
  case OperandSize::Move:
    return TwoIf(Code.form() == 2 || Code.bit(80));
  case OperandSize::Select:
    return TwoIf(Code.form() == 2 || Code.form() == 3);
  case OperandSize::MinMax:
    return TwoIf(Code.bit(74));
  case OperandSize::Convert:
    return {.D = uint8_t(Code.field(75, 2) == 3 ? 2 : 1), .B = uint8_t(Code.field(84, 2) == 3 ? 2 : 1)};
  case OperandSize::Access:
    return ofDestination(bytesOfAccess(Code));
  case OperandSize::Atomic:
    return ofDestination(bytesOfAtomic(Code));
  case OperandSize::AtomicFloat:
    return ofDestination(bytesOfAtomicFloat(Code));
  case OperandSize::Matrix:
    return ofDestination(bytesOfMatrix(Code));
  case OperandSize::HalfTensor:
    return halfTensor(Code);
  case OperandSize::IntTensor:
    return intTensor(Code);
  case OperandSize::DoubleTensor:
    return {.D = 4, .A = 2, .B = 2, .C = 4};
  }
  return {};
}

uint8_t accessBytes(const OpcodeInfo &Opcode, const Encoding &Code) {
  switch (Opcode.Size) {
  case OperandSize::Access:
    return bytesOfAccess(Code);
  case OperandSize::Atomic:
    return bytesOfAtomic(Code);
  case OperandSize::AtomicFloat:
    return bytesOfAtomicFloat(Code);
  case OperandSize::Matrix:
    return bytesOfMatrix(Code);
  default:
    return 0;
  }
}

} // namespace gpuprune
