//===- PrivateShared.h - A copy of a shared array for each replica ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocked:      float As[16][16]  ->  float As[R][16][16], replica r at As[r]
// Interleaved:  float As[16][16]  ->  float As[16][16][R], replica r at [..][r]
// Grouped:      float As[16][16]  ->  float As[R/4][16][16][4], replica r at [r/4][..][r%4]
//
// In all, the replicas of an access differ by a constant displacement alone.
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
/// pointer that may also point elsewhere), MemoryIntrinsic (MemoryCopies.h) and, for layouts
/// side by side, MixedAccessSizes and StructLayout.
Verdict canPrivatise(const ObjectUses &Uses, SharedLayout Layout);

/// How far the element of a replica lies from that of replica 0.
struct CopyPlaces {
  unsigned Group = 1;   ///< Copies side by side.
  uint64_t Within = 0;  ///< Bytes from one copy to the next in a group.
  uint64_t Between = 0; ///< Bytes from one group to the next.

  uint64_t displacement(unsigned Replica) const {
    return Replica % Group * Within + Replica / Group * Between;
  }
};

/// Gives the array room for \p Copies and makes all its pointers in the function
/// point to replica 0. Returns where the others are.
CopyPlaces privatise(ObjectUses &Uses, SharedLayout Layout, unsigned Copies);

/// Lets a load, store or atomic go \p Bytes further.
void displaceAccess(llvm::Instruction &Access, uint64_t Bytes);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_PRIVATESHARED_H
