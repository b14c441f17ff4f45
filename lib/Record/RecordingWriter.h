//===- RecordingWriter.h - Writes a recording so that it is there or not ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RECORD_RECORDINGWRITER_H
#define GPUPRUNE_LIB_RECORD_RECORDINGWRITER_H

#include "gpuprune/Record/Recording.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace gpuprune {

/// A recording that is being written. Its folder has a name that begins with a dot until it is complete, so
/// that a program that is killed leaves none that is half written. What is not published is removed.
class RecordingWriter {
public:
  /// Io error.
  static llvm::Expected<std::unique_ptr<RecordingWriter>> begin(const std::string &Directory,
                                                                const std::string &Name);
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter &) = delete;
  RecordingWriter &operator=(const RecordingWriter &) = delete;

  /// Writes one file of contents. Io error.
  llvm::Error add(llvm::StringRef File, llvm::ArrayRef<uint8_t> Content);
  /// Writes launch.json and gives the folder its name; a recording that had it is replaced. The folder, or an
  /// Io error.
  llvm::Expected<std::string> publish(const Recording &R);

private:
  RecordingWriter(std::string Folder, std::string Final)
      : Folder(std::move(Folder)), Final(std::move(Final)) {}
  std::string Folder; ///< Empty once it is published.
  std::string Final;
};

/// Writes the launch.json of a published recording anew. Io error.
llvm::Error updateLaunch(const std::string &Folder, const Recording &R);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_RECORD_RECORDINGWRITER_H
