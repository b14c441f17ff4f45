//===- Messages.h - What a build says of tuning records ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DEPLOY_MESSAGES_H
#define GPUPRUNE_LIB_DEPLOY_MESSAGES_H

#include "llvm/ADT/Twine.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace gpuprune {

/// The name of the remarks: -Rpass=gpu-prune.
inline constexpr char DeployName[] = "gpu-prune";

/// A warning: a record that is there is not used. \p File: the record's.
void warnOfRecord(llvm::Module &M, const llvm::Twine &File, const llvm::Twine &Why);

/// The same of a file that is no record, or of the folder: "NAME: WHY".
void warnOfRecords(llvm::Module &M, llvm::StringRef Problem);

/// Why no record is looked at in this build: -Rpass-missed=gpu-prune.
void noteOfRecords(llvm::Module &M, const llvm::Twine &Why);

/// Why some variants of a record, whose others are used, are not launched: -Rpass-missed=gpu-prune.
void noteOfVariants(llvm::Module &M, const llvm::Twine &File, const llvm::Twine &Why);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DEPLOY_MESSAGES_H
