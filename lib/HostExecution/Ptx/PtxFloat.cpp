//===- PtxFloat.cpp - Floating-point PTX instructions --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PtxLowering.h"

using namespace llvm;

namespace gpuprune {

/// A bfloat is the upper half of a float; LLVM's own conversions may flush denormals.
Value *PtxLowering::widen(Value *V) {
  if (V->getType()->isHalfTy())
    return B.CreateFPExt(V, B.getFloatTy());
  if (!V->getType()->isBFloatTy())
    return V;
  Value *Bits = B.CreateZExt(B.CreateBitCast(V, B.getInt16Ty()), i32());
  return B.CreateBitCast(B.CreateShl(Bits, 16), B.getFloatTy());
}

/// Rounds to nearest, ties to even.
Value *PtxLowering::narrow(Value *V, PtxType T) {
  if (T.Width != 16)
    return V;
  if (T.Kind == PtxType::Float)
    return B.CreateFPTrunc(V, B.getHalfTy());
  Value *Bits = B.CreateBitCast(V, i32());
  Value *Odd = B.CreateAnd(B.CreateLShr(Bits, 16), 1);
  Value *Rounded = B.CreateLShr(B.CreateAdd(Bits, B.CreateAdd(Odd, B.getInt32(0x7fff))), 16);
  Value *Upper = B.CreateSelect(B.CreateFCmpUNO(V, V), B.getInt32(0x7fff), Rounded);
  return B.CreateBitCast(B.CreateTrunc(Upper, B.getInt16Ty()), Type::getBFloatTy(B.getContext()));
}

Value *PtxLowering::flush(Value *V) {
  Type *T = V->getType();
  if (T->isVectorTy()) {
    Value *Result = V;
    for (unsigned I = 0; I < cast<FixedVectorType>(T)->getNumElements(); ++I)
      Result = B.CreateInsertElement(Result, flush(B.CreateExtractElement(V, I)), I);
    return Result;
  }
  const fltSemantics &Semantics = T->getFltSemantics();
  unsigned Width = T->getPrimitiveSizeInBits();
  APInt Exponent = APFloat::getInf(Semantics).bitcastToAPInt();
  Value *Bits = B.CreateBitCast(V, B.getIntNTy(Width));
  Value *Small = B.CreateICmpEQ(B.CreateAnd(Bits, Exponent), B.getIntN(Width, 0));
  Value *Zero = B.CreateAnd(Bits, APInt::getSignMask(Width));
  return B.CreateBitCast(B.CreateSelect(Small, Zero, Bits), T);
}

/// Clamped to [0, 1]; NaN becomes 0.
Value *PtxLowering::saturate(Value *V) {
  Value *Zero = ConstantFP::get(V->getType(), 0), *One = ConstantFP::get(V->getType(), 1);
  Value *Below = B.CreateSelect(B.CreateFCmpOLT(V, One), V, One);
  return B.CreateSelect(B.CreateFCmpOGT(V, Zero), Below, Zero);
}

Value *PtxLowering::relu(Value *V) {
  Value *Zero = ConstantFP::get(V->getType(), 0);
  return B.CreateSelect(B.CreateFCmpUGT(V, Zero), V, Zero);
}

/// Applies \p Compute to each element, with what .ftz, .sat and .relu ask for.
PtxLowering::Values PtxLowering::perElement(PtxOperation &Op, Sources Operands,
                                            function_ref<Value *(Sources)> Compute) {
  PtxType T = Op.type();
  bool Flush = Op.take("ftz") && T.Width < 64, Saturate = Op.take("sat"), Relu = Op.take("relu");
  Type *Whole = typeOf(T);
  Value *Result = PoisonValue::get(Whole);
  for (unsigned Lane = 0; Lane < T.Lanes; ++Lane) {
    Values Elements;
    for (Value *Operand : Operands) {
      Value *Element = as(Operand, Whole);
      Element = T.Lanes == 1 ? Element : B.CreateExtractElement(Element, Lane);
      Elements.push_back(widen(Flush ? flush(Element) : Element));
    }
    Value *Computed = Compute(Elements);
    if (!Computed)
      return {nullptr};
    Computed = Saturate ? saturate(Computed) : Relu ? relu(Computed) : Computed;
    Value *Element = narrow(Computed, T);
    Element = Flush ? flush(Element) : Element;
    Result = T.Lanes == 1 ? Element : B.CreateInsertElement(Result, Element, Lane);
  }
  return {Result};
}

/// An operation that IR has with rounding to nearest only.
Value *PtxLowering::rounded(StringRef Operation, Rounding Mode, Sources Operands) {
  Type *T = Operands.front()->getType();
  SmallVector<Value *> Arguments(Operands);
  Arguments.push_back(B.getInt32(uint32_t(Mode)));
  return runtime(("gpuprune_" + Operation + (T->isDoubleTy() ? "_f64" : "_f32")).str(), T, Arguments);
}

PtxLowering::Values PtxLowering::lowerAdd(PtxOperation &Op, Sources X) {
  if (!Op.type().isFloat())
    return {withCarry(Op, as(X[0], typeOf(Op.type())), as(X[1], typeOf(Op.type())), false, false)};
  Rounding Mode = Op.takeRounding();
  return perElement(Op, X, [&](Sources E) {
    return Mode == Rounding::Nearest ? B.CreateFAdd(E[0], E[1]) : rounded("add", Mode, E);
  });
}

PtxLowering::Values PtxLowering::lowerSub(PtxOperation &Op, Sources X) {
  if (!Op.type().isFloat())
    return {withCarry(Op, as(X[0], typeOf(Op.type())), as(X[1], typeOf(Op.type())), false, true)};
  Rounding Mode = Op.takeRounding();
  return perElement(Op, X, [&](Sources E) {
    return Mode == Rounding::Nearest ? B.CreateFSub(E[0], E[1])
                                     : rounded("add", Mode, {E[0], B.CreateFNeg(E[1])});
  });
}

PtxLowering::Values PtxLowering::lowerMul(PtxOperation &Op, Sources X) {
  if (!Op.type().isFloat())
    return {productOf(Op, Op.type(), as(X[0], typeOf(Op.type())), as(X[1], typeOf(Op.type())))};
  Rounding Mode = Op.takeRounding();
  return perElement(Op, X, [&](Sources E) {
    return Mode == Rounding::Nearest ? B.CreateFMul(E[0], E[1]) : rounded("mul", Mode, E);
  });
}

/// A multiply-add of elements as they are computed with, rounded once to \p T.
Value *PtxLowering::fused(PtxType T, Rounding Mode, Sources E) {
  if (T.Width == 16) {
    // Wide enough that narrowing again does not round a second time.
    Value *Bits =
        runtime(T.Kind == PtxType::Float ? "gpuprune_fma_f16" : "gpuprune_fma_bf16", B.getFloatTy(), E);
    return Mode == Rounding::Nearest ? Bits : nullptr;
  }
  if (Mode != Rounding::Nearest)
    return rounded("fma", Mode, E);
  return B.CreateIntrinsic(Intrinsic::fma, {E[0]->getType()}, {E[0], E[1], E[2]});
}

PtxLowering::Values PtxLowering::lowerFma(PtxOperation &Op, Sources X) {
  Rounding Mode = Op.takeRounding();
  if (!Op.type().isFloat())
    return {nullptr};
  return perElement(Op, X, [&](Sources E) { return fused(Op.type(), Mode, E); });
}

/// .approx and .full are rounded correctly here; x / y with a huge y is 0, as PTX has it.
PtxLowering::Values PtxLowering::lowerDiv(PtxOperation &Op, Sources X) {
  if (!Op.type().isFloat()) {
    Value *N = as(X[0], typeOf(Op.type())), *D = as(X[1], typeOf(Op.type()));
    return {Op.type().isSigned() ? B.CreateSDiv(N, D) : B.CreateUDiv(N, D)};
  }
  bool Approximate = Op.take("approx"), Full = Op.take("full");
  (void)Full;
  Rounding Mode = Op.takeRounding();
  return perElement(Op, X, [&](Sources E) {
    if (Mode != Rounding::Nearest)
      return rounded("div", Mode, E);
    Value *Quotient = B.CreateFDiv(E[0], E[1]);
    if (!Approximate)
      return Quotient;
    Value *Zero = B.CreateFMul(B.CreateCopySign(ConstantFP::get(E[0]->getType(), 0), E[1]), E[0]);
    Value *Huge = B.CreateFCmpOGT(B.CreateUnaryIntrinsic(Intrinsic::fabs, E[1]),
                                  ConstantFP::get(E[0]->getType(), 0x1p126));
    return B.CreateSelect(Huge, Zero, Quotient);
  });
}

PtxLowering::Values PtxLowering::lowerNeg(PtxOperation &Op, Sources X) {
  if (!Op.type().isFloat())
    return {B.CreateNeg(as(X[0], typeOf(Op.type())))};
  return perElement(Op, X, [&](Sources E) { return B.CreateFNeg(E[0]); });
}

PtxLowering::Values PtxLowering::lowerAbs(PtxOperation &Op, Sources X) {
  if (!Op.type().isFloat())
    return {B.CreateBinaryIntrinsic(Intrinsic::abs, as(X[0], typeOf(Op.type())), B.getFalse())};
  return perElement(Op, X, [&](Sources E) { return B.CreateUnaryIntrinsic(Intrinsic::fabs, E[0]); });
}

/// The number where one operand is NaN, or NaN with .NaN; -0 is below +0.
Value *PtxLowering::minMax(PtxOperation &Op, bool Max, Sources X) {
  PtxType T = Op.type();
  if (!T.isFloat()) {
    Intrinsic::ID Id =
        T.isSigned() ? (Max ? Intrinsic::smax : Intrinsic::smin) : (Max ? Intrinsic::umax : Intrinsic::umin);
    Value *R = B.CreateBinaryIntrinsic(Id, as(X[0], typeOf(T)), as(X[1], typeOf(T)));
    return Op.take("relu") ? B.CreateBinaryIntrinsic(Intrinsic::smax, R, Constant::getNullValue(R->getType()))
                           : R;
  }
  bool KeepNaN = Op.take("NaN"), Xor = Op.take("xorsign") && Op.take("abs");
  Intrinsic::ID Id = KeepNaN ? (Max ? Intrinsic::maximum : Intrinsic::minimum)
                             : (Max ? Intrinsic::maximumnum : Intrinsic::minimumnum);
  return perElement(Op, X,
                    [&](Sources E) -> Value * {
                      if (!Xor)
                        return B.CreateBinaryIntrinsic(Id, E[0], E[1]);
                      Value *R = B.CreateBinaryIntrinsic(Id, B.CreateUnaryIntrinsic(Intrinsic::fabs, E[0]),
                                                         B.CreateUnaryIntrinsic(Intrinsic::fabs, E[1]));
                      Type *Bits = B.getIntNTy(R->getType()->getPrimitiveSizeInBits());
                      Value *Sign = B.CreateXor(B.CreateBitCast(E[0], Bits), B.CreateBitCast(E[1], Bits));
                      return B.CreateCopySign(R, B.CreateBitCast(Sign, R->getType()));
                    })
      .front();
}

PtxLowering::Values PtxLowering::lowerMin(PtxOperation &Op, Sources X) { return {minMax(Op, false, X)}; }
PtxLowering::Values PtxLowering::lowerMax(PtxOperation &Op, Sources X) { return {minMax(Op, true, X)}; }

PtxLowering::Values PtxLowering::lowerRcp(PtxOperation &Op, Sources X) {
  bool Approximate = Op.take("approx");
  Rounding Mode = Op.takeRounding();
  return perElement(Op, X, [&](Sources E) -> Value * {
    if (Approximate && Op.type().Width == 64)
      return runtime("gpuprune_rcp_approx_f64", E[0]->getType(), E);
    Value *One = ConstantFP::get(E[0]->getType(), 1);
    return Mode == Rounding::Nearest ? B.CreateFDiv(One, E[0]) : rounded("div", Mode, {One, E[0]});
  });
}

PtxLowering::Values PtxLowering::lowerSqrt(PtxOperation &Op, Sources X) {
  Op.take("approx");
  Rounding Mode = Op.takeRounding();
  return perElement(Op, X, [&](Sources E) {
    return Mode == Rounding::Nearest ? B.CreateUnaryIntrinsic(Intrinsic::sqrt, E[0])
                                     : rounded("sqrt", Mode, E);
  });
}

/// A function that only .approx has: computed in double and rounded once.
Value *PtxLowering::approximate(StringRef Function, Value *V) {
  return runtime(("gpuprune_" + Function + (V->getType()->isDoubleTy() ? "_f64" : "_f32")).str(),
                 V->getType(), {V});
}

PtxLowering::Values PtxLowering::lowerRsqrt(PtxOperation &Op, Sources X) {
  Op.take("approx");
  if (Op.type().Width == 64 && Op.take("ftz"))
    return {runtime("gpuprune_rsqrt_approx_f64", B.getDoubleTy(), {as(X[0], B.getDoubleTy())})};
  return perElement(Op, X, [&](Sources E) { return approximate("rsqrt", E[0]); });
}
PtxLowering::Values PtxLowering::lowerEx2(PtxOperation &Op, Sources X) {
  Op.take("approx");
  return perElement(Op, X, [&](Sources E) { return approximate("ex2", E[0]); });
}
PtxLowering::Values PtxLowering::lowerLg2(PtxOperation &Op, Sources X) {
  Op.take("approx");
  return perElement(Op, X, [&](Sources E) { return approximate("lg2", E[0]); });
}
PtxLowering::Values PtxLowering::lowerSin(PtxOperation &Op, Sources X) {
  Op.take("approx");
  return perElement(Op, X, [&](Sources E) { return approximate("sin", E[0]); });
}
PtxLowering::Values PtxLowering::lowerCos(PtxOperation &Op, Sources X) {
  Op.take("approx");
  return perElement(Op, X, [&](Sources E) { return approximate("cos", E[0]); });
}
PtxLowering::Values PtxLowering::lowerTanh(PtxOperation &Op, Sources X) {
  Op.take("approx");
  return perElement(Op, X, [&](Sources E) { return approximate("tanh", E[0]); });
}

} // namespace gpuprune
