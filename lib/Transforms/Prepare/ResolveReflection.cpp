//===- ResolveReflection.cpp - What libdevice asks about its compile ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/ResolveReflection.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace gpuprune {

/// Nothing for a call that does not name what it asks for.
static std::optional<uint64_t> answerTo(const CallInst &Call) {
  StringRef Asked;
  if (!getConstantStringInfo(Call.getArgOperand(0), Asked))
    return std::nullopt;
  if (Asked == "__CUDA_ARCH")
    return 10 * computeCapability(*Call.getFunction());
  const auto *Flag =
      Asked == "__CUDA_FTZ"
          ? mdconst::extract_or_null<ConstantInt>(Call.getModule()->getModuleFlag("nvvm-reflect-ftz"))
          : nullptr;
  return Flag ? Flag->getZExtValue() : 0;
}

static SmallVector<CallInst *, 8> reflectionCalls(Module &M) {
  SmallVector<CallInst *, 8> Calls;
  for (StringRef Name : {"__nvvm_reflect", "__nvvm_reflect_ocl", "llvm.nvvm.reflect"})
    if (Function *Reflect = M.getFunction(Name))
      for (User *U : Reflect->users())
        if (auto *Call = dyn_cast<CallInst>(U); Call && Call->getCalledFunction() == Reflect)
          Calls.push_back(Call);
  return Calls;
}

bool resolveReflection(Module &M) {
  SmallPtrSet<Function *, 8> Changed;
  for (CallInst *Call : reflectionCalls(M)) {
    std::optional<uint64_t> Answer = answerTo(*Call);
    if (!Answer)
      continue;
    Changed.insert(Call->getFunction());
    replaceAndRecursivelySimplify(Call, ConstantInt::get(Call->getType(), *Answer));
    Call->eraseFromParent();
  }
  for (Function *F : Changed)
    removeUnreachableBlocks(*F);
  return !Changed.empty();
}

} // namespace gpuprune
