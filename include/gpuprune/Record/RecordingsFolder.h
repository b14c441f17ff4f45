//===- RecordingsFolder.h - All recordings of a folder -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_RECORD_RECORDINGSFOLDER_H
#define GPUPRUNE_RECORD_RECORDINGSFOLDER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace gpuprune {

/// Makes DIRECTORY with its .gitignore and its folder recordings/ where they are missing: the recordings are
/// for their owner alone. Io error.
llvm::Error prepareDirectory(const std::string &Directory);

/// Removes what was being written by programs that no longer run. How many there were.
unsigned removeUnfinished(const std::string &Directory);

/// Which recordings a command is about.
struct RecordingSelection {
  std::string Directory;
  std::string Kernel; ///< Only kernels whose name contains it.
  bool All = false;   ///< prune: all recordings.
};

/// A line for each recording, kernels with the most GPU time first. Input error where there is none.
llvm::Error showRecordings(const RecordingSelection &Selected, llvm::raw_ostream &OS);

/// A line for each recording that is damaged, or whose kernel has no device code in DIRECTORY/code. Input
/// error where there is one.
llvm::Error checkRecordings(const RecordingSelection &Selected, llvm::raw_ostream &OS);

/// Removes all recordings, those of kernels that are named, or, where none of that is asked for, those that
/// checkRecordings would name. Io error.
llvm::Error pruneRecordings(const RecordingSelection &Selected, llvm::raw_ostream &OS);

} // namespace gpuprune

#endif // GPUPRUNE_RECORD_RECORDINGSFOLDER_H
