//===- PtxOperation.cpp - One PTX instruction, taken apart ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxOperation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace gpuprune {

std::optional<PtxType> PtxType::parse(StringRef Text) {
  if (Text == "pred")
    return PtxType{Predicate, 1, 1};
  PtxType Result;
  StringRef Rest = Text;
  Result.Lanes = Rest.consume_back("x2") ? 2 : 1;
  if (Rest.consume_front("bf"))
    Result.Kind = BFloat;
  else if (Rest.consume_front("u"))
    Result.Kind = Unsigned;
  else if (Rest.consume_front("s"))
    Result.Kind = Signed;
  else if (Rest.consume_front("b"))
    Result.Kind = Bits;
  else if (Rest.consume_front("f"))
    Result.Kind = Float;
  else
    return std::nullopt;
  if (Rest.getAsInteger(10, Result.Width) || !is_contained({8u, 16u, 32u, 64u}, Result.Width))
    return std::nullopt;
  if ((Result.Kind == BFloat && Result.Width != 16) || (Result.Kind == Float && Result.Width < 16))
    return std::nullopt;
  return Result;
}

Type *PtxType::elementIn(LLVMContext &Context) const {
  if (Kind == BFloat)
    return Type::getBFloatTy(Context);
  if (Kind != Float)
    return Type::getIntNTy(Context, Width);
  return Width == 16   ? Type::getHalfTy(Context)
         : Width == 32 ? Type::getFloatTy(Context)
                       : Type::getDoubleTy(Context);
}

Type *PtxType::in(LLVMContext &Context) const {
  Type *Element = elementIn(Context);
  return Lanes == 1 ? Element : FixedVectorType::get(Element, Lanes);
}

PtxOperation::PtxOperation(StringRef Opcode) : Text(Opcode) {
  SmallVector<StringRef, 8> Parts;
  StringRef(Text).split(Parts, '.');
  Name = Parts.front();
  for (StringRef Part : drop_begin(Parts)) {
    if (std::optional<PtxType> Type = PtxType::parse(Part))
      Types.push_back(*Type);
    else
      Modifiers.push_back(Part);
  }
}

PtxType PtxOperation::type(unsigned Index) const {
  if (Types.empty())
    return {};
  return Types[std::min<size_t>(Index, Types.size() - 1)];
}

bool PtxOperation::take(StringRef Modifier) {
  auto *Found = find(Modifiers, Modifier);
  if (Found == Modifiers.end())
    return false;
  Modifiers.erase(Found);
  return true;
}

StringRef PtxOperation::takeOne(ArrayRef<StringRef> Candidates) {
  for (StringRef Modifier : Candidates)
    if (take(Modifier))
      return Modifier;
  return "";
}

Rounding PtxOperation::takeRounding() {
  return StringSwitch<Rounding>(takeOne({"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"}))
      .Cases({"rz", "rzi"}, Rounding::Zero)
      .Cases({"rm", "rmi"}, Rounding::Down)
      .Cases({"rp", "rpi"}, Rounding::Up)
      .Default(Rounding::Nearest);
}

} // namespace gpuprune
