//===- YamlTree.cpp - A YAML document with the place of every node --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "YamlTree.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/TextCursor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include <optional>

using namespace llvm;

namespace gpuprune {

namespace {

/// Copies LLVM's streaming parse into a tree; the stream can be walked only once.
class TreeBuilder {
public:
  TreeBuilder(StringRef Text, StringRef File) : Text(Text), File(File) {
    for (size_t Break = Text.find('\n'); Break != StringRef::npos; Break = Text.find('\n', Break + 1))
      LineStarts.push_back(Break + 1);
  }
  Expected<YamlNode> run();

private:
  /// No workload nests nearly as deep; keeps hostile input off the end of the stack.
  static constexpr unsigned MaxDepth = 50;

  static void recordDiagnostic(const SMDiagnostic &Diagnostic, void *Builder);
  Error errorAt(unsigned Line, unsigned Column, const Twine &Message) const;
  StringRef lineAt(unsigned Line) const;
  Error tabAt(unsigned Line, size_t Place) const;
  Error checkIndentation(const YamlNode &Node, const YamlNode &In) const;
  std::optional<size_t> tabAfter(StringRef Separators, unsigned Line) const;
  void place(YamlNode &Node, SMRange Range) const;
  Expected<YamlNode> convert(yaml::Node &Node, const YamlNode &Parent, unsigned Depth);
  Expected<YamlNode> convertMapping(yaml::MappingNode &Mapping, YamlNode Result, unsigned Depth);
  Expected<YamlEntry> convertEntry(yaml::KeyValueNode &Pair, const YamlNode &Parent, unsigned Depth);

  StringRef Text;
  StringRef File;
  std::vector<size_t> LineStarts{0};
  /// LLVM's first complaint, later ones follow from it.
  std::string FirstDiagnostic;
  unsigned DiagnosedLine = 0;
};

} // namespace

void TreeBuilder::recordDiagnostic(const SMDiagnostic &Diagnostic, void *Builder) {
  auto &Self = *static_cast<TreeBuilder *>(Builder);
  if (!Self.FirstDiagnostic.empty())
    return;
  Self.DiagnosedLine = std::max(Diagnostic.getLineNo(), 1);
  Self.FirstDiagnostic =
      (Self.File + ":" + Twine(std::max(Diagnostic.getLineNo(), 1)) + ":" +
       Twine(std::max(Diagnostic.getColumnNo(), 0) + 1) + ": not valid YAML: " + Diagnostic.getMessage())
          .str();
}

Error TreeBuilder::errorAt(unsigned Line, unsigned Column, const Twine &Message) const {
  return makeError(ErrorKind::Input, File + ":" + Twine(Line) + ":" + Twine(Column) + ": " + Message);
}

StringRef TreeBuilder::lineAt(unsigned Line) const {
  return Line == 0 || Line > LineStarts.size()
             ? StringRef()
             : Text.drop_front(LineStarts[Line - 1]).take_until([](char C) { return C == '\n'; });
}

/// Where the first tab of \p Line stands if only spaces, or what ends with one of \p Separators, stand
/// before it.
std::optional<size_t> TreeBuilder::tabAfter(StringRef Separators, unsigned Line) const {
  size_t Tab = lineAt(Line).find('\t');
  if (Tab == StringRef::npos)
    return std::nullopt;
  StringRef Lead = lineAt(Line).take_front(Tab).rtrim(' ');
  return Lead.empty() || Separators.contains(Lead.back()) ? std::optional(Tab) : std::nullopt;
}

Error TreeBuilder::tabAt(unsigned Line, size_t Place) const {
  return errorAt(Line, Place + 1,
                 "a tab; YAML is indented with spaces, and spaces stand between a key or '-' and its value");
}

/// LLVM takes a tab for one space; an editor shows it as several, so that what seems to be nested is not.
Error TreeBuilder::checkIndentation(const YamlNode &Node, const YamlNode &In) const {
  // Within brackets nothing depends on the indentation; LLVM places what they hold at its first element.
  StringRef Before = Text.take_front(LineStarts[In.Line - 1] + In.Column - 1).rtrim();
  if (Before.ends_with("[") || Before.ends_with("{") || Before.ends_with(","))
    return Error::success();
  std::optional<size_t> Tab = tabAfter("", Node.Line);
  if (Tab && *Tab + 1 < Node.Column)
    return tabAt(Node.Line, *Tab);
  return Error::success();
}

void TreeBuilder::place(YamlNode &Node, SMRange Range) const {
  const char *At = Range.Start.getPointer();
  if (!At || At < Text.begin() || At > Text.end())
    return;
  size_t Offset = At - Text.begin();
  Node.Line = upper_bound(LineStarts, Offset) - LineStarts.begin();
  Node.Column = Offset - LineStarts[Node.Line - 1] + 1;
}

Expected<YamlEntry> TreeBuilder::convertEntry(yaml::KeyValueNode &Pair, const YamlNode &Parent,
                                              unsigned Depth) {
  YamlEntry Entry;
  Entry.Value.Line = Parent.Line;
  Entry.Value.Column = Parent.Column;
  auto *Key = dyn_cast_or_null<yaml::ScalarNode>(Pair.getKey());
  if (!Key)
    return errorAt(Parent.Line, Parent.Column, "a key of a mapping must be a plain word");
  place(Entry.Value, Key->getSourceRange());
  Entry.KeyLine = Entry.Value.Line;
  Entry.KeyColumn = Entry.Value.Column;
  SmallString<32> Storage;
  Entry.Key = Key->getValue(Storage).str();
  if (Error E = checkIndentation(Entry.Value, Parent))
    return std::move(E);
  if (yaml::Node *Value = Pair.getValue()) {
    Expected<YamlNode> Converted = convert(*Value, Entry.Value, Depth + 1);
    if (!Converted)
      return Converted.takeError();
    Entry.Value = std::move(*Converted);
  }
  return Entry;
}

Expected<YamlNode> TreeBuilder::convertMapping(yaml::MappingNode &Mapping, YamlNode Result, unsigned Depth) {
  StringSet<> Keys;
  for (yaml::KeyValueNode &Pair : Mapping) {
    Expected<YamlEntry> Entry = convertEntry(Pair, Result, Depth);
    if (!Entry)
      return Entry.takeError();
    if (!Keys.insert(Entry->Key).second)
      return errorAt(Entry->KeyLine, Entry->KeyColumn, "the key " + quoted(Entry->Key) + " appears twice");
    Result.Entries.push_back(std::move(*Entry));
  }
  return Result;
}

Expected<YamlNode> TreeBuilder::convert(yaml::Node &Node, const YamlNode &Parent, unsigned Depth) {
  YamlNode Result;
  Result.Line = Parent.Line;
  Result.Column = Parent.Column;
  place(Result, Node.getSourceRange());
  if (Depth > MaxDepth)
    return errorAt(Result.Line, Result.Column, "nested more than " + Twine(MaxDepth) + " deep");
  if (isa<yaml::AliasNode>(Node) || !Node.getAnchor().empty() || !Node.getRawTag().empty())
    return errorAt(Result.Line, Result.Column,
                   "anchors (&), aliases (*) and tags (!) are not supported; write the value out, in quotes "
                   "where it starts with such a character");
  if (auto *Scalar = dyn_cast<yaml::ScalarNode>(&Node)) {
    SmallString<64> Storage;
    Result.NodeKind = YamlNode::Kind::Scalar;
    Result.Text = Scalar->getValue(Storage).str();
  } else if (auto *Block = dyn_cast<yaml::BlockScalarNode>(&Node)) {
    Result.NodeKind = YamlNode::Kind::Scalar;
    Result.Text = Block->getValue().str();
  } else if (auto *Sequence = dyn_cast<yaml::SequenceNode>(&Node)) {
    Result.NodeKind = YamlNode::Kind::Sequence;
    for (yaml::Node &Item : *Sequence) {
      Expected<YamlNode> Converted = convert(Item, Result, Depth + 1);
      if (!Converted)
        return Converted.takeError();
      if (Error E = checkIndentation(*Converted, Result))
        return std::move(E);
      Result.Items.push_back(std::move(*Converted));
    }
  } else if (auto *Mapping = dyn_cast<yaml::MappingNode>(&Node)) {
    Result.NodeKind = YamlNode::Kind::Mapping;
    return convertMapping(*Mapping, std::move(Result), Depth);
  }
  return Result;
}

Expected<YamlNode> TreeBuilder::run() {
  SourceMgr Sources;
  Sources.setDiagHandler(recordDiagnostic, this);
  yaml::Stream Stream(Text, Sources, /*ShowColors=*/false);
  Expected<YamlNode> Result = YamlNode();
  auto Document = Stream.begin();
  if (Document != Stream.end()) {
    if (yaml::Node *Root = Document->getRoot())
      Result = convert(*Root, YamlNode(), 0);
    if (Result && !Stream.failed() && ++Document != Stream.end() && !Stream.failed())
      Result = errorAt(1, 1, "more than one YAML document; a workload is one");
  }
  if (FirstDiagnostic.empty() && Stream.failed())
    FirstDiagnostic = (File + ":1:1: not valid YAML").str();
  if (FirstDiagnostic.empty())
    return Result;
  // What the parser says is the cause, ours at most a consequence.
  if (!Result)
    consumeError(Result.takeError());
  for (unsigned Line : {DiagnosedLine, DiagnosedLine - 1})
    if (std::optional<size_t> Tab = tabAfter(":-", Line))
      return tabAt(Line, *Tab);
  return makeError(ErrorKind::Input, FirstDiagnostic);
}

Expected<YamlNode> parseYaml(StringRef Text, StringRef File) {
  if (Text.size() > MaxYamlBytes)
    return makeError(ErrorKind::Input, File + ": " + Twine(Text.size()) + " bytes; a workload has at most " +
                                           Twine(MaxYamlBytes));
  if (size_t Zero = Text.find('\0'); Zero != StringRef::npos)
    return makeError(ErrorKind::Input, File + ":" + Twine(Text.take_front(Zero).count('\n') + 1) +
                                           ":1: a zero byte; expected a text in YAML, no binary file");
  return TreeBuilder(Text, File).run();
}

} // namespace gpuprune
