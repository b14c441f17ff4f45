//===- RecordedLaunch.h - A launch of a program as a workload ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FOLDER/recordings/NAME, which the recorder writes, is a workload: its one launch, at one size, on the
// program's own data.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_RECORDEDLAUNCH_H
#define GPUPRUNE_VARIANT_RECORDEDLAUNCH_H

#include "gpuprune/CodeGen/KernelParameters.h"
#include "gpuprune/CodeGen/PointerUses.h"
#include "gpuprune/Record/Recording.h"
#include "gpuprune/Variant/VariantBuilder.h"

namespace gpuprune {

struct RecordedLaunch {
  std::string Folder; ///< That launch.json is in.
  Recording Of;
};

bool isRecording(llvm::StringRef Path);

/// Whether \p Path has recordings.
bool isProgramFolder(llvm::StringRef Path);

/// The recordings of a program, those of the largest GPU time first. What cannot be read is in \p Problems.
std::vector<RecordedLaunch> readRecordings(llvm::StringRef Folder, std::vector<std::string> &Problems);

/// The workload file that \p R is, of a kernel with \p Parameters that does with pointers what \p Uses says.
/// Where that needs the recorded addresses, its buffers have them. Input error where it cannot be one: a
/// parameter that points into memory that was not recorded, say.
llvm::Expected<std::string> workloadText(const Recording &R, llvm::StringRef Source,
                                         llvm::ArrayRef<KernelParameter> Parameters, const PointerUses &Uses);

/// What the buffers of \p W, which was read from that text, held before and after the launch.
std::vector<RecordedContents> recordedContents(const Recording &R, const Workload &W);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_RECORDEDLAUNCH_H
