//===- Prepare.cpp - gpu-prepare: the form every other pass stands on -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Prepare.h"
#include "Facts/PureAssembly.h"
#include "Facts/PureFunctions.h"
#include "Facts/RaiseAsyncCopies.h"
#include "MemoryCopies.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/LoopNumbers.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "gpuprune/Transforms/PinContraction.h"
#include "gpuprune/Transforms/ResolveReflection.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace gpuprune {

static constexpr StringLiteral PreparedAttribute = "gpuprune-prepared";

/// InstCombine as clang runs it: as a textual pass it would verify that it
/// reached a fixpoint and end the compiler where it did not.
static InstCombinePass instCombine() {
  return InstCombinePass(InstCombineOptions().setVerifyFixpoint(false));
}

static FunctionPassManager buildFunctionPipeline() {
  FunctionPassManager FPM;
  FPM.addPass(SROAPass(SROAOptions::ModifyCFG));
  FPM.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  FPM.addPass(SimplifyCFGPass());
  FPM.addPass(instCombine());
  FPM.addPass(RaiseAsyncCopiesPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(LoopRotatePass(), /*UseMemorySSA=*/true));
  FPM.addPass(instCombine());
  FPM.addPass(LoopSimplifyPass());
  FPM.addPass(LCSSAPass());
  FPM.addPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass()));
  FPM.addPass(InferAddressSpacesPass());
  return FPM;
}

static ModulePassManager buildPipeline() {
  ModulePassManager MPM;
  MPM.addPass(AlwaysInlinerPass());
  MPM.addPass(ModuleInlinerWrapperPass(getInlineParams(/*OptLevel=*/3, /*SizeOptLevel=*/0)));
  MPM.addPass(createModuleToFunctionPassAdaptor(buildFunctionPipeline()));
  return MPM;
}

PreservedAnalyses PreparePass::run(Module &M, ModuleAnalysisManager &MAM) {
  SmallVector<Function *, 4> Kernels = selectKernels(M, "");
  bool AllPrepared = all_of(Kernels, [](Function *F) { return F->hasFnAttribute(PreparedAttribute); });
  if (!isDeviceModule(M) || AllPrepared)
    return PreservedAnalyses::all();

  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  if (resolveReflection(M))
    FAM.clear();
  for (Function &F : M)
    if (!F.isDeclaration()) {
      markLibdeviceLoops(F, FAM.getResult<LoopAnalysis>(F));
      markPureAssembly(F);
    }
  MAM.invalidate(M, buildPipeline().run(M, MAM));

  for (Function &F : M)
    if (!F.isDeclaration())
      pinContraction(F);
  markPureFunctions(M);
  for (Function *F : Kernels) {
    FAM.invalidate(*F, PreservedAnalyses::none());
    lowerSmallCopies(*F);
    numberLoops(FAM.getResult<LoopAnalysis>(*F));
    F->addFnAttr(PreparedAttribute);
  }
  return PreservedAnalyses::none();
}

const PassDescriptor &prepareDescriptor() {
  static const PassDescriptor D = describe<PreparePass, NoOptions>("the form that all other passes need",
                                                                   {.Role = PassRole::Preparation});
  return D;
}

} // namespace gpuprune
