//===- MachineInstructions.h - What a machine instruction is in the PTX ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_ANALYSIS_MACHINEINSTRUCTIONS_H
#define GPUPRUNE_LIB_ANALYSIS_MACHINEINSTRUCTIONS_H

#include "gpuprune/Analysis/InstructionClass.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class MachineInstr;
class TargetMachine;
} // namespace llvm

namespace gpuprune {

/// One instruction of the PTX text.
struct PtxInstruction {
  InstructionClass Class = InstructionClass::Other;
  bool Blocks = false;
  /// A load through a cache that no store of the kernel reaches.
  bool ReadOnly = false;
};

/// What NVPTX opcodes print as, derived once from the printer's own tables and the
/// rows of InstructionClasses.def.
class OpcodeTable {
public:
  /// The table of the NVPTX target; \p Machine must be one of that target.
  static const OpcodeTable &get(const llvm::TargetMachine &Machine);

  /// The PTX instructions that \p MI prints as: none for what prints as nothing
  /// or as a directive, several for inline assembly and a few opcodes.
  llvm::SmallVector<PtxInstruction, 1> print(const llvm::MachineInstr &MI) const;

private:
  struct Row {
    PtxInstruction Instruction;
    unsigned Lines = 1;
  };
  explicit OpcodeTable(const llvm::TargetMachine &Machine);
  std::vector<Row> Rows;
};

/// Bytes that a load or store of \p MI moves.
double accessBytes(const llvm::MachineInstr &MI);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_ANALYSIS_MACHINEINSTRUCTIONS_H
