//===- Budget.cpp - How long a run may take ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Budget.h"
#include "gpuprune/Search/Pareto.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;

namespace gpuprune {

namespace {
/// Parts of the whole at which compiling, assembling and modelling end.
struct Shares {
  double Compile, Assemble, Model;
};
} // namespace

/// ptxas takes about as long as LLVM.
static Shares sharesOf(Budget::Then Follows) {
  switch (Follows) {
  case Budget::Then::Nothing:
    return {0.6, 1, 1};
  case Budget::Then::Measuring:
    return {0.35, 0.6, 0.6};
  case Budget::Then::MeasuringApart: // The last part is for checks.
    return {0.45, 0.7, 0.7};
  case Budget::Then::MeasuringBeside: // What comes late has to be measured as well.
    return {0.6, 0.75, 0.75};
  case Budget::Then::Modelling: // What is left is for the check of the choice.
    return {0.4, 0.6, 0.9};
  case Budget::Then::ModellingAndMeasuring:
    return {0.3, 0.45, 0.7};
  case Budget::Then::ModellingAndMeasuringApart:
    return {0.45, 0.65, 0.8};
  case Budget::Then::ModellingAndMeasuringBeside:
    return {0.6, 0.75, 0.8};
  }
  llvm_unreachable("covered switch");
}

/// Part of the whole in which the author's launch is begun at sizes to check.
static constexpr double AuthorShare = 0.2;

/// The final rounds get this part at most of the whole, and of measuring where that has an end of its own.
static constexpr double FinalShare = 0.25, FinalShareOfMeasuring = 0.5;

static Budget::Clock::duration fromSeconds(double Seconds) {
  return std::chrono::duration_cast<Budget::Clock::duration>(std::chrono::duration<double>(Seconds));
}

Budget::Budget(std::optional<double> Seconds, Then Follows) : Seconds(Seconds) {
  if (!Seconds)
    return;
  Clock::time_point Begin = Clock::now();
  AuthorEnd = Begin + fromSeconds(*Seconds * AuthorShare);
  CompileEnd = Begin + fromSeconds(*Seconds * sharesOf(Follows).Compile);
  AssembleEnd = Begin + fromSeconds(*Seconds * sharesOf(Follows).Assemble);
  ModelEnd = Begin + fromSeconds(*Seconds * sharesOf(Follows).Model);
  End = Begin + fromSeconds(*Seconds);
  MostForFinal = *Seconds * FinalShare;
}

void Budget::endIn(double FromNow) {
  End = Clock::now() + fromSeconds(FromNow);
  Seconds = Seconds.value_or(FromNow);
  MostForFinal = FromNow * FinalShareOfMeasuring;
}

bool Budget::measuringOver(double FinalMs) const {
  if (!End)
    return false;
  double Reserved = std::min(FinalMs * 1e-3, MostForFinal);
  return Clock::now() >= *End - fromSeconds(Reserved);
}

void sortByPromise(std::vector<size_t> &Batch, ArrayRef<VariantResult> Rows) {
  auto Key = [&](size_t I) { return std::tuple(!Rows[I].Pareto, -promise(Rows[I]), I); };
  llvm::sort(Batch, [&](size_t A, size_t B) { return Key(A) < Key(B); });
}

} // namespace gpuprune
