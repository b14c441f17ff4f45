//===- PtxKernel.cpp - A kernel's instructions, read from PTX ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxKernel.h"
#include "PtxVariables.h"
#include "gpuprune/MachineCode/PtxLines.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune {

Error notTraced(const TracedInstruction &I) {
  return makeError(ErrorKind::Refused, "'" + I.Mnemonic + "' is not traced");
}

namespace {

class PtxReader {
public:
  explicit PtxReader(PtxKernel &Into) : Kernel(Into) {}
  Error read();

private:
  PtxKernel &Kernel;
  StringMap<uint32_t> Registers;
  StringRef Failed; ///< The first operand that is not understood.

  uint32_t registerOf(StringRef Name);
  std::optional<uint32_t> findRegister(StringRef Name);
  void declareRegisters(StringRef Text);
  PtxOperand operand(StringRef Text);
  void addAddress(StringRef Text, TracedInstruction &I);
  void addOperand(StringRef Text, bool IsResult, TracedInstruction &I);
  void addInstruction(const PtxLine &Line);
};

} // namespace

/// As StringRef::trim(), which is slow.
static StringRef trimmed(StringRef Text) {
  Text = Text.drop_while(isSpace);
  while (!Text.empty() && isSpace(Text.back()))
    Text = Text.drop_back();
  return Text;
}

/// Whether the first operand of \p I is written.
static bool hasResult(const TracedInstruction &I) {
  static constexpr StringLiteral Without[] = {"st",      "red",     "bra",       "brx",      "bar",
                                              "barrier", "call",    "ret",       "exit",     "trap",
                                              "membar",  "fence",   "cp",        "prefetch", "prefetchu",
                                              "brkpt",   "pmevent", "nanosleep", "discard",  "applypriority"};
  return !is_contained(Without, I.stem()) || I.Mnemonic.starts_with("bar.red") ||
         I.Mnemonic.starts_with("barrier.cta.red");
}

uint32_t PtxReader::registerOf(StringRef Name) {
  auto [At, IsNew] = Registers.try_emplace(Name, Kernel.Registers);
  Kernel.Registers += IsNew;
  return At->second;
}

std::optional<uint32_t> PtxReader::findRegister(StringRef Name) {
  if (Name.empty() || isDigit(Name.front()) || Name.front() == '-')
    return std::nullopt;
  if (auto Known = Registers.find(Name); Known != Registers.end())
    return Known->second;
  if (!Name.starts_with("%"))
    return std::nullopt;
  // A block may be read before the one that is written above it in the program's order.
  return isSpecialPtxRegister(Name) ? std::nullopt : std::optional(registerOf(Name));
}

/// Of ".b32 lane", as assembly within the program declares them; LLVM's own begin with "%". Those of one name
/// in several pieces of assembly are one.
void PtxReader::declareRegisters(StringRef Text) {
  while (Text.starts_with("."))
    Text = Text.drop_while([](char C) { return !isSpace(C); }).drop_while(isSpace);
  for (StringRef Name : split(Text, ','))
    if (Name = trimmed(Name); !Name.empty() && !Name.starts_with("%"))
      registerOf(Name);
}

/// Of "0f3F800000" and "0d3FF0000000000000" the bits.
static std::optional<uint64_t> immediate(StringRef Text) {
  uint64_t Bits = 0;
  if (Text.empty() || !(isDigit(Text.front()) || Text.front() == '-'))
    return std::nullopt;
  if (Text.starts_with("0f") || Text.starts_with("0F") || Text.starts_with("0d") || Text.starts_with("0D"))
    return Text.drop_front(2).getAsInteger(16, Bits) ? std::nullopt : std::optional(Bits);
  int64_t Signed = 0;
  if (!Text.getAsInteger(0, Signed))
    return uint64_t(Signed);
  return Text.getAsInteger(0, Bits) ? std::nullopt : std::optional(Bits);
}

PtxOperand PtxReader::operand(StringRef Text) {
  PtxOperand Result;
  if (std::optional<uint32_t> Register = findRegister(Text)) {
    Result.Is = PtxOperand::Form::Register;
    Result.Register = *Register;
  } else if (std::optional<uint64_t> Bits = immediate(Text))
    Result.Bits = *Bits;
  else {
    Result.Is = PtxOperand::Form::Symbol;
    Result.Name = Text;
  }
  return Result;
}

/// "%rd1+8", "symbol+-4".
void PtxReader::addAddress(StringRef Text, TracedInstruction &I) {
  auto [Base, Offset] = Text.split('+');
  PtxAddress A;
  A.Base = operand(trimmed(Base));
  if (!Offset.empty() && Offset.trim().getAsInteger(0, A.Offset))
    Failed = Text;
  I.Addresses.push_back(A);
}

void PtxReader::addOperand(StringRef Text, bool IsResult, TracedInstruction &I) {
  if (Text.starts_with("[")) {
    addAddress(trimmed(Text.drop_front().split(']').first), I);
    return;
  }
  if (!IsResult) {
    I.Operands.push_back(operand(Text));
    return;
  }
  for (StringRef Part : split(Text, '|')) {
    Part = trimmed(Part);
    I.Results.push_back(Part == "_" ? TracedInstruction::Unused : registerOf(Part));
  }
}

void PtxReader::addInstruction(const PtxLine &Line) {
  TracedInstruction &I = Kernel.Instructions.emplace_back();
  I.Mnemonic = Line.Mnemonic;
  if (StringRef Guard = Line.Guard; !Guard.empty()) {
    I.IsGuardInverted = Guard.consume_front("!");
    I.Guard = registerOf(Guard);
  }
  bool IsResult = hasResult(I);
  StringRef Rest = Line.Operands;
  while (!Rest.empty()) {
    StringRef Part;
    if (Rest.consume_front("{")) {
      std::tie(Part, Rest) = Rest.split('}');
      for (StringRef Element : split(Part, ','))
        addOperand(trimmed(Element), IsResult, I);
      Rest = Rest.drop_while(isSpace);
      Rest.consume_front(",");
    } else {
      std::tie(Part, Rest) = Rest.split(',');
      addOperand(trimmed(Part), IsResult, I);
    }
    IsResult = false;
    Rest = Rest.drop_while(isSpace);
  }
}

Error PtxReader::read() {
  StringRef Rest = Kernel.Body;
  while (std::optional<PtxLine> Line = nextPtxLine(Rest)) {
    if (Line->isInstruction())
      addInstruction(*Line);
    else if (Line->Mnemonic == ".reg")
      declareRegisters(Line->Operands);
    else if (std::optional<PtxVariable> V = ptxVariable(Line->Mnemonic, Line->Operands))
      Kernel.Variables.push_back(std::move(*V));
  }
  if (!Failed.empty())
    return makeError(ErrorKind::CodeGen, "PTX operand '" + Failed + "' is not understood");
  return Error::success();
}

Expected<std::unique_ptr<PtxKernel>> readPtxKernel(StringRef Ptx, StringRef Symbol) {
  Expected<std::string> Body = ptxBody(Ptx, Symbol);
  if (!Body)
    return Body.takeError();
  auto Kernel = std::make_unique<PtxKernel>();
  Kernel->Body = std::move(*Body);
  readModuleVariables(Ptx, Kernel->Variables);
  readParameters(Ptx, Symbol, Kernel->Parameters);
  if (Error E = PtxReader(*Kernel).read())
    return std::move(E);
  return std::move(Kernel);
}

} // namespace gpuprune
