//===- BlockChange.cpp - Another block in place of the author's ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Launch/BlockChange.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

/// Blocks of \p To threads that have as many threads as \p Blocks of \p From.
static Expected<int64_t> blocksFor(int64_t Blocks, int64_t From, int64_t To, unsigned D) {
  int64_t Threads = 0;
  if (Blocks < 1 || From < 1 || To < 1 || Blocks > LargestGrid[D] || MulOverflow(Blocks, From, Threads) ||
      Threads > MostThreadsOfGrid)
    return makeRefusal(RefusalKind::BadLaunchContract,
                       formatv("a grid of {0} blocks of {1} threads in {2} is not launched in other blocks: "
                               "expected one block or more, and 2^31 - 1 threads or fewer",
                               Blocks, From, "xyz"[D]));
  if (Threads % To != 0)
    return makeRefusal(RefusalKind::ShapeNotDivisible,
                       formatv("{0} blocks of {1} threads in {2} are {3} threads, which blocks of {4} do not "
                               "divide; use a block that does, or one with the author's extent there",
                               Blocks, From, "xyz"[D], Threads, To));
  if (Threads / To > LargestGrid[D])
    return makeRefusal(RefusalKind::BadLaunchContract,
                       formatv("{0} threads in {1} are {2} blocks of {3}, and a grid has {4} at most",
                               Threads, "xyz"[D], Threads / To, To, LargestGrid[D]));
  return Threads / To;
}

Expected<AuthorLaunch> BlockChange::regrouped(const AuthorLaunch &Author) const {
  if (Author.Block != From)
    return makeRefusal(RefusalKind::BadLaunchContract,
                       formatv("the launch is one in blocks of {0} threads, and the variant takes the place "
                               "of launches in blocks of {1}",
                               Author.Block.text('x'), From.text('x')));
  AuthorLaunch Launch = Author;
  Launch.Block = To;
  for (unsigned D = 0; D != Dim3::size(); ++D)
    if (changes(D))
      if (Error E = blocksFor(Author.Grid[D], From[D], To[D], D).moveInto(Launch.Grid[D]))
        return std::move(E);
  return Launch;
}

} // namespace gpuprune
