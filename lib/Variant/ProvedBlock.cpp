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
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
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

/// \p Text to be multiplied or divided.
static std::string factor(StringRef Text) {
  bool IsOne = Text.find_first_of(" +-*/%<>=!&|?") == StringRef::npos;
  if (Text.starts_with("cdiv(") && Text.find(')') == Text.size() - 1)
    IsOne = true;
  return IsOne ? Text.str() : "(" + Text.str() + ")";
}

static StringRef textIn(ArrayRef<LocatedExpression> Extents, unsigned D) {
  return D < Extents.size() ? StringRef(Extents[D].Value.text()) : StringRef("1");
}

static std::string blockName(unsigned D) { return formatv("block.{0}", "xyz"[D]); }

static bool usesBlock(ArrayRef<LocatedExpression> Grid, unsigned D) {
  return D < Grid.size() && is_contained(Grid[D].Value.names(), blockName(D));
}

/// \p L's grid, written so that it has as many threads in any block: "cdiv(w, 16)*16/block.x".
static std::string gridOfThreads(const LaunchSpec &L, const BlockChange &Change) {
  std::vector<std::string> Extents;
  for (unsigned D = 0; D != Dim3::size(); ++D) {
    if (D >= L.Grid.size() && none_of(seq(D, Dim3::size()), [&](unsigned E) { return Change.changes(E); }))
      break;
    std::string Text = textIn(L.Grid, D).str(), Block = factor(textIn(L.Block, D)), Name = blockName(D);
    if (Change.changes(D)) {
      for (size_t At = 0; (At = Text.find(Name, At)) != std::string::npos; At += Block.size())
        Text.replace(At, Name.size(), Block);
      Text = formatv("{0}*{1}/{2}", factor(Text), Block, Name);
    }
    Extents.push_back("\"" + Text + "\"");
  }
  return "grid: [ " + join(Extents, ", ") + " ]";
}

/// Why the workload launches another number of threads, and what it says instead.
static std::string howToKeepThreads(const LaunchSpec &L, const BlockChange &Change, const Dim3 &Threads,
                                    const Dim3 &Own) {
  std::string Why;
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (Threads[D] != Own[D] && !usesBlock(L.Grid, D))
      Why += "the grid does not use " + blockName(D) + "; ";
  return Why + "for as many threads in any block, write " + gridOfThreads(L, Change);
}

/// What was compared and timed has to be what is launched.
static Error checkGrid(const LaunchSpec &L, const BlockChange &Change, const ResolvedLaunch &Author,
                       const ResolvedLaunch &Own) {
  Expected<AuthorLaunch> Launch = Change.regrouped(authorLaunch(Author));
  if (!Launch)
    return Launch.takeError();
  if (Launch->Grid == Own.Grid)
    return Error::success();
  return makeRefusal(
      RefusalKind::BadLaunchContract,
      formatv("the workload launches a grid of {0} blocks of {1} threads, and {2} of {3} by the "
              "author's block: a program launches the variant with as many threads as its own "
              "kernel, which are {4} such blocks; {5}",
              Own.Grid.text('x'), Change.To.text('x'), Author.Grid.text('x'), Change.From.text('x'),
              Launch->Grid.text('x'), howToKeepThreads(L, Change, Launch->Grid, Own.Grid)));
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
  if (Error E = checkGrid(W.tuned(), Change, Author->tuned(), Own->tuned()))
    return std::move(E);
  return Change;
}

} // namespace gpuprune
