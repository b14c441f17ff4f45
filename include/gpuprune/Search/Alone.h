//===- Alone.h - Variants that make one choice only -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a pass is worth by itself: the variants of a space, all choices but those of
// one pass taken back to what the author wrote.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_ALONE_H
#define GPUPRUNE_SEARCH_ALONE_H

#include "gpuprune/Search/Variant.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuprune {

/// Choices beside passes, as soleChoice() names them.
inline constexpr llvm::StringLiteral BlockChoice = "block", DefinesChoice = "defines";

/// The only thing in which \p V differs from the kernel as written: the name of a
/// pass (all its elements are of this pass), BlockChoice, or DefinesChoice. Empty where there is
/// none or more than one. \p Author: the author's defines.
std::string soleChoice(const Variant &V, llvm::ArrayRef<DefineSetting> Author);

/// What \p Space offers to each choice alone, without what is in \p Space already, in its order.
/// Defines that \p Space gives a value are written out, with the author's.
std::vector<Variant> choicesAlone(llvm::ArrayRef<Variant> Space, llvm::ArrayRef<DefineSetting> Author);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_ALONE_H
