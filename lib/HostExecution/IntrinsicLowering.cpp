//===- IntrinsicLowering.cpp - Replaces llvm.nvvm intrinsics -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IntrinsicLowering.h"
#include "HostLowering.h"
#include "SourcePlace.h"
#include "ThreadContext.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;

namespace gpuprune {

Value *IntrinsicLowering::onThread(StringRef Function, ArrayRef<Value *> Arguments) {
  SmallVector<Value *> All{Threads.thread(*Call.getFunction())};
  SmallVector<Type *> Types{B.getPtrTy()};
  for (Value *V : Arguments) {
    All.push_back(V->getType()->isIntegerTy(1) ? B.CreateZExt(V, B.getInt32Ty()) : V);
    Types.push_back(All.back()->getType());
  }
  Type *Wanted = Call.getType();
  Type *Result = Wanted->isIntegerTy(1) ? B.getInt32Ty() : Wanted;
  FunctionCallee Callee =
      Call.getModule()->getOrInsertFunction(Function, FunctionType::get(Result, Types, false));
  Value *Value = B.CreateCall(Callee, All);
  return Wanted->isIntegerTy(1) ? B.CreateICmpNE(Value, constant(0)) : Value;
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

static Error lowerCall(CallBase &Call, ThreadAccess &Threads) {
  if (auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return refuse(Call, formatv("inline PTX '{0}'", Asm->getAsmString()).str());
  Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->getName().starts_with("llvm.nvvm."))
    return Error::success();
  Value *Result = IntrinsicLowering(Call, Threads).lower();
  if (!Result)
    return refuse(Call, "'" + Callee->getName() + "'");
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
