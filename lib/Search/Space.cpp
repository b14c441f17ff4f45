//===- Space.cpp - The variants to consider -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Search/Space.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "gpuprune/Workload/Problem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

namespace {

class DefineDimension : public Dimension {
public:
  explicit DefineDimension(const DefineSpec &Define)
      : Dimension(DimensionKind::Define, Define.Name, Define.Values) {}
  void choose(size_t Index, VariantDraft &Draft) const override {
    Draft.Text.Defines.push_back({name().str(), values()[Index]});
  }
};

class ParameterDimension : public Dimension {
public:
  ParameterDimension(std::string Name, std::vector<std::string> Values)
      : Dimension(DimensionKind::Parameter, std::move(Name), std::move(Values)) {}
  void choose(size_t Index, VariantDraft &Draft) const override {
    Draft.Parameters[name()] = values()[Index];
  }
};

class BlockDimension : public Dimension {
public:
  explicit BlockDimension(std::vector<std::optional<Dim3>> Shapes)
      : Dimension(DimensionKind::Block, "block", textsOf(Shapes)), Blocks(std::move(Shapes)) {}
  void choose(size_t Index, VariantDraft &Draft) const override { Draft.Text.Block = Blocks[Index]; }

private:
  std::vector<std::optional<Dim3>> Blocks;

  static std::vector<std::string> textsOf(ArrayRef<std::optional<Dim3>> Shapes) {
    std::vector<std::string> Texts;
    for (const std::optional<Dim3> &Shape : Shapes)
      Texts.push_back(Shape ? printVariant({{}, Shape, {}}) : "author");
    return Texts;
  }
};

} // namespace

std::unique_ptr<Dimension> makeBlockDimension(std::vector<std::optional<Dim3>> Blocks) {
  return std::make_unique<BlockDimension>(std::move(Blocks));
}

std::unique_ptr<Dimension> makeDefineDimension(const DefineSpec &Define) {
  return std::make_unique<DefineDimension>(Define);
}

std::unique_ptr<Dimension> makeParameterDimension(std::string Name, std::vector<std::string> Values) {
  return std::make_unique<ParameterDimension>(std::move(Name), std::move(Values));
}

/// Calls \p Literal for the text between placeholders and \p Placeholder for the
/// name in each {name}. A brace without its partner is literal text.
template <typename LiteralFn, typename PlaceholderFn>
static void splitTemplate(StringRef Text, LiteralFn Literal, PlaceholderFn Placeholder) {
  for (;;) {
    size_t Open = Text.find('{');
    size_t Close = Text.find('}', Open);
    if (Open == StringRef::npos || Close == StringRef::npos)
      return Literal(Text);
    Literal(Text.take_front(Open));
    Placeholder(Text.slice(Open + 1, Close));
    Text = Text.drop_front(Close + 1);
  }
}

namespace {
/// A pass parameter with its placeholders replaced.
struct Filled {
  std::string Text;
  unsigned Placeholders = 0;
  unsigned Nones = 0; ///< Placeholders whose value is `none`.
};
} // namespace

static Filled substitute(StringRef Template, const StringMap<StringRef> &Parameters) {
  Filled Result;
  splitTemplate(
      Template, [&](StringRef Literal) { Result.Text += Literal; },
      [&](StringRef Name) {
        StringRef Value = Parameters.lookup(Name);
        Result.Text += Value;
        ++Result.Placeholders;
        Result.Nones += Value == NoneValue;
      });
  return Result;
}

/// \p Template with its placeholders replaced; nothing where `none` drops it.
static std::optional<PassElement> fillElement(const PassElement &Template,
                                              const StringMap<StringRef> &Parameters) {
  PassElement Result{Template.Name, {}};
  unsigned Placeholders = 0;
  unsigned Nones = 0;
  for (const PassParameter &Parameter : Template.Parameters) {
    bool Bare = !Parameter.Value;
    Filled Value = substitute(Bare ? Parameter.Key : *Parameter.Value, Parameters);
    Placeholders += Value.Placeholders;
    Nones += Value.Nones;
    if (Value.Nones)
      continue;
    if (Bare)
      Result.Parameters.push_back({Value.Text, std::nullopt});
    else
      Result.Parameters.push_back({Parameter.Key, Value.Text});
  }
  if (Placeholders && Placeholders == Nones)
    return std::nullopt;
  return Result;
}

Space::Space(std::vector<PassElement> Pipeline, std::vector<std::unique_ptr<Dimension>> Dimensions,
             std::vector<Expression> Constraints, Environment Sizes)
    : Pipeline(std::move(Pipeline)), Dimensions(std::move(Dimensions)), Constraints(std::move(Constraints)),
      Sizes(std::move(Sizes)) {}

/// The number of the first constraint that does not hold; as many as there are where all do.
Expected<size_t> Space::refusedBy(ArrayRef<size_t> Choice) const {
  if (Constraints.empty())
    return 0;
  Environment Values = Sizes;
  for (auto [Dimension, Index] : zip_equal(Dimensions, Choice))
    if (std::optional<int64_t> Value = constrainedValueOf(Dimension->values()[Index]))
      Values[Dimension->name()] = *Value;
  for (const auto &[Number, Constraint] : llvm::enumerate(Constraints)) {
    Expected<int64_t> Holds = Constraint.evaluate(Values);
    if (!Holds)
      return makeError(ErrorKind::Input, "constraint " + takeError(Holds.takeError()).Text);
    if (*Holds == 0)
      return Number;
  }
  return Constraints.size();
}

Variant Space::variantOf(ArrayRef<size_t> Choice) const {
  VariantDraft Draft;
  for (auto [Dimension, Index] : zip_equal(Dimensions, Choice))
    Dimension->choose(Index, Draft);
  for (const PassElement &Template : Pipeline)
    if (std::optional<PassElement> Element = fillElement(Template, Draft.Parameters))
      Draft.Text.Pipeline.push_back(std::move(*Element));
  normalise(Draft.Text.Pipeline);
  if (Finish)
    Finish(Draft.Text);
  return std::move(Draft.Text);
}

/// The next combination, the last dimension fastest; false after the last one.
static bool nextCombination(MutableArrayRef<size_t> Choice, ArrayRef<std::unique_ptr<Dimension>> Dimensions) {
  for (size_t D = Dimensions.size(); D-- != 0;) {
    if (++Choice[D] != Dimensions[D]->values().size())
      return true;
    Choice[D] = 0;
  }
  return false;
}

static uint64_t combinations(ArrayRef<std::unique_ptr<Dimension>> Dimensions) {
  uint64_t Product = 1;
  for (const auto &Dimension : Dimensions)
    Product = SaturatingMultiply<uint64_t>(Product, Dimension->values().size());
  return Product;
}

Expected<Enumeration> Space::enumerate() const {
  Enumeration Result;
  Result.Combinations = combinations(Dimensions);
  if (Result.Combinations > MaxCombinations)
    return makeError(ErrorKind::Input, "the space has " + Twine(Result.Combinations) +
                                           " combinations; at most " + Twine(MaxCombinations) +
                                           " can be enumerated: give fewer values");
  if (Result.Combinations == 0)
    return Result;
  for (const Expression &Constraint : Constraints)
    Result.Removed.push_back({Constraint.text()});
  StringSet<> Seen;
  SmallVector<size_t> Choice(Dimensions.size(), 0);
  do {
    Expected<size_t> Refused = refusedBy(Choice);
    if (!Refused)
      return Refused.takeError();
    if (*Refused != Constraints.size()) {
      ++Result.Removed[*Refused].Count;
      continue;
    }
    Variant Candidate = variantOf(Choice);
    if (Seen.insert(printVariant(Candidate)).second)
      Result.Variants.push_back(std::move(Candidate));
    else
      ++Result.Duplicates;
  } while (nextCombination(Choice, Dimensions));
  return Result;
}

uint64_t Enumeration::removedByConstraints() const {
  uint64_t Sum = 0;
  for (const RemovedCombinations &Constraint : Removed)
    Sum += Constraint.Count;
  return Sum;
}

/// The names of the placeholders of \p Pipeline, in order.
static SmallVector<StringRef> placeholdersOf(ArrayRef<PassElement> Pipeline) {
  SmallVector<StringRef> Result;
  for (const PassElement &Element : Pipeline)
    for (const PassParameter &Parameter : Element.Parameters)
      splitTemplate(
          Parameter.Value ? *Parameter.Value : Parameter.Key, [](StringRef) {},
          [&](StringRef Name) { Result.push_back(Name); });
  return Result;
}

static Error checkPlaceholders(const Workload &W, ArrayRef<PassElement> Pipeline) {
  SmallVector<StringRef> Known;
  for (const ParameterSpec &Parameter : W.Space->Parameters)
    Known.push_back(Parameter.Name);
  SmallVector<StringRef> Used = placeholdersOf(Pipeline);
  for (StringRef Name : Used)
    if (!is_contained(Known, Name))
      return W.errorAt(W.Space->PipelineWhere, "no parameter '" + Name + "' for the placeholder {" + Name +
                                                   "}" + nearestNameHint(Name, Known));
  for (const ParameterSpec &Parameter : W.Space->Parameters)
    if (!is_contained(Used, Parameter.Name))
      return W.errorAt(Parameter.Where, "the pipeline has no placeholder {" + Parameter.Name + "}");
  return Error::success();
}

Expected<Space> spaceOf(const Workload &W) {
  if (!W.Space)
    return makeError(ErrorKind::Internal, W.Here + ": has no space; derive one from the kernel");
  Expected<std::vector<PassElement>> Pipeline = std::vector<PassElement>();
  if (!W.Space->Pipeline.empty())
    Pipeline = parsePipeline(W.Space->Pipeline);
  if (!Pipeline)
    return W.errorAt(W.Space->PipelineWhere, takeError(Pipeline.takeError()).Text);
  if (Error E = checkPlaceholders(W, *Pipeline))
    return std::move(E);
  std::vector<std::unique_ptr<Dimension>> Dimensions;
  Environment Values = W.TuneSize;
  for (const DefineSpec &Define : W.Defines) {
    if (Define.Values.size() > 1)
      Dimensions.push_back(makeDefineDimension(Define));
    else if (std::optional<int64_t> Value = integerValueOf(Define.Values.front()))
      Values[Define.Name] = *Value;
  }
  if (!W.Space->Blocks.empty())
    Dimensions.push_back(makeBlockDimension(W.Space->Blocks));
  for (const ParameterSpec &Parameter : W.Space->Parameters)
    Dimensions.push_back(makeParameterDimension(Parameter.Name, Parameter.Values));
  std::vector<Expression> Constraints;
  for (const LocatedExpression &Constraint : W.Space->Constraints)
    Constraints.push_back(Constraint.Value);
  return Space(std::move(*Pipeline), std::move(Dimensions), std::move(Constraints), std::move(Values));
}

} // namespace gpuprune
