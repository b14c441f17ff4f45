//===- ProvedBlock.cpp - A variant's block for launches of a program --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/ProvedBlock.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Variant/LaunchChoice.h"
#include "gpuprune/Variant/VariantBuilder.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

static Error notProved(const BlockChange &Change, const ShapeObstacle &Why) {
  static constexpr char Text[] =
      "blocks of {0} threads in place of {1} are not proved to compute the same at every launch of a "
      "program: {2}. What block-free or a list of blocks promises is for the sizes of the workload: take a "
      "variant with the author's block, or launch the code of --to ptx or cubin where the promise holds";
  return makeRefusal(RefusalKind::BadLaunchContract,
                     formatv(Text, Change.To.text('x'), Change.From.text('x'), Why.message()));
}

/// What in the launch other than its grid follows the block.
static std::optional<ShapeObstacle> toldBlock(const Workload &W, const BlockChange &Change) {
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (Change.changes(D) && W.kernelSeesBlock(D))
      return ShapeObstacle{ShapeObstacleKind::BlockArgument, formatv("block.{0}", "xyz"[D]).str(), 0};
  return std::nullopt;
}

/// What was compared and timed has to be what is launched.
static Error checkGrid(const BlockChange &Change, const ResolvedLaunch &Author, const ResolvedLaunch &Own) {
  Expected<AuthorLaunch> Launch = Change.regrouped(authorLaunch(Author));
  if (!Launch)
    return Launch.takeError();
  if (Launch->Grid == Own.Grid)
    return Error::success();
  return makeRefusal(
      RefusalKind::BadLaunchContract,
      formatv("the workload launches a grid of {0} blocks of {1} threads, and {2} of {3} by the "
              "author's block: a program launches the variant with as many threads as its own "
              "kernel, which are {4} such blocks",
              Own.Grid.text('x'), Change.To.text('x'), Author.Grid.text('x'), Change.From.text('x'),
              Launch->Grid.text('x')));
}

Expected<std::optional<BlockChange>> provedBlock(const Workload &W, const VariantBuilder &Builder,
                                                 const Variant &V, StringRef Bitcode) {
  if (!V.Block)
    return std::nullopt;
  Expected<ResolvedProblem> Own = Builder.tuneProblem(V);
  if (!Own)
    return Own.takeError();
  Variant InAuthors = V;
  InAuthors.Block.reset();
  Expected<ResolvedProblem> Author = Builder.tuneProblem(InAuthors);
  if (!Author)
    return Author.takeError();
  BlockChange Change{Author->tuned().Block, Own->tuned().Block};
  if (Change.From == Change.To)
    return std::nullopt;
  if (std::optional<ShapeObstacle> Why = toldBlock(W, Change))
    return notProved(Change, *Why);
  Expected<std::optional<ShapeObstacle>> Why = whyNotChangeBlock(Bitcode, W.tuned().Kernel, Change);
  if (!Why)
    return Why.takeError();
  if (*Why)
    return notProved(Change, **Why);
  if (Error E = checkGrid(Change, Author->tuned(), Own->tuned()))
    return std::move(E);
  return Change;
}

} // namespace gpuprune
