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

/// Constraints are arithmetic: a parameter that can be a word has no place in them.
static Error checkConstraint(const YamlCursor &At, const Workload &W, const SpaceSpec &Space,
                             const LocatedExpression &Constraint) {
  SmallVector<StringRef> Integers;
  for (const ParameterSpec &Parameter : Space.Parameters) {
    auto Word = find_if(Parameter.Values, [](const std::string &V) { return !integerValueOf(V); });
    if (Word == Parameter.Values.end())
      Integers.push_back(Parameter.Name);
    else if (is_contained(Constraint.Value.names(), Parameter.Name))
      return At.error("the parameter '" + Parameter.Name + "' can be '" + *Word +
                      "', which is no integer; only parameters with integer values can be constrained");
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

Error readSpace(const YamlCursor &At, Workload &W) {
  if (Error E = At.checkKeys({"pipeline", "parameters", "constraints"}))
    return E;
  SpaceSpec Space;
  Expected<YamlCursor> Pipeline = At.require("pipeline");
  if (!Pipeline)
    return Pipeline.takeError();
  Expected<std::string> Text = Pipeline->scalar("a pipeline such as \"gpu-unroll<loop=0;factor={unroll}>\"");
  if (!Text)
    return Text.takeError();
  Space.Pipeline = std::move(*Text);
  Space.PipelineWhere = Pipeline->place();
  if (std::optional<YamlCursor> Parameters = At.find("parameters")) {
    Expected<std::vector<YamlCursor>> Entries = Parameters->entries("a mapping of parameter to values");
    if (!Entries)
      return Entries.takeError();
    for (const YamlCursor &Entry : *Entries)
      if (Error E = readParameter(Entry, W, Space))
        return E;
  }
  if (std::optional<YamlCursor> Constraints = At.find("constraints"))
    if (Error E = readConstraints(*Constraints, W, Space))
      return E;
  W.Space = std::move(Space);
  return Error::success();
}

} // namespace gpuprune
