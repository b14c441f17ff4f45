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

/// U32, S32, U64 and, from sm_90 on, S64; before it F32, F16x2, S64, F64.
static uint8_t bytesOfAtomic(const Encoding &Code, unsigned Architecture) {
  static constexpr uint8_t Before90[] = {4, 4, 8, 4, 4, 8, 8, 4}, From90[] = {4, 4, 8, 8, 4, 4, 4, 4};
  return (Architecture < 90 ? Before90 : From90)[Code.field(73, 3)];
}

/// Of those that add floating-point numbers: F32 is 1, F32x2 is 2, F64 is 7.
static uint8_t bytesOfAtomicFloat(const Encoding &Code) {
  static constexpr uint8_t Bytes[] = {4, 4, 8, 4, 4, 4, 4, 8};
  return Bytes[Code.field(73, 3)];
}

static uint8_t bytesOfMatrix(const Encoding &Code) {
  return uint8_t(4 << std::min<uint64_t>(Code.field(72, 2), 2));
}

static uint8_t registersOf(uint8_t Bytes) { return uint8_t((Bytes + 3) / 4); }

static OperandSizes ofDestination(uint8_t Bytes) { return {.D = registersOf(Bytes)}; }

/// HMMA. What says which K a type has depends on the type and on whether A is sparse.
static OperandSizes halfTensor(const Encoding &Code) {
  bool IsSparse = Code.bit(73), IsTf32 = Code.bit(83);
  bool IsLarge = IsTf32 == IsSparse ? Code.bit(75) : IsTf32 ? !Code.bit(78) : Code.bit(78);
  uint8_t Sum = Code.bit(76) ? 4 : 2, A = IsLarge ? 4 : 2;
  return {.D = Sum, .A = A, .B = uint8_t(IsSparse ? A : A / 2), .C = Sum};
}

/// IMMA of M 16 (bit 86) or 8, of types of eight bits or four (bit 83).
static OperandSizes intTensor(const Encoding &Code) {
  if (!Code.bit(86))
    return {.D = 2, .C = 2};
  bool IsLarge = Code.bit(83) ? Code.bit(85) : Code.bit(75);
  return {.D = 4, .A = uint8_t(IsLarge ? 4 : 2), .B = uint8_t(IsLarge ? 2 : 1), .C = 4};
}

/// DMMA.8x8x4, 16x8x4, 16x8x8 and 16x8x16.
static OperandSizes doubleTensor(const Encoding &Code) {
  static constexpr OperandSizes Sizes[] = {
      {.D = 4, .A = 2, .B = 2, .C = 4},
      {.D = 8, .A = 4, .B = 2, .C = 8},
      {.D = 8, .A = 8, .B = 4, .C = 8},
      {.D = 8, .A = 16, .B = 8, .C = 8},
  };
  return Sizes[Code.field(76, 2)];
}

OperandSizes operandSizes(OperandSize Rule, const Encoding &Code, unsigned Architecture) {
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
    return TwoIf(Code.form() == 2 || Code.form() == 3 || Code.form() == 7);
  case OperandSize::MinMax:
    return TwoIf(Code.bit(74));
  case OperandSize::Convert:
    return {.D = uint8_t(Code.field(75, 2) == 3 ? 2 : 1), .B = uint8_t(Code.field(84, 2) == 3 ? 2 : 1)};
  case OperandSize::Access:
    return ofDestination(bytesOfAccess(Code));
  case OperandSize::Atomic:
    return ofDestination(bytesOfAtomic(Code, Architecture));
  case OperandSize::AtomicFloat:
    return ofDestination(bytesOfAtomicFloat(Code));
  case OperandSize::Matrix:
    return ofDestination(bytesOfMatrix(Code));
  case OperandSize::HalfTensor:
    return halfTensor(Code);
  case OperandSize::IntTensor:
    return intTensor(Code);
  case OperandSize::DoubleTensor:
    return doubleTensor(Code);
  }
  return {};
}

uint8_t accessBytes(const OpcodeInfo &Opcode, const Encoding &Code, unsigned Architecture) {
  switch (Opcode.Size) {
  case OperandSize::Access:
    return bytesOfAccess(Code);
  case OperandSize::Atomic:
    return bytesOfAtomic(Code, Architecture);
  case OperandSize::AtomicFloat:
    return bytesOfAtomicFloat(Code);
  case OperandSize::Matrix:
    return bytesOfMatrix(Code);
  default:
    return 0;
  }
}

} // namespace gpuprune
