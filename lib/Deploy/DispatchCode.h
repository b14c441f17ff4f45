//===- DispatchCode.h - The code in the host that chooses a kernel -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DEPLOY_DISPATCHCODE_H
#define GPUPRUNE_LIB_DEPLOY_DISPATCHCODE_H

#include "gpuprune/Deploy/TuningRecord.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace gpuprune {

/// A variant with the symbol that its kernel is registered under; the same kernel may be that of several.
struct RegisteredRecord {
  const TuningRecord *Record = nullptr;
  llvm::GlobalVariable *Handle = nullptr;
};

/// Dispatch.c as a part of a host module.
class DispatchCode {
public:
  /// Adds it to \p M. Input error where \p M is for another kind of machine than it was compiled for.
  static llvm::Expected<DispatchCode> addTo(llvm::Module &M);

  /// The table (struct GpuPruneKernel) of the kernel that \p Original launches.
  llvm::GlobalVariable *addKernel(llvm::GlobalValue *Original, llvm::StringRef Name,
                                  llvm::ArrayRef<RegisteredRecord> Records);

  /// What \p EntryPoint, one of those below, does for the kernel of \p Table, which it no longer takes: what
  /// the table says is part of the code, so that a launch reads a cache line or two, not ten.
  llvm::Function *specialize(llvm::Function &EntryPoint, llvm::GlobalVariable &Table,
                             llvm::FunctionAnalysisManager &FAM) const;

  llvm::Function *Launch = nullptr;       ///< gpuprune_launch
  llvm::Function *LaunchConfig = nullptr; ///< gpuprune_launch_config
  llvm::Function *SetAttribute = nullptr; ///< gpuprune_set_attribute

private:
  llvm::Module *M = nullptr;

  llvm::GlobalVariable *add(llvm::Constant *Initial, bool IsConstant, llvm::StringRef Name);
  llvm::GlobalVariable *addZeros(uint64_t Bytes, llvm::StringRef Name);
  llvm::Constant *table(const RegisteredRecord &R, llvm::GlobalVariable *State);
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DEPLOY_DISPATCHCODE_H
