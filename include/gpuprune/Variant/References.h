//===- References.h - What variants are compared with ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_REFERENCES_H
#define GPUPRUNE_VARIANT_REFERENCES_H

#include "gpuprune/Variant/VariantBuilder.h"

namespace gpuprune {

/// Stock clang's kernel and the prepared kernel with the author's defines; for each other choice of defines
/// the prepared kernel, and stock clang's where there is nothing else to compare that with.
class References {
public:
  References() = default;
  /// Of \p Variants; \p Builder, of their workload, outlives this. Nothing is built yet.
  References(const VariantBuilder &Builder, llvm::ArrayRef<BuiltVariant> Variants);

  bool empty() const { return All.empty(); }
  llvm::ArrayRef<BuiltVariant> all() const { return All; }
  llvm::MutableArrayRef<BuiltVariant> all() { return All; }
  const BuiltVariant &stock() const { return All[0]; }
  const BuiltVariant &author() const { return All[1]; }
  /// The prepared kernel with the defines of \p V; null where there is none that could be built.
  const BuiltVariant *preparedFor(const BuiltVariant &V) const { return find(V, /*Stock=*/false); }
  /// The same of stock clang's code.
  const BuiltVariant *stockFor(const BuiltVariant &V) const { return find(V, /*Stock=*/true); }

  /// Compiles them on \p Jobs threads, and assembles them into \p CubinFolder, if there is one. Error
  /// (Toolchain or Io): a tool that cannot be run is no property of the variants.
  llvm::Error build(unsigned Jobs, llvm::StringRef CubinFolder);

private:
  const VariantBuilder *Builder = nullptr;
  std::vector<BuiltVariant> All;

  const BuiltVariant *find(const BuiltVariant &V, bool Stock) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_REFERENCES_H
