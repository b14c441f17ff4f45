//===- PageOutput.h - The page that shows a result --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TOOLS_GPUPRUNE_PAGEOUTPUT_H
#define GPUPRUNE_TOOLS_GPUPRUNE_PAGEOUTPUT_H

#include "gpuprune/Driver/ProgramTuner.h"
#include "gpuprune/Driver/SequenceTuner.h"
#include "gpuprune/Driver/Survey.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpuprune {

/// Of --report; empty where none is asked for.
const std::string &pageFile();

/// Writes the page to the file of --report, if there is one: all of it or nothing. Io error where it cannot
/// be written.
llvm::Error writePage(const TuneReport &Report);
llvm::Error writePage(const SequenceReport &Report); ///< A part for each launch.
llvm::Error writePage(const ProgramReport &Report);  ///< A part for each launch class that was tuned.
llvm::Error writePage(const Survey &Found);          ///< A part for each kernel, SurveyOptions::KeepReports.

} // namespace gpuprune

#endif // GPUPRUNE_TOOLS_GPUPRUNE_PAGEOUTPUT_H
