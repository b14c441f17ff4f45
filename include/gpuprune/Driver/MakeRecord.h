//===- MakeRecord.h - Tuning records of what was tuned -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_MAKERECORD_H
#define GPUPRUNE_DRIVER_MAKERECORD_H

#include "gpuprune/Deploy/TuningRecord.h"
#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Variant/VariantBuilder.h"

namespace gpuprune {

struct TuneOptions;

/// A gain below this is one that the next run may not see.
inline constexpr double LeastGain = 1.02;
/// So is one below what cudaEventElapsedTime resolves, half a microsecond (CUDA Runtime API, Event
/// Management).
inline constexpr double LeastGainMs = 0.0005;

/// Whether a launch that takes \p StockMs of stock clang's code is worth a record that makes it \p TunedMs.
inline bool paysOff(double StockMs, double TunedMs) {
  return StockMs >= LeastGain * TunedMs && StockMs - TunedMs >= LeastGainMs;
}

/// What measuring a variant has told.
struct RecordFacts {
  RecordTimes Times;
  bool Bitwise = false;   ///< As TuningRecord has it.
  std::string Difference; ///< As well.
};

/// A variant that was built, all as its front end and compile left it.
struct RecordRequest {
  const TuningTarget &Target;
  const VariantBuilder &Builder;
  const Variant &Parts;
  const VariantRequest &Request; ///< Of the whole file.
  const VariantCode &Code;       ///< Of that.
  llvm::StringRef Cubin;
  std::optional<RecordFacts> Facts = std::nullopt;
};

/// The record by which a build deploys the variant. Errors: Refused where a build cannot: it has other
/// defines than the author's launch, another block for which provedBlock() is refused, or copies to constant
/// memory.
llvm::Expected<TuningRecord> makeRecord(const RecordRequest &R);

/// The author's grids that the tuned kernel of \p R is launched for are multiples of these.
Dim3 gridMultiples(const TuningRecord &R);
/// Whether \p First is launched for all author's grids that \p Second is, as far as their multiples say.
bool takesGridsOf(const TuningRecord &First, const TuningRecord &Second);

/// The fastest variant of a launch that a build can deploy.
struct BestRecord {
  std::optional<TuningRecord> Record; ///< With its times; nothing: there is no such variant.
  std::string Row;                    ///< The variant's text.
  std::string Why;                    ///< Why there is none, or why it is not the winner; empty: it is.
  /// Where Record is not launched for all grids (gridMultiples()), the fastest that takes any grid of the
  /// author's block; where there is none or it is, and Record has a block of its own, the fastest with the
  /// author's.
  std::optional<TuningRecord> Otherwise = std::nullopt;
  std::string OtherwiseRow = {}; ///< The text of that.
};

/// That of \p Report; its conditions are the launch's block, and as many blocks or more. \p Options: those of
/// the run that made the report.
llvm::Expected<BestRecord> bestRecord(const TuneOptions &Options, const TuneReport &Report);

/// Writes \p File, the variants of one kernel, into \p Folder, which is made where it is missing; the path.
llvm::Expected<std::string> writeRecord(llvm::ArrayRef<TuningRecord> File, llvm::StringRef Folder);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_MAKERECORD_H
