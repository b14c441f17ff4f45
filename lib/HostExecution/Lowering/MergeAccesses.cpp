//===- MergeAccesses.cpp - Vector accesses as NVPTX makes them -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostLowering.h"
#include "gpuprune/Analysis/AnalysisManagers.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;

namespace gpuprune {

void mergeAccesses(Module &M) {
  std::string Problem;
  const Target *T = TargetRegistry::lookupTarget(M.getTargetTriple(), Problem);
  if (!T)
    return;
  std::unique_ptr<TargetMachine> TM(
      T->createTargetMachine(M.getTargetTriple(), "", "", TargetOptions(), Reloc::Static));
  PassBuilder PB(TM.get());
  AnalysisManagers Analyses;
  Analyses.registerAll(PB);
  FunctionPassManager Passes;
  Passes.addPass(LoadStoreVectorizerPass());
  for (Function &F : M)
    if (!F.isDeclaration())
      Passes.run(F, Analyses.Functions);
}

} // namespace gpuprune
