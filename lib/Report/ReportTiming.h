//===- ReportTiming.h - What a report says of the measuring itself -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_REPORT_REPORTTIMING_H
#define GPUPRUNE_LIB_REPORT_REPORTTIMING_H

#include "gpuprune/Report/TuneReport.h"

namespace gpuprune {

/// How \p Row is called; the kernel as written has no text.
std::string variantName(const VariantResult &Row);

/// With as many decimals as its size asks for.
std::string millisecondsText(double Ms);

/// "3.445 ±0.002", the median and the median deviation of \p SamplesMs; "-" without a time.
std::string timeCell(const std::optional<double> &MedianMs, llvm::ArrayRef<double> SamplesMs);

/// The unit in which the work over time is told: "TFLOP/s", "GB/s".
llvm::StringRef rateName(const TuneReport &Report);

/// The work over \p Ms in that unit; "-" where either is not known.
std::string rateText(const TuneReport &Report, std::optional<double> Ms);

/// The SM clock, and whether it makes the times doubtful.
void printClock(llvm::raw_ostream &OS, const TuneReport &Report);

/// How many variants were timed before their times were stable.
void printUnstable(llvm::raw_ostream &OS, const TuneReport &Report);

/// The final rounds: who took part, how they compare with the winner, the noise.
void printFinal(llvm::raw_ostream &OS, const TuneReport &Report);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_REPORT_REPORTTIMING_H
