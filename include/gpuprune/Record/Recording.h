//===- Recording.h - A launch with its arguments and data ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DIR/recordings/NAME/launch.json, and the files of contents beside it. docs/recording.md describes the
// fields.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_RECORD_RECORDING_H
#define GPUPRUNE_RECORD_RECORDING_H

#include "gpuprune/Support/Dim3.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <cstdint>
#include <string>
#include <vector>

namespace gpuprune {

/// An allocation that a pointer of the launch reaches.
struct RecordedAllocation {
  uint64_t Address = 0, Bytes = 0;
  std::string File;         ///< The contents before the launch.
  std::string After;        ///< contentHash() of the contents after it.
  std::string AfterFile;    ///< These contents; empty where they were not kept.
  bool IsUnchanged = false; ///< Not in the file: that is found out where the contents are read.
};

/// A variable of constant or global memory.
struct RecordedVariable {
  std::string Symbol;
  uint64_t Bytes = 0;
  std::string File, After, AfterFile; ///< As above.
};

struct Recording {
  std::string Kernel; ///< The symbol.
  std::string Arch;   ///< Of the code in DIR/code: "sm_90".
  std::string Gpu;    ///< The driver's name of it.
  Dim3 Grid, Block;
  uint64_t DynamicShared = 0; ///< Bytes.
  uint64_t Launches = 0;      ///< Of the launch class.
  double GpuMs = 0;           ///< Of all these launches together.
  double TypicalMs = 0;       ///< Of one: the mean of their times, each weighted by itself; 0: not known.
  std::vector<std::vector<uint8_t>> Parameters;
  std::vector<RecordedAllocation> Allocations;
  std::vector<RecordedVariable> Variables;
};

/// The factor by which times of launches differ that are not those of the same work.
inline constexpr double OtherWork = 1.5;

inline constexpr const char *RecordingsFolder = "recordings";
inline constexpr const char *CodeFolderName = "code";
inline constexpr const char *LaunchFile = "launch.json";

llvm::json::Value toJSON(const Recording &R);
/// Input error, without the name of a file, for what is not a recording of this schema.
llvm::Expected<Recording> parseRecording(llvm::StringRef Text);

/// Reads FOLDER/launch.json. Errors: Io, Input.
llvm::Expected<Recording> readRecording(llvm::StringRef Folder);
/// Input error where a file of contents is missing or has another size than the recording says, or where
/// the contents after the launch that were kept do not have their hash.
llvm::Error checkContents(llvm::StringRef Folder, const Recording &R);

/// The name of a recording's folder: "smooth-0123456789abcdef".
std::string recordingName(llvm::StringRef Symbol, const Dim3 &Grid, const Dim3 &Block,
                          uint64_t DynamicShared);
/// The folders below DIRECTORY/recordings that have a launch.json, sorted; none where there is no such
/// folder.
std::vector<std::string> listRecordings(llvm::StringRef Directory);

} // namespace gpuprune

#endif // GPUPRUNE_RECORD_RECORDING_H
