//===- Operands.cpp - Which registers an instruction reads and writes -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operands.h"
#include "OperandSizes.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// Where an operand's number is.
struct Place {
  RegisterFile File;
  unsigned FirstBit;
};

/// A set bit: the operand is a uniform register, or an address has one.
constexpr unsigned UniformOperandBit = 91;
/// Addresses in registers are 64 bits wide,
constexpr unsigned WideAddressBit = 72;
/// also where there is a uniform register besides, which is a descriptor then.
constexpr unsigned DescriptorBit = 90;

class OperandDecoder {
public:
  OperandDecoder(const Encoding &Code, unsigned Architecture, DecodedInstruction &Into)
      : Code(Code), Architecture(Architecture), Into(Into), Has(Into.Opcode->Operands),
        Sizes(operandSizes(Into.Opcode->Size, Code, Architecture)) {}

  void run();

private:
  const Encoding &Code;
  unsigned Architecture;
  DecodedInstruction &Into;
  uint32_t Has;
  OperandSizes Sizes;

  bool has(uint32_t Operands) const { return Has & Operands; }
  bool isStoreWithoutDescriptor() const {
    InstructionClass Class = Into.Opcode->Class;
    return (Class == InstructionClass::StoreGlobal || Class == InstructionClass::StoreGeneric) &&
           Code.form() == 1;
  }
  RegisterFile file(uint32_t OnlyHere = 0) const {
    return has(operand::U | OnlyHere) ? RegisterFile::Uniform : RegisterFile::General;
  }
  RegisterFile predicateFile(uint32_t OnlyHere = 0) const {
    return has(operand::U | OnlyHere) ? RegisterFile::UniformPredicate : RegisterFile::Predicate;
  }
  std::optional<RegisterRange> range(Place P, uint8_t Count) const;
  void read(Place P, uint8_t Count = 1);
  void write(Place P, uint8_t Count = 1);
  std::optional<Place> second() const;
  std::optional<Place> third() const;
  void decodeSources();
  void decodePredicates();
  void decodeAddress();
  void decodeOwn();
  void decodeControlFlow();
  void decodePredicateSet(bool IsRead);
};

} // namespace

/// Nothing for the register that is always zero and the predicate that is always true.
std::optional<RegisterRange> OperandDecoder::range(Place P, uint8_t Count) const {
  bool IsPredicate = P.File == RegisterFile::Predicate || P.File == RegisterFile::UniformPredicate;
  bool IsShort = P.File == RegisterFile::Uniform && Architecture < 100;
  unsigned Bits = IsPredicate ? 3 : IsShort ? 6 : 8;
  unsigned Number = unsigned(Code.field(P.FirstBit, Bits));
  unsigned Last = (1u << Bits) - 1;
  if (Number == Last)
    return std::nullopt;
  return RegisterRange{P.File, uint8_t(Number), uint8_t(std::min<unsigned>(Count, Last - Number))};
}

void OperandDecoder::read(Place P, uint8_t Count) {
  if (std::optional<RegisterRange> R = range(P, Count); R && !is_contained(Into.Reads, *R))
    Into.Reads.push_back(*R);
}

void OperandDecoder::write(Place P, uint8_t Count) {
  if (std::optional<RegisterRange> R = range(P, Count))
    Into.Writes.push_back(*R);
}

/// Operand B.
std::optional<Place> OperandDecoder::second() const {
  switch (Code.form()) {
  case 1:
    return Place{file(), 32};
  case 2:
  case 3:
  case 7:
    // In form 3 of SEL what is a constant elsewhere is this register.
    if (Into.Opcode->Size == OperandSize::Select && Code.form() == 3)
      return Place{file(), 32};
    if (has(operand::C))
      return Place{file(), 64};
    return Code.form() == 7 ? std::optional(Place{RegisterFile::Uniform, 32}) : std::nullopt;
  case 6:
    return Place{RegisterFile::Uniform, 32};
  default:
    return std::nullopt;
  }
}

/// Operand C.
std::optional<Place> OperandDecoder::third() const {
  switch (Code.form()) {
  case 1:
  case 4:
  case 5:
  case 6:
    return Place{file(), 64};
  case 7:
    return Place{RegisterFile::Uniform, 32};
  default:
    return std::nullopt;
  }
}

void OperandDecoder::decodeSources() {
  if (has(operand::A))
    read({file(operand::AU), 24}, Sizes.A);
  if (has(operand::B))
    if (std::optional<Place> P = second())
      read(*P, Sizes.B);
  if (has(operand::C))
    if (std::optional<Place> P = third())
      read(*P, Sizes.C);
  if (has(operand::V))
    read({RegisterFile::General, isStoreWithoutDescriptor() ? 64u : 32u}, Sizes.D);
  if (has(operand::W))
    read({RegisterFile::General, 64}, Sizes.D);
  if (has(operand::S)) {
    if (Code.form() == 1 || Code.form() == 2)
      read({RegisterFile::General, 32});
    if (Code.form() == 1 || Code.form() == 4)
      read({RegisterFile::General, 64});
  }
}

void OperandDecoder::decodePredicates() {
  if (has(operand::P))
    write({predicateFile(operand::PU), 81});
  if (has(operand::Q))
    write({predicateFile(), 84});
  if (has(operand::X))
    read({predicateFile(), 87});
  if (has(operand::Y))
    read({predicateFile(), 77});
  if (has(operand::Z))
    read({predicateFile(), 68});
}

/// Loads have the uniform register in bits 32-39, where others have their data.
void OperandDecoder::decodeAddress() {
  InstructionClass Class = Into.Opcode->Class;
  bool IsAtomic = Class == InstructionClass::Atomic, IsCopy = Class == InstructionClass::AsyncCopy;
  bool IsWide = has(operand::G) && (IsCopy || Code.bit(WideAddressBit));
  bool HasUniform = Code.bit(UniformOperandBit);
  bool IsOffset = HasUniform && !IsAtomic && !IsCopy && !Code.bit(DescriptorBit);
  read({RegisterFile::General, 24}, IsWide && !IsOffset ? 2 : 1);
  bool IsLoad = has(operand::D) && !has(operand::V) && !IsAtomic;
  if (HasUniform)
    read({RegisterFile::Uniform, IsLoad ? 32u : 64u}, IsWide ? 2 : 1);
}

/// P2R and R2P: a mask of predicates as an immediate.
void OperandDecoder::decodePredicateSet(bool IsRead) {
  for (uint8_t Number = 0; Number != GuardPredicate::True; ++Number) {
    if (Code.form() == 4 && !Code.bit(32 + Number))
      continue;
    RegisterRange R{RegisterFile::Predicate, Number, 1};
    if (IsRead)
      Into.Reads.push_back(R);
    else
      Into.Writes.push_back(R);
  }
}

void OperandDecoder::decodeControlFlow() {
  StringRef Name = Into.Opcode->Name;
  constexpr Place General{RegisterFile::General, 24};
  if (Name == "BRX" || (Name == "CALL" && Code.form() == 1))
    read(General, 2);
  if (Name == "NANOSLEEP" && Code.form() == 1)
    read({RegisterFile::General, 32});
  if (Name == "WARPSYNC" && Code.form() == 1)
    read({RegisterFile::General, Architecture < 90 ? 32u : 24u});
  if (Name == "BRA" && Code.form() == 2)
    read({RegisterFile::UniformPredicate, 24});
  // BRA.CONV; BRA.U.ANY has no operand.
  else if (Name == "BRA" && Code.bit(UniformOperandBit))
    read({RegisterFile::Uniform, 24});
}

/// What no other opcode has.
void OperandDecoder::decodeOwn() {
  StringRef Name = Into.Opcode->Name;
  if (Name == "P2R" || Name == "R2P") {
    decodePredicateSet(Name == "P2R");
  } else if (Name == "PLOP3" || Name == "UPLOP3") {
    read({Code.bit(67) ? RegisterFile::UniformPredicate : predicateFile(), 68});
  } else if (Name == "HMMA") {
    if (Code.bit(73)) // Sparse: what says where the zeros are.
      read({RegisterFile::General, 32 + 8});
  } else if (Name == "LDGSTS") {
    read({RegisterFile::General, 16});
  } else if (Name == "BAR") {
    if (Code.form() == 1 || Code.form() == 2)
      read({RegisterFile::General, 24});
    if (Code.form() == 1 || Code.form() == 4)
      read({RegisterFile::General, 32});
    if (Code.bit(78)) // BAR.RED
      read({RegisterFile::Predicate, 87});
  } else if (Name == "CCTL") {
    if (Code.bit(72))
      read({RegisterFile::General, 24}, 2);
  } else {
    decodeControlFlow();
  }
}

void OperandDecoder::run() {
  if (Into.Guard.Number != GuardPredicate::True)
    Into.Reads.push_back({Into.Guard.IsUniform ? RegisterFile::UniformPredicate : RegisterFile::Predicate,
                          Into.Guard.Number, 1});
  if (has(operand::D))
    write({file(operand::DU), 16}, Sizes.D);
  decodeSources();
  decodePredicates();
  if (has(operand::G | operand::M))
    decodeAddress();
  if (has(operand::Own))
    decodeOwn();
  Into.AccessBytes = accessBytes(*Into.Opcode, Code, Architecture);
  if (Into.Opcode->Class == InstructionClass::LoadConst)
    Into.ConstantOffset = int16_t(Code.field(38, 16));
}

void decodeOperands(const Encoding &Code, unsigned Architecture, DecodedInstruction &Into) {
  OperandDecoder(Code, Architecture, Into).run();
}

} // namespace gpuprune
