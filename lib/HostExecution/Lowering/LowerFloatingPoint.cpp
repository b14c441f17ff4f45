//===- LowerFloatingPoint.cpp - Floating point without fast-math ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Engine/SourcePlace.h"
#include "HostLowering.h"
#include "Ptx/PtxLowering.h"
#include "gpuprune/Support/Error.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// Replaces one instruction by what NVPTX makes of it.
class FloatLowering {
public:
  FloatLowering(Instruction &I, ThreadAccess &Threads) : I(I), B(&I), Ptx(B, Threads) {}
  Error run();

private:
  Instruction &I;
  IRBuilder<> B;
  PtxLowering Ptx;

  Value *replacement();
  Value *intrinsic(IntrinsicInst &Call);
  /// The PTX instruction \p Opcode for each element of the type of \p I.
  Value *perElement(StringRef Opcode, ArrayRef<Value *> Operands);
  Value *elementOf(Value *V, unsigned Index) {
    return V->getType()->isVectorTy() ? B.CreateExtractElement(V, Index) : V;
  }
  void flushDenormals();
};

} // namespace

static bool hasBFloat(const Instruction &I) {
  auto IsBFloat = [](const Value *V) { return V->getType()->getScalarType()->isBFloatTy(); };
  return IsBFloat(&I) || any_of(I.operands(), IsBFloat);
}

static StringRef suffixOf(const Type *T) {
  const Type *Element = T->getScalarType();
  return Element->isBFloatTy() ? "bf16" : Element->isHalfTy() ? "f16" : Element->isFloatTy() ? "f32" : "f64";
}

Value *FloatLowering::perElement(StringRef Opcode, ArrayRef<Value *> Operands) {
  auto *Vector = dyn_cast<FixedVectorType>(I.getType());
  Value *Result = PoisonValue::get(I.getType());
  for (unsigned Index = 0; Index < (Vector ? Vector->getNumElements() : 1); ++Index) {
    SmallVector<Value *> Elements;
    for (Value *Operand : Operands)
      Elements.push_back(elementOf(Operand, Index));
    std::optional<PtxLowering::Values> Computed = Ptx.lower(Opcode, Elements);
    if (!Computed)
      return nullptr;
    Value *Element = Ptx.as(Computed->front(), I.getType()->getScalarType());
    Result = Vector ? B.CreateInsertElement(Result, Element, Index) : Element;
  }
  return Result;
}

Value *FloatLowering::intrinsic(IntrinsicInst &Call) {
  StringRef Suffix = suffixOf(Call.getType());
  bool IsDouble = Suffix == "f64";
  SmallVector<Value *> Operands(Call.args());
  auto As = [&](const Twine &Opcode) { return perElement((Opcode + "." + Suffix).str(), Operands); };
  switch (Call.getIntrinsicID()) {
  case Intrinsic::fmuladd: // Always fused on the GPU.
  case Intrinsic::fma:
    return As("fma.rn");
  case Intrinsic::minnum:
    return As("min");
  case Intrinsic::maxnum:
    return As("max");
  case Intrinsic::exp2:
    return IsDouble ? nullptr : As("ex2.approx");
  case Intrinsic::log2:
    return IsDouble ? nullptr : As("lg2.approx");
  case Intrinsic::sin:
    return IsDouble ? nullptr : As("sin.approx");
  case Intrinsic::cos:
    return IsDouble ? nullptr : As("cos.approx");
  case Intrinsic::tanh:
    return IsDouble ? nullptr : As("tanh.approx");
  case Intrinsic::fabs:
    return hasBFloat(I) ? As("abs") : nullptr;
  default:
    return nullptr;
  }
}

/// Null where the instruction means the same on both machines.
Value *FloatLowering::replacement() {
  if (auto *Call = dyn_cast<IntrinsicInst>(&I))
    return intrinsic(*Call);
  Type *T = I.getType();
  switch (I.getOpcode()) {
  case Instruction::FPToSI:
    if (!hasBFloat(I))
      return Ptx.floatToInteger(I.getOperand(0), T, true);
    return nullptr;
  case Instruction::FPToUI:
    if (!hasBFloat(I))
      return Ptx.floatToInteger(I.getOperand(0), T, false);
    return nullptr;
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    if (hasBFloat(I))
      return perElement(("cvt.rn." + suffixOf(T) + "." + suffixOf(I.getOperand(0)->getType())).str(),
                        {I.getOperand(0)});
    return nullptr;
  case Instruction::FAdd:
    return hasBFloat(I) ? perElement("add.rn.bf16", {I.getOperand(0), I.getOperand(1)}) : nullptr;
  case Instruction::FSub:
    return hasBFloat(I) ? perElement("sub.rn.bf16", {I.getOperand(0), I.getOperand(1)}) : nullptr;
  case Instruction::FMul:
    return hasBFloat(I) ? perElement("mul.rn.bf16", {I.getOperand(0), I.getOperand(1)}) : nullptr;
  case Instruction::FNeg:
    return hasBFloat(I) ? perElement("neg.bf16", {I.getOperand(0)}) : nullptr;
  default:
    return nullptr;
  }
}

/// Operands and result of an operation on floats, denormals flushed.
void FloatLowering::flushDenormals() {
  auto IsFloat = [](const Value *V) { return V->getType()->getScalarType()->isFloatTy(); };
  for (Use &U : I.operands())
    if (IsFloat(U))
      U.set(Ptx.flush(U));
  if (!IsFloat(&I))
    return;
  B.SetInsertPoint(I.getNextNode());
  SmallVector<Use *> Uses;
  for (Use &U : I.uses())
    Uses.push_back(&U);
  Value *Flushed = Ptx.flush(&I);
  for (Use *U : Uses)
    U->set(Flushed);
}

/// Loads, selections and the like move bits as they are.
static bool computes(const Instruction &I) {
  if (isa<PHINode, SelectInst>(I))
    return false;
  if (auto *Call = dyn_cast<CallBase>(&I))
    return isa<IntrinsicInst>(Call);
  return isa<FPMathOperator>(I) || isa<FPToSIInst, FPToUIInst>(I);
}

Error FloatLowering::run() {
  if (isa<FPMathOperator>(I))
    I.setFastMathFlags(FastMathFlags());
  if (!computes(I))
    return Error::success();
  if (I.getFunction()->getDenormalMode(APFloat::IEEEsingle()).Output == DenormalMode::PreserveSign) {
    flushDenormals();
    B.SetInsertPoint(&I);
  }
  if (Value *Replacement = replacement()) {
    I.replaceAllUsesWith(Replacement);
    I.eraseFromParent();
    return Error::success();
  }
  if (hasBFloat(I) && !isa<BitCastInst>(I))
    return makeError(ErrorKind::Refused, formatv("'{0}' of bfloat{1} is not supported on the CPU",
                                                 I.getOpcodeName(), atSourceLine(I)));
  return Error::success();
}

Error lowerFloatingPoint(Module &M, ThreadAccess &Threads) {
  SmallVector<Instruction *> All;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (isa<FPMathOperator>(I) || isa<FPToSIInst, FPToUIInst, FCmpInst>(I))
        All.push_back(&I);
  for (Instruction *I : All)
    if (Error E = FloatLowering(*I, Threads).run())
      return E;
  return Error::success();
}

} // namespace gpuprune
