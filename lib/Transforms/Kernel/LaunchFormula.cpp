//===- LaunchFormula.cpp - A kernel's integers, computed on the host --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/LaunchFormula.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace llvm;

namespace gpuprune {

std::optional<int64_t> LaunchNumbers::extent(unsigned Dimension) const {
  return checkedMul<int64_t>(Grid[Dimension], Block[Dimension]);
}

LaunchFormula LaunchFormula::constant(uint64_t Value, unsigned Bits) {
  return apply({}, {Op::Constant, Bits, Value});
}

LaunchFormula LaunchFormula::scalar(unsigned Argument, unsigned Bits) {
  return apply({}, {Op::Scalar, Bits, Argument});
}

LaunchFormula LaunchFormula::member(unsigned Argument, uint32_t Byte, unsigned Bits) {
  return apply({}, {Op::Member, Bits, uint64_t(Argument) << 32 | Byte});
}

LaunchFormula LaunchFormula::extent(unsigned Dimension, unsigned Bits) {
  return apply({}, {Op::Extent, Bits, Dimension});
}

LaunchFormula LaunchFormula::apply(ArrayRef<LaunchFormula> Operands, Step Last) {
  LaunchFormula Result;
  for (const LaunchFormula &Operand : Operands)
    llvm::append_range(Result.Steps, Operand.Steps);
  Result.Steps.push_back(Last);
  return Result;
}

static std::optional<APInt> binary(unsigned Opcode, const APInt &Left, const APInt &Right) {
  bool Shifts = Opcode == Instruction::Shl || Opcode == Instruction::LShr || Opcode == Instruction::AShr;
  bool Divides = Opcode == Instruction::UDiv || Opcode == Instruction::SDiv || Opcode == Instruction::URem ||
                 Opcode == Instruction::SRem;
  if ((Shifts && Right.uge(Left.getBitWidth())) || (Divides && Right.isZero()))
    return std::nullopt;
  switch (Opcode) {
  case Instruction::Add:
    return Left + Right;
  case Instruction::Sub:
    return Left - Right;
  case Instruction::Mul:
    return Left * Right;
  case Instruction::UDiv:
    return Left.udiv(Right);
  case Instruction::SDiv:
    return Left.sdiv(Right);
  case Instruction::URem:
    return Left.urem(Right);
  case Instruction::SRem:
    return Left.srem(Right);
  case Instruction::Shl:
    return Left.shl(Right);
  case Instruction::LShr:
    return Left.lshr(Right);
  case Instruction::AShr:
    return Left.ashr(Right);
  case Instruction::And:
    return Left & Right;
  case Instruction::Or:
    return Left | Right;
  case Instruction::Xor:
    return Left ^ Right;
  default:
    return std::nullopt;
  }
}

/// The operands are on top of \p Stack and taken from there.
static std::optional<APInt> applyStep(const LaunchFormula::Step &Step, SmallVectorImpl<APInt> &Stack) {
  using Op = LaunchFormula::Op;
  APInt Right = Stack.pop_back_val();
  switch (Step.Code) {
  case Op::ZeroExtend:
    return Right.zext(Step.Bits);
  case Op::SignExtend:
    return Right.sext(Step.Bits);
  case Op::Truncate:
    return Right.trunc(Step.Bits);
  default:
    break;
  }
  APInt Left = Stack.pop_back_val();
  switch (Step.Code) {
  case Op::Binary:
    return binary(unsigned(Step.Operand), Left, Right);
  case Op::Compare:
    return APInt(1, ICmpInst::compare(Left, Right, CmpInst::Predicate(Step.Operand)));
  case Op::Select:
    return Stack.pop_back_val().isZero() ? Right : Left;
  case Op::SignedMin:
    return APIntOps::smin(Left, Right);
  case Op::SignedMax:
    return APIntOps::smax(Left, Right);
  case Op::UnsignedMin:
    return APIntOps::umin(Left, Right);
  case Op::UnsignedMax:
    return APIntOps::umax(Left, Right);
  default:
    return std::nullopt;
  }
}

static APInt ofBits(int64_t Value, unsigned Bits) { return APInt(64, uint64_t(Value)).trunc(Bits); }

/// Whole bytes, the least significant one first.
static std::optional<int64_t> memberOf(const LaunchNumbers &Launch, const LaunchFormula::Step &Step) {
  uint64_t Argument = Step.Operand >> 32, Begin = uint32_t(Step.Operand), Bytes = Step.Bits / 8;
  if (Argument >= Launch.Structures.size() || Begin + Bytes > Launch.Structures[Argument].size())
    return std::nullopt;
  uint64_t Value = 0;
  for (uint64_t I = 0; I != Bytes; ++I)
    Value |= uint64_t(Launch.Structures[Argument][Begin + I]) << 8 * I;
  return int64_t(Value);
}

std::optional<APInt> LaunchFormula::evaluate(const LaunchNumbers &Launch) const {
  SmallVector<APInt, 8> Stack;
  for (const Step &S : Steps) {
    std::optional<APInt> Value;
    std::optional<int64_t> Known;
    if (S.Code == Op::Constant)
      Known = int64_t(S.Operand);
    else if (S.Code == Op::Scalar && S.Operand < Launch.Scalars.size())
      Known = Launch.Scalars[S.Operand];
    else if (S.Code == Op::Member)
      Known = memberOf(Launch, S);
    else if (S.Code == Op::Extent && S.Operand < Dim3::size())
      Known = Launch.extent(unsigned(S.Operand));
    else if (S.Code != Op::Scalar && S.Code != Op::Extent)
      Value = applyStep(S, Stack);
    if (Known)
      Value = ofBits(*Known, S.Bits);
    if (!Value)
      return std::nullopt;
    Stack.push_back(std::move(*Value));
  }
  return Stack.size() == 1 ? std::optional(Stack.front()) : std::nullopt;
}

std::optional<APInt> LaunchFormula::constantValue() const {
  bool Asks = any_of(Steps, [](const Step &S) {
    return S.Code == Op::Scalar || S.Code == Op::Member || S.Code == Op::Extent;
  });
  return Asks ? std::nullopt : evaluate({});
}

} // namespace gpuprune
