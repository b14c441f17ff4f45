//===- BatchChooser.cpp - Which variants a tuning run measures next ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/BatchChooser.h"
#include "gpuprune/Driver/Budget.h"
#include "gpuprune/Search/Alone.h"
#include "gpuprune/Search/ModelChoice.h"
#include "gpuprune/Search/ModelGuided.h"
#include "gpuprune/Search/ModelPareto.h"
#include "gpuprune/Search/Neighbours.h"
#include "gpuprune/Search/OccupancySearch.h"
#include "gpuprune/Variant/SameProgram.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune {

BatchChooser::BatchChooser(const BatchOptions &Options, ArrayRef<Variant> Variants,
                           ArrayRef<DefineSetting> Author)
    : Options(Options), OfAll(makeOfAll()), OfAuthor(makeOfAuthor()), OfEarly(makeOfAll()) {
  if (Options.All || !Options.EachAlone)
    return;
  for (const Variant &V : Variants) {
    SoleChoices.push_back(soleChoice(V, Author));
    if (!SoleChoices.back().empty())
      if (std::unique_ptr<Strategy> &Of = Alone[SoleChoices.back()]; !Of)
        Of = makeSearchStrategy(Options.Strategy, *Options.EachAlone);
  }
}

std::unique_ptr<Strategy> BatchChooser::makeOfAll() const {
  if (Options.All)
    return makeExhaustiveStrategy();
  switch (Options.Kind) {
  case SearchKind::ModelGuided:
    return makeModelGuidedStrategy({Options.Strategy, Options.AtLeast});
  case SearchKind::ModelPareto:
    return makeModelParetoStrategy();
  case SearchKind::Exhaustive:
    return makeExhaustiveStrategy();
  case SearchKind::RegisterOccupancy:
    return makeRegisterOccupancyStrategy();
  case SearchKind::PerformanceOccupancy:
    return makePerformanceOccupancyStrategy();
  case SearchKind::FilteredPerformanceOccupancy:
    return makePerformanceOccupancyStrategy(PublishedFilter);
  case SearchKind::Pareto:
    return makeParetoStrategy(Options.Strategy);
  case SearchKind::Search:
  case SearchKind::Model:
    break;
  }
  return Options.AtLeast == 0 ? makeParetoStrategy(Options.Strategy)
                              : makeSearchStrategy(Options.Strategy, Options.AtLeast);
}

/// Null where what is measured is to be what was published.
std::unique_ptr<Strategy> BatchChooser::makeOfAuthor() const {
  switch (Options.Kind) {
  case SearchKind::Exhaustive:
  case SearchKind::RegisterOccupancy:
  case SearchKind::PerformanceOccupancy:
  case SearchKind::FilteredPerformanceOccupancy:
    return nullptr;
  case SearchKind::ModelGuided:
  case SearchKind::ModelPareto:
    return makeOfAll();
  case SearchKind::Search:
  case SearchKind::Pareto:
  case SearchKind::Model:
    break;
  }
  return makeParetoStrategy(Options.Strategy);
}

static void addNew(std::vector<size_t> &Batch, ArrayRef<size_t> Others) {
  for (size_t Row : Others)
    if (!is_contained(Batch, Row))
      Batch.push_back(Row);
}

/// What shows the worth of each choice alone; where a row is the twin of another, that one.
void BatchChooser::addAlone(const TuneReport &Report, std::vector<size_t> &Batch) {
  if (Alone.empty())
    return;
  for (auto &[Choice, Wanted] : Alone) {
    DenseSet<size_t> Measured;
    for (const auto &[Row, Sole] : enumerate(SoleChoices))
      if (Sole == Choice)
        Measured.insert(measuredRow(Report.Variants, Row));
    addNew(Batch, Wanted->nextBatch(Report.Variants, [&](size_t Row) { return Measured.contains(Row); }));
  }
}

std::vector<size_t> BatchChooser::next(const TuneReport &Report) {
  if (Options.Kind == SearchKind::Model) {
    std::optional<size_t> Row = chooseByModel(Report.Variants, Report.Stock.Modelled).row();
    return Row && Chosen.insert(*Row).second ? std::vector{*Row} : std::vector<size_t>();
  }
  std::vector<size_t> Batch = OfAll->nextBatch(Report.Variants);
  // The best with the author's own defines needs no change to the author's build.
  if (OfAuthor)
    addNew(Batch, OfAuthor->nextBatch(Report.Variants, [&](size_t Row) {
      return Report.hasAuthorDefines(Report.Variants[Row]);
    }));
  addAlone(Report, Batch);
  erase_if(Batch, [&](size_t Row) { return !Chosen.insert(Row).second; });
  if (!asksModelledTimes(Options.Kind)) // Which is an order of its own.
    sortByPromise(Batch, Report.Variants);
  return Batch;
}

std::vector<size_t> BatchChooser::frontsOfClusters(ArrayRef<VariantResult> Rows) const {
  std::vector<size_t> Fronts;
  for (const std::vector<size_t> &Cluster : clustersOf(Rows, paretoSet(Rows, Options.Strategy.Pareto)))
    if (none_of(Cluster, [&](size_t Row) { return Chosen.contains(Row); }))
      Fronts.push_back(Cluster.front());
  return Fronts;
}

/// Puts those of \p Batch first that differ from the fastest so far in one decision; how many these are.
static size_t putNearBestFirst(const TuneReport &Report, std::vector<size_t> &Batch) {
  std::optional<size_t> Best = Report.winner();
  if (!Best)
    return 0;
  auto End = std::stable_partition(Batch.begin(), Batch.end(), [&](size_t Row) {
    return distance(Report.Variants[*Best].Parts, Report.Variants[Row].Parts) == 1;
  });
  return size_t(End - Batch.begin());
}

std::vector<size_t> BatchChooser::earlyByModel(const TuneReport &Report) {
  std::vector<size_t> Batch = OfEarly->nextBatch(
      Report.Variants, [&](size_t Row) { return Report.Variants[Row].Modelled.Ms.has_value(); });
  Chosen.insert_range(Batch);
  return Batch;
}

std::vector<size_t> BatchChooser::early(const TuneReport &Report) {
  if (Options.Kind == SearchKind::ModelGuided)
    return earlyByModel(Report);
  // More may look better soon; a guess is a waste where it then does. Near the best it seldom is.
  static constexpr size_t MostFronts = 8, MostGuesses = 4, MostNearBest = 8;
  ArrayRef<VariantResult> Rows = Report.Variants;
  std::vector<size_t> Batch = frontsOfClusters(Rows);
  size_t Most = MostFronts;
  sortByPromise(Batch, Rows);
  if (Batch.empty()) {
    Batch = makeOfAll()->nextBatch(Rows); // Of its own, since what it has seen is not all.
    erase_if(Batch, [&](size_t Row) { return Chosen.contains(Row); });
    sortByPromise(Batch, Rows);
    Most = std::clamp(putNearBestFirst(Report, Batch), MostGuesses, MostNearBest);
  }
  Batch.resize(std::min(Batch.size(), Most));
  Chosen.insert_range(Batch);
  return Batch;
}

} // namespace gpuprune
