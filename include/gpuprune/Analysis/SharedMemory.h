//===- SharedMemory.h - Static shared memory of a kernel ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_SHAREDMEMORY_H
#define GPUPRUNE_ANALYSIS_SHAREDMEMORY_H

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class Value;
} // namespace llvm

namespace gpuprune {

/// Dynamic shared memory: a shared array without a size, which is given at the launch. All such arrays of a
/// kernel begin at one address (CUDA C++ Programming Guide, "__shared__").
bool isDynamicShared(const llvm::GlobalVariable &Array);

/// What knows the address of a variable, itself or through constant expressions and initial values.
struct AddressUsers {
  llvm::SmallPtrSet<const llvm::Function *, 4> Functions;
  /// Whose initial values hold it, llvm.used and its kin included.
  llvm::SmallVector<const llvm::GlobalVariable *, 1> Variables;
};
AddressUsers addressUsers(const llvm::Value &Variable);

/// The shared arrays with a size that \p Kernel uses, itself, through constant
/// expressions or through the functions it calls; in the module's order. Dynamic
/// shared memory (extern arrays) has no size and is not among them.
std::vector<const llvm::GlobalVariable *> sharedArrays(const llvm::Function &Kernel);

/// Bytes of static shared memory a block: the arrays one after another, each at
/// its alignment. An indirect call can reach every function whose address is
/// taken, and all of them count.
uint64_t sharedBytes(const llvm::Function &Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_SHAREDMEMORY_H
