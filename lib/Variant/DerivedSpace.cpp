//===- DerivedSpace.cpp - What a space is derived from ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/BlockDimensions.h"
#include "gpuprune/Variant/VariantBuilder.h"
#include <numeric>

using namespace llvm;

namespace gpuprune {

std::vector<std::optional<int64_t>> integerScalars(const ResolvedLaunch &Launch) {
  std::vector<std::optional<int64_t>> Scalars;
  for (const ResolvedArgument &Argument : Launch.Arguments) {
    std::optional<int64_t> Value;
    if (!Argument.Buffer && !Argument.Structure && !isFloatingPoint(Argument.Type)) {
      unsigned Bits = 8 * elementBytes(Argument.Type);
      Value = isSignedInteger(Argument.Type) ? SignExtend64(Argument.Bits, Bits) : Argument.Bits;
    }
    Scalars.push_back(Value);
  }
  return Scalars;
}

OfferContext offerContext(const ResolvedProblem &Problem) {
  const ResolvedLaunch &Launch = Problem.tuned();
  OfferContext Context;
  Context.Launch = {Launch.Grid, Launch.Block, integerScalars(Launch), Launch.SharedBytes, {}};
  for (const ResolvedArgument &Argument : Launch.Arguments)
    // Only whole buffers are copied to constant memory.
    Context.BufferBytes.push_back(Argument.Buffer && Argument.Offset == 0
                                      ? std::optional(Problem.Buffers[*Argument.Buffer].Bytes)
                                      : std::nullopt);
  for (const ResolvedBuffer &Buffer : Problem.Buffers)
    if (!Buffer.Symbol.empty())
      Context.Symbols.emplace_back(Buffer.Symbol, Buffer.Bytes);
  return Context;
}

/// A factor divides all grids of \p Launches where it divides this one.
static Dim3 commonGrid(ArrayRef<ResolvedLaunch> Launches) {
  Dim3 Common = Launches.front().Grid;
  for (const ResolvedLaunch &Each : Launches)
    for (unsigned D = 0; D < Dim3::size(); ++D)
      Common[D] = std::gcd(Common[D], Each.Grid[D]);
  return Common;
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
    bool IsTune = I + 1 == Sizes.size();
    // One variant is launched in all iterations.
    LaunchScope Scope = IsTune && W.isRepeated() ? LaunchScope::EachIteration : LaunchScope::Tuned;
    Expected<ResolvedProblem> Problem = resolve(W, Size, Defines, V.Block, Scope);
    if (Problem)
      (IsTune ? Grids.Tune : Grids.Checks.emplace_back()) = commonGrid(Problem->Launches);
    else
      consumeError(Problem.takeError());
    if (IsTune && !Problem)
      return std::nullopt;
  }
  return Grids;
}

/// A block may leave a remainder of the threads that there are.
static bool canBeLaunched(const Workload &W, const Dim3 &Block) {
  Expected<ResolvedProblem> Problem = resolve(W, W.TuneSize, {}, Block);
  if (Problem)
    return true;
  consumeError(Problem.takeError());
  return false;
}

Expected<Space> spaceFor(const Workload &W, const VariantKernel &Kernel) {
  if (W.Space)
    return spaceOf(W);
  Expected<ResolvedProblem> Problem = resolve(W, W.TuneSize);
  if (!Problem)
    return Problem.takeError();
  SpaceFacts Facts;
  Facts.Offers = Kernel.Offers.OfPasses;
  Facts.HasRaggedLoops = Kernel.Offers.HasRaggedLoops;
  Facts.SharesReads = Kernel.Offers.SharesReads;
  Facts.Block = Problem->tuned().Block;
  for (unsigned D = 0; D < Dim3::size(); ++D)
    Facts.BlockFree[D] = blockDimension(W, Kernel.BlockShapes, D).mayDiffer();
  Facts.TakesBlock = [&W, Shapes = Kernel.BlockShapes](const Dim3 &Block) {
    return canBeLaunched(W, Block) && !whyNotBlock(W, Shapes, Block);
  };
  Facts.Defines = W.Defines;
  Facts.GridsOf = [&W](const Variant &V) { return gridsOf(W, V); };
  return deriveSpace(Facts);
}

} // namespace gpuprune
