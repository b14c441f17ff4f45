//===- ProtocolBuffers.h - Buffers as the runner is told of them ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_PROTOCOLBUFFERS_H
#define GPUPRUNE_VARIANT_PROTOCOLBUFFERS_H

#include "gpuprune/Runtime/Protocol.h"
#include "gpuprune/Workload/Problem.h"

namespace gpuprune {

/// The buffers of \p Problem as the runner is told of them, for whoever fills
/// buffers as the runner does (fillBuffer).
std::vector<protocol::Buffer> protocolBuffers(const ResolvedProblem &Problem);

/// Writes the files that \p W takes contents from to \p Folder, where jobs name them, and their cubins.
llvm::Error writeContentsFiles(const Workload &W, llvm::StringRef Folder);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_PROTOCOLBUFFERS_H
