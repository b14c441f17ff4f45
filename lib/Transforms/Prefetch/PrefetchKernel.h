//===- PrefetchKernel.h - What gpu-prefetch does in a kernel -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_PREFETCHKERNEL_H
#define GPUPRUNE_LIB_TRANSFORMS_PREFETCHKERNEL_H

#include "PrefetchShared.h"
#include "gpuprune/Transforms/Prefetch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuprune {

/// The copies that an earlier pass made of a loop lie side by side.
struct KernelPrefetch {
  llvm::SmallVector<PrefetchPlan, 2> Loops;
  llvm::SmallVector<SharedPrefetch, 2> Shared; ///< One a loop; none where values wait in registers.
};

/// Is shown what is planned for \p Kernel, right before it is carried out or \p Refused. Of what is
/// refused, the last loop's plan is not complete.
using PrefetchWatcher =
    llvm::function_ref<void(llvm::Function &Kernel, const KernelPrefetch &Planned, const Verdict &Refused)>;

/// Makes the loads ahead, or refuses. \p F may be another function of the same name afterwards. \p Stay gets
/// why loads stay where they are.
Verdict prefetchKernel(
    llvm::Function &F, const PrefetchOptions &Options, llvm::FunctionAnalysisManager &FAM,
    llvm::SmallVectorImpl<Refusal> &Stay,
    PrefetchWatcher Watch = [](llvm::Function &, const KernelPrefetch &, const Verdict &) {});

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_PREFETCHKERNEL_H
