//===- EnumerateVariants.cpp - The variants of a tuning run -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/EnumerateVariants.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Search/Alone.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <numeric>
#include <random>

using namespace llvm;

namespace gpuprune {

std::vector<DefineSetting> authorDefines(const Workload &W) {
  std::vector<DefineSetting> Defines;
  for (const DefineSpec &Define : W.Defines)
    Defines.push_back({Define.Name, Define.Values.front()});
  return Defines;
}

Error errorInSpace(const Workload &W, const EnumerateOptions &Options, const TakenError &Problem) {
  if (!W.Space || !Options.Variants.empty())
    return makeError(Problem.Kind, Problem.Text);
  return makeError(Problem.Kind, takeError(W.errorAt(W.Space->PipelineWhere, Problem.Text)).Text);
}

/// Those that \p Texts name, each once.
static Expected<Enumeration> namedVariants(ArrayRef<std::string> Texts) {
  Enumeration All;
  StringSet<> Seen;
  for (const std::string &Text : Texts) {
    Expected<Variant> V = parseVariant(Text);
    if (!V)
      return V.takeError();
    if (Error E = checkDropped(V->Pipeline))
      return std::move(E);
    normalise(V->Pipeline);
    ++All.Combinations;
    if (Seen.insert(printVariant(*V)).second)
      All.Variants.push_back(std::move(*V));
    else
      ++All.Duplicates;
  }
  return All;
}

/// \p Sample of \p All, in the order of the space. The first is always among it: it is
/// the plainest, so that not all of a sample can be refused.
static void keepSample(std::vector<Variant> &All, const SampleOptions &Sample) {
  std::vector<size_t> Order(All.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::mt19937_64 Random(Sample.Seed); // The standard fixes its numbers.
  size_t Count = std::min(Sample.Count, All.size());
  for (size_t I = 1; I < Count; ++I)
    std::swap(Order[I], Order[I + Random() % (Order.size() - I)]);
  Order.resize(Count);
  llvm::sort(Order);
  std::vector<Variant> Kept;
  for (size_t I : Order)
    Kept.push_back(std::move(All[I]));
  All = std::move(Kept);
}

/// Each pass with each of its options once.
static Error checkPasses(ArrayRef<Variant> All) {
  StringSet<> Seen;
  for (const Variant &V : All)
    for (const PassElement &Pass : V.Pipeline)
      if (std::string Text = printPipeline(Pass); Seen.insert(Text).second)
        if (Error E = checkPipeline(Text))
          return E;
  return Error::success();
}

Expected<EnumeratedVariants> enumerateVariants(const Workload &W, const Space &Searched,
                                               const EnumerateOptions &Options,
                                               ArrayRef<DefineSetting> Author) {
  Expected<Enumeration> All =
      Options.Variants.empty() ? Searched.enumerate() : namedVariants(Options.Variants);
  if (!All)
    return All.takeError();
  if (All->Variants.empty())
    return makeError(ErrorKind::Input, W.Here + ": space: the constraints leave no variant");
  EnumeratedVariants Result{std::move(All->Variants), All->Combinations, std::move(All->Removed)};
  if (Options.EachAlone)
    append_range(Result.Variants, choicesAlone(Result.Variants, Author));
  if (Options.Sample) {
    Result.SampledOf = Result.Variants.size();
    keepSample(Result.Variants, *Options.Sample);
  }
  if (Error E = checkPasses(Result.Variants))
    return errorInSpace(W, Options, takeError(std::move(E)));
  return Result;
}

} // namespace gpuprune
