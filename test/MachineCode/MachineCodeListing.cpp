//===- MachineCodeListing.cpp - Cubins as the decoder sees them -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpuprune-machine-code list CUBIN...: a line for each instruction, with tabs between
// section, offset, guard, name, registers read, registers written, target.
// gpuprune-machine-code waits CUBIN...: a line for each result that is not waited for,
// and how many are waited for only by way of a later one.
// gpuprune-machine-code clear CUBIN...: how many bits of wait masks there are, and how many
// of them are missed if they are cleared one at a time.
// gpuprune-machine-code loops PTX CUBIN: of each kernel of the cubin, which of the PTX's
// loops are found in machine code.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/Dependences.h"
#include "gpuprune/MachineCode/LoopMatch.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuprune;
using namespace llvm;

static void printRegisters(ArrayRef<RegisterRange> Ranges) {
  ListSeparator Comma(",");
  for (const RegisterRange &R : Ranges)
    for (unsigned Number = R.First; Number != R.First + R.Count; ++Number)
      outs() << Comma << registerName(R.File, Number);
}

static void print(const KernelCode &Code, const DecodedInstruction &I) {
  outs() << formatv(".text.{0}\t{1:x-}\t", Code.Name, I.Offset);
  if (!I.Guard.isAlways()) {
    outs() << (I.Guard.IsNegated ? "@!" : "@") << (I.Guard.IsUniform ? "U" : "") << "P";
    outs() << (I.Guard.Number == GuardPredicate::True ? "T" : std::to_string(I.Guard.Number));
  }
  outs() << '\t' << I.Opcode->Name << (I.Opcode->IsAsynchronous ? "*" : "") << '\t';
  printRegisters(I.Reads);
  outs() << '\t';
  printRegisters(I.Writes);
  outs() << '\t';
  if (I.Target)
    outs() << formatv("{0:x-}", *I.Target);
  outs() << '\n';
}

struct WaitCounts {
  size_t Instructions = 0, InOrder = 0, Missing = 0;
};

static void printWaits(const KernelCode &Code, WaitCounts &Counts) {
  Counts.Instructions += Code.Instructions.size();
  for (const MissingWait &M : findMissingWaits(Code)) {
    ++(M.InOrderWith ? Counts.InOrder : Counts.Missing);
    if (M.InOrderWith)
      continue;
    const DecodedInstruction &Producer = Code.Instructions[M.Producer], &User = Code.Instructions[M.User];
    outs() << formatv("{0}: {1} of {2} at {3:x-} is {4} by {5} at {6:x-}\n", Code.Name,
                      registerName(M.Register.File, M.Register.First), Producer.Opcode->Name, Producer.Offset,
                      M.IsOverwrite ? "overwritten" : "read", User.Opcode->Name, User.Offset);
  }
}

static size_t unexplained(const KernelCode &Code) {
  return size_t(count_if(findMissingWaits(Code), [](const MissingWait &M) { return !M.InOrderWith; }));
}

struct ClearedCounts {
  size_t Bits = 0, Missed = 0;
};

static void clearWaits(KernelCode Code, ClearedCounts &Counts) {
  size_t Before = unexplained(Code);
  for (DecodedInstruction &I : Code.Instructions)
    for (unsigned Barrier = 0; Barrier != ControlBits::NumBarriers; ++Barrier) {
      if (!I.Control.waitsOn(Barrier))
        continue;
      uint8_t Mask = I.Control.WaitMask;
      I.Control.WaitMask &= uint8_t(~(1 << Barrier));
      ++Counts.Bits;
      Counts.Missed += unexplained(Code) > Before;
      I.Control.WaitMask = Mask;
    }
}

static void printLoops(const KernelCode &Code, StringRef Ptx, ExitOnError &Exit) {
  FlowGraph OfPtx = Exit(ptxFlow(Ptx, Code.Name)), OfMachine = machineFlow(Code);
  LoopMatches Matches = matchLoops(OfPtx, OfMachine);
  outs() << formatv("{0}: {1} loops in PTX, {2} in machine code\n", Code.Name, OfPtx.Loops.size(),
                    OfMachine.Loops.size());
  for (auto [Loop, Match] : enumerate(Matches.OfPtx)) {
    outs() << "  loop " << Loop << ": ";
    if (Match.Machine)
      outs() << formatv(
          "at {0:x-}{1}{2}\n",
          Code.Instructions[OfMachine.Blocks[OfMachine.Loops[*Match.Machine].Header].Begin].Offset,
          Match.IsAnchored ? "" : ", by order",
          Match.Copies == 1 ? "" : formatv(", {0} copies", Match.Copies).str());
    else
      outs() << Match.Reason << '\n';
  }
}

int main(int Argc, char **Argv) {
  ExitOnError Exit("gpuprune-machine-code: ");
  StringRef Mode = Argc >= 3 ? Argv[1] : "";
  if (Mode == "loops" && Argc == 4) {
    std::string Ptx = Exit(readFile(Argv[2]));
    for (const KernelCode &Code : Exit(readKernelCode(Exit(readFile(Argv[3])))))
      printLoops(Code, Ptx, Exit);
    return 0;
  }
  if (Mode != "list" && Mode != "waits" && Mode != "clear") {
    errs() << "usage: gpuprune-machine-code list|waits|clear CUBIN... | loops PTX CUBIN\n";
    return 2;
  }
  WaitCounts Counts;
  ClearedCounts Cleared;
  for (const char *Path : ArrayRef(Argv + 2, Argv + Argc))
    for (const KernelCode &Code : Exit(readKernelCode(Exit(readFile(Path))))) {
      if (Mode == "waits")
        printWaits(Code, Counts);
      else if (Mode == "clear")
        clearWaits(Code, Cleared);
      else
        for (const DecodedInstruction &I : Code.Instructions)
          print(Code, I);
    }
  if (Mode == "waits")
    outs() << formatv("{0} instructions: {1} results not waited for, {2} waited for by way of a later one\n",
                      Counts.Instructions, Counts.Missing, Counts.InOrder);
  if (Mode == "clear")
    outs() << formatv("{0} of {1} cleared waits are missed\n", Cleared.Missed, Cleared.Bits);
}
