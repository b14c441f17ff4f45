//===- PortionChooser.cpp - What is built of a space that is not built whole ===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/PortionChooser.h"
#include "gpuprune/Search/SpreadOrder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

static constexpr size_t FirstPortion = 128, FurtherPortion = 64, SpreadOfPortion = FurtherPortion / 4;

size_t defaultAtMost(size_t Variants) {
  constexpr size_t Whole = 512, Least = 256;
  return Variants <= Whole ? Variants : std::max(Least, Variants / 10);
}

PortionChooser::PortionChooser(ArrayRef<Variant> Variants, size_t Most)
    : Expected(Variants), Spread(spreadOrder(Variants)), IsChosen(Variants.size()),
      Most(std::min(Most, Variants.size())) {}

void PortionChooser::choose(size_t Row, std::vector<size_t> &Portion) {
  IsChosen[Row] = true;
  Chosen.push_back(Row);
  Portion.push_back(Row);
}

/// Whether there is anything to fit. What cannot be built or launched is as slow as the slowest, so that its
/// like comes last.
bool PortionChooser::fit(ArrayRef<VariantResult> Rows) {
  double SlowestMs = 0;
  for (size_t Row : Chosen)
    SlowestMs = std::max(SlowestMs, Rows[Row].Modelled.Ms.value_or(0));
  if (SlowestMs <= 0)
    return false;
  std::vector<Surrogate::KnownTime> Known;
  for (size_t Row : Chosen) {
    double Ms = Rows[Row].Modelled.Ms.value_or(0);
    Known.push_back({Row, Ms > 0 ? Ms : SlowestMs});
  }
  Expected.fit(Known);
  return true;
}

void PortionChooser::chooseExpected(size_t Number, std::vector<size_t> &Portion) {
  std::vector<std::pair<double, size_t>> Left;
  for (size_t Row = 0; Row != IsChosen.size(); ++Row)
    if (!IsChosen[Row])
      Left.emplace_back(Expected.expectedMs(Row), Row);
  llvm::sort(Left);
  for (const auto &[Ms, Row] : ArrayRef(Left).take_front(Number))
    choose(Row, Portion);
}

void PortionChooser::chooseSpread(size_t Number, std::vector<size_t> &Portion) {
  for (size_t Row : Spread) {
    if (Number == 0)
      return;
    if (IsChosen[Row])
      continue;
    choose(Row, Portion);
    --Number;
  }
}

std::vector<size_t> PortionChooser::rest() {
  std::vector<size_t> Portion;
  Most = IsChosen.size();
  chooseSpread(Most - Chosen.size(), Portion);
  return Portion;
}

std::vector<size_t> PortionChooser::next(ArrayRef<VariantResult> Rows) {
  std::vector<size_t> Portion;
  size_t Size = std::min(Chosen.empty() ? FirstPortion : FurtherPortion, Most - Chosen.size());
  if (!Chosen.empty() && fit(Rows))
    chooseExpected(Size - std::min(Size, SpreadOfPortion), Portion);
  chooseSpread(Size - Portion.size(), Portion);
  return Portion;
}

} // namespace gpuprune
