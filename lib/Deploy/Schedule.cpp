//===- Schedule.cpp - Where a build applies tuning records ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/Schedule.h"
#include "HostLaunches.h"
#include "LevelMarks.h"
#include "Messages.h"
#include "TunedKernels.h"
#include "gpuprune/Transforms/Kernels.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// What the passes of one compile share.
struct Deployment {
  RecordFolder Records;
  TunedKernels Kernels{Records};
  std::string Empty; ///< The folder that was named and has no record.
  explicit Deployment(const RecordOptions &Options) : Records(readRecords(Options.Folder)) {
    const std::string &Folder = Options.Folder;
    if (Options.BitwiseOnly)
      keepBitwise(Records);
    if (Options.MustExist && !sys::fs::exists(Folder))
      Records.Problems.push_back(Folder + ": there is no such folder");
    if (Options.MustExist && Records.Files.empty() && Records.Problems.empty())
      Empty = Folder;
    if (!Options.Digest.empty() && Options.Digest != recordsDigest(Folder))
      Records.Problems.push_back(Folder + ": the build was configured with other records; run cmake again");
  }
};

using SharedDeployment = std::shared_ptr<Deployment>;

/// At the start of the pipeline: the device side's sources are kept, and what is wrong with the folder is
/// said, once a file, with its host side.
class BeginDeployment : public PassInfoMixin<BeginDeployment> {
public:
  BeginDeployment(SharedDeployment D, OptimizationLevel Level) : D(std::move(D)), Level(Level) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    bool IsDevice = isDeviceModule(M);
    if (Level == OptimizationLevel::O0 && IsDevice && !D->Records.Files.empty())
      noteOfRecords(M, "this is a build with -O0");
    if (!IsDevice && !D->Empty.empty())
      noteOfRecords(M, "'" + D->Empty + "' has no file whose name ends in " + RecordSuffix);
    if (!IsDevice)
      for (const std::string &Problem : D->Records.Problems)
        warnOfRecords(M, Problem);
    if (IsDevice && Level != OptimizationLevel::O0) {
      WithoutLevelMarks Without(M, Level);
      D->Kernels.takeSources(M);
    }
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  SharedDeployment D;
  OptimizationLevel Level;
};

class AddTunedKernels : public PassInfoMixin<AddTunedKernels> {
public:
  explicit AddTunedKernels(SharedDeployment D) : D(std::move(D)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!isDeviceModule(M))
      return PreservedAnalyses::all();
    D->Kernels.addTo(M);
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

private:
  SharedDeployment D;
};

class DispatchLaunches : public PassInfoMixin<DispatchLaunches> {
public:
  explicit DispatchLaunches(SharedDeployment D) : D(std::move(D)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &MAM) {
    FunctionAnalysisManager &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
    bool Changed = !isDeviceModule(M) && dispatchLaunches(M, D->Records, FAM);
    return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  SharedDeployment D;
};

/// With link-time optimisation the device code that is optimised here is not what is linked.
class NoteLinkTime : public PassInfoMixin<NoteLinkTime> {
public:
  explicit NoteLinkTime(SharedDeployment D) : D(std::move(D)) {}
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    if (!D->Records.Files.empty())
      noteOfRecords(M, "this is a build with link-time optimisation");
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }

private:
  SharedDeployment D;
};

} // namespace

void scheduleRecords(PassBuilder &PB, const RecordOptions &Options) {
  auto D = std::make_shared<Deployment>(Options);
  PB.registerPipelineStartEPCallback(
      [D](ModulePassManager &MPM, OptimizationLevel Level) { MPM.addPass(BeginDeployment(D, Level)); });
  // Where wrappers around a launch are inlined, so that it names its kernel.
  PB.registerOptimizerEarlyEPCallback(
      [D](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase Phase) {
        if (Level == OptimizationLevel::O0)
          return;
        if (Phase == ThinOrFullLTOPhase::None)
          MPM.addPass(DispatchLaunches(D));
        else
          MPM.addPass(NoteLinkTime(D));
      });
  PB.registerOptimizerLastEPCallback(
      [D](ModulePassManager &MPM, OptimizationLevel Level, ThinOrFullLTOPhase Phase) {
        if (Level != OptimizationLevel::O0 && Phase == ThinOrFullLTOPhase::None)
          MPM.addPass(AddTunedKernels(D));
      });
}

} // namespace gpuprune
