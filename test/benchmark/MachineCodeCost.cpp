//===- MachineCodeCost.cpp - What reading machine code costs ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CPU time a variant, of variants of kernels/matmul from small to large in one cubin, as the
// tuner assembles them: the ELF file and its instructions read, and the check of their waits.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/MachineCode/Dependences.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Variant/VariantBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include <benchmark/benchmark.h>

using namespace gpuprune;
using namespace llvm;

/// The cubin of variants with 1 to 64 results a thread.
static std::string variantsOfMatmul() {
  TuningTarget Target = cantFail(loadTarget(GPUPRUNE_SOURCE_DIR "/kernels/matmul", "sm_90"));
  std::vector<BuiltVariant> Variants;
  for (int X : {1, 2, 4, 8})
    for (int Y : {1, 2, 4, 8})
      Variants.emplace_back(cantFail(parseVariant(
          formatv("gpu-block-coarsen<x={0};y={1};shared=interleaved>,gpu-unroll<loop=1;factor=4>", X, Y)
              .str())));
  VariantBuilder Builder(Target);
  cantFail(Builder.runFrontends(Variants, 1));
  std::vector<BuiltVariant *> Batch;
  for (BuiltVariant &V : Variants) {
    Builder.compile(V);
    Batch.push_back(&V);
  }
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
  Builder.assembleBatch(Batch, Directory.file("batch.cubin"));
  return cantFail(readFile(Directory.file("batch.cubin")));
}

static void read(benchmark::State &State, const std::string &Image, bool CheckWaits) {
  size_t Kernels = 0, Instructions = 0;
  for (auto _ : State)
    for (const KernelCode &Code : cantFail(readKernelCode(Image))) {
      ++Kernels;
      Instructions += Code.Instructions.size();
      if (CheckWaits)
        benchmark::DoNotOptimize(findMissingWaits(Code));
    }
  State.counters["variants"] = double(Kernels) / double(State.iterations());
  State.counters["instructions"] = double(Instructions) / double(Kernels);
  State.counters["each"] =
      benchmark::Counter(double(Kernels), benchmark::Counter::kIsRate | benchmark::Counter::kInvert,
                         benchmark::Counter::kIs1000);
}

int main(int Argc, char **Argv) {
  initializeCodeGen();
  std::string Image = variantsOfMatmul();
  for (bool CheckWaits : {false, true})
    benchmark::RegisterBenchmark(CheckWaits ? "read and check waits" : "read", [&](benchmark::State &State) {
      read(State, Image, CheckWaits);
    })->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&Argc, Argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
