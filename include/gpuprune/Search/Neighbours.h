//===- Neighbours.h - How far two variants are from each other ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_NEIGHBOURS_H
#define GPUPRUNE_SEARCH_NEIGHBOURS_H

#include "gpuprune/Search/Variant.h"

namespace gpuprune {

/// In how many decisions \p A and \p B differ: defines, the block, and the numbers and
/// words of each pass. A pass is the same in both where it has the same name and the
/// same loop, dimension or memory object. One that only one of them has differs in its
/// factors; how it is done (a layout, a stride, a place) then adds nothing.
unsigned distance(const Variant &A, const Variant &B);

/// Whether the parameter \p Key of \p Element says what the pass works on (loop=, arg=), not what it does
/// there.
bool isObject(const PassElement &Element, llvm::StringRef Key);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_NEIGHBOURS_H
