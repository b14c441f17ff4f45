//===- AnalysisManagers.h - LLVM's analyses, registered -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_ANALYSISMANAGERS_H
#define GPUPRUNE_ANALYSIS_ANALYSISMANAGERS_H

#include "llvm/Passes/PassBuilder.h"

namespace gpuprune {

/// What a pass manager of one's own is run with. Destroyed in the opposite order, as they
/// have to be.
struct AnalysisManagers {
  llvm::LoopAnalysisManager Loops;
  llvm::FunctionAnalysisManager Functions;
  llvm::CGSCCAnalysisManager Components;
  llvm::ModuleAnalysisManager Modules;

  /// Registers all of LLVM's analyses. One that is to be another than \p Builder's has to
  /// be registered before.
  void registerAll(llvm::PassBuilder &Builder) {
    Builder.registerModuleAnalyses(Modules);
    Builder.registerCGSCCAnalyses(Components);
    Builder.registerFunctionAnalyses(Functions);
    Builder.registerLoopAnalyses(Loops);
    Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  }
};

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_ANALYSISMANAGERS_H
