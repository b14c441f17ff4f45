//===- DeviceOperations.h - What operations of the device do --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Barriers, operations of a warp, asynchronous copies, fences, atomic operations, special
// registers: what more than one thread takes part in, or sees. The rows are in
// DeviceOperations.def. What a thread computes, loads or stores by itself is not among them.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_DEVICEOPERATIONS_H
#define GPUPRUNE_ANALYSIS_DEVICEOPERATIONS_H

#include "gpuprune/Analysis/OperationScope.h"
#include <optional>

namespace llvm {
class Instruction;
} // namespace llvm

namespace gpuprune {

enum class OperationKind : uint8_t {
  Barrier,       ///< Of a block, a cluster or a warp, with or without a reduction.
  MemoryBarrier, ///< mbarrier: a barrier that is a variable in shared memory.
  Shuffle,       ///< A lane gets another lane's value.
  Vote,          ///< Votes, matches, reductions and elections of a warp.
  Matrix,        ///< mma, wmma, wgmma, ldmatrix, stmatrix.
  TensorMemory,  ///< tcgen05.
  AsyncCopy,     ///< cp.async to shared memory.
  CopyGroup,     ///< Commits or waits for groups of such copies.
  CopyArrival,   ///< Lets an mbarrier track such copies.
  BulkCopy,      ///< cp.async.bulk and its groups.
  Fence,
  Atomic,
  SpecialRegister,
  ActiveMask,     ///< Which lanes happen to be active.
  ClusterAddress, ///< Of another block's shared memory.
  ClusterLaunch,  ///< clusterlaunchcontrol.
  Surface,        ///< Stores to surfaces.
  Prefetch,
  DependentLaunch, ///< griddepcontrol.
  RegisterBudget,  ///< setmaxnreg.
  Sleep,
  Trap,
  Exit,
  SystemCall, ///< printf and assert, which each thread calls by itself.
};

/// Which threads of the scope come to an operation together.
enum class Collective : uint8_t {
  None,    ///< Each by itself.
  Some,    ///< As many, or those, as an operand says.
  All,     ///< All, and it may be at different instructions.
  Aligned, ///< All, and those of a warp at the same instruction (PTX: .aligned).
};

/// What an operation accesses of memory that the program sees.
enum class OperationAccess : uint8_t {
  None,
  ReadsFirst,   ///< Through its first operand.
  WritesFirst,  ///< Through its first operand; it may read through others.
  UpdatesFirst, ///< Reads and writes through its first operand.
  Other,        ///< By descriptors, coordinates or through several operands.
};

struct DeviceOperation {
  OperationKind Kind;
  /// Whose threads take part or see it. Of a special register: the group that UniformOver names.
  OperationScope Scope;
  Collective Reached;
  /// Whether it orders what its thread accessed before and accesses after, as the scope sees it.
  bool Orders;
  OperationAccess Accesses;
  /// The largest group whose threads, as far as they take part together, get the same result; Thread where
  /// there is no result.
  OperationScope UniformOver;

  bool operator==(const DeviceOperation &) const = default;
};

/// What is known of \p I; nothing for what a thread does by itself, for inline assembly and for calls of
/// functions. LLVM's atomic instructions and fences have the scope that their synchronisation scope names,
/// and the system's where it names none. A store accesses through its second operand (Other).
std::optional<DeviceOperation> classify(const llvm::Instruction &I);

/// Whether \p I is of that kind.
bool isOperation(const llvm::Instruction &I, OperationKind Kind);

/// Whether \p I is a barrier that all threads of the block reach, with or without a reduction:
/// __syncthreads(), for instance. One that is not aligned is also reached from different instructions.
bool isBlockBarrierOfAll(const llvm::Instruction &I);

/// Whether \p I names other blocks of a thread block cluster, or synchronises with them.
bool concernsCluster(const llvm::Instruction &I);

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_DEVICEOPERATIONS_H
