//===- YamlCursor.h - Reading a YAML tree with errors that help -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_WORKLOAD_YAMLCURSOR_H
#define GPUPRUNE_LIB_WORKLOAD_YAMLCURSOR_H

#include "YamlTree.h"
#include "gpuprune/Workload/Workload.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include <optional>

namespace gpuprune {

/// A node with the path of keys that leads to it, such as "buffers.A.fill" or
/// "grid[1]". Every error has the kind Input and starts "FILE:LINE:COLUMN: PATH: ".
class YamlCursor {
public:
  YamlCursor(const YamlNode &Node, llvm::StringRef File) : Node(&Node), File(File) {}

  llvm::Error error(const llvm::Twine &Message) const;
  /// The last key of the path.
  llvm::StringRef name() const { return Name; }
  Place place() const { return {Path, Node->Line, Node->Column}; }

  bool isScalar() const { return Node->NodeKind == YamlNode::Kind::Scalar; }
  bool isSequence() const { return Node->NodeKind == YamlNode::Kind::Sequence; }
  bool isMapping() const { return Node->NodeKind == YamlNode::Kind::Mapping; }

  /// \p What completes "expected ...".
  llvm::Expected<std::string> scalar(llvm::StringRef What) const;
  llvm::Expected<double> real() const;
  /// true or false.
  llvm::Expected<bool> boolean() const;
  llvm::Expected<LocatedExpression> expression(Arithmetic Kind = Arithmetic::Integers) const;
  /// An expression without names.
  llvm::Expected<int64_t> integer() const;
  /// A scalar that is a C identifier.
  llvm::Expected<std::string> identifier() const;
  /// The items of a sequence.
  llvm::Expected<std::vector<YamlCursor>> items(llvm::StringRef What) const;
  /// The items of a sequence, or the node itself as the only one.
  std::vector<YamlCursor> itemsOrSelf() const;
  /// The values of a mapping whose keys are free.
  llvm::Expected<std::vector<YamlCursor>> entries(llvm::StringRef What) const;

  /// Success where this is a mapping with no keys but \p Known.
  llvm::Error checkKeys(llvm::ArrayRef<llvm::StringRef> Known) const;
  std::optional<YamlCursor> find(llvm::StringRef Key) const;
  llvm::Expected<YamlCursor> require(llvm::StringRef Key) const;

private:
  YamlCursor child(const YamlNode &Child, const llvm::Twine &PathOfChild, llvm::StringRef NameOfChild) const;
  YamlCursor child(const YamlEntry &Entry) const;
  llvm::Error expected(llvm::StringRef What) const;
  llvm::Error errorAt(unsigned Line, unsigned Column, const llvm::Twine &Message) const;

  const YamlNode *Node;
  llvm::StringRef File;
  std::string Path;
  std::string Name;
};

/// Whether \p Text is a C identifier.
bool isIdentifier(llvm::StringRef Text);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_WORKLOAD_YAMLCURSOR_H
