//===- Strategy.cpp - Which variants to measure ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Strategy.h"
#include "gpuprune/Search/Neighbours.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

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

/// The Pareto set, what the metrics cannot be trusted with, and a climb from the best.
class SearchStrategy : public Strategy {
public:
  SearchStrategy(const ParetoOptions &Options, size_t AtLeast) : Options(Options), AtLeast(AtLeast) {}
  StringRef name() const override { return "search"; }

private:
  /// Variants without any pass, at most; neighbours of one best; bests that are climbed from.
  static constexpr size_t MostPlain = 16, MostNeighbours = 16, MostClimbs = 6;

  ParetoOptions Options;
  size_t AtLeast;
  std::vector<std::optional<Variant>> Parsed; ///< By row, as far as they were asked for.
  std::optional<size_t> ClimbedFrom;
  size_t Climbs = 0;

  std::vector<size_t> wanted(ArrayRef<VariantResult> Rows) override {
    SetVector<size_t> Result;
    Result.insert_range(paretoSet(Rows, Options));
    std::vector<size_t> Plain = plainRows(Rows);
    Result.insert_range(Plain);
    if (!Plain.empty())
      fill(neighbours(Rows, Plain.front()), Result);
    addLayers(Rows, Result);
    if (std::optional<size_t> Best = fastest(Rows); Best && Best != ClimbedFrom && Climbs++ < MostClimbs) {
      ClimbedFrom = Best;
      std::vector<size_t> Near = neighbours(Rows, *Best);
      erase_if(Near, [&](size_t Row) { return Rows[Row].MedianMs || Result.contains(Row); });
      Result.insert_range(ArrayRef(Near).take_front(MostNeighbours));
    }
    return std::vector<size_t>(Result.begin(), Result.end());
  }

  const Variant &variantOf(ArrayRef<VariantResult> Rows, size_t Row) {
    Parsed.resize(Rows.size());
    if (!Parsed[Row])
      Parsed[Row] = cantFail(parseVariant(Rows[Row].Variant)); // It was printed from one.
    return *Parsed[Row];
  }

  bool canRun(const VariantResult &Row) const {
    bool Runs =
        Row.Status == VariantStatus::Ok || (Row.Status == VariantStatus::Spills && Options.KeepSpills);
    return Runs && !Row.isDuplicate();
  }

  std::vector<size_t> plainRows(ArrayRef<VariantResult> Rows) {
    std::vector<size_t> Result;
    for (size_t Row = 0; Row != Rows.size() && Result.size() != MostPlain; ++Row)
      if (canRun(Rows[Row]) && variantOf(Rows, Row).Pipeline.empty())
        Result.push_back(Row);
    return Result;
  }

  /// What differs from \p From in one decision, the most promising first.
  std::vector<size_t> neighbours(ArrayRef<VariantResult> Rows, size_t From) {
    Variant Start = variantOf(Rows, From);
    std::vector<size_t> Result;
    for (size_t Row = 0; Row != Rows.size(); ++Row)
      if (canRun(Rows[Row]) && distance(Start, variantOf(Rows, Row)) == 1)
        Result.push_back(Row);
    llvm::sort(Result, [&](size_t A, size_t B) {
      return std::pair(-promise(Rows[A]), A) < std::pair(-promise(Rows[B]), B);
    });
    return Result;
  }

  void fill(ArrayRef<size_t> From, SetVector<size_t> &Result) const {
    for (size_t Row : From)
      if (Result.size() < AtLeast)
        Result.insert(Row);
  }

  /// The Pareto set of what is left without \p Result, and so on.
  void addLayers(ArrayRef<VariantResult> Rows, SetVector<size_t> &Result) const {
    std::vector<VariantResult> Rest(Rows.begin(), Rows.end());
    std::vector<size_t> Layer(Result.begin(), Result.end());
    while (Result.size() < AtLeast && !Layer.empty()) {
      for (size_t Row : Layer)
        Rest[Row].Status = VariantStatus::Skipped;
      Layer = paretoSet(Rest, Options);
      fill(Layer, Result);
    }
  }

  static std::optional<size_t> fastest(ArrayRef<VariantResult> Rows) {
    std::optional<size_t> Best;
    for (size_t Row = 0; Row != Rows.size(); ++Row)
      if (Rows[Row].MedianMs && Rows[Row].Status == VariantStatus::Ok &&
          (!Best || *Rows[Row].MedianMs < *Rows[*Best].MedianMs))
        Best = Row;
    return Best;
  }
};

} // namespace

std::unique_ptr<Strategy> makeExhaustiveStrategy() { return std::make_unique<ExhaustiveStrategy>(); }

std::unique_ptr<Strategy> makeParetoStrategy(const ParetoOptions &Options) {
  return std::make_unique<ParetoStrategy>(Options);
}

std::unique_ptr<Strategy> makeSearchStrategy(const ParetoOptions &Options, size_t AtLeast) {
  return std::make_unique<SearchStrategy>(Options, AtLeast);
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
