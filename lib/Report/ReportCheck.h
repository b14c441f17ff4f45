//===- ReportCheck.h - The check on the CPU in a report -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_REPORT_REPORTCHECK_H
#define GPUPRUNE_LIB_REPORT_REPORTCHECK_H

#include "gpuprune/Report/TuneReport.h"

namespace gpuprune {

/// "skipped", "bitwise", "tolerance", "wrong" or "own result"; \p Outcome is the CPU's or the GPU's of \p
/// Row.
std::string checkCell(const VariantResult &Row, CheckOutcome Outcome);

/// checkCell of the CPU; "-" where the variant was not run there.
std::string cpuCheckCell(const VariantResult &Row);

/// How many variants the CPU checked, and why it did not check others; nothing where
/// none was.
void printCpuCheck(llvm::raw_ostream &OS, const TuneReport &Report);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_REPORT_REPORTCHECK_H
