//===- StoredResults.h - A tuning run's use of the database -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_STOREDRESULTS_H
#define GPUPRUNE_DRIVER_STOREDRESULTS_H

#include "gpuprune/Database/ResultDatabase.h"
#include "gpuprune/Driver/Progress.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Runtime/RunnerClient.h"
#include "llvm/ADT/StringSet.h"

namespace gpuprune {

struct DatabaseOptions {
  std::string Path;      ///< Empty: none.
  bool Demanded = false; ///< By the user: one that cannot be opened is an error, else a note.
  bool Fresh = false;    ///< Measure and compile everything again, and store that.
  /// Bytes that what is compiled may take beside it; nothing: that is not kept.
  std::optional<uint64_t> CompileCacheBytes = std::nullopt;
};

/// Answers jobs from the database and commits each result as it arrives. What goes
/// wrong with the database on the way is a note in the report, and the run goes on.
class StoredResults : public ResultStore {
public:
  StoredResults(DatabaseOptions Options, TuneReport &Report, Progress &Shown)
      : Options(std::move(Options)), Report(Report), Shown(Shown) {}

  /// Opens a database that was demanded, before hours of work, and warns where another one could
  /// not be written. Error: Io, Input.
  llvm::Error openDemanded();
  /// From here on jobs are \p Gpu's, each may take \p TimeLimitSeconds, and \p Tools
  /// made their code.
  void begin(const protocol::Hello &Gpu, double TimeLimitSeconds, llvm::StringRef Tools);
  /// Tries once more to store what could not be, and notes what was lost.
  void finish();

  std::optional<protocol::Result> find(const protocol::Job &J) override;
  void keep(const protocol::Job &J, const protocol::Result &R) override;

private:
  DatabaseOptions Options;
  TuneReport &Report;
  Progress &Shown;
  std::optional<ResultDatabase> Database;
  protocol::Hello Gpu;
  double TimeLimitSeconds = 0;
  std::string Tools;
  llvm::StringSet<> OwnKeys;         ///< Of results of this run, which answer no other job of it.
  std::vector<StoredResult> Waiting; ///< Arrived and not yet in the database.

  llvm::Error open();
  std::optional<std::string> keyOf(const protocol::Job &J);
  void storeWaiting();
  void note(const llvm::Twine &Text);
  JobFacts factsOf(const protocol::Job &J) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_STOREDRESULTS_H
