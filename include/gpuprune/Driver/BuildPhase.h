//===- BuildPhase.h - The phase that builds variants ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Enumerated variants become rows with PTX, cubin and metrics, and the Pareto set among
// them is marked: all in one go, or beside what is measured.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_BUILDPHASE_H
#define GPUPRUNE_DRIVER_BUILDPHASE_H

#include "gpuprune/Driver/BuildQueue.h"
#include "gpuprune/Driver/JoinBuilt.h"
#include "gpuprune/Driver/Progress.h"
#include "llvm/ADT/BitVector.h"
#include <functional>

namespace gpuprune {

struct BuildOrderOptions {
  /// Not all may be built in time, or some are measured before all are built, so that any beginning has to be
  /// a sample of the whole.
  bool Spread = false;
  /// The few that make one choice only come before the rest.
  bool SoleChoicesFirst = false;
};

/// The order in which to build \p Variants: their places. \p Author: the author's defines.
std::vector<size_t> buildOrder(llvm::ArrayRef<Variant> Variants, llvm::ArrayRef<DefineSetting> Author,
                               const BuildOrderOptions &Options);

/// Variants to build before it is known which come next; no rows: there are no more.
struct BuildPortion {
  std::vector<size_t> Rows;
  std::string WhyNoMore; ///< Of the rows that never come.
};

class BuildPhase {
public:
  struct Settings {
    unsigned Jobs = 0; ///< Threads; 0: as many as there are cores.
    std::string CubinFolder;
    size_t References = 0;      ///< That are built already,
    double ReferencesCpuMs = 0; ///< and the CPU time that took.
    bool KeepsTwins = false;    ///< The same.
    bool Assembles = true;
    bool IsBeside = false; ///< Variants are built while others are measured.
    BuildOrderOptions Order;
    PruneOptions Pruning;
    /// Beside what is measured: told of the rows that takeBuilt() has filled in.
    std::function<void(llvm::ArrayRef<size_t>)> OnTaken = [](llvm::ArrayRef<size_t>) {};
    /// Beside what is measured: asked whenever all else is built and taken; null: all rows are one portion.
    std::function<BuildPortion()> NextPortion = nullptr;
    size_t AtMost = SIZE_MAX; ///< Variants of all portions.
  };

  /// \p Report has a row for each of \p Variants. All outlives this.
  BuildPhase(TuneReport &Report, llvm::MutableArrayRef<BuiltVariant> Variants, const VariantBuilder &Builder,
             const Budget &Limit, Progress &Shown, Settings Asked);

  /// Compiles all of them; the rows are as they were.
  void compile();
  /// Assembles them, fills in all rows and marks the Pareto set.
  void assemble();

  /// Compiles and assembles \p Rows alone, and fills them in; then finish() does the rest of assemble(). The
  /// rows that never come are `skipped`, with \p WhyNot.
  void build(llvm::ArrayRef<size_t> Rows);
  void finish(llvm::StringRef WhyNot);

  /// Builds all of them, or portion by portion, behind what follows; rows are `skipped` until they are built.
  void begin();
  /// Puts what has been built since into its rows, and begins the next portion; whether that is all.
  bool takeBuilt();
  /// Waits until something has been built that takeBuilt() has not seen, or nothing is left.
  void awaitMore() { Queue.awaitBuilt(); }
  /// Waits for all.
  void awaitAll();

private:
  TuneReport &Report;
  llvm::MutableArrayRef<BuiltVariant> Variants;
  Progress &Shown;
  Settings Asked;
  std::atomic<size_t> Steps = 0; ///< A variant has two.
  size_t Taken = 0;              ///< By takeBuilt().
  bool IsBuilt = false;          ///< And there will be no more.
  llvm::BitVector Begun;         ///< Of portions.
  std::vector<BuiltVariant *> InOrder;
  BuildQueue Queue; ///< Last: it works on what stands above.

  BuildQueue::Plan plan(const Budget &Limit);
  void compile(llvm::ArrayRef<BuiltVariant *> Some);
  void assemble(llvm::ArrayRef<BuiltVariant *> Some);
  std::vector<BuiltVariant *> portionOf(llvm::ArrayRef<size_t> Rows);
  bool beginPortion();
  void noteCost();
};

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_BUILDPHASE_H
