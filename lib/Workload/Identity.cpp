//===- Identity.cpp - Whether two workloads describe the same problem ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Workload/Identity.h"
#include "YamlTree.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuprune {

/// With its length, so that no text can look like several.
static void print(StringRef Text, raw_ostream &OS) { OS << Text.size() << ':' << Text; }

static void print(const YamlNode &Node, raw_ostream &OS) {
  switch (Node.NodeKind) {
  case YamlNode::Kind::Null:
    OS << '~';
    return;
  case YamlNode::Kind::Scalar:
    print(Node.Text, OS);
    return;
  case YamlNode::Kind::Sequence:
    OS << '[';
    for (const YamlNode &Item : Node.Items)
      print(Item, OS);
    OS << ']';
    return;
  case YamlNode::Kind::Mapping:
    OS << '{';
    for (const YamlEntry &Entry : Node.Entries) {
      print(Entry.Key, OS);
      print(Entry.Value, OS);
    }
    OS << '}';
    return;
  }
}

std::string identityWithoutSpace(StringRef Yaml) {
  Expected<YamlNode> Root = parseYaml(Yaml, "");
  if (!Root) {
    consumeError(Root.takeError());
    return Yaml.str();
  }
  erase_if(Root->Entries, [](const YamlEntry &Entry) { return Entry.Key == "space"; });
  std::string Text;
  raw_string_ostream OS(Text);
  print(*Root, OS);
  return Text;
}

} // namespace gpuprune
