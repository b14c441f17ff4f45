//===- Recording.h - A launch of a program as it was recorded ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FOLDER/recordings/NAME/launch.json and files with the contents of memory beside it; the recorder writes
// them. A recording is a workload: its one launch, at one size, on the program's own data.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_RECORDING_H
#define GPUPRUNE_VARIANT_RECORDING_H

#include "gpuprune/CodeGen/KernelParameters.h"
#include "gpuprune/CodeGen/PointerUses.h"
#include "gpuprune/Launch/PhysicalLaunch.h"

namespace gpuprune {

/// Memory with its contents before the launch.
struct RecordedMemory {
  uint64_t Address = 0; ///< Of an allocation.
  std::string Symbol;   ///< Of a variable.
  uint64_t Bytes = 0;
  std::string File; ///< In the recording's folder.
};

struct Recording {
  std::string Folder; ///< That launch.json is in.
  std::string Kernel; ///< Its symbol.
  std::string Arch;   ///< "sm_90"
  std::string Gpu;    ///< As its driver names it.
  AuthorLaunch Launch;
  uint64_t Launches = 0;               ///< Of the program, such as this one.
  double GpuMs = 0;                    ///< Of all of them.
  std::vector<std::string> Parameters; ///< The bytes of each.
  std::vector<RecordedMemory> Allocations, Variables;
};

bool isRecording(llvm::StringRef Path);

/// Errors: Io, and Input that names the file where it is no recording.
llvm::Expected<Recording> readRecording(llvm::StringRef Path);

/// Whether \p Path has recordings.
bool isProgramFolder(llvm::StringRef Path);

/// The recordings of a program, those of the largest GPU time first. What cannot be read is in \p Problems.
llvm::Expected<std::vector<Recording>> readRecordings(llvm::StringRef Folder,
                                                      std::vector<std::string> &Problems);

/// The workload file that \p R is, of a kernel with \p Parameters that does with them what \p Uses says.
/// Input error where it cannot be one: a pointer in a structure, or one into memory that was not recorded.
llvm::Expected<std::string> workloadText(const Recording &R, llvm::StringRef Source,
                                         llvm::ArrayRef<KernelParameter> Parameters,
                                         llvm::ArrayRef<PointerUse> Uses);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_RECORDING_H
