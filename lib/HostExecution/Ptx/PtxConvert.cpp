//===- PtxConvert.cpp - Conversions, comparisons and selections ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxLowering.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace gpuprune {

/// PTX ISA, cvt: out of range is clamped; NaN is 0, or the sign bit alone where
/// one of the types has 64 bits.
Value *PtxLowering::floatToInteger(Value *V, Type *Wanted, bool Signed) {
  Value *Integer =
      B.CreateIntrinsic(Signed ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat, {Wanted, V->getType()}, {V});
  Type *Element = Wanted->getScalarType();
  unsigned Width = Element->getIntegerBitWidth();
  if (Width != 64 && !V->getType()->getScalarType()->isDoubleTy())
    return Integer;
  return B.CreateSelect(B.CreateFCmpUNO(V, V), ConstantInt::get(Wanted, APInt::getSignMask(Width)), Integer);
}

Value *PtxLowering::roundToIntegral(Value *V, Rounding Mode) {
  switch (Mode) {
  case Rounding::Nearest:
    return B.CreateUnaryIntrinsic(Intrinsic::roundeven, V);
  case Rounding::Zero:
    return B.CreateUnaryIntrinsic(Intrinsic::trunc, V);
  case Rounding::Down:
    return B.CreateUnaryIntrinsic(Intrinsic::floor, V);
  case Rounding::Up:
    return B.CreateUnaryIntrinsic(Intrinsic::ceil, V);
  }
  return nullptr;
}

/// A code for the runtime's conversions: the width, with 1 for bfloat.
static uint32_t formatCode(PtxType T) { return T.Kind == PtxType::BFloat ? 1 : T.Width; }

/// Between floating-point types, rounded once.
Value *PtxLowering::convertFloat(Value *V, PtxType From, PtxType To, Rounding Mode) {
  if (From.Kind == To.Kind && From.Width == To.Width)
    return V;
  Type *Wanted = To.elementIn(B.getContext());
  if (To.Width > From.Width)
    return B.CreateFPExt(widen(V), Wanted);
  if (Mode == Rounding::Nearest && To.Width == 32)
    return B.CreateFPTrunc(V, Wanted);
  if (Mode == Rounding::Nearest && From.Width == 32)
    return narrow(V, To);
  Value *Bits = B.CreateZExt(as(V, B.getIntNTy(From.Width)), i64());
  Value *Result =
      runtime("gpuprune_convert_float", i64(),
              {Bits, B.getInt32(formatCode(From)), B.getInt32(formatCode(To)), B.getInt32(uint32_t(Mode))});
  return as(Result, Wanted);
}

Value *PtxLowering::convertElement(Value *V, PtxType From, PtxType To, Rounding Mode, bool Integral) {
  Type *Wanted = To.elementIn(B.getContext());
  if (!From.isFloat() && !To.isFloat())
    return B.CreateIntCast(V, Wanted, From.isSigned());
  if (From.isFloat() && To.isFloat())
    return convertFloat(Integral ? narrow(roundToIntegral(widen(V), Mode), From) : V, From, To, Mode);
  if (From.isFloat())
    return floatToInteger(roundToIntegral(widen(V), Mode), Wanted, To.isSigned());
  if (Mode == Rounding::Nearest && To.Width >= 32)
    return From.isSigned() ? B.CreateSIToFP(V, Wanted) : B.CreateUIToFP(V, Wanted);
  Value *Wide = B.CreateIntCast(V, i64(), From.isSigned());
  return as(
      runtime("gpuprune_convert_integer", i64(),
              {Wide, B.getInt32(From.isSigned()), B.getInt32(formatCode(To)), B.getInt32(uint32_t(Mode))}),
      Wanted);
}

PtxLowering::Values PtxLowering::lowerCvt(PtxOperation &Op, Sources X) {
  PtxType To = Op.type(0), From = Op.type(1);
  StringRef Integral = Op.takeOne({"rni", "rzi", "rmi", "rpi"});
  Rounding Mode = Integral.empty() ? Op.takeRounding()
                                   : StringSwitch<Rounding>(Integral)
                                         .Case("rzi", Rounding::Zero)
                                         .Case("rmi", Rounding::Down)
                                         .Case("rpi", Rounding::Up)
                                         .Default(Rounding::Nearest);
  bool Flush = Op.take("ftz"), Saturate = Op.take("sat"), Relu = Op.take("relu");
  if (To.Kind == PtxType::Predicate || From.Kind == PtxType::Predicate || From.Lanes != 1 ||
      (Saturate && !To.isFloat()))
    return {nullptr};
  // cvt.f16x2.f32 d, a, b: a becomes the upper element.
  Type *ElementType = To.elementIn(B.getContext());
  Value *Result = PoisonValue::get(typeOf(To));
  for (unsigned Lane = 0; Lane < To.Lanes; ++Lane) {
    Value *V = as(X[To.Lanes - 1 - Lane], From.elementIn(B.getContext()));
    if (Flush && From.isFloat() && From.Width == 32)
      V = flush(V);
    Value *Element = convertElement(V, From, To, Mode, !Integral.empty());
    if (Flush && To.isFloat() && To.Width == 32)
      Element = flush(Element);
    if (Saturate || Relu)
      Element = as(narrow(Saturate ? saturate(widen(Element)) : relu(widen(Element)), To), ElementType);
    Result = To.Lanes == 1 ? Element : B.CreateInsertElement(Result, Element, Lane);
  }
  return {Result};
}

static CmpInst::Predicate floatPredicate(StringRef Comparison) {
  return StringSwitch<CmpInst::Predicate>(Comparison)
      .Case("eq", CmpInst::FCMP_OEQ)
      .Case("ne", CmpInst::FCMP_ONE)
      .Case("lt", CmpInst::FCMP_OLT)
      .Case("le", CmpInst::FCMP_OLE)
      .Case("gt", CmpInst::FCMP_OGT)
      .Case("ge", CmpInst::FCMP_OGE)
      .Case("equ", CmpInst::FCMP_UEQ)
      .Case("neu", CmpInst::FCMP_UNE)
      .Case("ltu", CmpInst::FCMP_ULT)
      .Case("leu", CmpInst::FCMP_ULE)
      .Case("gtu", CmpInst::FCMP_UGT)
      .Case("geu", CmpInst::FCMP_UGE)
      .Case("num", CmpInst::FCMP_ORD)
      .Case("nan", CmpInst::FCMP_UNO)
      .Default(CmpInst::BAD_FCMP_PREDICATE);
}

static CmpInst::Predicate integerPredicate(StringRef Comparison, bool Signed) {
  CmpInst::Predicate P = StringSwitch<CmpInst::Predicate>(Comparison)
                             .Case("eq", CmpInst::ICMP_EQ)
                             .Case("ne", CmpInst::ICMP_NE)
                             .Cases({"lt", "lo"}, CmpInst::ICMP_ULT)
                             .Cases({"le", "ls"}, CmpInst::ICMP_ULE)
                             .Cases({"gt", "hi"}, CmpInst::ICMP_UGT)
                             .Cases({"ge", "hs"}, CmpInst::ICMP_UGE)
                             .Default(CmpInst::BAD_ICMP_PREDICATE);
  return Signed && P != CmpInst::BAD_ICMP_PREDICATE ? ICmpInst::getSignedPredicate(P) : P;
}

Value *PtxLowering::compare(PtxOperation &Op, PtxType T, Sources X) {
  StringRef Comparison = Op.takeOne({"eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu",
                                     "ltu", "leu", "gtu", "geu", "num", "nan"});
  StringRef Combine = Op.takeOne({"and", "or", "xor"});
  bool Flush = Op.take("ftz") && T.Width < 64;
  Value *L = as(X[0], typeOf(T)), *R = as(X[1], typeOf(T));
  CmpInst::Predicate P =
      T.isFloat() ? floatPredicate(Comparison) : integerPredicate(Comparison, T.isSigned());
  if (P == CmpInst::BAD_FCMP_PREDICATE || P == CmpInst::BAD_ICMP_PREDICATE)
    return nullptr;
  Value *Result = PoisonValue::get(T.Lanes == 1 ? i1() : FixedVectorType::get(i1(), T.Lanes));
  for (unsigned Lane = 0; Lane < T.Lanes; ++Lane) {
    Value *LE = T.Lanes == 1 ? L : B.CreateExtractElement(L, Lane);
    Value *RE = T.Lanes == 1 ? R : B.CreateExtractElement(R, Lane);
    if (T.isFloat()) {
      LE = widen(Flush ? flush(LE) : LE);
      RE = widen(Flush ? flush(RE) : RE);
    }
    Value *Bit = B.CreateCmp(P, LE, RE);
    Result = T.Lanes == 1 ? Bit : B.CreateInsertElement(Result, Bit, Lane);
  }
  if (Combine.empty())
    return Result;
  Value *Other = B.CreateICmpNE(X[2], Constant::getNullValue(X[2]->getType()));
  if (T.Lanes > 1)
    Other = B.CreateVectorSplat(T.Lanes, Other);
  return Combine == "and"  ? B.CreateAnd(Result, Other)
         : Combine == "or" ? B.CreateOr(Result, Other)
                           : B.CreateXor(Result, Other);
}

PtxLowering::Values PtxLowering::lowerSetp(PtxOperation &Op, Sources X) {
  Value *Result = compare(Op, Op.type(), X);
  if (!Result || !Result->getType()->isVectorTy())
    return {Result, Result ? B.CreateNot(Result) : nullptr};
  return {B.CreateExtractElement(Result, uint64_t(0)), B.CreateExtractElement(Result, uint64_t(1))};
}

/// True is 1.0 of a floating-point type and all ones of an integer type.
PtxLowering::Values PtxLowering::lowerSet(PtxOperation &Op, Sources X) {
  PtxType To = Op.type(0), From = Op.type(1);
  Value *Bits = compare(Op, From, X);
  if (!Bits)
    return {nullptr};
  if (!To.isFloat() && From.Lanes == 2) // A mask of 16 bits for each element.
    return {as(B.CreateSExt(Bits, FixedVectorType::get(B.getInt16Ty(), 2)), typeOf(To))};
  if (!To.isFloat())
    return {B.CreateSExt(Bits, typeOf(To))};
  Value *One = ConstantFP::get(typeOf(To), 1), *Zero = ConstantFP::get(typeOf(To), 0);
  return {B.CreateSelect(Bits, One, Zero)};
}

PtxLowering::Values PtxLowering::lowerSelp(PtxOperation &Op, Sources X) {
  Type *T = typeOf(Op.type());
  return {B.CreateSelect(as(X[2], i1()), as(X[0], T), as(X[1], T))};
}

PtxLowering::Values PtxLowering::lowerMov(PtxOperation &Op, Sources X) {
  return {as(X[0], typeOf(Op.type()))};
}

} // namespace gpuprune
