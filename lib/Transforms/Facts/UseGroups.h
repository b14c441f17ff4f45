//===- UseGroups.h - Uses of a value that one reload serves -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_USEGROUPS_H
#define GPUPRUNE_LIB_TRANSFORMS_USEGROUPS_H

#include "LiveValues.h"
#include "llvm/ADT/SmallVector.h"

namespace gpuprune {

/// Computes addresses at a constant distance from another next to their uses, where the
/// access takes the distance along: only the other one takes a register.
void foldConstantDistances(llvm::Function &F);

/// Uses near each other, on one side of the peak.
struct UseGroup {
  llvm::Instruction *Before = nullptr; ///< The first of them; the end of the block for a PHI's.
  llvm::SmallVector<llvm::Use *, 4> Uses;
};

/// The uses of \p V that do not follow its definition closely, so that it need not stay
/// in a register from there to the peak.
llvm::SmallVector<UseGroup, 4> farUses(llvm::Instruction &V, const LiveValues &Lives,
                                       const LiveValues::Point &Peak);

/// Whether one of \p Groups is needed in a register at the peak itself.
bool isUsedAt(const LiveValues::Point &Peak, llvm::ArrayRef<UseGroup> Groups);

/// Whether where control goes follows from what is computed with \p Groups.
bool decidesControl(llvm::ArrayRef<UseGroup> Groups);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_USEGROUPS_H
