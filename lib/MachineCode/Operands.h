//===- Operands.h - Which registers an instruction reads and writes ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_MACHINECODE_OPERANDS_H
#define GPUPRUNE_LIB_MACHINECODE_OPERANDS_H

#include "gpuprune/MachineCode/DecodedInstruction.h"

namespace gpuprune {

/// Into \p Into, whose opcode and guard are known.
void decodeOperands(const Encoding &Code, unsigned Architecture, DecodedInstruction &Into);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_MACHINECODE_OPERANDS_H
