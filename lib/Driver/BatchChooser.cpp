//===- BatchChooser.cpp - Which variants a tuning run measures next ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/BatchChooser.h"
#include "SameProgram.h"
#include "gpuprune/Driver/Budget.h"
#include "gpuprune/Search/Alone.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace gpuprune {

BatchChooser::BatchChooser(const BatchOptions &Options, ArrayRef<Variant> Variants,
                           ArrayRef<DefineSetting> Author)
    : Options(Options), OfAuthor(makeParetoStrategy(Options.Strategy)) {
  if (Options.All)
    OfAll = makeExhaustiveStrategy();
  else if (Options.AtLeast == 0)
    OfAll = makeParetoStrategy(Options.Strategy);
  else
    OfAll = makeSearchStrategy(Options.Strategy, Options.AtLeast);
  if (Options.All || !Options.EachAlone)
    return;
  for (const Variant &V : Variants) {
    SoleChoices.push_back(soleChoice(V, Author));
    if (!SoleChoices.back().empty())
      if (std::unique_ptr<Strategy> &Of = Alone[SoleChoices.back()]; !Of)
        Of = makeSearchStrategy(Options.Strategy, *Options.EachAlone);
  }
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
  StringMap<StringRef> Measured = measuredTexts(Report.Variants);
  for (auto &[Choice, Wanted] : Alone) {
    StringSet<> Texts;
    for (const auto &[Sole, Row] : zip_equal(SoleChoices, Report.Variants))
      if (Sole == Choice)
        Texts.insert(Measured.lookup(Row.Variant));
    addNew(Batch, Wanted->nextBatch(Report.Variants, [&](size_t Row) {
      return Texts.contains(Report.Variants[Row].Variant);
    }));
  }
}

std::vector<size_t> BatchChooser::next(const TuneReport &Report) {
  std::vector<size_t> Batch = OfAll->nextBatch(Report.Variants);
  // The best with the author's own defines needs no change to the author's build.
  addNew(Batch, OfAuthor->nextBatch(Report.Variants, [&](size_t Row) {
    return Report.hasAuthorDefines(Report.Variants[Row]);
  }));
  addAlone(Report, Batch);
  erase_if(Batch, [&](size_t Row) { return !Chosen.insert(Row).second; });
  sortByPromise(Batch, Report.Variants);
  return Batch;
}

std::vector<size_t> BatchChooser::early(const TuneReport &Report) {
  static constexpr size_t MostAtOnce = 8; // More may look better soon.
  std::vector<size_t> Batch;
  ArrayRef<VariantResult> Rows = Report.Variants;
  for (const std::vector<size_t> &Cluster : clustersOf(Rows, paretoSet(Rows, Options.Strategy.Pareto)))
    if (none_of(Cluster, [&](size_t Row) { return Chosen.contains(Row); }))
      Batch.push_back(Cluster.front());
  sortByPromise(Batch, Rows);
  Batch.resize(std::min(Batch.size(), MostAtOnce));
  Chosen.insert_range(Batch);
  return Batch;
}

} // namespace gpuprune
