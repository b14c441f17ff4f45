//===- HostSpeed.cpp - How fast kernels run on the CPU -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX instructions a second, by the static counts (docs/metrics.md), of variants of
// kernels/matmul on one core and on all; the cost of a switch between two CUDA
// threads; what it takes to make code of this machine from a variant's device code.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/Toolchain.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/HostExecution/HostProgram.h"
#include <benchmark/benchmark.h>

using namespace gpuprune;
using namespace llvm;

namespace {

constexpr int N = 512, Tile = 16;

struct Variant {
  const char *Name, *Pipeline;
  int DivideX, DivideY; ///< Of the author's grid.
};

constexpr Variant Variants[] = {
    {"as written", "", 1, 1},
    {"4x4 interleaved, unroll 4", "gpu-block-coarsen<x=4;y=4;shared=interleaved>,gpu-unroll<loop=1;factor=4>",
     4, 4},
    {"8x8 interleaved, unrolled",
     "gpu-block-coarsen<x=8;y=8;shared=interleaved>,gpu-unroll<loop=1;factor=full>", 8, 8}};

struct Compiled {
  std::string DeviceCode;
  double InstrPerThread = 0;
  Dim3 Grid;
};

} // namespace

static std::string bitcodeOf(const std::string &Source) {
  Toolchain Tools;
  Tools.Clang = cantFail(findClang());
  return cantFail(compileToBitcode(Tools, {GPUPRUNE_SOURCE_DIR "/" + Source, {}, {}, "sm_90"}));
}

static Compiled compileMatmul(const Variant &V) {
  static const std::string Bitcode = bitcodeOf("kernels/matmul/matmul.cu");
  VariantRequest Request;
  Request.Bitcode = Bitcode;
  Request.Pipeline = V.Pipeline;
  Request.Kernel = "matmul";
  Request.Launch = {Dim3{N / Tile, N / Tile}, Dim3{Tile, Tile}, {{}, {}, {}, N}};
  Request.KeepFinalBitcode = true;
  VariantCode Code = cantFail(compileVariant(Request));
  return {Code.FinalBitcode.str().str(), Code.Kernels.at(Code.Symbol).Counts.Instr,
          Dim3{N / Tile / V.DivideX, N / Tile / V.DivideY}};
}

static HostOptions optionsFor(bool FastCode) {
  HostOptions Options;
  Options.FastCode = FastCode;
  return Options;
}

static void runMatmul(benchmark::State &State, const Variant &V, unsigned Workers, bool FastCode) {
  Compiled C = compileMatmul(V);
  auto Program = cantFail(HostProgram::create(C.DeviceCode, optionsFor(FastCode)));
  GuardedMemory Memory;
  HostLaunch Launch;
  Launch.Kernel = "matmul";
  Launch.Grid = C.Grid;
  Launch.Block = {Tile, Tile};
  Launch.Workers = Workers;
  for (const char *Name : {"A", "B", "C"})
    Launch.argument(cantFail(Memory.allocate(Name, uint64_t(N) * N * sizeof(float), 0)));
  Launch.argument(N);
  uint64_t Threads = 0;
  for (auto _ : State)
    Threads += cantFail(Program->launch(Launch)).Threads;
  State.counters["PTX instr/s"] =
      benchmark::Counter(double(Threads) * C.InstrPerThread, benchmark::Counter::kIsRate);
}

static void makeCode(benchmark::State &State, const Variant &V, bool FastCode) {
  Compiled C = compileMatmul(V);
  for (auto _ : State)
    benchmark::DoNotOptimize(cantFail(HostProgram::create(C.DeviceCode, optionsFor(FastCode))));
}

static void switchThreads(benchmark::State &State) {
  VariantRequest Request;
  std::string Bitcode = bitcodeOf("test/benchmark/Inputs/barriers.cu");
  Request.Bitcode = Bitcode;
  Request.KeepFinalBitcode = true;
  auto Program = cantFail(HostProgram::create(cantFail(compileVariant(Request)).FinalBitcode));
  HostLaunch Launch;
  Launch.Kernel = "barriers";
  Launch.Block = {State.range(0)};
  Launch.argument(10000);
  uint64_t Switches = 0;
  for (auto _ : State)
    Switches += cantFail(Program->launch(Launch)).Switches;
  State.counters["s/switch"] =
      benchmark::Counter(double(Switches), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

int main(int Argc, char **Argv) {
  initializeCodeGen();
  auto Register = [](const Twine &Name, auto Function) {
    return benchmark::RegisterBenchmark(Name.str().c_str(), Function)->Unit(benchmark::kMillisecond);
  };
  for (const Variant &V : Variants)
    for (bool FastCode : {false, true}) {
      std::string Name = std::string(V.Name) + (FastCode ? ", fast code: " : ": ");
      // On one core the thread's own time, which other programs do not change.
      Register(Name + "one core", [=](benchmark::State &State) { runMatmul(State, V, 1, FastCode); });
      Register(Name + "two cores", [=](benchmark::State &State) {
        runMatmul(State, V, 2, FastCode);
      })->UseRealTime();
      Register(Name + "make code", [=](benchmark::State &State) { makeCode(State, V, FastCode); });
    }
  Register("switch", switchThreads)->Arg(32)->Arg(256)->Arg(1024);
  benchmark::Initialize(&Argc, Argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
