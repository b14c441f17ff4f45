//===- Shrink.cpp - The smallest kernel that still fails -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Shrink.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuprune::differential {

namespace {

class Shrinker {
public:
  Shrinker(Case Start, function_ref<bool(const Case &)> Fails, unsigned MostTries)
      : Best(std::move(Start)), Fails(Fails), TriesLeft(MostTries) {}
  Case run();

private:
  Case Best;
  function_ref<bool(const Case &)> Fails;
  unsigned TriesLeft;

  bool keepIfFails(Case Smaller);
  bool shorterPipeline();
  bool smallerShape();
  bool fewerStatements(std::vector<size_t> &Path);
  bool simplerValues(std::vector<size_t> &Path);
  std::vector<Node> &listAt(Case &C, ArrayRef<size_t> Path);
};

} // namespace

bool Shrinker::keepIfFails(Case Smaller) {
  if (TriesLeft == 0)
    return false;
  --TriesLeft;
  if (!Fails(Smaller))
    return false;
  Best = std::move(Smaller);
  return true;
}

bool Shrinker::shorterPipeline() {
  bool Any = false;
  for (size_t I = 0; I < Best.Passes.size() && Best.Passes.size() > 1;) {
    Case Smaller = Best;
    Smaller.Passes.erase(Smaller.Passes.begin() + I);
    if (keepIfFails(std::move(Smaller)))
      Any = true;
    else
      ++I;
  }
  return Any;
}

bool Shrinker::smallerShape() {
  bool Any = false;
  auto tryWith = [&](auto Change) {
    Case Smaller = Best;
    Change(Smaller.Kernel);
    if (printed(Smaller.Kernel) != printed(Best.Kernel))
      Any |= keepIfFails(std::move(Smaller));
  };
  for (unsigned D = 0; D < Dim3::size(); ++D)
    for (int64_t Blocks : {1, 2, 4})
      if (Blocks < Best.Kernel.Grid[D])
        tryWith([&](KernelTree &K) { K.Grid[D] = Blocks; });
  tryWith([](KernelTree &K) { K.Is2D = false; });
  tryWith([](KernelTree &K) { K.Form = SharedForm::Arrays; });
  tryWith([](KernelTree &K) { K.Block = {32, 1, 1}, K.Is2D = false; });
  tryWith([](KernelTree &K) { K.SharedCounts = false; });
  tryWith([](KernelTree &K) { K.SignedIndex = false; });
  tryWith([](KernelTree &K) { K.Contract = false; });
  tryWith([](KernelTree &K) { K.Restrict = true; });
  return Any;
}

/// The kids of the node that \p Path leads to; the body for an empty path.
std::vector<Node> &Shrinker::listAt(Case &C, ArrayRef<size_t> Path) {
  std::vector<Node> *List = &C.Kernel.Body;
  for (size_t Step : Path)
    List = &(*List)[Step].Kids;
  return *List;
}

/// An If says in Value how many of its kids are in its then part.
static void forgetKid(std::vector<Node> &Body, ArrayRef<size_t> Path, size_t Kid) {
  if (Path.empty())
    return;
  std::vector<Node> *List = &Body;
  for (size_t Step : Path.drop_back())
    List = &(*List)[Step].Kids;
  Node &Parent = (*List)[Path.back()];
  if ((Parent.Kind == Op::If || Parent.Kind == Op::UniformIf) && int64_t(Kid) <= Parent.Value)
    --Parent.Value;
}

/// Statements go, or are replaced by what stands in them.
bool Shrinker::fewerStatements(std::vector<size_t> &Path) {
  bool Any = false;
  for (size_t I = listAt(Best, Path).size(); I-- > 0;) {
    if (I >= listAt(Best, Path).size() || !isStatement(listAt(Best, Path)[I].Kind))
      continue;
    Case Without = Best;
    forgetKid(Without.Kernel.Body, Path, I);
    std::vector<Node> &List = listAt(Without, Path);
    Node Gone = std::move(List[I]);
    List.erase(List.begin() + I);
    Case Flattened = Without;
    if (keepIfFails(std::move(Without))) {
      Any = true;
      continue;
    }
    // A grid-stride body is no place for the whole block, nor is what it holds meant for once.
    if (Gone.Kind == Op::UniformIf || Gone.Kind == Op::UniformFor || Gone.Kind == Op::If ||
        Gone.Kind == Op::For) {
      std::vector<Node> Inner;
      copy_if(Gone.Kids, std::back_inserter(Inner), [](const Node &N) { return isStatement(N.Kind); });
      std::vector<Node> &Place = listAt(Flattened, Path);
      bool InIf = !Path.empty();
      if (!Inner.empty() && !InIf) {
        Place.insert(Place.begin() + I, Inner.begin(), Inner.end());
        if (keepIfFails(std::move(Flattened))) {
          Any = true;
          continue;
        }
      }
    }
    Path.push_back(I);
    Any |= fewerStatements(Path);
    Path.pop_back();
  }
  return Any;
}

/// Values become constants, or one of the values of the same type in them.
bool Shrinker::simplerValues(std::vector<size_t> &Path) {
  bool Any = false;
  for (size_t I = 0; I < listAt(Best, Path).size(); ++I) {
    Node Old = listAt(Best, Path)[I];
    if (!isStatement(Old.Kind) && Old.Kind != Op::Constant) {
      std::vector<Node> Simpler = {{Op::Constant, Old.Ty, 1, {}}};
      copy_if(Old.Kids, std::back_inserter(Simpler), [&](const Node &Kid) { return Kid.Ty == Old.Ty; });
      bool Replaced = false;
      for (Node &Try : Simpler) {
        Case Smaller = Best;
        listAt(Smaller, Path)[I] = std::move(Try);
        if (keepIfFails(std::move(Smaller))) {
          Replaced = Any = true;
          break;
        }
      }
      if (Replaced && listAt(Best, Path)[I].Kids.empty())
        continue;
    }
    Path.push_back(I);
    Any |= simplerValues(Path);
    Path.pop_back();
  }
  return Any;
}

Case Shrinker::run() {
  bool Again = true;
  while (Again && TriesLeft) {
    std::vector<size_t> Root;
    Again = shorterPipeline();
    Again |= fewerStatements(Root);
    Again |= smallerShape();
    Again |= simplerValues(Root);
  }
  return std::move(Best);
}

Case shrink(Case Failing, function_ref<bool(const Case &)> Fails, unsigned MostTries) {
  return Shrinker(std::move(Failing), Fails, MostTries).run();
}

} // namespace gpuprune::differential
