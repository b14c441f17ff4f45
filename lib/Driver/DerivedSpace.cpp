//===- DerivedSpace.cpp - What a space is derived from ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Driver/BlockDimensions.h"
#include "gpuprune/Driver/VariantBuilder.h"

using namespace llvm;

namespace gpuprune {

std::vector<std::optional<int64_t>> integerScalars(const ResolvedLaunch &Launch) {
  std::vector<std::optional<int64_t>> Scalars;
  for (const ResolvedArgument &Argument : Launch.Arguments) {
    std::optional<int64_t> Value;
    if (!Argument.Buffer && !isFloatingPoint(Argument.Type)) {
      unsigned Bits = 8 * elementBytes(Argument.Type);
      Value = isSignedInteger(Argument.Type) ? SignExtend64(Argument.Bits, Bits) : Argument.Bits;
    }
    Scalars.push_back(Value);
  }
  return Scalars;
}

/// The parameters that are read uniformly, as many as are cached together.
static std::vector<UniformTable> uniformTablesOf(const ResolvedProblem &Problem,
                                                 const VariantKernel &Kernel) {
  std::vector<UniformTable> Tables;
  uint64_t Bytes = 0;
  ArrayRef<ResolvedArgument> Arguments = Problem.Launches.front().Arguments;
  for (unsigned Number : Kernel.UniformTables) {
    if (Number >= Arguments.size() || !Arguments[Number].Buffer)
      continue;
    uint64_t Wanted = Problem.Buffers[*Arguments[Number].Buffer].Bytes;
    if (Bytes + Wanted > ConstantCacheBytes)
      continue;
    Bytes += Wanted;
    Tables.push_back({Number, Wanted});
  }
  return Tables;
}

/// Sizes that the variant's block does not divide are none.
static std::optional<LaunchGrids> gridsOf(const Workload &W, const Variant &V) {
  DefineValues Defines;
  for (const DefineSetting &D : V.Defines)
    Defines[D.Name] = D.Value;
  std::vector<Environment> Sizes = W.CheckSizes;
  Sizes.push_back(W.TuneSize);
  LaunchGrids Grids;
  for (const auto &[I, Size] : enumerate(Sizes)) {
    Expected<ResolvedProblem> Problem = resolve(W, Size, Defines, V.Block);
    bool IsTune = I + 1 == Sizes.size();
    if (Problem)
      (IsTune ? Grids.Tune : Grids.Checks.emplace_back()) = Problem->Launches.front().Grid;
    else
      consumeError(Problem.takeError());
    if (IsTune && !Problem)
      return std::nullopt;
  }
  return Grids;
}

Expected<Space> spaceFor(const Workload &W, const VariantKernel &Kernel) {
  if (W.Space)
    return spaceOf(W);
  Expected<ResolvedProblem> Problem = resolve(W, W.TuneSize);
  if (!Problem)
    return Problem.takeError();
  KernelFacts Facts;
  for (const KernelLoop &L : Kernel.Loops)
    Facts.Loops.push_back({L.Number, L.Depth,
                           L.Constant ? std::optional<uint64_t>(L.TripCount) : std::nullopt, L.ReadsTile,
                           L.Jams});
  for (unsigned D = 0; D < Dim3::size(); ++D)
    Facts.GridUsed[D] = Problem->Launches.front().Grid[D] > 1;
  Facts.HasSharedArrays = Kernel.SharedBytes > 0 || Problem->Launches.front().SharedBytes > 0;
  Facts.DependsOnWarps = Kernel.DependsOnWarps;
  Facts.HasRaggedLoops = Kernel.HasRaggedLoops;
  for (unsigned D = 0; D < Dim3::size(); ++D)
    Facts.ReusesLoads |= Facts.GridUsed[D] && Kernel.ReusesLoads[D];
  Facts.Block = Problem->Launches.front().Block;
  for (unsigned D = 0; D < Dim3::size(); ++D)
    Facts.BlockFree[D] = blockDimension(W, Kernel.BlockShapes, D).mayDiffer();
  Facts.TakesBlock = [&W, Shapes = Kernel.BlockShapes](const Dim3 &Block) {
    return !whyNotBlock(W, Shapes, Block);
  };
  for (const ResolvedBuffer &B : Problem->Buffers)
    if (B.Bytes > ConstantCacheBytes && is_contained(Kernel.ConstantSymbols, B.Symbol))
      Facts.Tables.push_back(B.Symbol);
  Facts.Uniform = uniformTablesOf(*Problem, Kernel);
  Facts.Defines = W.Defines;
  Facts.GridsOf = [&W](const Variant &V) { return gridsOf(W, V); };
  return deriveSpace(Facts);
}

} // namespace gpuprune
