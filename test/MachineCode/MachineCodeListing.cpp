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
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/Dependences.h"
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

int main(int Argc, char **Argv) {
  ExitOnError Exit("gpuprune-machine-code: ");
  StringRef Mode = Argc >= 3 ? Argv[1] : "";
  if (Mode != "list" && Mode != "waits") {
    errs() << "usage: gpuprune-machine-code list|waits CUBIN...\n";
    return 2;
  }
  WaitCounts Counts;
  for (const char *Path : ArrayRef(Argv + 2, Argv + Argc))
    for (const KernelCode &Code : Exit(readKernelCode(Exit(readFile(Path))))) {
      if (Mode == "waits")
        printWaits(Code, Counts);
      else
        for (const DecodedInstruction &I : Code.Instructions)
          print(Code, I);
    }
  if (Mode == "waits")
    outs() << formatv("{0} instructions: {1} results not waited for, {2} waited for by way of a later one\n",
                      Counts.Instructions, Counts.Missing, Counts.InOrder);
}
