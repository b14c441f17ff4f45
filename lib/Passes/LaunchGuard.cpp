//===- LaunchGuard.cpp - Never a silently wrong program ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Passes/LaunchGuard.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace gpuprune {

/// The host side of a CUDA file calls or registers kernels through these.
static bool launchesKernels(const Module &M) {
  return any_of(M, [](const Function &F) {
    return F.getName().starts_with("cudaLaunch") || F.getName() == "__cudaRegisterFunction" ||
           F.getName() == "__cudaPushCallConfiguration" || F.getName() == "__cudaPopCallConfiguration" ||
           F.getName().contains("__device_stub__");
  });
}

namespace {

class LaunchGuardPass : public PassInfoMixin<LaunchGuardPass> {
public:
  LaunchGuardPass(std::string Pipeline, OptimizationLevel Level)
      : Pipeline(std::move(Pipeline)), Level(Level) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (Level == OptimizationLevel::O0 && !selectKernels(M, "").empty())
      report(M, "has no effect at -O0; compile the device side with -O1 or higher", DS_Warning);
    if (!isDeviceModule(M) && launchesKernels(M))
      checkHostSide(M);
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  std::string Pipeline;
  OptimizationLevel Level;

  void report(Module &M, const Twine &Problem, DiagnosticSeverity Severity = DS_Error) {
    M.getContext().diagnose(
        DiagnosticInfoGeneric("gpuprune: pipeline '" + Pipeline + "' " + Problem, Severity));
  }

  void checkHostSide(Module &M) {
    Expected<bool> Changes = changesGeometry(Pipeline);
    if (!Changes)
      return report(M, "cannot be read: " + toString(Changes.takeError()));
    if (*Changes)
      report(M, "changes how the kernels have to be launched, and the host side of '" +
                    M.getSourceFileName() +
                    "' would still launch them as their author did; compile the device side alone "
                    "(--cuda-device-only) and launch it as the launch contract says, or use a pipeline that "
                    "keeps the launch; 'gpuprune emit' writes this variant as a header for the program or as "
                    "a tuning record for this build (--to header, --to record)");
  }
};

} // namespace

void scheduleLaunchGuard(PassBuilder &PB, StringRef Pipeline) {
  PB.registerPipelineStartEPCallback(
      [Text = Pipeline.str()](ModulePassManager &MPM, OptimizationLevel Level) {
        MPM.addPass(LaunchGuardPass(Text, Level));
      });
}

} // namespace gpuprune
