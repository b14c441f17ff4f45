//===- PointerUses.h - What a kernel does with what it is given ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_POINTERUSES_H
#define GPUPRUNE_CODEGEN_POINTERUSES_H

#include "gpuprune/Support/ElementType.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace gpuprune {

/// Of one parameter of a kernel, which is a pointer.
struct PointerUse {
  /// Of all scalars that are read and written through it. Where they differ, or cannot all be seen, a
  /// floating-point type that is among them, or nothing.
  std::optional<ElementType> Type = std::nullopt;
  bool MayWrite = false;
};

/// For each parameter of the kernel \p Kernel, once it is prepared; of one that is no pointer a default
/// value. Input error where \p Bitcode cannot be read or does not have exactly one kernel of that name.
llvm::Expected<std::vector<PointerUse>> pointerUses(llvm::StringRef Bitcode, llvm::StringRef Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_POINTERUSES_H
