//===- YamlTree.h - A YAML document with the place of every node ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_WORKLOAD_YAMLTREE_H
#define GPUPRUNE_LIB_WORKLOAD_YAMLTREE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuprune {

struct YamlEntry;

/// A value of a document; lines and columns count from 1.
struct YamlNode {
  enum class Kind { Null, Scalar, Sequence, Mapping };
  Kind NodeKind = Kind::Null;
  unsigned Line = 1;
  unsigned Column = 1;
  std::string Text;               ///< Of a scalar, quotes and escapes resolved.
  std::vector<YamlNode> Items;    ///< Of a sequence.
  std::vector<YamlEntry> Entries; ///< Of a mapping, in the order of the file; keys differ.
};

struct YamlEntry {
  std::string Key;
  unsigned KeyLine = 1;
  unsigned KeyColumn = 1;
  YamlNode Value; ///< Where it has no place of its own, at the place of the key.
};

/// More is no workload, and would take minutes and gigabytes to read.
inline constexpr size_t MaxYamlBytes = 1 << 20;

/// The only document in \p Text. Anchors, aliases, tags, keys that are no scalars and keys
/// written twice are errors. Errors have the kind Input and start "FILE:LINE:COLUMN: ".
llvm::Expected<YamlNode> parseYaml(llvm::StringRef Text, llvm::StringRef File);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_WORKLOAD_YAMLTREE_H
