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
// A pipeline is pass elements separated by commas; an element is NAME or
// NAME<KEY=VALUE;WORD;...>. The empty text is the kernel as written, prepared
// only; gpu-prepare is implicit and need not be written. Which passes exist and what
// their parameters mean is not known here.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SEARCH_VARIANT_H
#define GPUPRUNE_SEARCH_VARIANT_H

#include "gpuprune/Support/Dim3.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuprune {

/// "factor=4", or the bare word "full", which has no value.
struct PassParameter {
  std::string Key;
  std::optional<std::string> Value;
  bool operator==(const PassParameter &) const = default;
};

struct PassElement {
  std::string Name;
  std::vector<PassParameter> Parameters; ///< In the order written.
  bool operator==(const PassElement &) const = default;

  /// The value of \p Key; none where it is missing or a bare word.
  std::optional<llvm::StringRef> value(llvm::StringRef Key) const;
};

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

/// Errors have the kind Input and give the column (from 1) in \p Text.
llvm::Expected<Variant> parseVariant(llvm::StringRef Text);
llvm::Expected<std::vector<PassElement>> parsePipeline(llvm::StringRef Text);

/// The text that parses to an equal variant; equal variants print the same.
std::string printVariant(const Variant &V);
std::string printPipeline(llvm::ArrayRef<PassElement> Pipeline);

/// Drops what changes nothing, so that one variant has one text: coarsening factors of
/// 1, a coarsening without factors, and a plain gpu-prepare in front.
void normalise(std::vector<PassElement> &Pipeline);

} // namespace gpuprune

#endif // GPUPRUNE_SEARCH_VARIANT_H
