//===- IntrinsicLowering.cpp - Replaces llvm.nvvm intrinsics -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IntrinsicLowering.h"
#include "Engine/SourcePlace.h"
#include "Engine/ThreadContext.h"
#include "HostLowering.h"
#include "Ptx/InlinePtx.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;

namespace gpuprune {

Value *IntrinsicLowering::ptx(StringRef Opcode) { return ptx(Opcode, SmallVector<Value *>(Call.args())); }

Value *IntrinsicLowering::ptx(StringRef Opcode, ArrayRef<Value *> Operands) {
  std::optional<PtxLowering::Values> Results = Ptx.lower(Opcode, Operands);
  if (!Results)
    return nullptr;
  if (Call.getType()->isVoidTy())
    return nothing();
  auto *Struct = dyn_cast<StructType>(Call.getType());
  if (!Struct)
    return Ptx.as(Results->front(), Call.getType());
  Value *All = PoisonValue::get(Struct);
  for (unsigned I = 0; I < Struct->getNumElements(); ++I)
    All = B.CreateInsertValue(All, Ptx.as((*Results)[I], Struct->getElementType(I)), I);
  return All;
}

Value *IntrinsicLowering::ofType(StringRef Opcode) {
  Type *T = Call.getType(), *Element = T->getScalarType();
  std::string Suffix =
      Element->isBFloatTy() ? ".bf16" : ".f" + std::to_string(Element->getPrimitiveSizeInBits());
  return ptx((Opcode + Suffix + (T->isVectorTy() ? "x2" : "")).str());
}

Value *IntrinsicLowering::atomic(AtomicRMWInst::BinOp Operation) {
  return B.CreateAtomicRMW(Operation, arg(0), arg(1), MaybeAlign(), AtomicOrdering::SequentiallyConsistent);
}

Value *IntrinsicLowering::compareAndSwap() {
  constexpr AtomicOrdering Ordering = AtomicOrdering::SequentiallyConsistent;
  return B.CreateExtractValue(B.CreateAtomicCmpXchg(arg(0), arg(1), arg(2), MaybeAlign(), Ordering, Ordering),
                              0);
}

Value *IntrinsicLowering::copyAsync(unsigned Bytes) {
  SmallVector<Value *> Operands{arg(0), arg(1), B.getInt32(Bytes)};
  if (Call.arg_size() > 2)
    Operands.push_back(arg(2));
  return ptx("cp.async.ca.shared.global", Operands);
}

Value *IntrinsicLowering::upperHalf(Value *Double) {
  return B.CreateTrunc(B.CreateLShr(Ptx.as(Double, B.getInt64Ty()), 32), B.getInt32Ty());
}

Value *IntrinsicLowering::doubleOf(Value *Low, Value *High) {
  Value *Upper = B.CreateShl(B.CreateZExt(High, B.getInt64Ty()), 32);
  return Ptx.as(B.CreateOr(Upper, B.CreateZExt(Low, B.getInt64Ty())), B.getDoubleTy());
}

Value *IntrinsicLowering::lower() {
  switch (Call.getIntrinsicID()) {
#define HOST_INTRINSIC(Id, Result)                                                                           \
  case Intrinsic::nvvm_##Id:                                                                                 \
    return Result;
#include "HostIntrinsics.def"
  default:
    return nullptr;
  }
}

static Error refuse(const CallBase &Call, const Twine &What) {
  return makeError(ErrorKind::Refused,
                   formatv("{0}{1} cannot run on the CPU; docs/host-execution.md lists what can", What.str(),
                           atSourceLine(Call)));
}

/// printf, assert and trap, as clang and the CUDA headers call them.
static bool lowerEnding(CallBase &Call, ThreadAccess &Threads) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  IRBuilder<> B(&Call);
  PtxLowering Ptx(B, Threads);
  if (Name == "vprintf")
    Call.replaceAllUsesWith(
        Ptx.onThread("gpuprune_printf", B.getInt32Ty(), {Call.getArgOperand(0), Call.getArgOperand(1)}));
  else if (Name == "__assertfail" || Name == "__assert_fail")
    Ptx.onThread(
        "gpuprune_assert", B.getVoidTy(),
        {Call.getArgOperand(0), Call.getArgOperand(1), Call.getArgOperand(2), Call.getArgOperand(3)});
  else if (Name == "llvm.trap" || Name == "llvm.debugtrap" || Name == "llvm.ubsantrap")
    Ptx.onThread("gpuprune_trap", B.getVoidTy(), {});
  else
    return false;
  Call.eraseFromParent();
  return true;
}

static Error lowerCall(CallBase &Call, ThreadAccess &Threads) {
  if (Call.isInlineAsm()) {
    std::string Place = atSourceLine(Call);
    if (Error E = lowerInlinePtx(Call, Threads))
      return makeError(
          ErrorKind::Refused,
          formatv("inline PTX '{0}'{1} cannot run on the CPU; docs/host-execution.md lists what can",
                  toString(std::move(E)), Place));
    return Error::success();
  }
  Function *Callee = Call.getCalledFunction();
  if (!Callee || lowerEnding(Call, Threads) || !Callee->getName().starts_with("llvm.nvvm."))
    return Error::success();
  Value *Result = IntrinsicLowering(Call, Threads).lower();
  if (!Result)
    return refuse(Call, "'" + Callee->getName() + "'");
  if (!Call.getType()->isVoidTy())
    Call.replaceAllUsesWith(Result);
  Call.eraseFromParent();
  return Error::success();
}

Error lowerIntrinsics(Module &M, ThreadAccess &Threads) {
  SmallVector<CallBase *> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        Calls.push_back(Call);
  for (CallBase *Call : Calls)
    if (Error E = lowerCall(*Call, Threads))
      return E;
  return Error::success();
}

} // namespace gpuprune
