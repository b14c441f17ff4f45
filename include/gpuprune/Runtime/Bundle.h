//===- Bundle.h - A measuring plan in a directory -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// DIR/plan.jsonl holds a header object and then a job a line; the cubins lie
// beside it. A bundle can be carried to a machine without LLVM and measured by
// gpuprune-runner DIR, whose output readResults takes back.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_RUNTIME_BUNDLE_H
#define GPUPRUNE_RUNTIME_BUNDLE_H

#include "gpuprune/Runtime/Protocol.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuprune {

/// What tells the two kinds of bundles apart: a measuring bundle holds a plan, a
/// front-end bundle (Driver's) a manifest.
inline constexpr llvm::StringLiteral PlanFileName = "plan.jsonl";
inline constexpr llvm::StringLiteral FrontendManifestName = "frontend.json";

/// Raised when an older reader would misunderstand a bundle.
inline constexpr int BundleVersion = 8;

struct Bundle {
  llvm::json::Object Header; ///< Free-form but for "gpuprune_bundle" and "cubins".
  std::vector<protocol::Job> Jobs;
};

/// Writes DIR/plan.jsonl and sets Header["gpuprune_bundle"] and the hash of each cubin, Header["cubins"].
/// Cubins, contents and expected outputs must lie in \p Directory and be named relative to it, so that the
/// bundle can be moved. Error: Input for a job that is not valid or leaves the bundle, Io for a file.
llvm::Error writeBundle(llvm::StringRef Directory, llvm::json::Object Header,
                        llvm::ArrayRef<protocol::Job> Jobs);
/// Error: Io, or Input naming file and line.
llvm::Expected<Bundle> readBundle(llvm::StringRef Directory);
/// The same from the text of plan.jsonl; \p File is for messages.
llvm::Expected<Bundle> parseBundle(llvm::StringRef Text, llvm::StringRef File);
/// That the cubins are those that the plan was written for, where its header has their hashes: their names
/// are the same in each bundle. \p B is as readBundle() found it. Error: Io, Input.
llvm::Error checkCubins(const Bundle &B, llvm::StringRef Directory);

/// Makes the job's relative paths (cubins, contents, expected outputs) relative to the working directory
/// instead of \p Directory.
void resolveFiles(protocol::Job &J, llvm::StringRef Directory);

struct BundleResults {
  std::optional<protocol::Hello> Runner;
  std::vector<protocol::Result> Results;
};
/// Reads what gpuprune-runner DIR wrote. A last line that was cut off, as by a killed run, is left out.
llvm::Expected<BundleResults> readResults(llvm::StringRef File);
llvm::Expected<BundleResults> parseResults(llvm::StringRef Text, llvm::StringRef File);

} // namespace gpuprune

#endif // GPUPRUNE_RUNTIME_BUNDLE_H
