//===- ReportModel.h - What a report says of modelled times ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_REPORT_REPORTMODEL_H
#define GPUPRUNE_LIB_REPORT_REPORTMODEL_H

#include "gpuprune/Report/TuneReport.h"

namespace gpuprune {

/// "1.234", "~1.234" of an estimate, "-".
std::string modelledCell(const VariantResult &Row);
/// "l1"
std::string boundCell(const VariantResult &Row);

/// Variants that the model can only estimate or has no time of, each reason once.
void printNotModelled(llvm::raw_ostream &OS, const TuneReport &Report);

/// What the cycles of one thread rest on, or why there are none, each once.
void printCycleSources(llvm::raw_ostream &OS, const TuneReport &Report);

/// Whether modelled times say what is best: with --strategy=model, and where what they were to guide could
/// not be measured.
bool choosesByModel(const TuneReport &Report);

/// What the model chooses, if it does. \p Plugin: as in replayLines().
void printModelChoice(llvm::raw_ostream &OS, const TuneReport &Report, llvm::StringRef Plugin);

/// The same; null where it does not.
llvm::json::Value modelChoiceToJSON(const TuneReport &Report);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_REPORT_REPORTMODEL_H
