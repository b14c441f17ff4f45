//===- SpaceSpec.cpp - Reader of the key "space" --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WorkloadParts.h"
#include "gpuprune/Workload/Problem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuprune {

static bool isParameterValue(StringRef Text) {
  return !Text.empty() && all_of(Text, [](char C) { return isAlnum(C) || C == '_' || C == '-' || C == '.'; });
}

static Error checkParameterName(const YamlCursor &At, const Workload &W) {
  StringRef Name = At.name();
  if (!isIdentifier(Name))
    return At.error("'" + Name + "' cannot be the name of a parameter");
  if (is_contained(W.SizeNames, Name))
    return At.error("'" + Name + "' is a size already");
  if (any_of(W.Defines, [&](const DefineSpec &D) { return D.Name == Name; }))
    return At.error("'" + Name + "' is a define already");
  return Error::success();
}

static Error readParameter(const YamlCursor &At, const Workload &W, SpaceSpec &Space) {
  if (Error E = checkParameterName(At, W))
    return E;
  ParameterSpec Parameter{At.name().str(), {}, At.place()};
  for (const YamlCursor &Item : At.itemsOrSelf()) {
    Expected<std::string> Value = Item.scalar("an integer, a word or none");
    if (!Value)
      return Value.takeError();
    if (!isParameterValue(*Value))
      return Item.error("'" + *Value + "' is not an integer or a word (letters, digits, '_', '-', '.')");
    if (is_contained(Parameter.Values, *Value))
      return Item.error("the value '" + *Value + "' appears twice");
    Parameter.Values.push_back(std::move(*Value));
  }
  if (Parameter.Values.empty())
    return At.error("expected at least one value");
  Space.Parameters.push_back(std::move(Parameter));
  return Error::success();
}

/// Constraints are arithmetic: a parameter that can be another word than `none` has no place in them.
static Error checkConstraint(const YamlCursor &At, const Workload &W, const SpaceSpec &Space,
                             const LocatedExpression &Constraint) {
  SmallVector<StringRef> Integers;
  for (const ParameterSpec &Parameter : Space.Parameters) {
    auto Word = find_if(Parameter.Values, [](const std::string &V) { return !constrainedValueOf(V); });
    if (Word == Parameter.Values.end())
      Integers.push_back(Parameter.Name);
    else if (is_contained(Constraint.Value.names(), Parameter.Name))
      return At.error(
          "the parameter '" + Parameter.Name + "' can be '" + *Word +
          "', which is no integer; only parameters whose values are integers or none, which counts as 0, "
          "can be constrained");
  }
  return checkNames(W, Constraint, Integers);
}

static Error readConstraints(const YamlCursor &At, const Workload &W, SpaceSpec &Space) {
  for (const YamlCursor &Item : At.itemsOrSelf()) {
    Expected<LocatedExpression> Constraint = Item.expression();
    if (!Constraint)
      return Constraint.takeError();
    if (Error E = checkConstraint(Item, W, Space, *Constraint))
      return E;
    Space.Constraints.push_back(std::move(*Constraint));
  }
  return Error::success();
}

/// One of `blocks`: the word author, or one to three numbers of threads.
static Expected<std::optional<Dim3>> readBlock(const YamlCursor &At) {
  if (At.isScalar()) {
    Expected<std::string> Word = At.scalar("author, or threads in x, y and z such as [32, 8]");
    if (!Word || *Word == "author")
      return Word ? Expected<std::optional<Dim3>>(std::nullopt) : Word.takeError();
  }
  std::vector<YamlCursor> Sizes = At.itemsOrSelf();
  if (Sizes.empty() || Sizes.size() > Dim3::size())
    return At.error("expected author, or threads in x, y and z such as [32, 8]");
  Dim3 Block;
  for (auto [D, Size] : enumerate(Sizes)) {
    Expected<int64_t> Threads = Size.integer();
    if (!Threads)
      return Threads.takeError();
    if (*Threads < 1)
      return Size.error("a block has at least one thread in each dimension");
    Block[D] = *Threads;
  }
  return Block;
}

/// In a sequence, launches whose block cannot be chosen keep their author's.
static Error checkBlocks(const YamlCursor &At, const Workload &W) {
  if (any_of(W.Launches, hasFreeBlock))
    return Error::success();
  return At.error("the block cannot be chosen: no grid, shared or scalar argument uses block.x, block.y or "
                  "block.z, so that it would not follow; write a grid such as cdiv(n, block.x)");
}

static Error readBlocks(const YamlCursor &At, const Workload &W, SpaceSpec &Space) {
  if (Error E = checkBlocks(At, W))
    return E;
  Expected<std::vector<YamlCursor>> Items = At.items("a list of blocks such as [author, [32, 8], [64, 4]]");
  if (!Items)
    return Items.takeError();
  for (const YamlCursor &Item : *Items) {
    Expected<std::optional<Dim3>> Block = readBlock(Item);
    if (!Block)
      return Block.takeError();
    if (is_contained(Space.Blocks, *Block))
      return Item.error("this block appears twice");
    Space.Blocks.push_back(*Block);
  }
  return Space.Blocks.empty() ? At.error("expected at least one block") : Error::success();
}

static Error readPipeline(const YamlCursor &At, SpaceSpec &Space) {
  Expected<YamlCursor> Pipeline = At.require("pipeline");
  if (!Pipeline)
    return Pipeline.takeError();
  Expected<std::string> Text = Pipeline->scalar("a pipeline such as \"gpu-unroll<loop=0;factor={unroll}>\"");
  if (!Text)
    return Text.takeError();
  Space.Pipeline = std::move(*Text);
  Space.PipelineWhere = Pipeline->place();
  return Error::success();
}

Error readSpace(const YamlCursor &At, Workload &W) {
  if (Error E = At.checkKeys({"pipeline", "parameters", "blocks", "constraints"}))
    return E;
  SpaceSpec Space;
  if (At.find("pipeline") || !At.find("blocks"))
    if (Error E = readPipeline(At, Space))
      return E;
  if (std::optional<YamlCursor> Parameters = At.find("parameters")) {
    Expected<std::vector<YamlCursor>> Entries = Parameters->entries("a mapping of parameter to values");
    if (!Entries)
      return Entries.takeError();
    for (const YamlCursor &Entry : *Entries)
      if (Error E = readParameter(Entry, W, Space))
        return E;
  }
  if (std::optional<YamlCursor> Blocks = At.find("blocks"))
    if (Error E = readBlocks(*Blocks, W, Space))
      return E;
  if (std::optional<YamlCursor> Constraints = At.find("constraints"))
    if (Error E = readConstraints(*Constraints, W, Space))
      return E;
  W.Space = std::move(Space);
  return Error::success();
}

} // namespace gpuprune
