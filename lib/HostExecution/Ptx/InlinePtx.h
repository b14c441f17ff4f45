//===- InlinePtx.h - Inline PTX as IR of this machine --------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_INLINEPTX_H
#define GPUPRUNE_LIB_HOSTEXECUTION_INLINEPTX_H

#include "Engine/ThreadAccess.h"
#include "llvm/Support/Error.h"

namespace gpuprune {

/// Replaces \p Call, a call of inline PTX, by what its instructions do. Straight
/// lines of the instructions in PtxInstructions.def, with registers, vectors and
/// predicates, are known; else the error says which statement is not.
llvm::Error lowerInlinePtx(llvm::CallBase &Call, ThreadAccess &Threads);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_INLINEPTX_H
