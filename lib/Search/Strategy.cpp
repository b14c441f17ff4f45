//===- Strategy.cpp - Which variants to measure ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Strategy.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

std::vector<size_t> Strategy::nextBatch(ArrayRef<VariantResult> Rows) {
  std::vector<size_t> Batch;
  for (size_t Index : wanted(Rows))
    if (!Rows[Index].MedianMs && Asked.insert(Index).second)
      Batch.push_back(Index);
  return Batch;
}

namespace {

class ExhaustiveStrategy : public Strategy {
public:
  StringRef name() const override { return "exhaustive"; }

private:
  std::vector<size_t> wanted(ArrayRef<VariantResult> Rows) override {
    std::vector<size_t> Result;
    for (const auto &[Index, Row] : enumerate(Rows)) {
      bool Runs = Row.Status == VariantStatus::Ok || Row.Status == VariantStatus::Spills;
      if (Runs && !Row.isDuplicate())
        Result.push_back(Index);
    }
    return Result;
  }
};

class ParetoStrategy : public Strategy {
public:
  ParetoStrategy(const ParetoOptions &Options, size_t AtLeast) : Options(Options), AtLeast(AtLeast) {}
  StringRef name() const override { return "pareto"; }

private:
  /// Decided anew after each batch: where a variant turned out wrong, those that
  /// only it dominated are wanted.
  std::vector<size_t> wanted(ArrayRef<VariantResult> Rows) override {
    std::vector<size_t> Result = paretoSet(Rows, Options);
    std::vector<VariantResult> Rest(Rows.begin(), Rows.end());
    std::vector<size_t> Layer = Result;
    while (Result.size() < AtLeast && !Layer.empty()) {
      for (size_t Index : Layer)
        Rest[Index].Status = VariantStatus::Skipped;
      Layer = paretoSet(Rest, Options);
      append_range(Result, ArrayRef(Layer).take_front(AtLeast - Result.size()));
    }
    return Result;
  }

  ParetoOptions Options;
  size_t AtLeast;
};

} // namespace

std::unique_ptr<Strategy> makeExhaustiveStrategy() { return std::make_unique<ExhaustiveStrategy>(); }

std::unique_ptr<Strategy> makeParetoStrategy(const ParetoOptions &Options, size_t AtLeast) {
  return std::make_unique<ParetoStrategy>(Options, AtLeast);
}

Expected<std::unique_ptr<Strategy>> makeStrategy(StringRef Name) {
  if (Name == "exhaustive")
    return makeExhaustiveStrategy();
  if (Name == "pareto")
    return makeParetoStrategy();
  return makeError(ErrorKind::Usage, "unknown search strategy '" + Name + "'" +
                                         nearestNameHint(Name, {"exhaustive", "pareto"}));
}

} // namespace gpuprune
