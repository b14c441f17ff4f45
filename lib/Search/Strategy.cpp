//===- Strategy.cpp - Which variants to measure ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Strategy.h"
#include "gpuprune/Search/Neighbours.h"
#include "gpuprune/Support/EnumNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace llvm;

namespace gpuprune {

static constexpr EnumName<SearchKind> SearchKindRows[] = {
    {SearchKind::Search, "search"},
    {SearchKind::Pareto, "pareto"},
    {SearchKind::Model, "model"},
    {SearchKind::ModelGuided, "model-guided"},
    {SearchKind::ModelPareto, "model-pareto"},
    {SearchKind::Exhaustive, "es"},
    {SearchKind::RegisterOccupancy, "ros"},
    {SearchKind::PerformanceOccupancy, "pos"},
    {SearchKind::FilteredPerformanceOccupancy, "posf"},
};
static constexpr EnumNames<SearchKind> SearchKindNames{SearchKindRows};

StringRef searchKindName(SearchKind Kind) { return SearchKindNames.nameOf(Kind); }

std::optional<SearchKind> parseSearchKind(StringRef Name) { return SearchKindNames.find(Name); }

bool asksModelledTimes(SearchKind Kind) {
  return Kind == SearchKind::Model || Kind == SearchKind::ModelGuided || Kind == SearchKind::ModelPareto;
}

bool asksCycles(SearchKind Kind) {
  return Kind == SearchKind::PerformanceOccupancy || Kind == SearchKind::FilteredPerformanceOccupancy;
}

static bool isAmong(RowFilter Among, size_t Row) { return !Among || Among(Row); }

std::vector<size_t> Strategy::nextBatch(ArrayRef<VariantResult> Rows, RowFilter Among) {
  std::vector<size_t> Batch;
  for (size_t Index : wanted(Rows, Among))
    if (!Rows[Index].OnGpu.MedianMs && Asked.insert(Index).second)
      Batch.push_back(Index);
  return Batch;
}

std::vector<size_t> Strategy::representatives(ArrayRef<VariantResult> Rows, ArrayRef<size_t> Set,
                                              size_t Most) const {
  std::vector<size_t> Result, New;
  for (const std::vector<size_t> &Cluster : clustersOf(Rows, Set)) {
    std::vector<size_t> Others;
    for (size_t Row : Cluster)
      (Asked.contains(Row) || Rows[Row].OnGpu.MedianMs ? Result : Others).push_back(Row);
    size_t Known = Cluster.size() - Others.size();
    size_t Wanted = std::min(Most - std::min(Most, Known), Others.size());
    // Neighbours in the space differ least.
    for (size_t I = 0; I != Wanted; ++I)
      New.push_back(Others[I * Others.size() / Wanted]);
  }
  llvm::sort(New);
  append_range(Result, New);
  return Result;
}

namespace {

class ExhaustiveStrategy : public Strategy {
  std::vector<size_t> wanted(ArrayRef<VariantResult> Rows, RowFilter Among) override {
    std::vector<size_t> Result;
    for (const auto &[Index, Row] : enumerate(Rows))
      if (isAmong(Among, Index) && Row.canRun())
        Result.push_back(Index);
    return Result;
  }
};

class ParetoStrategy : public Strategy {
public:
  explicit ParetoStrategy(const StrategyOptions &Options) : Options(Options) {}

private:
  /// Decided anew after each batch: where a variant turned out wrong, those that
  /// only it dominated are wanted.
  std::vector<size_t> wanted(ArrayRef<VariantResult> Rows, RowFilter Among) override {
    return representatives(Rows, paretoSet(Rows, Options.Pareto, Among), Options.OfCluster);
  }

  StrategyOptions Options;
};

/// The Pareto set, what the metrics cannot be trusted with, and a climb from the best ones.
class SearchStrategy : public Strategy {
public:
  SearchStrategy(const StrategyOptions &Options, size_t AtLeast) : Options(Options), AtLeast(AtLeast) {}

private:
  /// Variants without any pass, at most; neighbours of one best; bests that are climbed from, at a time and
  /// together. How much these cost and find: test/benchmark/SearchReplay.cpp.
  static constexpr size_t MostPlain = 16, MostNeighbours = 8, MostBests = 3, MostClimbs = 8, MostTexts = 4;
  /// What is slower than so many times the best is not climbed from.
  static constexpr double NearBest = 1.02;

  StrategyOptions Options;
  size_t AtLeast;
  DenseSet<size_t> ClimbedFrom;

  std::vector<size_t> wanted(ArrayRef<VariantResult> Rows, RowFilter Among) override {
    SetVector<size_t> Result;
    std::vector<size_t> Set = paretoSet(Rows, Options.Pareto, Among);
    Result.insert_range(representatives(Rows, Set, Options.OfCluster));
    std::vector<size_t> Runnable = runnable(Rows, Among), Plain = plainRows(Rows, Runnable);
    Result.insert_range(Plain);
    if (!Plain.empty())
      fill(neighbours(Rows, Runnable, Plain.front()), Result);
    addLayers(Rows, Among, Set, Result);
    fill(Set, Result);
    for (size_t Best : fastest(Rows, Runnable))
      if (ClimbedFrom.size() < MostClimbs && ClimbedFrom.insert(Best).second) {
        std::vector<size_t> Near = neighbours(Rows, Runnable, Best);
        erase_if(Near, [&](size_t Row) { return Rows[Row].OnGpu.MedianMs || Result.contains(Row); });
        Result.insert_range(ArrayRef(Near).take_front(MostNeighbours));
      }
    return std::vector<size_t>(Result.begin(), Result.end());
  }

  std::vector<size_t> runnable(ArrayRef<VariantResult> Rows, RowFilter Among) const {
    std::vector<size_t> Result;
    for (const auto &[Index, Row] : enumerate(Rows)) {
      bool Runs = Row.Status == VariantStatus::Ok ||
                  (Row.Status == VariantStatus::Spills && Options.Pareto.KeepSpills);
      if (Runs && !Row.isDuplicate() && isAmong(Among, Index))
        Result.push_back(Index);
    }
    return Result;
  }

  static std::vector<size_t> plainRows(ArrayRef<VariantResult> Rows, ArrayRef<size_t> Runnable) {
    std::vector<size_t> Result;
    for (size_t Row : Runnable)
      if (Result.size() != MostPlain && Rows[Row].Parts.Pipeline.empty())
        Result.push_back(Row);
    return Result;
  }

  /// \p Row and others that are the same program: what is near one of them is near it.
  static std::vector<const Variant *> textsOf(ArrayRef<VariantResult> Rows, size_t Row) {
    std::vector<const Variant *> Texts{&Rows[Row].Parts};
    for (const VariantResult &Other : Rows)
      if (Other.Twin && Other.Twin->Row == Row && Texts.size() != MostTexts)
        Texts.push_back(&Other.Parts);
    return Texts;
  }

  /// What differs from \p From in one decision, the most promising first.
  static std::vector<size_t> neighbours(ArrayRef<VariantResult> Rows, ArrayRef<size_t> Runnable,
                                        size_t From) {
    std::vector<const Variant *> Texts = textsOf(Rows, From);
    std::vector<size_t> Result;
    for (size_t Row : Runnable)
      if (any_of(Texts, [&](const Variant *Text) { return distance(*Text, Rows[Row].Parts) == 1; }))
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

  /// The Pareto set of what is left without \p Set and \p Result, and so on.
  void addLayers(ArrayRef<VariantResult> Rows, RowFilter Among, ArrayRef<size_t> Set,
                 SetVector<size_t> &Result) const {
    DenseSet<size_t> Above(Set.begin(), Set.end());
    auto IsLeft = [&](size_t Row) { return !Above.contains(Row) && isAmong(Among, Row); };
    std::vector<size_t> Layer(Result.begin(), Result.end());
    while (Result.size() < AtLeast && !Layer.empty()) {
      Above.insert_range(Layer);
      Layer = paretoSet(Rows, Options.Pareto, IsLeft);
      fill(representatives(Rows, Layer, Options.OfCluster), Result);
    }
  }

  /// What to climb from, the fastest first: the best of two decisions often is a neighbour of the second.
  static std::vector<size_t> fastest(ArrayRef<VariantResult> Rows, ArrayRef<size_t> Runnable) {
    std::vector<size_t> Result;
    for (size_t Row : Runnable)
      if (Rows[Row].OnGpu.MedianMs && Rows[Row].Status == VariantStatus::Ok)
        Result.push_back(Row);
    stable_sort(Result,
                [&](size_t A, size_t B) { return *Rows[A].OnGpu.MedianMs < *Rows[B].OnGpu.MedianMs; });
    Result.resize(std::min(Result.size(), MostBests));
    erase_if(Result, [&, Best = Result.empty() ? 0 : *Rows[Result.front()].OnGpu.MedianMs](size_t Row) {
      return *Rows[Row].OnGpu.MedianMs > NearBest * Best;
    });
    return Result;
  }
};

} // namespace

std::unique_ptr<Strategy> makeExhaustiveStrategy() { return std::make_unique<ExhaustiveStrategy>(); }

std::unique_ptr<Strategy> makeParetoStrategy(const StrategyOptions &Options) {
  return std::make_unique<ParetoStrategy>(Options);
}

std::unique_ptr<Strategy> makeSearchStrategy(const StrategyOptions &Options, size_t AtLeast) {
  return std::make_unique<SearchStrategy>(Options, AtLeast);
}

} // namespace gpuprune
