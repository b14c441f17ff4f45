//===- LaunchClasses.cpp - Which variant is for which launches -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/LaunchClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace llvm;

namespace gpuprune {

uint64_t blocksOf(const Dim3 &Grid) {
  return SaturatingMultiply(SaturatingMultiply(uint64_t(Grid.X), uint64_t(Grid.Y)), uint64_t(Grid.Z));
}

static double stockMs(const TunedClass &C) {
  return C.Record && C.Record->Times ? C.Record->Times->Stock : -1;
}

static bool areOfOneClass(const TunedClass &A, const TunedClass &B) {
  return A.Block == B.Block && A.Blocks == B.Blocks;
}

/// By block, then by grid, each once.
static void sortClasses(std::vector<TunedClass> &Classes) {
  auto Key = [](const TunedClass &C) {
    return std::tuple(C.Block.X, C.Block.Y, C.Block.Z, C.Blocks, -stockMs(C));
  };
  stable_sort(Classes, [&](const TunedClass &A, const TunedClass &B) { return Key(A) < Key(B); });
  Classes.erase(std::unique(Classes.begin(), Classes.end(), areOfOneClass), Classes.end());
}

/// Smaller grids than this are not those of the class \p I, but of the one before.
static uint64_t leastOfClass(ArrayRef<TunedClass> Classes, size_t I) {
  return I != 0 && Classes[I - 1].Block == Classes[I].Block ? Classes[I - 1].Blocks + 1 : 1;
}

static void addOtherwise(std::vector<TuningRecord> &File, TunedClass &C, uint64_t LeastOfClass) {
  LaunchConditions Conditions = File.back().Conditions;
  Conditions.LeastBlocks = std::clamp(C.OtherwiseLeast.value_or(C.Blocks), LeastOfClass, C.Blocks);
  if (C.LoopEnd)
    Conditions.LoopEnd->Least = C.LoopEnd->Recorded;
  C.Otherwise->Conditions = Conditions;
  File.push_back(std::move(*C.Otherwise));
}

std::vector<TuningRecord> variantsOf(std::vector<TunedClass> Classes) {
  sortClasses(Classes);
  for (size_t I = 0; I != Classes.size(); ++I) {
    TunedClass &C = Classes[I];
    C.LeastBlocks = C.Record ? std::min(C.LeastBlocks, C.Blocks) : C.Blocks;
    C.LeastBlocks = std::max(C.LeastBlocks, leastOfClass(Classes, I));
  }
  std::vector<TuningRecord> File;
  for (size_t I = 0; I != Classes.size(); ++I) {
    TunedClass &C = Classes[I];
    if (!C.Record)
      continue;
    C.Record->Conditions = {C.Block, C.LeastBlocks};
    if (C.LoopEnd)
      C.Record->Conditions.LoopEnd = C.LoopEnd->Least;
    if (I + 1 != Classes.size() && Classes[I + 1].Block == C.Block)
      C.Record->Conditions.MostBlocks = Classes[I + 1].LeastBlocks - 1;
    File.push_back(std::move(*C.Record));
    if (C.Otherwise)
      addOtherwise(File, C, leastOfClass(Classes, I));
  }
  return File;
}

} // namespace gpuprune
