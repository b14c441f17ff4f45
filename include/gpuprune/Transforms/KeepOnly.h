//===- KeepOnly.h - A module without what is not needed ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_KEEPONLY_H
#define GPUPRUNE_TRANSFORMS_KEEPONLY_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>

namespace llvm {
class GlobalObject;
class Module;
} // namespace llvm

namespace gpuprune {

/// Removes from \p M all functions and variables but those that \p Keeps holds for and LLVM's own, with the
/// metadata about them; where code that nothing comes to still names one, it names poison. Returns how many
/// of them were definitions.
size_t keepOnly(llvm::Module &M, llvm::function_ref<bool(const llvm::GlobalObject &)> Keeps);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_KEEPONLY_H
