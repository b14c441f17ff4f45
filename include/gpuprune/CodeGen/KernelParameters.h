//===- KernelParameters.h - What a kernel takes -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_CODEGEN_KERNELPARAMETERS_H
#define GPUPRUNE_CODEGEN_KERNELPARAMETERS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuprune {

struct KernelParameter {
  enum class Kind { Pointer, Integer, Real, Structure };
  Kind Is = Kind::Pointer;
  uint64_t Bytes = 0;
  uint64_t Offset = 0; ///< Of a field of a structure: from its beginning.
  /// Of a structure: the scalars that it consists of, those of structures and arrays in it, too, but for
  /// arrays of bytes, which may be padding.
  std::vector<KernelParameter> Fields = {};
  bool IsBool = false; ///< Of an integer: it is 0 or 1, whatever is converted to it.

  /// "a pointer", "an integer of 4 bytes".
  std::string text() const;
};

/// The parameters of the kernel in \p Bitcode that goes by \p Name, as the front
/// end left them. Signedness and what a pointer points to are not known there.
/// Input error where not exactly one kernel has that name.
llvm::Expected<std::vector<KernelParameter>> kernelParameters(llvm::StringRef Bitcode, llvm::StringRef Name);

} // namespace gpuprune

#endif // GPUPRUNE_CODEGEN_KERNELPARAMETERS_H
