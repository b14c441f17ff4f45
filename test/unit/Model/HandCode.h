//===- HandCode.h - Machine code written by hand ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_MODEL_HANDCODE_H
#define GPUPRUNE_TEST_UNIT_MODEL_HANDCODE_H

#include "gpuprune/MachineCode/FlowGraph.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuprune::hand {

inline constexpr unsigned Ffma = 0x23, Imad = 0x24, Iadd3 = 0x10, Mufu = 0x108, Lds = 0x184, Ldg = 0x181,
                          Bar = 0x11d, Call = 0x143, Exit = 0x14d, Bra = 0x147;

struct Instruction {
  unsigned Opcode;
  uint8_t Stall = 1;
  std::optional<uint8_t> Writes = std::nullopt; ///< Its write barrier.
  uint8_t WaitMask = 0;
};

inline KernelCode code(llvm::ArrayRef<Instruction> Instructions) {
  KernelCode Code;
  Code.Architecture = 90;
  for (const Instruction &I : Instructions) {
    DecodedInstruction &D = Code.Instructions.emplace_back();
    D.Offset = uint32_t(Code.Instructions.size() - 1) * InstructionBytes;
    D.Opcode = &findOpcode({I.Opcode, 0}, 90);
    D.Control.Stall = I.Stall;
    D.Control.WriteBarrier = I.Writes.value_or(ControlBits::NoBarrier);
    D.Control.WaitMask = I.WaitMask;
  }
  return Code;
}

/// Blocks of so many instructions with so much work, and where each leads.
struct Block {
  size_t Instructions = 0;
  std::vector<size_t> Successors = {};
  uint64_t Work = 0;
};

/// The blocks have their places as numbers.
inline FlowGraph flow(llvm::ArrayRef<Block> Blocks) {
  FlowGraph Graph;
  size_t Begin = 0;
  for (const Block &B : Blocks) {
    FlowBlock &F = Graph.Blocks.emplace_back();
    F.Begin = Begin;
    F.End = Begin += B.Instructions;
    F.Successors = B.Successors;
    F.Work = B.Work;
    F.Number = unsigned(Graph.Blocks.size() - 1);
  }
  findLoops(Graph);
  return Graph;
}

} // namespace gpuprune::hand

#endif // GPUPRUNE_TEST_UNIT_MODEL_HANDCODE_H
