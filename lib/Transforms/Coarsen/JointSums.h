//===- JointSums.h - Shared arrays that all replicas add to -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  __shared__ int s[64];             After:  __shared__ int s[64];     // one for both replicas
//          s[t] = 0;                                 s[t] = 0;
//          __syncthreads();                          __syncthreads();
//          atomicAdd(&s[key[b * n + t]], 1);         atomicAdd(&s[key[b0 * n + t]], 1);
//                                                    atomicAdd(&s[key[b1 * n + t]], 1);
//          __syncthreads();                          __syncthreads();
//          atomicAdd(&total[t], s[t]);               atomicAdd(&total[t], s[t]);
//
// A shared array is joint if
//
//  1. all accesses are plain loads, stores and atomic operations through pointers into it alone, of one
//  scalar
//     type and aligned to its size, so that elements overlap wholly or not at all;
//  2. the atomic operations are all of one kind, whose operands may be joined in any order: add, fadd, xor,
//  or,
//     and, minimum or maximum of integers. Nothing uses their results;
//  3. what is stored is zero for add, fadd and xor, and for the others, which take a value twice as they take
//  it
//     once, anything; a store may be of several elements if it is of zero. Stores do not differ between
//     replicas (where, what and whether);
//  4. what is loaded only goes into atomic operations of the same kind and type on global memory, the flush,
//  whose
//     results nothing uses. Loads and flushes do not differ between replicas. Nothing comes between, no
//     conversion either: it wraps or rounds. `if (v != 0)` may leave out the flush of an integer v alone,
//     where zero changes nothing: add, xor, or, unsigned maximum;
//  5. no store comes after an atomic operation or a load, and no atomic operation after a load.
//
// Why it is right. Restricted to one replica, a thread of the joint kernel executes the instructions of the
// author's thread in their order; barriers, single or once a replica in a region, are among them. So what is
// ordered in the author's block is ordered here, for each replica. Where the author's block has no race, an
// element is at any ordered point what its values in all replicas come to by the operation: a store makes it
// so, an atomic operation keeps it so. A load thus reads what all replicas' loads would come to, and the one
// flush adds to global memory what theirs would. That fewer flushes are seen on the way is one of the orders
// that atomic operations of several blocks may come in.
//
// Integers wrap, so that they come to the same bits. Sums of floating point are rounded in another order, as
// their atomic additions are in any two runs: FloatingPointFreedom.h has what the flush adds to as open
// between variants, because the flush is an atomic addition.
//
// On the slow path the replicas run one after another, each with its zeros and its flush: that is the
// author's kernel, and what Skip has of it is not looked at.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_JOINTSUMS_H
#define GPUPRUNE_LIB_TRANSFORMS_JOINTSUMS_H

#include "Coarsening.h"

namespace gpuprune {

/// The accesses of a joint array.
struct JointSum {
  llvm::Value *Array = nullptr;
  llvm::SmallVector<llvm::Instruction *, 4> Stores;
  llvm::SmallVector<llvm::Instruction *, 4> Additions; ///< Atomic operations, once a replica.
  llvm::SmallVector<llvm::Instruction *, 4> Loads;
  llvm::SmallVector<llvm::Instruction *, 4> Flushes; ///< Atomic operations on global memory, once for all.
};

struct JointSums {
  llvm::SmallVector<JointSum, 2> Arrays;
  Verdict WhyNot; ///< NoJointSum: what keeps the first other array with atomic operations from being joint.
};

/// The shared arrays of \p F that are joint if none of their stores, loads and flushes differs between
/// replicas.
JointSums findJointSums(llvm::Function &F, const Untouched &Skip);

/// Refuses NoJointSum where one of these is among what is \p Replicated.
Verdict checkOnceForAll(const JointSum &Sum, const llvm::SetVector<llvm::Instruction *> &Replicated);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_JOINTSUMS_H
