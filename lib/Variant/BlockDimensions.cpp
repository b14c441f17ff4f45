//===- BlockDimensions.cpp - Which blocks a workload's kernel may have ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/BlockDimensions.h"
#include "gpuprune/Variant/VariantBuilder.h"

using namespace llvm;

namespace gpuprune {

/// Choices of defines beyond that are not worth their front ends.
static constexpr size_t MostChoices = 64;

static bool followsBlock(const Workload &W) {
  return W.blockIsFree(0) || W.blockIsFree(1) || W.blockIsFree(2);
}

std::vector<Variant> definesToAsk(const Workload &W) {
  std::vector<Variant> Choices(1);
  if (!followsBlock(W))
    return {};
  for (const DefineSpec &Define : W.Defines) {
    std::vector<Variant> Longer;
    if (Choices.size() * Define.Values.size() > MostChoices)
      return {};
    for (const Variant &Choice : Choices)
      for (const std::string &Value : Define.Values) {
        Longer.push_back(Choice);
        Longer.back().Defines.push_back({Define.Name, Value});
      }
    Choices = std::move(Longer);
  }
  return Choices;
}

ArgumentBuffers buffersOf(const ResolvedLaunch &Launch) {
  ArgumentBuffers Buffers;
  for (const ResolvedArgument &Argument : Launch.Arguments)
    Buffers.push_back(Argument.Buffer);
  return Buffers;
}

BlockDimension blockDimension(const Workload &W, ArrayRef<ShapesOfDefines> Shapes, unsigned Dimension) {
  BlockDimension Result;
  Result.Followed = W.blockIsFree(Dimension);
  Result.Promised = W.BlockPromised[Dimension];
  if (!Result.Followed || Result.Promised)
    return Result;
  if (W.kernelSeesBlock(Dimension))
    Result.Obstacle = ShapeObstacle{ShapeObstacleKind::BlockArgument, "", 0};
  else if (Shapes.empty())
    Result.Obstacle = ShapeObstacle{ShapeObstacleKind::Defines, "", 0};
  for (const ShapesOfDefines &Of : Shapes) {
    const DimensionFreedom &Free = Of.Freedom.Dimensions[Dimension];
    Result.Obstacle = Result.Obstacle ? Result.Obstacle : Free.Never;
    Result.Rounds |= Of.Freedom.Rounds;
    Result.OtherExtent = Result.OtherExtent ? Result.OtherExtent : Free.OtherExtent;
  }
  return Result;
}

static LaunchNumbers numbersOf(const ResolvedLaunch &Launch) {
  LaunchNumbers Numbers{Launch.Grid, Launch.Block, integerScalars(Launch)};
  for (const ResolvedArgument &Argument : Launch.Arguments)
    Numbers.Structures.push_back(Argument.Structure ? Argument.bytes() : std::vector<uint8_t>());
  return Numbers;
}

/// At one size.
static std::optional<ShapeObstacle> whyNotAt(const Workload &W, const ShapesOfDefines &Shapes,
                                             const SizeEnv &Size, const Dim3 &Block) {
  // What is proved is proved of all iterations, also of those that are not compared.
  LaunchScope Scope = W.isRepeated() ? LaunchScope::EachIteration : LaunchScope::Tuned;
  Expected<ResolvedProblem> Author = resolve(W, Size, Shapes.Defines, std::nullopt, Scope),
                            Other = resolve(W, Size, Shapes.Defines, Block, Scope);
  std::optional<ShapeObstacle> Found;
  // A size that the block does not divide is launched with no such variant.
  if (Author && Other)
    for (const auto &[OfAuthor, Own] : zip_equal(Author->Launches, Other->Launches))
      if (!Found)
        Found = Shapes.Freedom.whyNot(numbersOf(OfAuthor), numbersOf(Own), W.BlockPromised);
  consumeError(joinErrors(Author.takeError(), Other.takeError()));
  return Found;
}

std::optional<ShapeObstacle> whyNotBlock(const Workload &W, ArrayRef<ShapesOfDefines> Shapes,
                                         const Dim3 &Block) {
  for (const ShapesOfDefines &Of : Shapes) {
    if (std::optional<ShapeObstacle> Found = whyNotAt(W, Of, W.TuneSize, Block))
      return Found;
    for (const SizeEnv &Size : W.CheckSizes)
      if (std::optional<ShapeObstacle> Found = whyNotAt(W, Of, Size, Block))
        return Found;
  }
  return std::nullopt;
}

} // namespace gpuprune
