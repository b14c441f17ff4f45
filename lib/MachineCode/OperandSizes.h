//===- OperandSizes.h - How many registers an operand has -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_MACHINECODE_OPERANDSIZES_H
#define GPUPRUNE_LIB_MACHINECODE_OPERANDSIZES_H

#include "gpuprune/MachineCode/Opcode.h"

namespace gpuprune {

/// Registers of each operand; V and W are as long as D.
struct OperandSizes {
  uint8_t D = 1, A = 1, B = 1, C = 1;
};

OperandSizes operandSizes(OperandSize Rule, const Encoding &Code, unsigned Architecture);

/// Bytes that a thread loads or stores, 0 where the opcode accesses no memory.
uint8_t accessBytes(const OpcodeInfo &Opcode, const Encoding &Code, unsigned Architecture);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_MACHINECODE_OPERANDSIZES_H
