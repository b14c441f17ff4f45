//===- MachineCodeFuzzer.cpp - Any bytes as machine code ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As a cubin, and as the code of one kernel, whose architecture the first byte tells.
//
//===----------------------------------------------------------------------===//
#include "Fuzzing.h"
#include "gpuprune/MachineCode/Dependences.h"
#include "gpuprune/MachineCode/FlowGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;

/// Blocks lie side by side, and loops are made of them.
static void checkFlow(const KernelCode &Code) {
  FlowGraph Graph = machineFlow(Code);
  size_t End = 0;
  for (const FlowBlock &Block : Graph.Blocks) {
    require(Block.Begin == End && Block.Begin < Block.End, "blocks with a gap or without instructions");
    End = Block.End;
    for (size_t Successor : Block.Successors)
      require(Successor < Graph.Blocks.size(), "a block that does not exist");
  }
  require(End == Code.Instructions.size(), "instructions in no block");
  for (auto [Number, Loop] : enumerate(Graph.Loops))
    require(is_contained(Loop.Blocks, Loop.Header) && (!Loop.Outer || *Loop.Outer < Number),
            "a loop without its header or in front of the one around it");
}

static void check(const KernelCode &Code) {
  for (auto [Index, I] : enumerate(Code.Instructions)) {
    require(I.Offset == Index * InstructionBytes, "an offset out of order");
    for (const RegisterRange &R : concat<const RegisterRange>(I.Reads, I.Writes))
      require(R.Count != 0 && unsigned(R.First) + R.Count <= 255, "a register that does not exist");
    require(I.Opcode->IsKnown || Code.isEstimated(), "an unknown opcode that makes no estimate");
  }
  for (const MissingWait &M : findMissingWaits(Code))
    require(M.Producer < M.User && M.User < Code.Instructions.size(), "a user before its producer");
  checkFlow(Code);
}

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static constexpr unsigned Architectures[] = {80, 90, 100, 120};
  if (auto Codes = readKernelCode(asText(Data, Size)))
    for_each(*Codes, check);
  else
    refusal(Codes.takeError(), ErrorKind::CodeGen);
  if (Size == 0)
    return 0;
  if (auto Code = decodeSection(asText(Data + 1, Size - 1), Architectures[Data[0] % 4], "k"))
    check(*Code);
  else
    refusal(Code.takeError(), ErrorKind::CodeGen);
  return 0;
}
