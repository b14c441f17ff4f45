//===- SharedStage.h - A module without what gpu-registers asks for ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_CODEGEN_SHAREDSTAGE_H
#define GPUPRUNE_LIB_CODEGEN_SHAREDSTAGE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Attributes.h"
#include <optional>
#include <string>

namespace llvm {
class Module;
}

namespace gpuprune {

/// What gpu-registers left on the kernels of a module.
class RegisterRequests {
public:
  /// Takes from the kernels of \p M what is for PlaceValuesPass and for ptxas.
  static RegisterRequests take(llvm::Module &M);
  /// Writes it on kernels of the same names in \p M, of the same context.
  void put(llvm::Module &M) const;

private:
  llvm::StringMap<llvm::SmallVector<llvm::Attribute, 3>> OfKernels;
};

/// Bitcode of \p M with the order of uses, but without what RegisterRequests takes.
std::string bitcodeWithoutRequests(llvm::Module &M);

/// The passes of \p Pipeline but gpu-registers; nothing where others than GpuPrune's are among them.
std::optional<std::string> stemOf(llvm::StringRef Pipeline);

/// Whether \p M is such that all of it is in its functions' bodies.
bool canDropBodies(const llvm::Module &M);
/// Leaves the rest of a pipeline nothing to do.
void dropBodies(llvm::Module &M);

/// The only kernel's PTX in \p Ptx with the bounds that \p M has for it. Nothing where \p M has several
/// kernels, or the PTX does not look as expected.
std::optional<std::string> withBoundsOf(const llvm::Module &M, llvm::StringRef Ptx);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_CODEGEN_SHAREDSTAGE_H
