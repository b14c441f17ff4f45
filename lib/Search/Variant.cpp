//===- Variant.cpp - A variant of a kernel is text ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Variant.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuprune {

std::optional<StringRef> PassElement::value(StringRef Key) const {
  for (const PassParameter &Parameter : Parameters)
    if (Parameter.Key == Key && Parameter.Value)
      return StringRef(*Parameter.Value);
  return std::nullopt;
}

namespace {

constexpr StringRef WhiteSpace = " \t\r\n";

/// Reads a variant's text from left to right.
class VariantParser {
public:
  explicit VariantParser(StringRef Text) : Text(Text) {}

  Expected<Variant> variant();
  Expected<std::vector<PassElement>> pipeline();

private:
  Error error(size_t At, const Twine &Message) const {
    return makeError(ErrorKind::Input, "variant '" + Text + "', column " + Twine(At + 1) + ": " + Message);
  }
  StringRef rest() const { return Text.drop_front(Position); }
  void skipWhiteSpace() { Position = std::min(Text.find_first_not_of(WhiteSpace, Position), Text.size()); }
  std::string found() const { return rest().empty() ? "the end" : ("'" + rest().take_front(1) + "'").str(); }

  Error define(Variant &V);
  Error block(Variant &V);
  Expected<PassElement> element();
  Error parameters(PassElement &Element);
  Expected<PassParameter> parameter();
  template <typename Predicate> StringRef take(Predicate Matches) {
    StringRef Taken = rest().take_while(Matches);
    Position += Taken.size();
    return Taken;
  }

  StringRef Text;
  size_t Position = 0;
};

bool isNameCharacter(char C) { return isAlnum(C) || C == '-' || C == '_' || C == '.'; }
bool isWordCharacter(char C) { return !WhiteSpace.contains(C) && !StringRef("<>;=,").contains(C); }
/// Commas may stand in a value: only those outside <> separate passes.
bool isValueCharacter(char C) { return !WhiteSpace.contains(C) && !StringRef("<>;").contains(C); }

Error VariantParser::define(Variant &V) {
  size_t Start = Position;
  Position += 2;
  StringRef Name = take([](char C) { return isAlnum(C) || C == '_'; });
  if (Name.empty() || isDigit(Name.front()))
    return error(Start + 2, "expected the name of a macro after -D");
  if (!rest().starts_with("="))
    return error(Position,
                 "expected '=' after -D" + Name + ", found " + found() + "; write -D" + Name + "=1");
  ++Position;
  StringRef Value = take([](char C) { return !WhiteSpace.contains(C); });
  if (Value.empty())
    return error(Position, "expected a value after -D" + Name + "=");
  if (any_of(V.Defines, [&](const DefineSetting &D) { return D.Name == Name; }))
    return error(Start, "-D" + Name + " appears twice");
  V.Defines.push_back({Name.str(), Value.str()});
  return Error::success();
}

Error VariantParser::block(Variant &V) {
  size_t Start = Position;
  if (V.Block)
    return error(Start, "block= appears twice");
  Position += StringRef("block=").size();
  SmallVector<StringRef, 4> Sizes;
  take([](char C) { return !WhiteSpace.contains(C); }).split(Sizes, ',');
  StringRef Block = Text.slice(Start, Position);
  V.Block.emplace();
  if (Sizes.size() > 3)
    return error(Start, "expected block=X, block=X,Y or block=X,Y,Z, found '" + Block + "'");
  for (const auto &[Dimension, Size] : enumerate(Sizes)) {
    uint32_t Value;
    if (Size.getAsInteger(10, Value) || Value == 0)
      return error(Start, "expected positive integers in '" + Block + "', found '" + Size + "'");
    (*V.Block)[Dimension] = Value;
  }
  return Error::success();
}

Expected<PassParameter> VariantParser::parameter() {
  StringRef Key = take(isWordCharacter);
  if (Key.empty())
    return error(Position, "expected a parameter, found " + found());
  PassParameter Result{Key.str(), std::nullopt};
  if (!rest().starts_with("="))
    return Result;
  ++Position;
  StringRef Value = take(isValueCharacter);
  if (Value.empty())
    return error(Position, "expected a value for '" + Key + "', found " + found());
  Result.Value = Value.str();
  return Result;
}

Error VariantParser::parameters(PassElement &Element) {
  size_t Open = Position++;
  for (;;) {
    Expected<PassParameter> Parameter = parameter();
    if (!Parameter)
      return Parameter.takeError();
    Element.Parameters.push_back(std::move(*Parameter));
    if (rest().starts_with(";")) {
      ++Position;
      continue;
    }
    if (!rest().starts_with(">"))
      return error(Position,
                   "expected ';' or the '>' for the '<' at column " + Twine(Open + 1) + ", found " + found());
    ++Position;
    return Error::success();
  }
}

Expected<PassElement> VariantParser::element() {
  skipWhiteSpace();
  PassElement Result;
  Result.Name = take(isNameCharacter).str();
  if (Result.Name.empty())
    return error(Position, "expected the name of a pass, found " + found());
  if (rest().starts_with("<"))
    if (Error E = parameters(Result))
      return std::move(E);
  skipWhiteSpace();
  return Result;
}

Expected<std::vector<PassElement>> VariantParser::pipeline() {
  std::vector<PassElement> Result;
  skipWhiteSpace();
  while (!rest().empty()) {
    Expected<PassElement> Element = element();
    if (!Element)
      return Element.takeError();
    Result.push_back(std::move(*Element));
    if (rest().empty())
      break;
    if (!rest().starts_with(","))
      return error(Position, "expected ',' between passes, found " + found() +
                                 "; defines and block= come before the pipeline");
    ++Position;
    skipWhiteSpace();
    if (rest().empty())
      return error(Position, "expected the name of a pass after ','");
  }
  return Result;
}

Expected<Variant> VariantParser::variant() {
  Variant Result;
  for (skipWhiteSpace();; skipWhiteSpace()) {
    if (rest().starts_with("-D")) {
      if (Result.Block)
        return error(Position, "defines come before block=");
      if (Error E = define(Result))
        return std::move(E);
    } else if (rest().starts_with("block=")) {
      if (Error E = block(Result))
        return std::move(E);
    } else {
      break;
    }
  }
  Expected<std::vector<PassElement>> Pipeline = pipeline();
  if (!Pipeline)
    return Pipeline.takeError();
  Result.Pipeline = std::move(*Pipeline);
  return Result;
}

} // namespace

Expected<Variant> parseVariant(StringRef Text) { return VariantParser(Text).variant(); }

Expected<std::vector<PassElement>> parsePipeline(StringRef Text) { return VariantParser(Text).pipeline(); }

std::string printPipeline(ArrayRef<PassElement> Pipeline) {
  std::string Result;
  for (const PassElement &Element : Pipeline) {
    Result += (Result.empty() ? "" : ",") + Element.Name;
    char Separator = '<';
    for (const PassParameter &Parameter : Element.Parameters) {
      Result += Separator + Parameter.Key;
      if (Parameter.Value)
        Result += "=" + *Parameter.Value;
      Separator = ';';
    }
    if (!Element.Parameters.empty())
      Result += '>';
  }
  return Result;
}

std::string printVariant(const Variant &V) {
  SmallVector<std::string, 4> Parts;
  for (const DefineSetting &Define : V.Defines)
    Parts.push_back("-D" + Define.Name + "=" + Define.Value);
  if (V.Block)
    Parts.push_back("block=" + std::to_string(V.Block->X) + "," + std::to_string(V.Block->Y) + "," +
                    std::to_string(V.Block->Z));
  if (!V.Pipeline.empty())
    Parts.push_back(printPipeline(V.Pipeline));
  return join(Parts, " ");
}

namespace {
/// A pass that does nothing where all its factors are 1.
struct NeutralFactors {
  StringRef Pass;
  SmallVector<StringRef, 3> Keys;
};
} // namespace

void normalise(std::vector<PassElement> &Pipeline) {
  static const NeutralFactors Neutral[] = {{"gpu-block-coarsen", {"x", "y", "z"}},
                                           {"gpu-thread-coarsen", {"factor"}}};
  for (const NeutralFactors &Row : Neutral)
    erase_if(Pipeline, [&](PassElement &Element) {
      if (Element.Name != Row.Pass)
        return false;
      auto IsFactor = [&](const PassParameter &P) { return is_contained(Row.Keys, P.Key); };
      erase_if(Element.Parameters, [&](const PassParameter &P) { return IsFactor(P) && P.Value == "1"; });
      return none_of(Element.Parameters, IsFactor);
    });
  while (!Pipeline.empty() && Pipeline.front() == PassElement{"gpu-prepare", {}})
    Pipeline.erase(Pipeline.begin());
}

} // namespace gpuprune
