//===- ReportWinner.h - What a report says of its winner -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_REPORT_REPORTWINNER_H
#define GPUPRUNE_LIB_REPORT_REPORTWINNER_H

#include "gpuprune/Report/TuneReport.h"

namespace gpuprune {

/// How \p Row, \p What of the run, is built and launched.
void printReplay(llvm::raw_ostream &OS, const TuneReport &Report, const VariantResult &Row,
                 llvm::StringRef What, llvm::StringRef Plugin);

/// The same lines for programs.
llvm::json::Object replayToJSON(const TuneReport &Report, const VariantResult &Row);

/// The winners with their times, and how the first is built and launched. \p Plugin: as in replayLines().
void printWinners(llvm::raw_ostream &OS, const TuneReport &Report, llvm::StringRef Plugin);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_REPORT_REPORTWINNER_H
