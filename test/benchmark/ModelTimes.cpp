//===- ModelTimes.cpp - Modelled times of variants --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   ModelTimes KERNELS CACHE < VARIANTS
//
// A line of VARIANTS is a kernel, a tab and a variant's text, or "stock"; the lines of a kernel follow each
// other. Prints a line of JSON for each: what the model says of it on the H200, and what reading and
// modelling cost. test/benchmark/model-accuracy compares that with measured times.
//
//===----------------------------------------------------------------------===//
#include "ModelFacts.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/Support/CpuTime.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace gpuprune;

namespace {
/// The kernels of the cubin that was read last.
struct ReadCubin {
  std::string Path;
  std::vector<KernelCode> Kernels;
  double MsEach = 0;
};
} // namespace

static double msSince(double Begin) { return threadCpuMs() - Begin; }

static const KernelCode &codeOf(const ModelFacts &F, ReadCubin &Last) {
  if (Last.Path != F.Cubin) {
    std::string Image = cantFail(readFile(F.Cubin));
    double Begin = threadCpuMs();
    Last.Kernels = cantFail(readKernelCode(Image));
    Last.MsEach = msSince(Begin) / double(std::max<size_t>(1, Last.Kernels.size()));
    Last.Path = F.Cubin;
  }
  return *find_if(Last.Kernels, [&](const KernelCode &K) { return K.Name == F.CubinSymbol; });
}

static json::Object modelled(const ModelFacts &F, ReadCubin &Last, const DeviceInfo &Device) {
  if (!F.Failure.empty())
    return json::Object{{"failure", F.Failure}};
  const KernelCode &Code = codeOf(F, Last);
  double Begin = threadCpuMs();
  FlowGraph Ptx = cantFail(ptxFlow(F.Ptx, F.Symbol));
  ModelledTime Time = cantFail(modelTime(Code, Ptx, F.Counts, F.Memory, F.Launch, Device));
  double Ms = msSince(Begin);
  json::Object Terms, Without;
  for (size_t Index = 0; Index != NumModelTerms; ++Index) {
    StringRef Name = modelTermName(ModelTerm(Index));
    Terms[Name] = Time.ms(ModelTerm(Index));
    Without[Name] = Time.without(ModelTerm(Index));
  }
  return json::Object{{"ms", Time.Ms},
                      {"queued_ms", Time.QueuedMs},
                      {"program", F.Program},
                      {"bound", modelTermName(Time.Bound)},
                      {"terms", std::move(Terms)},
                      {"without", std::move(Without)},
                      {"notes", json::Array(Time.Notes)},
                      {"cost_ms", Ms + Last.MsEach}};
}

int main(int Argc, char **Argv) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getSTDIN();
  if (Argc != 3 || !Text) {
    errs() << "usage: ModelTimes KERNELS CACHE < VARIANTS\n";
    return 2;
  }
  initializeCodeGen();
  const DeviceInfo &Device = *cantFail(findTargetDevice("sm_90"));
  std::vector<std::pair<std::string, std::vector<std::string>>> Asked;
  SmallVector<StringRef> Lines;
  (*Text)->getBuffer().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    auto [Kernel, Variant] = Line.split('\t');
    if (Asked.empty() || Asked.back().first != Kernel)
      Asked.push_back({Kernel.str(), {}});
    Asked.back().second.push_back(Variant.str());
  }
  for (const auto &[Kernel, Variants] : Asked) {
    ReadCubin Last;
    for (const ModelFacts &F : modelFacts(Argv[1], Kernel, Variants, Argv[2])) {
      json::Object Line = modelled(F, Last, Device);
      Line["kernel"] = Kernel;
      Line["variant"] = F.Variant;
      outs() << json::Value(std::move(Line)) << '\n';
    }
  }
  return 0;
}
