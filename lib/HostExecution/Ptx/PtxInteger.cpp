//===- PtxInteger.cpp - Integer PTX instructions -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxLowering.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

/// X + Y or X - Y, with the carry or borrow in and, with .cc, out.
Value *PtxLowering::withCarry(PtxOperation &Op, Value *X, Value *Y, bool In, bool Subtract) {
  bool Out = Op.take("cc");
  if (Op.type().isSigned() && Op.take("sat"))
    return B.CreateBinaryIntrinsic(Subtract ? Intrinsic::ssub_sat : Intrinsic::sadd_sat, X, Y);
  if (In && !Carry)
    return nullptr;
  Intrinsic::ID Id = Subtract ? Intrinsic::usub_with_overflow : Intrinsic::uadd_with_overflow;
  Value *Sum = B.CreateBinaryIntrinsic(Id, X, Y);
  Value *Result = B.CreateExtractValue(Sum, 0), *Overflow = B.CreateExtractValue(Sum, 1);
  if (In) {
    Value *Second = B.CreateBinaryIntrinsic(Id, Result, B.CreateZExt(Carry, X->getType()));
    Result = B.CreateExtractValue(Second, 0);
    Overflow = B.CreateOr(Overflow, B.CreateExtractValue(Second, 1));
  }
  if (Out)
    Carry = Overflow;
  return Result;
}

PtxLowering::Values PtxLowering::lowerAddc(PtxOperation &Op, Sources X) {
  Type *T = typeOf(Op.type());
  return {withCarry(Op, as(X[0], T), as(X[1], T), true, false)};
}

PtxLowering::Values PtxLowering::lowerSubc(PtxOperation &Op, Sources X) {
  Type *T = typeOf(Op.type());
  return {withCarry(Op, as(X[0], T), as(X[1], T), true, true)};
}

Value *PtxLowering::productOf(PtxOperation &Op, PtxType T, Value *X, Value *Y) {
  if (Op.take("lo"))
    return B.CreateMul(X, Y);
  bool Wide = Op.take("wide");
  if (!Wide && !Op.take("hi"))
    return nullptr;
  Type *Double = B.getIntNTy(2 * T.Width);
  Value *Product =
      B.CreateMul(B.CreateIntCast(X, Double, T.isSigned()), B.CreateIntCast(Y, Double, T.isSigned()));
  return Wide ? Product : B.CreateTrunc(B.CreateLShr(Product, T.Width), typeOf(T));
}

PtxLowering::Values PtxLowering::lowerMad(PtxOperation &Op, Sources X) {
  PtxType T = Op.type();
  if (T.isFloat())
    return lowerFma(Op, X);
  Value *Product = productOf(Op, T, as(X[0], typeOf(T)), as(X[1], typeOf(T)));
  return {Product ? withCarry(Op, Product, as(X[2], Product->getType()), false, false) : nullptr};
}

PtxLowering::Values PtxLowering::lowerMadc(PtxOperation &Op, Sources X) {
  PtxType T = Op.type();
  Value *Product = productOf(Op, T, as(X[0], typeOf(T)), as(X[1], typeOf(T)));
  return {Product ? withCarry(Op, Product, as(X[2], Product->getType()), true, false) : nullptr};
}

PtxLowering::Values PtxLowering::lowerRem(PtxOperation &Op, Sources X) {
  Value *N = as(X[0], typeOf(Op.type())), *D = as(X[1], typeOf(Op.type()));
  return {Op.type().isSigned() ? B.CreateSRem(N, D) : B.CreateURem(N, D)};
}

/// The lower 24 bits of the operands; .lo is the lower half of the product.
PtxLowering::Values PtxLowering::lowerMul24(PtxOperation &Op, Sources X) {
  bool Signed = Op.type().isSigned();
  auto Lower = [&](Value *V) {
    return B.CreateIntCast(B.CreateTrunc(as(V, i32()), B.getIntNTy(24)), i64(), Signed);
  };
  Value *Product = B.CreateMul(Lower(X[0]), Lower(X[1]));
  if (Op.take("lo"))
    return {B.CreateTrunc(Product, i32())};
  return {Op.take("hi") ? B.CreateTrunc(B.CreateLShr(Product, 16), i32()) : nullptr};
}

PtxLowering::Values PtxLowering::lowerSad(PtxOperation &Op, Sources X) {
  PtxType T = Op.type();
  Value *L = as(X[0], typeOf(T)), *R = as(X[1], typeOf(T));
  Value *Less = B.CreateICmp(T.isSigned() ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT, L, R);
  Value *Distance = B.CreateSelect(Less, B.CreateSub(R, L), B.CreateSub(L, R));
  return {B.CreateAdd(as(X[2], typeOf(T)), Distance)};
}

PtxLowering::Values PtxLowering::lowerAnd(PtxOperation &Op, Sources X) {
  Type *T = Op.type().Kind == PtxType::Predicate ? i1() : typeOf(Op.type());
  return {B.CreateAnd(as(X[0], T), as(X[1], T))};
}
PtxLowering::Values PtxLowering::lowerOr(PtxOperation &Op, Sources X) {
  Type *T = Op.type().Kind == PtxType::Predicate ? i1() : typeOf(Op.type());
  return {B.CreateOr(as(X[0], T), as(X[1], T))};
}
PtxLowering::Values PtxLowering::lowerXor(PtxOperation &Op, Sources X) {
  Type *T = Op.type().Kind == PtxType::Predicate ? i1() : typeOf(Op.type());
  return {B.CreateXor(as(X[0], T), as(X[1], T))};
}
PtxLowering::Values PtxLowering::lowerNot(PtxOperation &Op, Sources X) {
  return {B.CreateNot(as(X[0], Op.type().Kind == PtxType::Predicate ? i1() : typeOf(Op.type())))};
}

/// Shift amounts above the width shift everything out.
PtxLowering::Values PtxLowering::lowerShl(PtxOperation &Op, Sources X) {
  Type *T = typeOf(Op.type());
  Value *Amount = as(X[1], i32()), *Width = B.getInt32(Op.type().Width);
  Value *Shifted = B.CreateShl(as(X[0], T), as(B.CreateAnd(Amount, Op.type().Width - 1), T));
  return {B.CreateSelect(B.CreateICmpULT(Amount, Width), Shifted, Constant::getNullValue(T))};
}

PtxLowering::Values PtxLowering::lowerShr(PtxOperation &Op, Sources X) {
  Type *T = typeOf(Op.type());
  bool Signed = Op.type().isSigned();
  Value *Last = B.getInt32(Op.type().Width - 1), *V = as(X[0], T), *Amount = as(X[1], i32());
  Value *Clamped = as(B.CreateBinaryIntrinsic(Intrinsic::umin, Amount, Last), T);
  if (Signed)
    return {B.CreateAShr(V, Clamped)};
  return {B.CreateSelect(B.CreateICmpUGT(Amount, Last), Constant::getNullValue(T), B.CreateLShr(V, Clamped))};
}

/// shf.{l,r}.{wrap,clamp}.b32 d, a, b, c: of the 64 bits {b, a}.
PtxLowering::Values PtxLowering::lowerShf(PtxOperation &Op, Sources X) {
  bool Left = Op.take("l"), Right = !Left && Op.take("r"), Wrap = Op.take("wrap"),
       Clamp = !Wrap && Op.take("clamp");
  if (!(Left || Right) || !(Wrap || Clamp))
    return {nullptr};
  Value *Amount = as(X[2], i32());
  Amount = Wrap ? B.CreateAnd(Amount, 31) : B.CreateBinaryIntrinsic(Intrinsic::umin, Amount, B.getInt32(32));
  Value *Both =
      B.CreateOr(B.CreateShl(B.CreateZExt(as(X[1], i32()), i64()), 32), B.CreateZExt(as(X[0], i32()), i64()));
  Value *Wide = B.CreateZExt(Amount, i64());
  Value *Shifted = Left ? B.CreateLShr(B.CreateShl(Both, Wide), 32) : B.CreateLShr(Both, Wide);
  return {B.CreateTrunc(Shifted, i32())};
}

PtxLowering::Values PtxLowering::lowerBfe(PtxOperation &Op, Sources X) {
  PtxType T = Op.type();
  return {as(runtime(T.isSigned() ? "gpuprune_bfe_signed" : "gpuprune_bfe_unsigned", i64(),
                     {B.CreateIntCast(as(X[0], typeOf(T)), i64(), T.isSigned()), as(X[1], i32()),
                      as(X[2], i32()), B.getInt32(T.Width)}),
             typeOf(T))};
}

PtxLowering::Values PtxLowering::lowerBfi(PtxOperation &Op, Sources X) {
  PtxType T = Op.type();
  return {as(runtime("gpuprune_bfi", i64(),
                     {as(as(X[0], typeOf(T)), i64()), as(as(X[1], typeOf(T)), i64()), as(X[2], i32()),
                      as(X[3], i32()), B.getInt32(T.Width)}),
             typeOf(T))};
}

/// The position of the first bit that is not the sign, from below or, with
/// .shiftamt, from above; all ones where there is none.
PtxLowering::Values PtxLowering::lowerBfind(PtxOperation &Op, Sources X) {
  bool FromAbove = Op.take("shiftamt");
  PtxType T = Op.type();
  Value *V = as(X[0], typeOf(T));
  if (T.isSigned())
    V = B.CreateXor(V, B.CreateAShr(V, T.Width - 1));
  Value *Leading = as(B.CreateBinaryIntrinsic(Intrinsic::ctlz, V, B.getFalse()), i32());
  Value *Position = FromAbove ? Leading : B.CreateSub(B.getInt32(T.Width - 1), Leading);
  Value *None = B.CreateICmpEQ(V, Constant::getNullValue(V->getType()));
  return {B.CreateSelect(None, B.getInt32(~0u), Position)};
}

PtxLowering::Values PtxLowering::lowerBrev(PtxOperation &Op, Sources X) {
  return {B.CreateUnaryIntrinsic(Intrinsic::bitreverse, as(X[0], typeOf(Op.type())))};
}
PtxLowering::Values PtxLowering::lowerClz(PtxOperation &Op, Sources X) {
  return {as(B.CreateBinaryIntrinsic(Intrinsic::ctlz, as(X[0], typeOf(Op.type())), B.getFalse()), i32())};
}
PtxLowering::Values PtxLowering::lowerPopc(PtxOperation &Op, Sources X) {
  return {as(B.CreateUnaryIntrinsic(Intrinsic::ctpop, as(X[0], typeOf(Op.type()))), i32())};
}

PtxLowering::Values PtxLowering::lowerPrmt(PtxOperation &Op, Sources X) {
  StringRef Modes[] = {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  StringRef Mode = Op.takeOne(Modes);
  uint32_t Number = Mode.empty() ? 0 : 1 + (find(Modes, Mode) - std::begin(Modes));
  return {runtime("gpuprune_prmt", i32(),
                  {as(X[0], i32()), as(X[1], i32()), as(X[2], i32()), B.getInt32(Number)})};
}

/// Count products of elements of a and b, added to c.
Value *PtxLowering::dotProduct(PtxOperation &Op, Sources X, unsigned BitsOfB, unsigned Count) {
  PtxType TA = Op.type(0), TB = Op.type(1);
  unsigned BitsOfA = 32 / Count;
  // dp2a takes the lower or the upper two of the four bytes of b.
  unsigned FirstOfB = Count == 2 ? (Op.take("lo") ? 0 : Op.take("hi") ? 16 : 32) : 0;
  if (FirstOfB == 32)
    return nullptr;
  Value *Sum = as(X[2], i32());
  auto Element = [&](Value *V, unsigned Shift, unsigned Bits, bool Signed) {
    return B.CreateIntCast(B.CreateTrunc(B.CreateLShr(V, Shift), B.getIntNTy(Bits)), i32(), Signed);
  };
  for (unsigned I = 0; I < Count; ++I)
    Sum = B.CreateAdd(Sum,
                      B.CreateMul(Element(as(X[0], i32()), I * BitsOfA, BitsOfA, TA.isSigned()),
                                  Element(as(X[1], i32()), FirstOfB + I * BitsOfB, BitsOfB, TB.isSigned())));
  return Sum;
}

PtxLowering::Values PtxLowering::lowerDp4a(PtxOperation &Op, Sources X) { return {dotProduct(Op, X, 8, 4)}; }
PtxLowering::Values PtxLowering::lowerDp2a(PtxOperation &Op, Sources X) { return {dotProduct(Op, X, 8, 2)}; }

/// The function whose table is the last operand, a constant.
PtxLowering::Values PtxLowering::lowerLop3(PtxOperation &Op, Sources X) {
  auto *Table = dyn_cast<ConstantInt>(X[3]);
  if (!Table)
    return {nullptr};
  Value *Result = B.getInt32(0);
  for (unsigned Row = 0; Row < 8; ++Row) {
    if (!(Table->getZExtValue() >> Row & 1))
      continue;
    Value *Term = B.getInt32(~0u);
    for (unsigned I = 0; I < 3; ++I) {
      Value *V = as(X[I], i32());
      Term = B.CreateAnd(Term, Row >> (2 - I) & 1 ? V : B.CreateNot(V));
    }
    Result = B.CreateOr(Result, Term);
  }
  return {Result};
}

} // namespace gpuprune
