//===- KernelEntry.cpp - How a launch calls a kernel ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Engine/DeviceRuntime.h"
#include "Engine/SourcePlace.h"
#include "HostLowering.h"
#include "gpuprune/Support/Error.h"

using namespace llvm;

namespace gpuprune {

/// The argument at \p Address as \p Parameter takes it.
static Value *argumentFor(Argument &Parameter, Value *Address, IRBuilder<> &B) {
  if (!Parameter.hasByValAttr())
    return B.CreateAlignedLoad(Parameter.getType(), Address, Align(1));
  if (Parameter.onlyReadsMemory())
    Parameter.removeAttr(Attribute::ByVal); // No thread needs a copy of its own.
  return Address;
}

std::string createEntry(Function &Kernel) {
  Module &M = *Kernel.getParent();
  LLVMContext &Context = M.getContext();
  auto *Pointer = PointerType::get(Context, 0);
  auto *Entry = Function::Create(FunctionType::get(Type::getVoidTy(Context), {Pointer}, false),
                                 GlobalValue::ExternalLinkage, "gpuprune.entry." + Kernel.getName(), M);
  IRBuilder<> B(BasicBlock::Create(Context, "", Entry));
  SmallVector<Value *> Arguments;
  for (Argument &Parameter : Kernel.args()) {
    Value *Slot = B.CreateConstInBoundsGEP1_64(Pointer, Entry->getArg(0), Parameter.getArgNo());
    Arguments.push_back(argumentFor(Parameter, B.CreateLoad(Pointer, Slot), B));
  }
  Kernel.setCallingConv(CallingConv::C);
  Kernel.setLinkage(GlobalValue::InternalLinkage);
  Kernel.setVisibility(GlobalValue::DefaultVisibility);
  Kernel.removeFnAttr(Attribute::OptimizeNone); // Of -O0; it goes with the other.
  Kernel.removeFnAttr(Attribute::NoInline);
  CallInst *Call = B.CreateCall(&Kernel, Arguments);
  Call->setAttributes(Kernel.getAttributes());
  B.CreateRetVoid();
  return Entry->getName().str();
}

/// A call of \p F, for its location.
static std::string whereCalled(const Function &F) {
  for (const User *U : F.users())
    if (auto *I = dyn_cast<Instruction>(U))
      return atSourceLine(*I);
  return "";
}

Error checkExternals(const Module &M, ArrayRef<LoweredVariable>) {
  for (const Function &F : M)
    if (F.isDeclaration() && !F.isIntrinsic() && !F.use_empty() && !isRuntimeFunction(F.getName()))
      return makeError(ErrorKind::Refused,
                       formatv("function '{0}', called{1}, is defined nowhere in the device code and "
                               "cannot run on the CPU",
                               F.getName(), whereCalled(F)));
  return Error::success();
}

} // namespace gpuprune
