//===- PrivateShared.h - A copy of a shared array for each replica ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocked:      float As[16][16]  ->  float As[R][16][16], replica r at As[r]
// Interleaved:  float As[16][16]  ->  float As[16][16][R], replica r at [..][r]
//
// In both, the replicas of an access differ by a constant displacement alone.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_PRIVATESHARED_H
#define GPUPRUNE_LIB_TRANSFORMS_PRIVATESHARED_H

#include "gpuprune/Transforms/BlockCoarsen.h"
#include "gpuprune/Transforms/Refusal.h"
#include "llvm/ADT/SetVector.h"

namespace gpuprune {

/// Every use of a shared array, a local variable or a by-value parameter.
struct ObjectUses {
  llvm::Value *Object = nullptr;
  llvm::SetVector<llvm::Instruction *> Pointers; ///< Address computations.
  llvm::SetVector<llvm::Instruction *> Accesses; ///< Loads, stores, atomics, memory intrinsics.
};

/// Makes constant expressions over shared arrays instructions of \p F, so that all uses
/// can be collected.
void sharedUsesToInstructions(llvm::Function &F);

/// The pointer a load, store or atomic goes through; nullptr for others.
llvm::Value *accessedPointer(const llvm::Instruction &I);

/// Collects the uses of \p Object in \p F. Refuses PointerEscapes where its
/// address goes anywhere but into accesses.
Verdict collectUses(llvm::Value &Object, const llvm::Function &F, ObjectUses &Uses);

/// Refuses where the array cannot be privatised: DynamicShared, MixedArrays (a
/// pointer that may also point elsewhere), MemoryIntrinsic and, for the
/// interleaved layout, MixedAccessSizes and StructLayout.
Verdict canPrivatise(const ObjectUses &Uses, SharedLayout Layout);

/// Gives the array room for \p Copies and makes all its pointers in the function
/// point to replica 0. Returns the displacement in bytes from one replica's
/// element to the next one's.
uint64_t privatise(ObjectUses &Uses, SharedLayout Layout, unsigned Copies);

/// Lets a load, store or atomic go \p Bytes further.
void displaceAccess(llvm::Instruction &Access, uint64_t Bytes);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_PRIVATESHARED_H
