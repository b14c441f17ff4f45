//===- WorkloadFuzzer.cpp - Any text as a workload file -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is refused is refused with a place in the file. What is taken resolves at
// every size, to fills with all their numbers, and so does each launch of a short
// sequence by itself; the space, if small, is enumerated.
//
//===----------------------------------------------------------------------===//
#include "Fuzzing.h"
#include "gpuprune/Search/Space.h"
#include "gpuprune/Workload/Problem.h"
#include "gpuprune/Workload/Sequence.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::fuzz;

static constexpr StringLiteral File = "w.yaml";

/// "FILE:LINE:COLUMN: ", with a line of the file or the one behind its end.
static void requirePlace(StringRef Message, StringRef Text) {
  StringRef Rest = Message;
  unsigned Line = 0, Column = 0;
  bool HasPlace = Rest.consume_front(File) && Rest.consume_front(":") && !Rest.consumeInteger(10, Line) &&
                  Rest.consume_front(":") && !Rest.consumeInteger(10, Column) && Rest.consume_front(": ");
  require(HasPlace, "no place in: " + Message);
  require(Line >= 1 && Line <= Text.count('\n') + 2 && Column >= 1, "a place outside the file: " + Message);
}

/// The launch \p Number of \p Whole, alone: the last one of what its sizes resolve to, and all that it uses
/// is there.
static void tryLaunch(const Workload &Whole, size_t Number) {
  Workload One = upToLaunch(Whole, Number);
  require(One.tuned().Kernel == Whole.Launches[Number].Kernel, "another launch");
  require(!One.CheckSizes.empty() || Whole.CheckSizes.empty(), "a launch without the sizes to check");
  std::vector<Environment> Sizes = One.CheckSizes;
  Sizes.push_back(One.TuneSize);
  for (const Environment &Size : Sizes) {
    Expected<ResolvedProblem> Resolved = resolve(One, Size);
    require(bool(Resolved), "a launch of a sequence does not resolve");
    require(Resolved->Launches.back().Spec == Number, "another launch is the last");
    for (const ResolvedLaunch &L : Resolved->Launches)
      for (const ResolvedArgument &A : L.Arguments)
        require(!A.Buffer || *A.Buffer < Resolved->Buffers.size(), "an argument that is no buffer");
  }
}

static void trySequence(const Workload &W) {
  constexpr size_t MostLaunches = 64;
  std::vector<Environment> Sizes = W.CheckSizes;
  Sizes.push_back(W.TuneSize);
  for (const Environment &Size : Sizes) {
    Expected<ResolvedProblem> Whole = resolve(W, Size);
    require(bool(Whole), "a workload that was taken does not resolve");
    if (Whole->Launches.size() > MostLaunches)
      return;
  }
  for (size_t Number = 0; Number != W.Launches.size(); ++Number)
    tryLaunch(W, Number);
}

static void requireKnown(const FillSpec &Fill, const ElementLayout &Type, uint64_t Count) {
  for (const auto &[Field, Own] : zip(Type.fields(), Fill.Fields))
    requireKnown(Own, Field.Type, Count);
  require(Fill.Parts.empty() && !Fill.List, "a fill whose numbers are not known");
  if (Fill.FillKind == FillSpec::Kind::Values)
    require(Fill.Bytes.size() == Count * Type.bytes(), "another number of values than of elements");
  if (Fill.FillKind == FillSpec::Kind::Shift)
    require(Fill.Shift >= 0 && uint64_t(Fill.Shift) < Count, "a shift beyond the buffer");
  if (Fill.FillKind == FillSpec::Kind::Clustered)
    require(Fill.Window >= 0 && Fill.Per >= 1 && Fill.Among >= 1, "a cluster of nothing");
  require(!Fill.ZeroDiagonal || Fill.Columns * Fill.Columns == Count, "a diagonal of no square");
}

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text = asText(Data, Size);
  Expected<Workload> W = parseWorkload(Text, File);
  if (!W) {
    requirePlace(refusal(W.takeError()), Text);
    return 0;
  }
  require(!W->Launches.empty() && !W->SizeNames.empty() == !W->TuneSize.empty(), "an incomplete workload");
  for (const Environment &Sizes : W->CheckSizes) {
    Expected<ResolvedProblem> Problem = resolve(*W, Sizes);
    require(bool(Problem), "a workload that was taken does not resolve");
    for (const ResolvedBuffer &B : Problem->Buffers)
      requireKnown(B.Fill, B.Type, B.Count);
  }
  if (W->isSequence())
    trySequence(*W);
  if (!W->Space)
    return 0;
  Expected<Space> Searched = spaceOf(*W);
  if (!Searched) {
    requirePlace(refusal(Searched.takeError()), Text);
    return 0;
  }
  uint64_t Combinations = 1;
  for (const auto &Dimension : Searched->dimensions())
    Combinations = std::min<uint64_t>(Combinations * Dimension->values().size(), 1 << 20);
  if (Combinations > 1000)
    return 0;
  Expected<Enumeration> All = Searched->enumerate();
  if (!All) {
    refusal(All.takeError());
    return 0;
  }
  require(All->Combinations == All->Variants.size() + All->Duplicates + All->removedByConstraints(),
          "combinations are missing");
  for (const Variant &V : All->Variants) {
    Expected<Variant> Again = parseVariant(printVariant(V));
    require(bool(Again), "a variant of the space that cannot be read: " + printVariant(V));
    require(*Again == V, "a variant of the space that reads as another: " + printVariant(V));
  }
  return 0;
}
