//===- Sequence.cpp - One launch of a sequence -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Sequence.h"
#include "WorkloadParts.h"
#include "gpuprune/Workload/Problem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuprune {

static void renumber(MutableArrayRef<StepSpec> Steps, ArrayRef<unsigned> NewIndex) {
  for (StepSpec &S : Steps) {
    if (S.StepKind == StepSpec::Kind::Swap)
      for (unsigned &Each : S.Swapped)
        Each = NewIndex[Each];
    renumber(S.Steps, NewIndex);
  }
}

/// Buffers that no launch is passed go, but for those that are contents of variables.
static void dropUnusedBuffers(Workload &W) {
  std::vector<BufferSpec> Used;
  SmallVector<unsigned, 8> NewIndex;
  for (const auto &[Index, Buffer] : enumerate(W.Buffers)) {
    NewIndex.push_back(Used.size());
    if (!Buffer.Symbol.empty() || isUsed(W, Index))
      Used.push_back(Buffer);
  }
  W.Buffers = std::move(Used);
  for (LaunchSpec &L : W.Launches)
    for (ArgumentSpec &A : L.Arguments)
      if (A.Buffer)
        A.Buffer = NewIndex[*A.Buffer];
  renumber(W.Steps, NewIndex);
}

static bool contains(const StepSpec &S, unsigned Launch) {
  return (S.StepKind == StepSpec::Kind::Launch && S.Launch == Launch) ||
         any_of(S.Steps, [&](const StepSpec &Inner) { return contains(Inner, Launch); });
}

/// The variables of the repeats in \p Steps that are around \p Launch, the outermost first.
static std::vector<std::string> variablesAround(ArrayRef<StepSpec> Steps, unsigned Launch) {
  std::vector<std::string> Names;
  while (true) {
    const auto *Around = find_if(Steps, [&](const StepSpec &S) { return contains(S, Launch); });
    if (Around == Steps.end() || Around->StepKind != StepSpec::Kind::Repeat)
      return Names;
    Names.push_back(Around->Variable);
    Steps = Around->Steps;
  }
}

/// The last launch in \p Steps.
static unsigned lastLaunch(ArrayRef<StepSpec> Steps) {
  unsigned Last = 0;
  for (const StepSpec &S : Steps)
    Last = std::max(Last, S.StepKind == StepSpec::Kind::Repeat ? lastLaunch(S.Steps) : S.Launch);
  return Last;
}

/// Those of \p Count iterations that stand for all: the first, in which buffers hold what was filled in; the
/// second, which finds what the first has left, perhaps swapped; the one in the middle; the last.
static SmallVector<size_t, 4> sampled(size_t Count) {
  SmallVector<size_t, 4> Chosen;
  for (size_t Index : {size_t(0), size_t(1), Count / 2, Count - 1})
    if (Index < Count && !is_contained(Chosen, Index))
      Chosen.push_back(Index);
  llvm::sort(Chosen);
  return Chosen;
}

/// "n=64"
static std::string nameOf(ArrayRef<std::string> Names, const Environment &Size) {
  std::string Text;
  for (const std::string &Name : Names)
    Text += (Twine(Text.empty() ? "" : ",") + Name + "=" + Twine(Size.lookup(Name))).str();
  return Text;
}

/// The iterations of \p All that are not in \p Chosen, in ranges.
static std::vector<std::string> others(ArrayRef<ResolvedLaunch> All, ArrayRef<size_t> Chosen) {
  std::vector<std::string> Ranges;
  for (size_t I = 0; I != All.size(); ++I) {
    if (is_contained(Chosen, I))
      continue;
    size_t First = I;
    while (I + 1 != All.size() && !is_contained(Chosen, I + 1))
      ++I;
    Ranges.push_back(All[First].Iteration + (First == I ? "" : " to " + All[I].Iteration));
  }
  return Ranges;
}

/// \p Size with the values of \p Iteration, "k=3,j=0".
static Environment at(Environment Size, StringRef Iteration) {
  SmallVector<StringRef, 2> Parts;
  Iteration.split(Parts, ',');
  for (StringRef Part : Parts) {
    auto [Name, Value] = Part.split('=');
    int64_t Number = 0;
    Value.getAsInteger(10, Number);
    Size[Name] = Number;
  }
  return Size;
}

/// Lets each size be one iteration of the tuned launch or, of those to check, some.
static void sampleIterations(Workload &W) {
  std::vector<std::string> Names = W.SizeNames;
  std::vector<Environment> Checks;
  auto Sample = [&](const Environment &Size, bool IsTune) {
    // The sizes were resolved when the file was read.
    std::vector<ResolvedLaunch> All =
        cantFail(resolve(W, Size, {}, std::nullopt, LaunchScope::EachIteration)).Launches;
    SmallVector<size_t, 4> Chosen = IsTune ? SmallVector<size_t, 4>{All.size() / 2} : sampled(All.size());
    IterationSample &Told = W.Samples.emplace_back();
    Told.Size = nameOf(Names, Size);
    Told.Others = others(All, Chosen);
    Told.IsTune = IsTune;
    for (size_t Index : Chosen) {
      Told.Compared.push_back(All[Index].Iteration);
      Environment One = at(Size, All[Index].Iteration);
      if (IsTune)
        W.TuneSize = std::move(One);
      else
        Checks.push_back(std::move(One));
    }
  };
  for (const Environment &Size : W.CheckSizes)
    Sample(Size, /*IsTune=*/false);
  Sample(Environment(W.TuneSize), /*IsTune=*/true);
  W.CheckSizes = std::move(Checks);
  append_range(W.SizeNames, W.Variables);
}

Workload upToLaunch(Workload W, size_t Number) {
  if (!W.Whole && !W.isSequence())
    return W;
  auto Whole = W.Whole ? W.Whole : std::make_shared<const Workload>(std::move(W));
  W = *Whole;
  W.Whole = std::move(Whole);
  W.Tuned = unsigned(Number);
  auto HasTuned = [&](const StepSpec &S) { return contains(S, W.Tuned); };
  W.Steps.erase(find_if(W.Steps, HasTuned) + 1, W.Steps.end());
  // Those behind it in a repeat come before it in the next iteration.
  W.Launches.erase(W.Launches.begin() + lastLaunch(W.Steps) + 1, W.Launches.end());
  W.Work.reset();
  if (W.Space && !hasFreeBlock(W.tuned()))
    W.Space->Blocks.clear();
  for (DefineSpec &D : W.Defines)
    D.Values.resize(1);
  dropUnusedBuffers(W);
  W.Variables = variablesAround(W.Steps, W.Tuned);
  if (W.isRepeated())
    sampleIterations(W);
  return W;
}

} // namespace gpuprune
