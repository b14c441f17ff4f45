//===- ModelChoice.cpp - A variant chosen without a timing -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/ModelChoice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <tuple>

using namespace llvm;

namespace gpuprune {

static bool mayBeChosen(const VariantResult &Row) { return Row.canRun() && Row.mayWin(); }

static std::optional<size_t> fastestOf(ArrayRef<VariantResult> Rows) {
  auto Key = [&](size_t Row) {
    return std::tuple(*Rows[Row].Modelled.Ms, Rows[Row].Parts.Pipeline.size(), Row);
  };
  std::optional<size_t> Fastest;
  for (const auto &[Index, Row] : enumerate(Rows))
    if (mayBeChosen(Row) && Row.Modelled.Ms && (!Fastest || Key(Index) < Key(*Fastest)))
      Fastest = Index;
  return Fastest;
}

ModelChoice chooseByModel(ArrayRef<VariantResult> Rows, const ModelledRow &AsWritten) {
  ModelChoice Choice{fastestOf(Rows), ""};
  if (!AsWritten.Ms)
    Choice.WhyAsWritten = "it has no modelled time that others could be compared with" +
                          (AsWritten.Note.empty() ? "" : ": " + AsWritten.Note);
  else if (!Choice.Fastest)
    Choice.WhyAsWritten = none_of(Rows, mayBeChosen) ? "no variant can run and is right"
                                                     : "no variant that is right has a modelled time";
  else if (*AsWritten.Ms < LeastModelledGain * *Rows[*Choice.Fastest].Modelled.Ms)
    Choice.WhyAsWritten = formatv("no variant that may win is modelled at least {0:F0} % faster",
                                  100 * (LeastModelledGain - 1));
  return Choice;
}

} // namespace gpuprune
