//===- RecordFolder.h - The tuning records of a program ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DEPLOY_RECORDFOLDER_H
#define GPUPRUNE_DEPLOY_RECORDFOLDER_H

#include "gpuprune/Deploy/TuningRecord.h"

namespace gpuprune {

struct RecordFile {
  std::string Name;                         ///< Without the folder.
  std::string Kernel, Arch;                 ///< As its variants have them.
  std::vector<TuningRecord> Variants;       ///< In its order.
  std::vector<std::string> NotBitwise = {}; ///< Why others are left out (keepBitwise()).
};

struct RecordFolder {
  std::vector<RecordFile> Files;     ///< By name, so that a build does not depend on the order of a folder.
  std::vector<std::string> Problems; ///< "NAME: WHY": of files that are no records, and of the folder.
};

/// Reads all files of \p Folder whose names end in RecordSuffix.
RecordFolder readRecords(llvm::StringRef Folder);

/// Leaves out the variants of which it is not known that they agree with stock clang's code bit by bit.
void keepBitwise(RecordFolder &Records);

/// SHA-256 over a line "NAME HASH" for each record in \p Folder, by name, HASH being SHA-256 of the file: 64
/// hexadecimal digits. A build system puts it on the command line (GpuPruneTune.cmake).
std::string recordsDigest(llvm::StringRef Folder);

} // namespace gpuprune

#endif // GPUPRUNE_DEPLOY_RECORDFOLDER_H
