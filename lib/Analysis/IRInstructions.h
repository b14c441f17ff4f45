//===- IRInstructions.h - Counting the instructions of the IR -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_ANALYSIS_IRINSTRUCTIONS_H
#define GPUPRUNE_LIB_ANALYSIS_IRINSTRUCTIONS_H

#include "gpuprune/Analysis/InstructionClass.h"
#include <optional>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace gpuprune {

/// The class of what \p I becomes; nothing for what becomes no instruction.
std::optional<InstructionClass> classifyIR(const llvm::Instruction &I);

/// The memory that \p Pointer points into. A pointer argument of a kernel points
/// into global memory, as the code generator takes it.
MemorySpace pointedSpace(const llvm::Value *Pointer);

/// Bytes that a load or store moves; 0 for anything else.
double accessBytes(const llvm::Instruction &I);

/// True for a barrier, a fence or a wait.
bool isBlocking(const llvm::Instruction &I, InstructionClass Class);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_ANALYSIS_IRINSTRUCTIONS_H
