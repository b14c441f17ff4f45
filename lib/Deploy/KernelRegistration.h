//===- KernelRegistration.h - Which kernel a host symbol launches --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// clang tells CUDA's runtime of each kernel of a file under the address of its stub: by a call of
// __cudaRegisterFunction, or, for relocatable device code, by an entry in the section llvm_offload_entries,
// which the linker's code registers.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DEPLOY_KERNELREGISTRATION_H
#define GPUPRUNE_LIB_DEPLOY_KERNELREGISTRATION_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include <string>

namespace gpuprune {

class KernelRegistration {
public:
  /// Of the host module \p M, which outlives this.
  explicit KernelRegistration(llvm::Module &M);

  struct Entry {
    std::string Symbol;             ///< Of the kernel in device code.
    llvm::CallInst *Call = nullptr; ///< Of __cudaRegisterFunction; or
    llvm::GlobalVariable *Offload = nullptr;
  };
  /// By stub.
  const llvm::MapVector<llvm::GlobalValue *, Entry> &kernels() const { return Kernels; }

  /// Registers the kernel \p Symbol as the kernel of \p Like is, and returns the symbol to launch it by.
  llvm::GlobalVariable *add(const Entry &Like, llvm::StringRef Symbol);

private:
  llvm::Module &M;
  llvm::MapVector<llvm::GlobalValue *, Entry> Kernels;

  void addCalls();
  void addOffloadEntries();
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DEPLOY_KERNELREGISTRATION_H
