//===- SpillScreen.h - Keeps out what spilling makes slow -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX does not show spills, so the metrics think the better of a register cap
// the lower it is. A variant is compared with its sibling, the same variant
// without register caps:
//
//   the sibling can be launched:  a variant that uses more local memory than it
//       is screened; the cap has a launchable alternative.
//   it cannot (its registers do not fit, the cap is what lets the kernel run):
//       the variant is screened only where the local memory of the threads
//       resident on an SM does not fit into the L1 that is left beside their
//       shared memory; every spill then goes to the L2 and beyond.
//
// A plan that spills to local memory (gpu-registers<spill=N;spill-to=local>) has to be
// in the cubin: where the kernel has no local memory, ptxas has undone it, and the variant
// is screened, for what it is named after is not what would be timed.
//
// docs/decisions/spill-screen.md has the measurements this rests on.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_SPILLSCREEN_H
#define GPUPRUNE_SEARCH_SPILLSCREEN_H

#include "gpuprune/Search/Result.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuprune {

/// Gives rows that are ok and no duplicates the status `spills` and a message
/// where the screen finds them.
void screenSpills(llvm::MutableArrayRef<VariantResult> Rows, const DeviceInfo &Device);

/// Whether the local memory of all threads resident on an SM fits into the L1
/// beside the shared memory of their blocks. \p Row has its resources.
bool localMemoryFitsL1(const VariantResult &Row, const DeviceInfo &Device);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_SPILLSCREEN_H
