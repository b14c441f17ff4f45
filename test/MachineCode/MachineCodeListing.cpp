//===- MachineCodeListing.cpp - Cubins as the decoder sees them -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpuprune-machine-code list CUBIN: a line for each instruction, with tabs between
// section, offset, guard, name, registers read, registers written, target.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/MachineCode/KernelCode.h"
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

int main(int Argc, char **Argv) {
  ExitOnError Exit("gpuprune-machine-code: ");
  if (Argc != 3 || StringRef(Argv[1]) != "list") {
    errs() << "usage: gpuprune-machine-code list CUBIN\n";
    return 2;
  }
  for (const KernelCode &Code : Exit(readKernelCode(Exit(readFile(Argv[2])))))
    for (const Instruction &I : Code.Instructions)
      print(Code, I);
}
