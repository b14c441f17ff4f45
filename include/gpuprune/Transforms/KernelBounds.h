//===- KernelBounds.h - What a kernel's attributes say of its launch -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_KERNELBOUNDS_H
#define GPUPRUNE_TRANSFORMS_KERNELBOUNDS_H

#include "gpuprune/Support/Dim3.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace llvm {
class Function;
}

namespace gpuprune {

/// The threads of a block, of "nvvm.reqntid" or "nvvm.maxntid".
struct LaunchBound {
  Dim3 Block;
  bool Exact = false; ///< Each block has this shape; else at most as many threads.

  uint64_t threads() const { return uint64_t(Block.X) * uint64_t(Block.Y) * uint64_t(Block.Z); }
  bool allows(const Dim3 &Launched) const;
  /// "compiled for blocks of exactly 32 x 8 x 1 threads, the launch has 16 x 16 x 1".
  std::string whyNot(const Dim3 &Launched) const;
};

/// Nothing where the kernel has no bound, or one that cannot be read.
std::optional<LaunchBound> launchBound(const llvm::Function &F);

/// The attributes by which a kernel tells ptxas what it may use: registers a thread, thread blocks an SM.
/// LLVM prints them into the PTX and does nothing else with them.
inline constexpr llvm::StringLiteral PtxasBounds[] = {"nvvm.maxnreg", "nvvm.minctasm"};

/// 90 for "sm_90a"; 0 where the function does not say.
unsigned computeCapability(const llvm::Function &F);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_KERNELBOUNDS_H
