//===- MachineCodeListing.cpp - Cubins as the decoder sees them -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpuprune-machine-code list CUBIN: a line for each instruction, with tabs between
// section, offset, guard, name, registers read, registers written, target.
// gpuprune-machine-code waits CUBIN: a line for each missing wait, and how many.
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

static void print(const KernelCode &Code, const Instruction &I) {
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

static void printWaits(const KernelCode &Code) {
  for (const MissingWait &M : findMissingWaits(Code)) {
    const Instruction &Producer = Code.Instructions[M.Producer], &User = Code.Instructions[M.User];
    outs() << formatv("{0} {1:x-} {2} {3} by {4:x-} {5}", M.IsOverwrite ? "overwritten" : "read", Producer.Offset,
                      Producer.Opcode->Name, registerName(M.Register.File, M.Register.First), User.Offset,
                      User.Opcode->Name);
    if (M.Barrier != ControlBits::NoBarrier)
      outs() << " without waiting on " << unsigned(M.Barrier);
    else if (M.InOrderWith)
      outs() << formatv(" behind {0:x-}", Code.Instructions[*M.InOrderWith].Offset);
    else
      outs() << " without a barrier";
    outs() << "\t" << Code.Name << '\n';
  }
}

int main(int Argc, char **Argv) {
  ExitOnError Exit("gpuprune-machine-code: ");
  StringRef Mode = Argc == 3 ? Argv[1] : "";
  if (Mode != "list" && Mode != "waits") {
    errs() << "usage: gpuprune-machine-code list|waits CUBIN\n";
    return 2;
  }
  for (const KernelCode &Code : Exit(readKernelCode(Exit(readFile(Argv[2]))))) {
    if (Mode == "waits")
      printWaits(Code);
    else
      for (const Instruction &I : Code.Instructions)
        print(Code, I);
  }
}
