//===- ReportPage.h - Tuning runs as a page for a browser ------------*- C++ -*-===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_REPORT_REPORTPAGE_H
#define GPUPRUNE_REPORT_REPORTPAGE_H

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuprune {

/// Writes one HTML page that shows \p Reports, each the JSON of a TuneReport, and holds all of their data. It
/// needs nothing besides itself: no network and no other file. Nothing in the data is taken for HTML.
void printPage(llvm::raw_ostream &OS, llvm::json::Array Reports);

/// \p Report, the JSON of a TuneReport, as a page of many of them has it: without the variants that were not
/// timed and say nothing else, that is neither on the Pareto set nor wrong.
llvm::json::Value briefReport(llvm::json::Value Report);

} // namespace gpuprune

#endif // GPUPRUNE_REPORT_REPORTPAGE_H
