//===- FrontendBundle.h - The front end's output in a folder ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What clang++ makes of a workload's source, once for each set of defines, so that
// everything after the front end can happen on a machine without clang++
// (docs/bundles.md). DIR/frontend.json tells what the files beside it are: the
// workload file, and one file of bitcode for each set of defines.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_FRONTENDBUNDLE_H
#define GPUPRUNE_VARIANT_FRONTENDBUNDLE_H

#include "gpuprune/CodeGen/DeviceDescription.h"
#include "gpuprune/CodeGen/KernelAlone.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Workload/Workload.h"
#include <map>
#include <optional>
#include <string>

namespace gpuprune {

/// What the front end made of one set of defines.
struct FrontendOutput {
  std::string Bitcode;
  std::optional<TakenError> Failure; ///< Where there is no bitcode.
  /// Of clang++, and of what the kernel leaves unchecked. From here on, no part of a bundle.
  std::vector<std::string> Warnings = {};
  DeviceDescription Description = {}; ///< With the workload's kernel.
  LoneKernel Alone = {};

  /// What a variant of the kernel is made from, once it has been taken apart.
  llvm::StringRef kernel() const { return Alone.Bitcode.empty() ? Bitcode : Alone.Bitcode; }
};

/// By all defines with their values, as text: "-DTILE=16 -DUNROLL=4".
using FrontendOutputs = std::map<std::string, FrontendOutput>;

struct FrontendBundle {
  std::string Directory; ///< Where it was read from.
  std::string Workload;  ///< The path of the workload file there where clang++ ran.
  std::string Source;    ///< That of the CUDA source.
  std::string SourceHash;
  std::vector<std::string> Flags;      ///< As the workload has them.
  std::vector<std::string> ClangFlags; ///< As clang++ was given them.
  std::string Device;                  ///< "sm_90"
  std::string Clang;                   ///< What clang++ says its version is.
  FrontendOutputs Outputs;
  std::vector<NamedFile> Files = {}; ///< That the workload takes contents from.
};

/// Whether \p Path is a folder that holds a front-end bundle.
bool isFrontendBundle(llvm::StringRef Path);

/// Input error where \p Directory, to which a bundle is to be written, holds a workload file that no
/// front-end bundle has put there, or the file or the source of \p W: nothing of the user's is written over.
llvm::Error checkNoWorkloadIn(llvm::StringRef Directory, const Workload &W);

/// Writes \p Bundle, with a copy of its workload file, to \p Directory. The bundle is
/// one only once all of it is written. Failures other than clang++'s refusal of the
/// source are errors.
llvm::Error writeFrontendBundle(llvm::StringRef Directory, const FrontendBundle &Bundle);

/// Reads a bundle back. Errors: Io, or Input for what is damaged, of another
/// version of this program, or incomplete.
llvm::Expected<FrontendBundle> readFrontendBundle(llvm::StringRef Directory);

/// The workload of \p Bundle, with the paths it had where clang++ ran. Input error
/// where the copy in the bundle asks for another front end than the one that ran.
llvm::Expected<Workload> workloadOf(const FrontendBundle &Bundle);

/// A warning where the source is here too but with another content; else empty.
std::string sourceWarning(const FrontendBundle &Bundle);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_FRONTENDBUNDLE_H
