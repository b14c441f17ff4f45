//===- Identity.h - Whether two workloads describe the same problem --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_WORKLOAD_IDENTITY_H
#define GPUPRUNE_WORKLOAD_IDENTITY_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuprune {

/// A text that is equal for workloads that differ in their space, comments and layout alone: all that \p Yaml
/// says but for the key "space" of the whole. What cannot be read is its own identity.
std::string identityWithoutSpace(llvm::StringRef Yaml);

} // namespace gpuprune

#endif // GPUPRUNE_WORKLOAD_IDENTITY_H
