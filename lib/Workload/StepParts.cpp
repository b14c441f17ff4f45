//===- StepParts.cpp - Readers of the key launches --------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "WorkloadParts.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/NearestName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace gpuprune {

static bool isSwapped(ArrayRef<StepSpec> Steps, unsigned Index) {
  return any_of(Steps, [&](const StepSpec &S) {
    return (S.StepKind == StepSpec::Kind::Swap && is_contained(S.Swapped, Index)) ||
           isSwapped(S.Steps, Index);
  });
}

bool isUsed(const Workload &W, unsigned Index) {
  auto Passes = [&](const ArgumentSpec &A) { return A.Buffer == Index; };
  return W.Buffers[Index].Address ||
         any_of(W.Launches, [&](const LaunchSpec &L) { return any_of(L.Arguments, Passes); }) ||
         isSwapped(W.Steps, Index);
}

/// The index of the buffer that \p At names, one that may be swapped.
static Expected<unsigned> readSwapped(const YamlCursor &At, const Workload &W) {
  Expected<std::string> Name = At.scalar("the name of a buffer");
  if (!Name)
    return Name.takeError();
  auto Found = find_if(W.Buffers, [&](const BufferSpec &B) { return B.Name == *Name; });
  if (Found == W.Buffers.end()) {
    SmallVector<StringRef> Known;
    for (const BufferSpec &B : W.Buffers)
      Known.push_back(B.Name);
    return At.error("no buffer '" + *Name + "'" + nearestNameHint(*Name, Known));
  }
  if (Found->Role == BufferRole::In)
    return At.error("the buffer '" + *Name +
                    "' has the role 'in', and after a swap launches write to its memory; declare it inout");
  return unsigned(Found - W.Buffers.begin());
}

static Error readSwap(const YamlCursor &At, Workload &W, std::vector<StepSpec> &Steps) {
  Expected<std::vector<YamlCursor>> Items = At.items("two buffers such as [a, b]");
  if (!Items)
    return Items.takeError();
  if (Items->size() != 2)
    return At.error("expected two buffers such as [a, b]");
  StepSpec Swap;
  Swap.StepKind = StepSpec::Kind::Swap;
  Swap.Where = At.place();
  for (unsigned I = 0; I != 2; ++I)
    if (Error E = readSwapped((*Items)[I], W).moveInto(Swap.Swapped[I]))
      return E;
  const BufferSpec &A = W.Buffers[Swap.Swapped[0]], &B = W.Buffers[Swap.Swapped[1]];
  if (&A == &B)
    return At.error("expected two different buffers");
  if (A.Type != B.Type)
    return At.error("the buffer '" + A.Name + "' has elements of " + A.Type.text() + " and '" + B.Name +
                    "' of " + B.Type.text() + "; expected the same type");
  Steps.push_back(std::move(Swap));
  return Error::success();
}

static Error readLaunchStep(const YamlCursor &At, Workload &W, std::vector<StepSpec> &Steps) {
  if (Error E = readLaunch(At, W))
    return E;
  StepSpec Step;
  Step.Launch = unsigned(W.Launches.size() - 1);
  Step.Where = At.place();
  Steps.push_back(std::move(Step));
  return Error::success();
}

static Error readStep(const YamlCursor &At, Workload &W, std::vector<StepSpec> &Steps);

/// The variable and its bounds.
static Error readRange(const YamlCursor &At, Workload &W, StepSpec &Repeat) {
  if (!At.isMapping())
    return At.error(
        "expected a variable and its first and last value, such as { name: k, from: 0, to: n - 1 }");
  if (Error E = At.checkKeys({"name", "from", "to"}))
    return E;
  Expected<YamlCursor> Name = At.require("name");
  if (!Name)
    return Name.takeError();
  if (Error E = Name->identifier().moveInto(Repeat.Variable))
    return E;
  bool IsKnown = is_contained(W.SizeNames, Repeat.Variable) ||
                 any_of(W.Defines, [&](const DefineSpec &D) { return D.Name == Repeat.Variable; });
  if (IsKnown)
    return Name->error("'" + Repeat.Variable +
                       "' is a size, a define or the variable of a repeat around this one");
  for (auto [Key, Bound] : {std::pair("from", &Repeat.From), {"to", &Repeat.To}}) {
    Expected<YamlCursor> Value = At.require(Key);
    if (!Value)
      return Value.takeError();
    if (Error E = readExpression(*Value, W).moveInto(Bound->emplace()))
      return E;
  }
  return Error::success();
}

static Error readRepeat(const YamlCursor &At, const YamlCursor &Range, Workload &W,
                        std::vector<StepSpec> &Steps) {
  StepSpec Repeat;
  Repeat.StepKind = StepSpec::Kind::Repeat;
  Repeat.Where = Range.place();
  if (Error E = readRange(Range, W, Repeat))
    return E;
  Expected<YamlCursor> Inner = At.require("steps");
  if (!Inner)
    return Inner.takeError();
  Expected<std::vector<YamlCursor>> Items = Inner->items("a list of launches");
  if (!Items)
    return Items.takeError();
  size_t Before = W.Launches.size();
  // Expressions inside may use it.
  W.SizeNames.push_back(Repeat.Variable);
  for (const YamlCursor &Item : *Items)
    if (Error E = readStep(Item, W, Repeat.Steps))
      return E;
  W.SizeNames.pop_back();
  if (W.Launches.size() == Before)
    return Inner->error("expected at least one launch");
  Steps.push_back(std::move(Repeat));
  return Error::success();
}

static Error readStep(const YamlCursor &At, Workload &W, std::vector<StepSpec> &Steps) {
  if (std::optional<YamlCursor> Range = At.find("repeat")) {
    if (Error E = At.checkKeys({"repeat", "steps"}))
      return E;
    return readRepeat(At, *Range, W, Steps);
  }
  if (std::optional<YamlCursor> Swap = At.find("swap")) {
    if (Error E = At.checkKeys({"swap"}))
      return E;
    return readSwap(*Swap, W, Steps);
  }
  if (Error E = At.checkKeys(LaunchKeys))
    return E;
  return readLaunchStep(At, W, Steps);
}

Error readSteps(const YamlCursor &Root, Workload &W) {
  std::optional<YamlCursor> Launches = Root.find("launches");
  if (!Launches)
    return readLaunchStep(Root, W, W.Steps);
  for (StringRef Key : LaunchKeys)
    if (std::optional<YamlCursor> Found = Root.find(Key))
      return Found->error("belongs inside 'launches' where that key is used");
  Expected<std::vector<YamlCursor>> Items = Launches->items("a list of launches");
  if (!Items)
    return Items.takeError();
  for (const YamlCursor &Item : *Items)
    if (Error E = readStep(Item, W, W.Steps))
      return E;
  if (W.Launches.empty())
    return Launches->error("expected at least one launch");
  W.Tuned = unsigned(W.Launches.size() - 1);
  return Error::success();
}

} // namespace gpuprune
