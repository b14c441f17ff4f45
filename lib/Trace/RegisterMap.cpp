//===- RegisterMap.cpp - Registers and values that a launch fixes -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RegisterMap.h"
#include "gpuprune/Analysis/SpecialRegisters.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

uint32_t RegisterMap::constant(uint64_t Bits) {
  // Two keys of DenseMap are its own.
  if (Bits >= ~uint64_t(1)) {
    Program.Constants.push_back(Bits);
    return uint32_t(Program.Constants.size() - 1) | ConstantBit;
  }
  auto [At, IsNew] = Constants.try_emplace(Bits, uint32_t(Program.Constants.size()) | ConstantBit);
  if (IsNew)
    Program.Constants.push_back(Bits);
  return At->second;
}

std::optional<uint32_t> RegisterMap::symbol(StringRef Name) {
  // Of a parameter, too.
  if (auto Variable = Variables.find(Name); Variable != Variables.end())
    return constant(Variable->second);
  if (Name == "WARP_SZ")
    return constant(TraceLanes);
  const SpecialRegister *Special = Name.consume_front("%") ? specialRegister(Name) : nullptr;
  if (!Special)
    return std::nullopt;
  uint32_t Dimension = Special->Dimension;
  switch (Special->Family) {
  case RegisterFamily::ThreadIndex:
    return ThreadX + Dimension;
  case RegisterFamily::BlockIndex:
    return BlockX + Dimension;
  case RegisterFamily::BlockExtent:
    return constant(uint64_t(Launch.Block[Dimension]));
  case RegisterFamily::GridExtent:
    return constant(uint64_t(Launch.Grid[Dimension]));
  case RegisterFamily::Lane:
    return Name == "laneid" ? std::optional<uint32_t>(Lane) : std::nullopt;
  case RegisterFamily::Warp:
    return Name == "warpid" ? std::optional<uint32_t>(WarpNumber) : std::nullopt;
  default:
    return std::nullopt;
  }
}

std::optional<uint32_t> RegisterMap::place(const PtxOperand &Operand) {
  switch (Operand.Is) {
  case PtxOperand::Form::Register:
    return place(Operand.Register);
  case PtxOperand::Form::Immediate:
    return constant(Operand.Bits);
  case PtxOperand::Form::Symbol:
    return symbol(Operand.Name);
  }
  return std::nullopt;
}

uint32_t RegisterMap::place(uint32_t Register) {
  // What depends on itself is no constant.
  if (Places[Register] == BeingFound || Places[Register] == Unknown) {
    bool IsFirst = Places[Register] == Unknown;
    Places[Register] = BeingFound;
    std::optional<uint64_t> Value = IsFirst ? valueOf(Register) : std::nullopt;
    if (Places[Register] == BeingFound)
      Places[Register] = Value ? constant(*Value) : temporary();
  }
  return Places[Register];
}

std::optional<uint64_t> RegisterMap::parameter(const TracedInstruction &I, const TraceAccess &Form,
                                               unsigned Element) const {
  const PtxAddress &At = I.Addresses.front();
  auto Position = Kernel.Parameters.find(At.Base.Name);
  if (At.Base.Is != PtxOperand::Form::Symbol || Position == Kernel.Parameters.end() ||
      Position->second >= Launch.Parameters.size())
    return std::nullopt;
  const std::vector<char> &Bytes = Launch.Parameters[Position->second];
  uint64_t Begin = uint64_t(At.Offset) + uint64_t(Element) * Form.ElementBytes, Bits = 0;
  if (At.Offset < 0 || Begin + Form.ElementBytes > Bytes.size())
    return std::nullopt;
  std::memcpy(&Bits, Bytes.data() + Begin, Form.ElementBytes);
  return Form.IsSigned ? uint64_t(SignExtend64(Bits, Form.ElementBytes * 8)) : Bits;
}

std::optional<uint64_t> RegisterMap::valueOf(uint32_t Register) {
  if (Parts.Writers[Register].size() != 1)
    return std::nullopt;
  uint32_t Writer = Parts.Writers[Register].front();
  const TracedInstruction &I = Kernel.Instructions[Writer];
  if (I.Guard || I.Results.size() != 1)
    return std::nullopt;
  ArrayRef<TraceAccess> Forms = Parts.Accesses[Writer];
  if (!Forms.empty())
    return Forms.front().Space == PtxSpace::Parameter ? parameter(I, Forms.front(), 0) : std::nullopt;
  Operation Function = findOperation(I.Mnemonic);
  if (!Function || I.Operands.empty() || I.Operands.size() > 3)
    return std::nullopt;
  LaneValues Values[3] = {};
  for (auto [Index, Operand] : enumerate(I.Operands)) {
    std::optional<uint32_t> At = place(Operand);
    if (!At || !(*At & ConstantBit))
      return std::nullopt;
    std::fill_n(Values[Index], TraceLanes, Program.Constants[*At & ~ConstantBit]);
  }
  LaneValues Out;
  Function(Out, Values[0], Values[1], Values[2]);
  return Out[0];
}

} // namespace gpuprune
