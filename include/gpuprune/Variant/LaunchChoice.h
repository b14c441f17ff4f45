//===- LaunchChoice.h - How a variant's launch relates to the author's ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The defines and the block of a variant choose a prepared kernel and its launch. The
// author's choice, the first value of each define and the block as the workload has it,
// says what is right: its result is the truth that the result of every other choice is
// compared with (docs/checking.md). This header says whether that is possible.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_VARIANT_LAUNCHCHOICE_H
#define GPUPRUNE_VARIANT_LAUNCHCHOICE_H

#include "gpuprune/CodeGen/VariantCompiler.h"
#include "gpuprune/Launch/LaunchContract.h"
#include "gpuprune/Search/Variant.h"
#include "gpuprune/Workload/Problem.h"

namespace gpuprune {

/// The value of each define of \p W that \p V chooses.
DefineValues definesIn(const Workload &W, const Variant &V);

/// What the author launches, before any launch contract.
AuthorLaunch authorLaunch(const ResolvedLaunch &Launch);

struct LaunchChoice {
  /// The first value of each define, and no block of the variant's own.
  bool IsAuthors = true;
  /// "-DTILE=32 block=64,4,1": what differs from the author's choice; empty for that.
  std::string Text;
  /// The result cannot be compared with the author's: a define changes a buffer or a scalar
  /// argument, or the workload says that results differ. Then this is why, else empty.
  std::string OwnResult;
  /// An own result may win only where the workload says `same-result: false` of all that the choice changes.
  bool OwnResultMayWin = false;
  /// What of the choice `same-result: false` does not speak of, where it speaks of a part: "its block".
  std::string Unspoken;
  /// A launch of this choice and the size it belongs to.
  struct Launch {
    Environment Size;
    AuthorLaunch Shape;
    /// Whether a comparison tells: the grids of this choice and of the author's both have at least two
    /// blocks in each dimension in which block or grid differ, and where both differ, so many that larger
    /// blocks, were they as far apart as the author's, would not reach the end.
    bool Tells = false;
  };
  /// Sizes that this choice can be launched at, in the order of the workload, that to tune last.
  std::vector<Launch> Launches;

  /// Why a variant whose kernel has \p Contract must not win, however fast it is; empty
  /// where it may: its result is the author's, and at one size at least a comparison tells.
  std::string whyItCannotWin(const VariantKernel &Kernel) const;
};

/// The choice that \p V makes of \p W.
LaunchChoice launchChoice(const Workload &W, const Variant &V);

} // namespace gpuprune

#endif // GPUPRUNE_VARIANT_LAUNCHCHOICE_H
