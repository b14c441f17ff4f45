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
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Tuner.h"
#include "gpuprune/Support/CpuTime.h"
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
