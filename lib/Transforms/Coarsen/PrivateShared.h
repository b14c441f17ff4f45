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
// In all, the replicas of an access differ by a constant displacement alone. Where that is not
// enough, the array itself is another pointer in each replica, and so is all that follows from it
// (PrivateArray::Based): where a pointer may also be into other memory, which does not move alike, and
// where the distance is known at run time only:
//
// extern __shared__ float s[]; shared.bytes of it at launch, R * shared.bytes after it
// Blocked:      replica r at s + r * shared.bytes
// Interleaved:  as above, offsets times R
// Grouped:      group g at s + g * 4 * shared.bytes
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_PRIVATESHARED_H
#define GPUPRUNE_LIB_TRANSFORMS_PRIVATESHARED_H

#include "gpuprune/Analysis/SharedMemory.h"
#include "gpuprune/Transforms/BlockCoarsen.h"
#include "gpuprune/Transforms/Refusal.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Alignment.h"

namespace gpuprune {

struct LaunchContract;

/// Every use of a shared array, a local variable or a by-value parameter.
struct ObjectUses {
  llvm::Value *Object = nullptr;
  llvm::SetVector<llvm::Instruction *> Pointers; ///< Address computations.
  llvm::SetVector<llvm::Instruction *> Accesses; ///< Loads, stores, atomics, memory intrinsics.
  llvm::Instruction *Test = nullptr;             ///< One that tells how addresses are aligned, if any does.
  llvm::Align Tested;                            ///< The most that is asked for.
};

/// Makes constant expressions over shared arrays instructions of \p F, so that all uses
/// can be collected.
void sharedUsesToInstructions(llvm::Function &F);

/// Collects the uses of \p Object in \p F. Refuses PointerEscapes where its
/// address goes anywhere but into accesses, comparisons and tests of its low bits, as for alignment.
Verdict collectUses(llvm::Value &Object, const llvm::Function &F, ObjectUses &Uses);

/// Whether all that flows into the pointer \p I comes from the object itself.
bool pointsOnlyTo(const ObjectUses &Uses, const llvm::Instruction &I);

/// Lets all dynamic shared arrays of \p F be one of them: they begin at one address, so that
/// they are one object.
void uniteDynamicShared(llvm::Function &F);

/// Whether \p M has dynamic shared memory.
bool hasDynamicShared(const llvm::Module &M);

/// Rewrites addresses of fields of structures and vectors in shared memory as byte offsets,
/// which can be scaled.
void flattenFields(llvm::Function &F);

/// A shared array that gets a copy for each replica.
struct PrivateArray {
  ObjectUses Uses;
  unsigned Group = 1; ///< Copies side by side.
  bool Based = false; ///< Groups begin at pointers of their own.
  /// A pointer that may be into the array or elsewhere, if there is one.
  const llvm::Instruction *Mixed = nullptr;

  bool isDynamic() const { return isDynamicShared(*llvm::cast<llvm::GlobalVariable>(Uses.Object)); }
};

/// Decides how \p Copies of the array lie. Refuses MemoryIntrinsic (MemoryCopies.h) and, interleaved,
/// MixedAccessSizes. Grouped, elements that are not all of one size are in groups of one; so is, in
/// all layouts, an array that shares a pointer with other memory.
Verdict planPrivate(PrivateArray &Array, SharedLayout Layout, unsigned Copies);

/// The dynamic shared memory of a kernel on the way.
struct DynamicMemory {
  llvm::Value *AuthorBytes = nullptr; ///< i32; null where the kernel has none.
  uint64_t Copies = 1;                ///< So far.

  /// Bytes of \p Groups copies as large as all there is so far, computed at \p B.
  llvm::Value *bytes(llvm::IRBuilderBase &B, unsigned Groups) const;
};

/// What the kernel \p F, launched by \p Contract, is told of its dynamic shared memory, and has of it.
DynamicMemory dynamicMemoryOf(llvm::Function &F, const LaunchContract &Contract);

/// Once all copies of \p Dynamic are made: the size of it still reads as the author's, and \p Contract asks
/// for them. Refuses TooLarge.
Verdict askForCopies(llvm::Function &F, const DynamicMemory &Dynamic, LaunchContract &Contract);

/// How far the element of a replica lies from that of replica 0.
struct CopyPlaces {
  unsigned Group = 1;   ///< Copies side by side.
  uint64_t Within = 0;  ///< Bytes from one copy to the next in a group.
  uint64_t Between = 0; ///< Bytes from one group to the next; 0 where they have bases.

  uint64_t displacement(unsigned Replica) const {
    return Replica % Group * Within + Replica / Group * Between;
  }
};

/// Gives the array room for \p Copies and makes all its pointers in the function
/// point to replica 0. Returns where the others are. Of an array that is Based, \p Bases gets where
/// each replica's group begins, replica 0 left out.
CopyPlaces privatise(PrivateArray &Array, unsigned Copies, DynamicMemory &Dynamic,
                     llvm::SmallVectorImpl<llvm::Value *> &Bases);

/// Lets a load, store or atomic go \p Bytes further.
void displaceAccess(llvm::Instruction &Access, uint64_t Bytes);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_PRIVATESHARED_H
