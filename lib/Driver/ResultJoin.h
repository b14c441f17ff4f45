//===- ResultJoin.h - Runner results into a report --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ids of jobs:
//
//   stock@FINGERPRINT               the source as written by stock clang
//   reference@FINGERPRINT DEFINES   a prepared kernel, which is only checked
//   variant:ROW@FINGERPRINT TEXT    a variant
//   final@FINGERPRINT               the fastest variants, timed together
//
// The fingerprint is the report's, so that the results of one run are never taken
// for those of another.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DRIVER_RESULTJOIN_H
#define GPUPRUNE_LIB_DRIVER_RESULTJOIN_H

#include "gpuprune/Report/TuneReport.h"
#include "gpuprune/Runtime/Protocol.h"

namespace gpuprune {

std::string stockJobId(const TuneReport &Report);
std::string referenceJobId(const TuneReport &Report, llvm::StringRef Defines);
std::string finalJobId(const TuneReport &Report);
std::string variantJobId(const TuneReport &Report, size_t Row);

/// Writes \p Result into the row its job is about; false where that is none of a
/// report's rows. A reference that is wrong makes the rows with its defines wrong,
/// whatever becomes known of them. Input error for a job of another report.
llvm::Expected<bool> joinResult(TuneReport &Report, const protocol::Result &Result);

/// The row of this report that the job \p Id is about.
std::optional<size_t> rowOfJob(const TuneReport &Report, llvm::StringRef Id);

/// Gives duplicates their twins' figures: all of them to one with the same PTX, what the GPU said to one with
/// the same machine code. A twin by machine code was not run on the CPU.
void copyTwins(TuneReport &Report);

/// The CPU found \p Failed wrong, which it compiles from other code than ptxas: its twins by machine code
/// have to be judged by themselves. The first takes its place, unmeasured, for the others: its row, if any.
std::optional<size_t> releaseTwins(TuneReport &Report, size_t Failed);

/// Why \p Gpu cannot run cubins made for \p Arch ("sm_90"); empty where it can.
std::string whyNotRunnable(const protocol::Hello &Gpu, llvm::StringRef Arch);

/// Notes \p Gpu and why times are missing, once all results are joined. \p
/// Missing of \p Planned jobs have no result.
void finishJoining(TuneReport &Report, const protocol::Hello &Gpu, size_t Missing, size_t Planned);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DRIVER_RESULTJOIN_H
