//===- CompileCost.cpp - What a variant costs in CPU time -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From bitcode to metrics in process, over the whole space of kernels/matmul,
// beside a compile of the same source by clang++ and by nvcc. Times are CPU time
// of this process and its children, so they do not depend on the number of cores.
//
// And a kernel with and without 200 instances of another template in its file: what a variant
// costs, from bitcode to cubin, should be the same.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Support/CpuTime.h"
#include "gpuprune/Variant/VariantBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <benchmark/benchmark.h>

using namespace gpuprune;
using namespace llvm;

static const std::string Kernel = GPUPRUNE_SOURCE_DIR "/kernels/matmul";

static void variantsOfTheSpace(benchmark::State &State) {
  for (auto _ : State) {
    Progress Shown(errs(), /*Quiet=*/true);
    TuneOptions Options;
    Options.Workload = Kernel;
    Options.StopAfter = Phase::Prune;
    TuneReport Report = cantFail(Tuner(Options, Shown).run());
    State.SetIterationTime(Report.CpuMsPerVariant * 1e-3);
    State.counters["variants"] = Report.Variants.size();
    State.counters["distinct"] = Report.distinct();
  }
}

/// The variants of a kernel, without the front end, which is counted apart, and the kernels they are held
/// against.
static void variantsOfTheKernel(benchmark::State &State, const char *Workload) {
  TuningTarget Target =
      cantFail(loadTarget(std::string(GPUPRUNE_SOURCE_DIR "/test/benchmark/Inputs/") + Workload, "sm_90"));
  for (auto _ : State) {
    std::vector<BuiltVariant> Variants;
    for (int X : {1, 2})
      for (int Y : {1, 2})
        for (int Factor : {1, 4})
          Variants.emplace_back(cantFail(parseVariant(
              formatv("gpu-block-coarsen<x={0};y={1};shared=interleaved>,gpu-unroll<loop=1;factor={2}>", X, Y,
                      Factor)
                  .str())));
    VariantBuilder Builder(Target);
    double Begin = processCpuMs();
    cantFail(Builder.runFrontends(Variants, 1));
    double FrontEnd = processCpuMs() - Begin;
    std::vector<BuiltVariant *> Batch;
    for (BuiltVariant &V : Variants) {
      Builder.compile(V);
      Batch.push_back(&V);
    }
    TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
    Builder.assembleBatch(Batch, Directory.file("batch.cubin"));
    State.SetIterationTime((processCpuMs() - Begin - FrontEnd) * 1e-3 / Variants.size());
    State.counters["variants"] = Variants.size();
    State.counters["ok"] = count_if(Variants, [](const BuiltVariant &V) { return V.alive(); });
    State.counters["front_end_ms"] = FrontEnd;
  }
}

/// One compile of the source from start to cubin by another compiler.
static void compileOnce(benchmark::State &State, std::vector<std::string> Command) {
  ErrorOr<std::string> Program = sys::findProgramByName(Command.front(), {});
  if (!Program)
    Program = sys::findProgramByName(Command.front(), {"/usr/local/cuda/bin"});
  if (!Program) {
    State.SkipWithError((Command.front() + " was not found").c_str());
    return;
  }
  Command.front() = *Program;
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
  Command.insert(Command.end(), {Kernel + "/matmul.cu", "-o", Directory.file("matmul.cubin")});
  for (auto _ : State) {
    double Before = processCpuMs();
    ProcessOutput Output = cantFail(runProcess(Command));
    State.SetIterationTime((processCpuMs() - Before) * 1e-3);
    if (Output.ExitCode != 0) {
      State.SkipWithError(Output.Text.c_str());
      return;
    }
  }
}

int main(int Argc, char **Argv) {
  initializeCodeGen();
  auto Register = [](const char *Name, auto... Rest) {
    benchmark::RegisterBenchmark(Name, Rest...)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(10);
  };
  benchmark::RegisterBenchmark("gpuprune: one variant, bitcode to metrics", variantsOfTheSpace)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond)
      ->Iterations(1);
  for (auto [Name, Workload] : {std::pair("a variant of a kernel alone in its file", "alone.yaml"),
                                std::pair("a variant of a kernel beside 200 instances", "among-others.yaml")})
    benchmark::RegisterBenchmark(Name, variantsOfTheKernel, Workload)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(5);
  Register("clang++ -O3: one compile, source to cubin", [](benchmark::State &State) {
    compileOnce(State, {"clang++-22", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-O3", "-c",
                        "-Wno-unknown-cuda-version", "--no-gpu-bundle-output"});
  });
  Register("nvcc -O3: one compile, source to cubin",
           [](benchmark::State &State) { compileOnce(State, {"nvcc", "-O3", "-arch=sm_90", "-cubin"}); });
  benchmark::Initialize(&Argc, Argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
