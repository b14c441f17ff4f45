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

/// Of one pointer that a kernel is given.
struct PointerUse {
  /// Of all scalars that are read and written through it. Where they differ, or cannot all be seen, a
  /// floating-point type that is among them, or nothing.
  std::optional<ElementType> Type = std::nullopt;
  bool MayWrite = false;
  bool MayRead = false;
  /// Whether its value may matter beyond what it points to: it is stored, compared or computed with.
  bool IsSeen = false;
};

/// A pointer in a structure that is passed by value.
struct FieldPointerUse {
  unsigned Parameter = 0;
  uint64_t Offset = 0; ///< Bytes from the beginning of the structure.
  PointerUse Use;
};

/// What a kernel does with pointers.
struct PointerUses {
  /// For each parameter; a default value of one that is no pointer.
  std::vector<PointerUse> Parameters;
  std::vector<FieldPointerUse> Fields; ///< Those that the kernel uses, each once.
  /// Whether memory may be accessed, and written, by pointers that come from elsewhere: from memory, say.
  bool HasOthers = false, OthersMayWrite = false;

  /// Whether the kernel does the same only where buffers lie at the same addresses.
  bool needAddresses() const;
};

/// Those of the kernel \p Kernel, once it is prepared. Input error where \p Bitcode cannot be read or does
/// not have exactly one kernel of that name.
llvm::Expected<PointerUses> pointerUses(llvm::StringRef Bitcode, llvm::StringRef Kernel);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_POINTERUSES_H
