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

/// A variant that was built, all as its front end and compile left it.
struct RecordRequest {
  const TuningTarget &Target;
  const VariantBuilder &Builder;
  const Variant &Parts;
  const VariantRequest &Request; ///< Of the whole file.
  const VariantCode &Code;       ///< Of that.
  llvm::StringRef Cubin;
  std::optional<RecordTimes> Times = std::nullopt;
};

/// The record by which a build deploys the variant. Errors: Refused where a build cannot: it has other
/// defines or another block than the author's launch, or copies to constant memory.
llvm::Expected<TuningRecord> makeRecord(const RecordRequest &R);

/// What became of one launch's result.
struct WrittenRecord {
  std::string Path; ///< Empty: nothing was written.
  std::string Row;  ///< The variant's text.
  std::string Why;  ///< Why nothing was written, or why it is not the winner; empty: it is.
  std::optional<RecordTimes> Times = std::nullopt;
  bool isWritten() const { return !Path.empty(); }
};

/// Writes the record of the fastest variant of \p Report that a build can deploy into \p Folder, which is
/// made where it is missing. \p Options: those of the run that made the report.
llvm::Expected<WrittenRecord> writeRecord(const TuneOptions &Options, const TuneReport &Report,
                                          llvm::StringRef Folder);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_MAKERECORD_H
