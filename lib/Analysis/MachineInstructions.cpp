//===- MachineInstructions.cpp - What a machine instruction is in the PTX ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "MachineInstructions.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace gpuprune;

/// The mnemonic that NVPTX_AS gives for an opcode; empty where there is none.
static StringRef givenMnemonic(StringRef Opcode) {
  static constexpr std::pair<StringLiteral, StringLiteral> Given[] = {
#define NVPTX_AS(OpcodePrefix, Mnemonic) {OpcodePrefix, Mnemonic},
#include "gpuprune/Analysis/InstructionClasses.def"
  };
  StringRef Best, Result;
  for (auto &[Prefix, Mnemonic] : Given)
    if (Opcode.starts_with(Prefix) && Prefix.size() > Best.size()) {
      Best = Prefix;
      Result = Mnemonic;
    }
  return Result;
}

/// The PTX instructions that an opcode prints as, from its name and the first
/// piece of its printed text.
static unsigned printedLines(StringRef Opcode, StringRef Text) {
  static constexpr std::pair<StringLiteral, unsigned> Special[] = {
#define NVPTX_LINES(OpcodeName, Instructions) {#OpcodeName, Instructions},
#include "gpuprune/Analysis/InstructionClasses.def"
  };
  for (auto &[Name, Lines] : Special)
    if (Opcode == Name)
      return Lines;
  return Text.starts_with(".") || Text.starts_with("//") ? 0 : 1;
}

static bool isReadOnlyLoad(InstructionClass Class, StringRef Mnemonic) {
  return Class == InstructionClass::LoadTexture || Mnemonic.contains(".nc") || Mnemonic.starts_with("ldu");
}

const OpcodeTable &OpcodeTable::get(const TargetMachine &Machine) {
  static const OpcodeTable Table(Machine);
  return Table;
}

OpcodeTable::OpcodeTable(const TargetMachine &Machine) {
  const MCInstrInfo &Opcodes = *Machine.getMCInstrInfo();
  std::unique_ptr<MCInstPrinter> Printer(Machine.getTarget().createMCInstPrinter(
      Machine.getTargetTriple(), /*SyntaxVariant=*/0, *Machine.getMCAsmInfo(), Opcodes,
      *Machine.getMCRegisterInfo()));
  for (unsigned Opcode = 0; Opcode != Opcodes.getNumOpcodes(); ++Opcode) {
    MCInst Instruction;
    Instruction.setOpcode(Opcode);
    const char *Printed = Printer ? Printer->getMnemonic(Instruction).first : nullptr;
    StringRef Text = StringRef(Printed ? Printed : "").trim();
    StringRef Name = Opcodes.getName(Opcode);
    StringRef Mnemonic = givenMnemonic(Name);
    if (Mnemonic.empty())
      Mnemonic = Text.take_until([](char C) { return C == ' ' || C == '\t' || C == ';'; });
    Row Entry;
    Entry.Lines = printedLines(Name, Text);
    Entry.Instruction.Class = classifyPtx(Mnemonic, Name);
    Entry.Instruction.Blocks = isBlocking(Entry.Instruction.Class, Mnemonic);
    Entry.Instruction.ReadOnly = isReadOnlyLoad(Entry.Instruction.Class, Mnemonic);
    Rows.push_back(Entry);
  }
}

static SmallVector<PtxInstruction, 1> printInlineAsm(const MachineInstr &MI) {
  SmallVector<PtxInstruction, 1> Result;
  for (const std::string &Mnemonic : splitPtx(MI.getOperand(InlineAsm::MIOp_AsmString).getSymbolName())) {
    InstructionClass Class = classifyPtx(Mnemonic);
    Result.push_back({Class, isBlocking(Class, Mnemonic), isReadOnlyLoad(Class, Mnemonic)});
  }
  return Result;
}

SmallVector<PtxInstruction, 1> OpcodeTable::print(const MachineInstr &MI) const {
  if (MI.isInlineAsm())
    return printInlineAsm(MI);
  if (MI.isMetaInstruction() || MI.getOpcode() >= Rows.size())
    return {};
  const Row &Entry = Rows[MI.getOpcode()];
  PtxInstruction Instruction = Entry.Instruction;
  MemorySpace Space =
      MI.memoperands_empty() ? MemorySpace::Generic : memorySpace((*MI.memoperands_begin())->getAddrSpace());
  if (Instruction.Class == InstructionClass::LoadGeneric)
    Instruction.Class = loadClass(Space);
  else if (Instruction.Class == InstructionClass::StoreGeneric)
    Instruction.Class = storeClass(Space);
  return SmallVector<PtxInstruction, 1>(Entry.Lines, Instruction);
}

double gpuprune::accessBytes(const MachineInstr &MI) {
  if (!MI.memoperands_empty() && (*MI.memoperands_begin())->getSize().hasValue())
    return double((*MI.memoperands_begin())->getSize().getValue().getKnownMinValue());
  // Loads through the read-only cache carry no memory operand; the registers that
  // they fill are as wide as what they read, but for bytes.
  const MachineFunction &MF = *MI.getMF();
  double Bits = 0;
  for (const MachineOperand &Definition : MI.defs())
    if (Definition.getReg().isVirtual())
      Bits +=
          double(MF.getSubtarget().getRegisterInfo()->getRegSizeInBits(Definition.getReg(), MF.getRegInfo()));
  return Bits / 8;
}
