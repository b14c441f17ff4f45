//===- DifferentialFuzz.cpp - Transformed against untransformed, at random ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes random race-free kernels and random pipelines, runs each kernel, or launches
// of several over the same buffers, on the CPU with and without the pipelines, and
// compares what is left in memory bit by bit. A failure is shrunk and written as a
// small .ll file.
//
//===----------------------------------------------------------------------===//
#include "KernelGenerator.h"
#include "SequenceFuzz.h"
#include "Trial.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>
#include <chrono>
#include <map>
#include <mutex>

using namespace gpuprune;
using namespace gpuprune::differential;
using namespace llvm;

static cl::OptionCategory Category("Differential fuzzing");
static cl::opt<uint64_t> Seed("seed", cl::desc("seed of the first kernel (default 1)"), cl::init(1),
                              cl::cat(Category));
static cl::opt<unsigned> Kernels("kernels", cl::desc("kernels to make (default 100)"), cl::init(100),
                                 cl::cat(Category));
static cl::opt<unsigned> PerKernel("pipelines", cl::desc("pipelines for each kernel (default 10)"),
                                   cl::init(10), cl::cat(Category));
static cl::opt<bool> Nests("nests",
                           cl::desc("kernels begin with a nest of loops, and pipelines with jamming it"),
                           cl::cat(Category));
static cl::opt<bool> Persistent("persistent", cl::desc("each pipeline ends with gpu-persistent"),
                                cl::cat(Category));
static cl::opt<bool> Structures("structures",
                                cl::desc("kernels have arrays of structures and a structure by value"),
                                cl::cat(Category));
static cl::opt<unsigned>
    Sequences("sequences",
              cl::desc("in place of single kernels, sequences of launches of so many sets of kernels"),
              cl::init(0), cl::cat(Category));
static cl::opt<unsigned> Pairs("pairs", cl::desc("chains of launches of each set (default 20)"), cl::init(20),
                               cl::cat(Category));
static cl::opt<double> Seconds("seconds",
                               cl::desc("begin no kernel after this many seconds (default: no limit)"),
                               cl::init(0), cl::cat(Category));
static cl::opt<unsigned> Jobs("jobs", cl::desc("threads (default: one a core)"), cl::init(0),
                              cl::cat(Category));
static cl::opt<std::string> Folder("out", cl::desc("folder for the kernels that failed (default .)"),
                                   cl::init("."), cl::cat(Category));
static cl::opt<unsigned> MostTries("tries", cl::desc("trials to shrink a failure (default 2000)"),
                                   cl::init(2000), cl::cat(Category));
static cl::opt<unsigned> AtLeast("transformed",
                                 cl::desc("fail where less than this percentage of pairs was transformed"),
                                 cl::init(0), cl::cat(Category));
static cl::opt<bool> Show("show", cl::desc("print the first kernel and its pipelines, and stop"),
                          cl::cat(Category));
static cl::opt<Mistake> Made(
    "mistake", cl::desc("put a mistake into transformed kernels, to see that it is found"),
    cl::init(Mistake::None),
    cl::values(clEnumValN(Mistake::LostBarrier, "lost-barrier", "the first barrier goes"),
               clEnumValN(Mistake::WrongOperation, "wrong-operation", "the first addition subtracts"),
               clEnumValN(Mistake::WrongIndex, "wrong-index", "the first store goes one element further")),
    cl::cat(Category));

namespace {

class Fuzz {
public:
  int run();

private:
  std::mutex Lock;
  std::map<Outcome, uint64_t> Pairs;
  std::map<std::string, uint64_t> Refusals; ///< By name.
  std::atomic<uint64_t> Generated = 0, Skipped = 0;
  uint64_t Failures = 0;

  void tryKernel(uint64_t KernelSeed);
  void tryPipeline(const Reference &Ref, uint64_t KernelSeed, const Pipeline &Passes);
  void reportFailure(uint64_t KernelSeed, Case Failing, const TrialResult &Why);
  int summary() const;
};

} // namespace

static std::vector<Pipeline> pipelinesOf(uint64_t KernelSeed, const Reference &Ref) {
  Random R(KernelSeed * 2654435761u + 1);
  auto *Generate = Persistent ? generatePersistent : Nests ? generateJam : generatePipeline;
  std::vector<Pipeline> List;
  for (unsigned I = 0; I < PerKernel; ++I)
    List.push_back(Generate(R, Ref.Kernel, Ref.Loops));
  return List;
}

static bool isFailure(const TrialResult &V) {
  return V.Result == Outcome::Different || V.Result == Outcome::Broken;
}

/// Whether \p C fails, be it the kernel alone or the pipeline.
static bool fails(const Case &C) {
  Reference Ref;
  TrialResult Alone = makeReference(C.Kernel, Ref);
  if (C.Passes.empty() || Alone.Result != Outcome::Same)
    return C.Passes.empty() && isFailure(Alone);
  return isFailure(judge(Ref, C.Passes, Made));
}

void Fuzz::reportFailure(uint64_t KernelSeed, Case Failing, const TrialResult &Why) {
  std::string Text = join(Failing.Passes, ",");
  {
    std::lock_guard Guard(Lock);
    ++Failures;
    errs() << formatv("FAILED seed {0} '{1}': {2}\n", KernelSeed, Text, Why.Message);
  }
  Case Small = shrink(std::move(Failing), fails, MostTries);
  std::lock_guard Guard(Lock);
  SmallString<128> Path(Folder);
  sys::path::append(Path, formatv("seed{0}-{1}.ll", KernelSeed, Failures).str());
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (EC)
    errs() << formatv("cannot write '{0}': {1}\n", Path, EC.message());
  OS << asText(Small);
  errs() << formatv("shrunk to {0} nodes, '{1}', in {2}:\n{3}", size(Small.Kernel), join(Small.Passes, ","),
                    Path, printed(Small.Kernel));
}

void Fuzz::tryPipeline(const Reference &Ref, uint64_t KernelSeed, const Pipeline &Passes) {
  std::string Text = join(Passes, ",");
  PrettyStackTraceFormat Trace("seed %llu, pipeline %s", (unsigned long long)KernelSeed, Text.c_str());
  TrialResult V = judge(Ref, Passes, ::Made);
  {
    std::lock_guard Guard(Lock);
    ++Pairs[V.Result];
    if (V.Result == Outcome::Refused)
      ++Refusals[V.Refusal];
  }
  if (isFailure(V))
    reportFailure(KernelSeed, {Ref.Kernel, Passes}, V);
}

void Fuzz::tryKernel(uint64_t KernelSeed) {
  PrettyStackTraceFormat Trace("seed %llu", (unsigned long long)KernelSeed);
  KernelTree Kernel = generateKernel(KernelSeed, {Nests, Structures});
  ++Generated;
  Reference Ref;
  TrialResult Alone = makeReference(Kernel, Ref);
  if (isFailure(Alone))
    return reportFailure(KernelSeed, {Kernel, {}}, Alone);
  if (Alone.Result != Outcome::Same) {
    ++Skipped;
    return;
  }
  for (const Pipeline &Passes : pipelinesOf(KernelSeed, Ref))
    tryPipeline(Ref, KernelSeed, Passes);
}

int Fuzz::summary() const {
  auto Count = [&](Outcome O) {
    auto It = Pairs.find(O);
    return It == Pairs.end() ? 0 : It->second;
  };
  uint64_t All = 0;
  for (auto [Result, Number] : Pairs)
    All += Number;
  uint64_t Transformed = Count(Outcome::Same) + Count(Outcome::Different) + Count(Outcome::Broken);
  double Share = All ? 100.0 * Transformed / All : 0;
  outs() << formatv("{0} kernels ({1} skipped: too long, or not for the CPU), {2} pairs: {3} transformed "
                    "({4:F1} %), {5} unchanged, "
                    "{6} refused, {7} too long\n",
                    Generated.load(), Skipped.load(), All, Transformed, Share, Count(Outcome::Unchanged),
                    Count(Outcome::Refused), Count(Outcome::TooLong));
  for (const auto &[Name, Number] : Refusals)
    outs() << formatv("  refused {0}: {1}\n", Name, Number);
  outs() << formatv("{0} passed, {1} failed\n", All - std::min(All, Failures), Failures);
  if (Share < AtLeast)
    errs() << formatv("fewer than {0} % of the pairs were transformed: the generator says little\n", AtLeast);
  return Failures || Share < AtLeast;
}

static int showFirst() {
  KernelTree Kernel = generateKernel(Seed, {Nests, Structures});
  outs() << asText({Kernel, {}});
  Reference Ref;
  TrialResult Alone = makeReference(Kernel, Ref);
  outs() << "; " << Alone.Message << '\n';
  for (const Pipeline &Passes : pipelinesOf(Seed, Ref)) {
    TrialResult V = judge(Ref, Passes, Made);
    outs() << formatv("; {0}: {1} {2}\n", join(Passes, ","), int(V.Result), V.Message);
  }
  return Alone.Result == Outcome::Same ? 0 : 1;
}

int Fuzz::run() {
  auto Begin = std::chrono::steady_clock::now();
  DefaultThreadPool Pool(hardware_concurrency(Jobs));
  for (uint64_t I = 0; I < Kernels; ++I)
    Pool.async([&, I] {
      std::chrono::duration<double> Spent = std::chrono::steady_clock::now() - Begin;
      if (Seconds == 0 || Spent.count() < Seconds)
        tryKernel(Seed + I);
    });
  Pool.wait();
  return summary();
}

static SequenceOptions sequenceOptions() {
  SequenceOptions Asked;
  Asked.Seed = Seed;
  Asked.Sequences = Sequences;
  Asked.Pairs = Pairs;
  Asked.Pipelines = PerKernel;
  Asked.Seconds = Seconds;
  Asked.Jobs = Jobs;
  Asked.MostTries = MostTries;
  Asked.AtLeast = AtLeast;
  Asked.Folder = Folder;
  Asked.Made = Made;
  return Asked;
}

int main(int Argc, char **Argv) {
  InitLLVM Init(Argc, Argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(
      Argc, Argv, "Random kernels, transformed and not, run on the CPU and compared bit by bit\n");
  initializeCodeGen();
  if (Sequences > 0)
    return fuzzSequences(sequenceOptions());
  return Show ? showFirst() : Fuzz().run();
}
