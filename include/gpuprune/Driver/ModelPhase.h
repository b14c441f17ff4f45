//===- ModelPhase.h - The phase that models times --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Between pruning and checking, where the search asks for it: the source as written and all
// distinct variants get modelled times, or the cycles of one thread, as the search asks. Rows that are one
// program are modelled once. What comes out does not depend on the number of threads.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_MODELPHASE_H
#define GPUPRUNE_DRIVER_MODELPHASE_H

#include "gpuprune/Driver/Budget.h"
#include "gpuprune/Driver/Progress.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Variant/VariantCycles.h"
#include "gpuprune/Variant/VariantTime.h"
#include "llvm/ADT/StringMap.h"

namespace gpuprune {

class ModelPhase {
public:
  struct Settings {
    unsigned Jobs = 0; ///< Threads; 0: as many as there are cores.
    /// modelVariant(), on any thread; null: no times are modelled.
    std::function<llvm::Expected<ModelledTime>(const BuiltVariant &)> Model;
    /// Equal where the model would say the same (programKey()); empty: of no other.
    std::function<std::string(const BuiltVariant &)> KeyOf;
    /// scheduleVariant(), likewise.
    std::function<llvm::Expected<ScheduledRow>(const BuiltVariant &)> Schedule = nullptr;
    bool IsBeside = false; ///< Goes on within other phases, and shows none of its own.
  };

  /// \p Report has a row for each of \p Variants. All outlives this.
  ModelPhase(TuneReport &Report, llvm::ArrayRef<BuiltVariant> Variants, const BuiltVariant &Stock,
             const Budget &Limit, Progress &Shown, Settings Asked)
      : Report(Report), Variants(Variants), Stock(Stock), Limit(Limit), Shown(Shown),
        Asked(std::move(Asked)) {}

  /// Models the rows \p Order, in this order, behind the source as written; what an earlier call has modelled
  /// is known. Returns how many of them the budget has left out.
  size_t run(llvm::ArrayRef<size_t> Order);

private:
  TuneReport &Report;
  llvm::ArrayRef<BuiltVariant> Variants;
  const BuiltVariant &Stock;
  const Budget &Limit;
  Progress &Shown;
  Settings Asked;

  /// What is said of a program.
  struct Answer {
    ModelledRow Modelled;
    ScheduledRow Scheduled;
  };
  llvm::StringMap<Answer> Known; ///< By key.
  bool KnowsStock = false;

  struct Program {
    const BuiltVariant *V;
    std::string Key; ///< Empty: of no other.
    std::vector<VariantResult *> Rows;
    Answer Told = {};
    bool IsSkipped = false;
  };
  std::vector<Program> programs(llvm::ArrayRef<size_t> Order);
  void model(Program &P) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_MODELPHASE_H
