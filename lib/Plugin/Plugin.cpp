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
// Without -gpuprune-pipeline nothing is changed; the passes can then be named
// in opt's -passes.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Passes/LaunchGuard.h"
#include "gpuprune/Passes/Registry.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<std::string>
    Pipeline("gpuprune-pipeline",
             cl::desc("Passes that make the variant, such as gpu-unroll<loop=1;factor=4>"),
             cl::value_desc("pipeline"));

static void registerCallbacks(PassBuilder &PB) {
  gpuprune::registerPasses(PB);
  if (Pipeline.getNumOccurrences() == 0)
    return;
  gpuprune::schedulePipeline(PB, Pipeline);
  gpuprune::scheduleLaunchGuard(PB, Pipeline);
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "GpuPrune", GPUPRUNE_VERSION, registerCallbacks, nullptr};
}
