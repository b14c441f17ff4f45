//===- Plugin.cpp - Entry point of libGpuPrune.so ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang++ -fpass-plugin=libGpuPrune.so -mllvm -gpuprune-pipeline='P' ...
// opt -load-pass-plugin=libGpuPrune.so -passes='default<O3>' -gpuprune-pipeline='P' ...
//
// clang++ -fpass-plugin=libGpuPrune.so -mllvm -gpuprune-records=DIR -mllvm -gpuprune-collect=DIR ...
//
// Without -gpuprune-pipeline and records nothing is changed; the passes can then be
// named in opt's -passes.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/CollectedCode.h"
#include "gpuprune/Deploy/Schedule.h"
#include "gpuprune/Passes/LaunchGuard.h"
#include "gpuprune/Passes/Registry.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Process.h"

using namespace llvm;

static cl::opt<std::string>
    Pipeline("gpuprune-pipeline",
             cl::desc("Passes that make the variant, such as gpu-unroll<loop=1;factor=4>"),
             cl::value_desc("pipeline"));

static cl::opt<std::string>
    Records("gpuprune-records",
            cl::desc("Folder of tuning records to apply (default: that of the environment's GPUPRUNE_DIR)"),
            cl::value_desc("folder"));

static cl::opt<std::string> Collect("gpuprune-collect",
                                    cl::desc("Folder to keep device code in, for 'gpuprune tune' (default: "
                                             "that of the environment's GPUPRUNE_DIR)"),
                                    cl::value_desc("folder"));

static cl::opt<std::string> RecordsDigest("gpuprune-records-digest",
                                          cl::desc("Of the records that the build system knows"),
                                          cl::value_desc("digest"));

static cl::opt<bool> Bitwise("gpuprune-bitwise",
                             cl::desc("Apply only records of variants whose results are known to be those of "
                                      "stock clang's code bit by bit"));

static std::string folderOf(const cl::opt<std::string> &Option) {
  if (Option.getNumOccurrences() != 0)
    return Option;
  return sys::Process::GetEnv("GPUPRUNE_DIR").value_or("");
}

static void registerCallbacks(PassBuilder &PB) {
  gpuprune::registerPasses(PB);
  if (std::string Folder = folderOf(Collect); !Folder.empty())
    gpuprune::scheduleCollecting(PB, Folder);
  if (Pipeline.getNumOccurrences() != 0) { // A variant by hand: no records, of the same kernels perhaps.
    gpuprune::schedulePipeline(PB, Pipeline);
    gpuprune::scheduleLaunchGuard(PB, Pipeline);
  } else if (std::string Folder = folderOf(Records); !Folder.empty()) {
    // A folder that code is collected in comes with the first kernel that is compiled.
    bool IsNamed = Records.getNumOccurrences() != 0 && Folder != folderOf(Collect);
    gpuprune::scheduleRecords(PB, {Folder, RecordsDigest, Bitwise, IsNamed});
  }
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "GpuPrune", GPUPRUNE_VERSION, registerCallbacks, nullptr};
}
