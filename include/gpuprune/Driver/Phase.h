//===- Phase.h - The phases of a tuning run ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DRIVER_PHASE_H
#define GPUPRUNE_DRIVER_PHASE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace gpuprune {

/// In order; any can be the last one.
enum class Phase {
  Frontend,  ///< Source to bitcode, once for each choice of defines.
  Prepare,   ///< Loops found, trip counts.
  Enumerate, ///< The variants of the space.
  Transform, ///< The passes of each variant,
  CodeGen,   ///< its PTX,
  Assemble,  ///< its cubin, registers and memory,
  Count,     ///< its instructions and regions.
  Prune,     ///< Metrics and the Pareto set.
  Check,     ///< The correctness gate on the CPU.
  Measure,   ///< Check and timing on the GPU.
  Report,
};

llvm::StringRef phaseName(Phase P);

/// A Usage error lists the phases.
llvm::Expected<Phase> parsePhase(llvm::StringRef Name);

} // namespace gpuprune

#endif // GPUPRUNE_DRIVER_PHASE_H
