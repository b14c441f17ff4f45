//===- Budget.cpp - How long a run may take ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Budget.h"
#include "gpuprune/Search/Pareto.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <random>
#include <tuple>

using namespace llvm;

namespace gpuprune {

/// Parts of the whole at which compiling and assembling end where measuring
/// follows, and compiling ends where none does: ptxas takes about as long as LLVM.
static constexpr double CompileShare = 0.35, AssembleShare = 0.6, CompileShareAlone = 0.6;
/// The final rounds get this part at most of the whole, and of measuring where that has an end of its own.
static constexpr double FinalShare = 0.25, FinalShareOfMeasuring = 0.5;

static Budget::Clock::duration fromSeconds(double Seconds) {
  return std::chrono::duration_cast<Budget::Clock::duration>(std::chrono::duration<double>(Seconds));
}

Budget::Budget(std::optional<double> Seconds, bool Measures) : Seconds(Seconds) {
  if (!Seconds)
    return;
  Clock::time_point Begin = Clock::now();
  CompileEnd = Begin + fromSeconds(*Seconds * (Measures ? CompileShare : CompileShareAlone));
  AssembleEnd = Begin + fromSeconds(*Seconds * (Measures ? AssembleShare : 1));
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

std::vector<size_t> workOrder(size_t Count, bool Shuffled) {
  std::vector<size_t> Order(Count);
  std::iota(Order.begin(), Order.end(), 0);
  std::mt19937_64 Random; // The standard fixes its numbers; not so those of std::shuffle.
  if (Shuffled)
    for (size_t I = Count; I > 1; --I)
      std::swap(Order[I - 1], Order[Random() % I]);
  return Order;
}

void sortByPromise(std::vector<size_t> &Batch, ArrayRef<VariantResult> Rows) {
  auto Key = [&](size_t I) { return std::tuple(!Rows[I].Pareto, -promise(Rows[I]), I); };
  llvm::sort(Batch, [&](size_t A, size_t B) { return Key(A) < Key(B); });
}

} // namespace gpuprune
