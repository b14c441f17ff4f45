//===- MemoryProfileCost.cpp - Accesses traced and run, and what it costs ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   MemoryProfileCost KERNELS [--traced] < VARIANTS
//
// A line of VARIANTS is a kernel, a tab and a variant's text. Prints a line of JSON for each: what its
// accesses cost the memory at the size to tune, traced and run (only traced, with --traced), and the ms of
// CPU that took.
//
//===----------------------------------------------------------------------===//
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/Support/CpuTime.h"
#include "gpuprune/Variant/MemoryTrace.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuprune;

static json::Object toJSON(const MemoryProfile &P) {
  static constexpr const char *Names[] = {"global load",  "global store",  "global atomic", "shared load",
                                          "shared store", "shared atomic", "constant load"};
  json::Object Groups;
  for (auto [Name, G] : zip_equal(Names, P.Groups))
    if (G.LaneAccesses > 0)
      Groups[Name] = json::Object{{"lanes", G.LaneAccesses},
                                  {"requests", G.Requests},
                                  {"sectors", G.Sectors},
                                  {"lines", G.Lines},
                                  {"wavefronts", G.Wavefronts},
                                  {"missed_sectors", G.MissedSectors},
                                  {"missed_requests", G.MissedRequests},
                                  {"missed_lines", G.MissedLines},
                                  {"same_word", G.SameWord}};
  return json::Object{{"groups", std::move(Groups)},   {"threads", P.Threads},
                      {"loaded_bytes", P.LoadedBytes}, {"stored_bytes", P.StoredBytes},
                      {"divergence", P.Divergence},    {"cut", P.IsCut}};
}

/// The profile, and the ms of CPU that it took: the mean of \p Times, since clocks of CPU time may be coarse.
static json::Object profiled(unsigned Times, function_ref<Expected<MemoryProfile>()> Profile) {
  json::Object Result;
  double Begin = threadCpuMs();
  for (unsigned Time = 0; Time != Times; ++Time) {
    Expected<MemoryProfile> P = Profile();
    if (!P)
      return json::Object{{"refused", toString(P.takeError())}};
    if (Time + 1 == Times)
      Result = toJSON(*P);
  }
  Result["ms"] = (threadCpuMs() - Begin) / Times;
  return Result;
}

int main(int Argc, char **Argv) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getSTDIN();
  bool OnlyTraced = Argc == 3 && StringRef(Argv[2]) == "--traced";
  if (Argc < 2 || (Argc > 2 && !OnlyTraced) || !Text) {
    errs() << "usage: MemoryProfileCost KERNELS [--traced] < VARIANTS\n";
    return 2;
  }
  initializeCodeGen();
  SmallVector<StringRef> Lines;
  (*Text)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    auto [Kernel, Variant] = Line.split('\t');
    ExitOnError OrExit((Line + ": ").str());
    TuningTarget Target = OrExit(loadTarget((Twine(Argv[1]) + "/" + Kernel).str(), "sm_90"));
    BuiltVariant Built(OrExit(parseVariant(Variant)));
    VariantBuilder Builder(Target);
    Builder.keepFinalBitcode(!OnlyTraced);
    OrExit(Builder.runFrontends(Built, 1));
    Builder.compile(Built);
    if (!Built.alive()) {
      outs() << formatv("{0}\n",
                        json::Value(json::Object{{"variant", Line}, {"failure", Built.Row.Message}}));
      continue;
    }
    ResolvedProblem Problem = OrExit(Builder.tuneProblem(Built.parts()));
    FlowGraph Flow = OrExit(ptxFlow(Built.Ptx, Built.Symbol));
    json::Object Row{{"variant", Line}};
    Row["traced"] = profiled(40, [&] { return traceMemory(Built, Flow, Problem, *Target.Device); });
    if (!OnlyTraced)
      Row["run"] = profiled(1, [&] { return runMemory(Built, Problem, *Target.Device); });
    outs() << json::Value(std::move(Row)) << "\n";
    outs().flush();
  }
  return 0;
}
