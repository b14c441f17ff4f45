//===- Variant.h - A variant of a kernel is text --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   [-DNAME=VALUE ...] [block=X[,Y[,Z]]] [PIPELINE]
//
// for instance
//
//   -DTILE=16 gpu-block-coarsen<x=8;y=8;shared=interleaved>,gpu-unroll<loop=1;factor=4>
//
// with a pipeline as PipelineText.h describes it. The empty text is the kernel as
// written, prepared only; gpu-prepare is implicit and need not be written.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_VARIANT_H
#define GPUPRUNE_SEARCH_VARIANT_H

#include "gpuprune/Support/Dim3.h"
#include "gpuprune/Support/PipelineText.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

struct DefineSetting {
  std::string Name;
  std::string Value;
  bool operator==(const DefineSetting &) const = default;
};

struct Variant {
  std::vector<DefineSetting> Defines; ///< In the order written; names differ.
  std::optional<Dim3> Block;
  std::vector<PassElement> Pipeline;
  bool operator==(const Variant &) const = default;
};

/// The same for equal variants.
unsigned hashOf(const Variant &V);

/// Errors have the kind Input and give the column (from 1) in \p Text.
llvm::Expected<Variant> parseVariant(llvm::StringRef Text);

/// The text that parses to an equal variant; equal variants print the same.
std::string printVariant(const Variant &V);

/// Drops what changes nothing, so that one variant has one text: parameters and elements of which the pass
/// says so, and a plain gpu-prepare in front.
void normalise(std::vector<PassElement> &Pipeline);

/// Input error where normalise() would drop an element that lacks the option by which it would do something.
llvm::Error checkDropped(llvm::ArrayRef<PassElement> Pipeline);

/// Writes \p Block, the author's, in place of a word for it (threads=launch): nobody knows the launch
/// where a winner is applied.
void nameBlock(std::vector<PassElement> &Pipeline, const Dim3 &Block);

/// \p Pipeline with kernel=\p Kernel added to each pass that names no kernel;
/// unchanged where \p Kernel is empty.
std::vector<PassElement> withKernel(std::vector<PassElement> Pipeline, llvm::StringRef Kernel);

/// Whether variants that differ in \p Element alone are the same up to the end of -O3.
bool actsBehindO3(const PassElement &Element);

} // namespace gpuprune

/// No block has such extents.
template <> struct llvm::DenseMapInfo<gpuprune::Variant> {
  static gpuprune::Variant getEmptyKey() { return {{}, gpuprune::Dim3{-1, 0, 0}, {}}; }
  static gpuprune::Variant getTombstoneKey() { return {{}, gpuprune::Dim3{-2, 0, 0}, {}}; }
  static unsigned getHashValue(const gpuprune::Variant &V) { return hashOf(V); }
  static bool isEqual(const gpuprune::Variant &A, const gpuprune::Variant &B) { return A == B; }
};

#endif // GPUPRUNE_SEARCH_VARIANT_H
