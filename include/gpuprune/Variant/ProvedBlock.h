//===- ProvedBlock.h - A variant's block for launches of a program ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That a variant with another block computes the same is proved, promised or compared at the workload's
// sizes. A header and a tuning record launch it in a program, for other ones. What they need is a proof that
// holds for all launches, and a grid that follows from the author's launch alone.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_PROVEDBLOCK_H
#define GPUPRUNE_VARIANT_PROVEDBLOCK_H

#include "gpuprune/Launch/BlockChange.h"
#include "gpuprune/Search/Variant.h"
#include "gpuprune/Workload/Workload.h"

namespace gpuprune {

class VariantBuilder;

/// The block of \p V in place of the one that the workload has with its defines; nothing where it is that.
/// \p Bitcode: the front end's output, with these defines. Errors: Refused (BadLaunchContract, or
/// ShapeNotDivisible) where it is not proved, where the launch tells the kernel of its block, or where the
/// workload launches another number of threads in that block.
llvm::Expected<std::optional<BlockChange>> provedBlock(const Workload &W, const VariantBuilder &Builder,
                                                       const Variant &V, llvm::StringRef Bitcode);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_PROVEDBLOCK_H
