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

bool isUsed(const Workload &W, unsigned Index) {
  auto Passes = [&](const ArgumentSpec &A) { return A.Buffer == Index; };
  auto Swaps = [&](const StepSpec &S) {
    return S.StepKind == StepSpec::Kind::Swap && is_contained(S.Swapped, Index);
  };
  return any_of(W.Launches, [&](const LaunchSpec &L) { return any_of(L.Arguments, Passes); }) ||
         any_of(W.Steps, Swaps);
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
    return At.error("the buffer '" + A.Name + "' has elements of " + elementTypeName(A.Type) + " and '" +
                    B.Name + "' of " + elementTypeName(B.Type) + "; expected the same type");
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

static Error readStep(const YamlCursor &At, Workload &W, std::vector<StepSpec> &Steps) {
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
