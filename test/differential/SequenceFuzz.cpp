//===- SequenceFuzz.cpp - Random chains of launches, tried --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SequenceFuzz.h"
#include "SequenceTrial.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <map>
#include <mutex>

using namespace llvm;

namespace gpuprune::differential {

namespace {

class SequenceFuzz {
public:
  explicit SequenceFuzz(const SequenceOptions &Options) : Options(Options) {}
  int run();

private:
  struct Choice {
    std::vector<const ChainedProgram *> Programs;
    uint64_t Schedule = 0;
  };

  const SequenceOptions &Options;
  std::mutex Lock;
  std::map<Outcome, uint64_t> Pairs;
  std::map<std::string, uint64_t> Refusals;
  uint64_t Sequences = 0, Kernels = 0, Variants = 0, Transformed = 0, Launches = 0, TransformedLaunches = 0,
           NotLaunched = 0;
  uint64_t Failures = 0;

  void trySequence(uint64_t Seed);
  std::vector<ChainedKernel> kernelsOf(uint64_t Seed, Random &R);
  void note(const ChainResult &Found);
  void reportFailure(uint64_t Seed, const Chain &C, ArrayRef<ChainedKernel> Kernels, const Choice &Made,
                     const ChainResult &Found);
  void say(const Twine &Text);
  int summary() const;
};

} // namespace

void SequenceFuzz::say(const Twine &Text) {
  std::lock_guard Guard(Lock);
  errs() << Text;
}

/// Two or three; those that cannot run on the CPU are left out.
std::vector<ChainedKernel> SequenceFuzz::kernelsOf(uint64_t Seed, Random &R) {
  std::vector<ChainedKernel> Made;
  for (unsigned I = 0, E = 2 + R.below(2); I < E; ++I) {
    Expected<ChainedKernel> Kernel =
        chainedKernel(4 * Seed + I, Options.Pipelines, Options.Made, [&](const TrialResult &Why) {
          std::lock_guard Guard(Lock);
          ++Refusals[Why.Refusal];
        });
    if (Kernel) {
      Made.push_back(std::move(*Kernel));
      continue;
    }
    TrialResult Why = failed(Kernel.takeError());
    if (Why.Result != Outcome::Broken)
      continue;
    say(formatv("FAILED sequence {0}: {1}\n", Seed, Why.Message).str());
    std::lock_guard Guard(Lock);
    ++Failures;
  }
  return Made;
}

void SequenceFuzz::note(const ChainResult &Found) {
  std::lock_guard Guard(Lock);
  ++Pairs[Found.Result];
  Transformed += Found.Transformed > 0;
  Launches += Found.Launches;
  TransformedLaunches += Found.Transformed;
  NotLaunched += Found.NotLaunched;
}

/// Shrinks the launch that fails, from the state that it has there.
void SequenceFuzz::reportFailure(uint64_t Seed, const Chain &C, ArrayRef<ChainedKernel> Kernels,
                                 const Choice &Made, const ChainResult &Found) {
  uint64_t Number;
  {
    std::lock_guard Guard(Lock);
    Number = ++Failures;
  }
  const ChainedKernel &Kernel = Kernels[C.Problem.Launches[Found.Launch].Spec];
  const ChainedProgram *Chosen = Made.Programs[Found.Launch];
  say(formatv("FAILED sequence {0}, kernel {1} '{2}': {3}\n", Seed, Kernel.Seed,
              Chosen ? join(Chosen->Passes, ",") : "", Found.Message)
          .str());
  if (!Chosen)
    return;
  Case Small = shrink(
      {Kernel.Kernel, Chosen->Passes},
      [&](const Case &Smaller) { return launchDiffers(C, Kernels, Found.Launch, Smaller, Options.Made); },
      Options.MostTries);
  SmallString<128> Path(Options.Folder);
  sys::path::append(Path, formatv("sequence{0}-{1}.ll", Seed, Number).str());
  std::lock_guard Guard(Lock);
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (EC)
    errs() << formatv("cannot write '{0}': {1}\n", Path, EC.message());
  for (size_t I = 0; I <= Found.Launch; ++I)
    OS << "; " << printed(C, I) << '\n';
  OS << asText(Small);
  errs() << formatv("shrunk to {0} nodes, '{1}', in {2}:\n{3}", size(Small.Kernel), join(Small.Passes, ","),
                    Path, printed(Small.Kernel));
}

void SequenceFuzz::trySequence(uint64_t Seed) {
  PrettyStackTraceFormat Trace("sequence %llu", (unsigned long long)Seed);
  Random R(Seed * 6364136223846793005u + 7); // No step of the generator's own.
  std::vector<ChainedKernel> Kernels = kernelsOf(Seed, R);
  if (Kernels.empty())
    return;
  std::vector<const KernelTree *> Trees;
  for (const ChainedKernel &K : Kernels)
    Trees.push_back(&K.Kernel);
  {
    std::lock_guard Guard(Lock);
    ++Sequences;
    this->Kernels += Kernels.size();
    for (const ChainedKernel &K : Kernels)
      Variants += K.Variants.size();
  }
  for (unsigned I = 0; I < Options.Pairs; ++I) {
    Chain C = generateChain(R, Trees);
    Choice Made;
    for (const ResolvedLaunch &L : C.Problem.Launches) {
      ArrayRef<ChainedProgram> All = Kernels[L.Spec].Variants;
      Made.Programs.push_back(All.empty() || R.oneIn(6) ? nullptr : &All[R.below(unsigned(All.size()))]);
    }
    Made.Schedule = R.oneIn(2) ? R.next() | 1 : 0;
    ChainResult Found = judgeChain(C, Kernels, Made.Programs, Made.Schedule);
    note(Found);
    if (Found.Result == Outcome::Different || Found.Result == Outcome::Broken)
      return reportFailure(Seed, C, Kernels, Made, Found); // The others would mostly say the same.
  }
}

int SequenceFuzz::summary() const {
  uint64_t All = 0;
  for (auto [Result, Number] : Pairs)
    All += Number;
  auto TooLong = Pairs.find(Outcome::TooLong);
  double Share = All ? 100.0 * double(Transformed) / double(All) : 0;
  outs() << formatv(
      "{0} sequences of {1} kernels with {2} variants, {3} pairs: {4} with transformed launches "
      "({5:F1} %), {6} too long\n",
      Sequences, Kernels, Variants, All, Transformed, Share, TooLong == Pairs.end() ? 0 : TooLong->second);
  outs() << formatv(
      "{0} launches compared, {1} of them transformed; {2} of variants that could not be launched there\n",
      Launches, TransformedLaunches, NotLaunched);
  for (const auto &[Name, Number] : Refusals)
    outs() << formatv("  refused {0}: {1}\n", Name, Number);
  outs() << formatv("{0} passed, {1} failed\n", All - std::min(All, Failures), Failures);
  if (Share < Options.AtLeast)
    errs() << formatv("fewer than {0} % of the pairs were transformed: the generator says little\n",
                      Options.AtLeast);
  return Failures || Share < Options.AtLeast;
}

int SequenceFuzz::run() {
  auto Begin = std::chrono::steady_clock::now();
  DefaultThreadPool Pool(hardware_concurrency(Options.Jobs));
  for (uint64_t I = 0; I < Options.Sequences; ++I)
    Pool.async([&, I] {
      std::chrono::duration<double> Spent = std::chrono::steady_clock::now() - Begin;
      if (Options.Seconds == 0 || Spent.count() < Options.Seconds)
        trySequence(Options.Seed + I);
    });
  Pool.wait();
  return summary();
}

int fuzzSequences(const SequenceOptions &Options) { return SequenceFuzz(Options).run(); }

} // namespace gpuprune::differential
