//===- BatchChooser.h - Which variants a tuning run measures next -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A run answers several questions at once: what is best, what is best with the
// author's own defines, and, for a survey, what each choice is worth alone. Each has
// a strategy that sees its own rows; a row that several ask for is measured once.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_BATCHCHOOSER_H
#define GPUPRUNE_DRIVER_BATCHCHOOSER_H

#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Search/Strategy.h"
#include <map>

namespace gpuprune {

struct BatchOptions {
  StrategyOptions Strategy;
  SearchKind Kind = SearchKind::Search;
  bool All = false;                ///< Every variant that can be launched.
  size_t AtLeast = DefaultAtLeast; ///< See makeSearchStrategy(); 0: the Pareto set alone.
  /// AtLeast of the variants that make one choice only, apart for each choice (Alone.h). Nothing: they are
  /// rows like others.
  std::optional<size_t> EachAlone;
};

class BatchChooser {
public:
  /// \p Variants: those of the report's rows, in their order. \p Author: the author's defines.
  BatchChooser(const BatchOptions &Options, llvm::ArrayRef<Variant> Variants,
               llvm::ArrayRef<DefineSetting> Author);

  /// Rows of \p Report to measure now, or where the model chooses, to check, the most promising first, given
  /// what the rows say of what was measured; no row twice over all calls. Empty: done, unless a row turns out
  /// wrong.
  std::vector<size_t> next(const TuneReport &Report);

  /// The same while most rows are still to be built, a few at a time: of each cluster of what looks best so
  /// far one, then what next() would choose if there were no others, beginning with neighbours of the
  /// fastest. Where the model guides, what next() would choose if there were no others than those that have
  /// been modelled.
  std::vector<size_t> early(const TuneReport &Report);

  /// Why next() had nothing to measure; see Strategy.
  std::string whyDone() const { return OfAll->whyDone(); }

private:
  BatchOptions Options;
  std::unique_ptr<Strategy> OfAll, OfAuthor;              ///< The second may be null.
  std::unique_ptr<Strategy> OfEarly;                      ///< As OfAll; what it has seen is not all.
  std::map<std::string, std::unique_ptr<Strategy>> Alone; ///< By choice.
  std::vector<std::string> SoleChoices;                   ///< Of the rows; empty where Alone is.
  llvm::DenseSet<size_t> Chosen;

  std::unique_ptr<Strategy> makeOfAll() const;
  std::unique_ptr<Strategy> makeOfAuthor() const;
  std::vector<size_t> earlyByModel(const TuneReport &Report);
  std::vector<size_t> frontsOfClusters(llvm::ArrayRef<VariantResult> Rows) const;
  void addAlone(const TuneReport &Report, std::vector<size_t> &Batch);
};

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_BATCHCHOOSER_H
