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
  explicit ParetoStrategy(const ParetoOptions &Options) : Options(Options) {}
  StringRef name() const override { return "pareto"; }

private:
  /// Decided anew after each batch: where a variant turned out wrong, those that
  /// only it dominated are wanted.
  std::vector<size_t> wanted(ArrayRef<VariantResult> Rows) override { return paretoSet(Rows, Options); }

  ParetoOptions Options;
};

} // namespace

std::unique_ptr<Strategy> makeExhaustiveStrategy() { return std::make_unique<ExhaustiveStrategy>(); }

std::unique_ptr<Strategy> makeParetoStrategy(const ParetoOptions &Options) {
  return std::make_unique<ParetoStrategy>(Options);
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
