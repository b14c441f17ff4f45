//===- YamlCursor.cpp - Reading a YAML tree with errors that help ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "YamlCursor.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Support/TextCursor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace gpuprune {

bool isIdentifier(StringRef Text) {
  return !Text.empty() && !isDigit(Text.front()) &&
         all_of(Text, [](char C) { return isAlnum(C) || C == '_'; });
}

Error YamlCursor::errorAt(unsigned Line, unsigned Column, const Twine &Message) const {
  return makeError(ErrorKind::Input, File + ":" + Twine(Line) + ":" + Twine(Column) + ": " + Path +
                                         (Path.empty() ? "" : ": ") + Message);
}

Error YamlCursor::error(const Twine &Message) const { return errorAt(Node->Line, Node->Column, Message); }

Error YamlCursor::expected(StringRef What) const {
  StringRef Found = "nothing";
  if (isScalar())
    return error("expected " + What + ", found " + quoted(Node->Text));
  if (isSequence())
    Found = "a list";
  else if (isMapping())
    Found = "a mapping";
  return error("expected " + What + ", found " + Found);
}

YamlCursor YamlCursor::child(const YamlNode &Child, const Twine &PathOfChild, StringRef NameOfChild) const {
  YamlCursor Result(Child, File);
  Result.Path = PathOfChild.str();
  Result.Name = NameOfChild.str();
  return Result;
}

YamlCursor YamlCursor::child(const YamlEntry &Entry) const {
  return child(Entry.Value, Path + (Path.empty() ? "" : ".") + Entry.Key, Entry.Key);
}

Expected<std::string> YamlCursor::scalar(StringRef What) const {
  if (!isScalar() || Node->Text.empty())
    return expected(What);
  return Node->Text;
}

Expected<double> YamlCursor::real() const {
  double Value;
  if (!isScalar() || StringRef(Node->Text).getAsDouble(Value) || !std::isfinite(Value))
    return expected("a finite number");
  return Value;
}

Expected<bool> YamlCursor::boolean() const {
  if (isScalar() && (Node->Text == "true" || Node->Text == "false"))
    return Node->Text == "true";
  return expected("true or false");
}

Expected<LocatedExpression> YamlCursor::expression(Arithmetic Kind) const {
  Expected<std::string> Text =
      scalar(Kind == Arithmetic::Reals ? "a number or an expression" : "an integer expression");
  if (!Text)
    return Text.takeError();
  Expected<Expression> Parsed = Expression::parse(*Text, Kind);
  if (Parsed)
    return LocatedExpression{std::move(*Parsed), place()};
  StringRef Hint = StringRef(*Text).count('(') > StringRef(*Text).count(')')
                       ? "; YAML splits [a, b] at commas: put an expression with a comma in quotes"
                       : "";
  return error(takeError(Parsed.takeError()).Text + Hint);
}

Expected<int64_t> YamlCursor::integer() const {
  Expected<LocatedExpression> Parsed = expression();
  if (!Parsed)
    return Parsed.takeError();
  if (!Parsed->Value.names().empty())
    return expected("an integer");
  Expected<int64_t> Value = Parsed->Value.evaluate({});
  if (!Value)
    return error(takeError(Value.takeError()).Text);
  return *Value;
}

Expected<std::string> YamlCursor::identifier() const {
  if (!isScalar() || !isIdentifier(Node->Text))
    return expected("a name (letters, digits, '_')");
  return Node->Text;
}

std::vector<YamlCursor> YamlCursor::itemsOrSelf() const {
  if (!isSequence())
    return {*this};
  std::vector<YamlCursor> Result;
  for (const auto &[Index, Item] : enumerate(Node->Items))
    Result.push_back(child(Item, Path + "[" + Twine(Index) + "]", Name));
  return Result;
}

Expected<std::vector<YamlCursor>> YamlCursor::items(StringRef What) const {
  if (!isSequence())
    return expected(What);
  return itemsOrSelf();
}

Expected<std::vector<YamlCursor>> YamlCursor::entries(StringRef What) const {
  if (!isMapping())
    return expected(What);
  std::vector<YamlCursor> Result;
  for (const YamlEntry &Entry : Node->Entries)
    Result.push_back(child(Entry));
  return Result;
}

Error YamlCursor::checkKeys(ArrayRef<StringRef> Known) const {
  if (!isMapping())
    return expected("a mapping with the keys " + join(Known, ", "));
  for (const YamlEntry &Entry : Node->Entries)
    if (!is_contained(Known, Entry.Key))
      return child(Entry).errorAt(Entry.KeyLine, Entry.KeyColumn,
                                  "unknown key" + nearestNameHint(Entry.Key, Known));
  return Error::success();
}

std::optional<YamlCursor> YamlCursor::find(StringRef Key) const {
  for (const YamlEntry &Entry : Node->Entries)
    if (Entry.Key == Key)
      return child(Entry);
  return std::nullopt;
}

Expected<YamlCursor> YamlCursor::require(StringRef Key) const {
  if (std::optional<YamlCursor> Found = find(Key))
    return *Found;
  return error("the key '" + Key + "' is missing");
}

} // namespace gpuprune
