//===- FillIndices.cpp - Fills that are indices or in order ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FillIndices.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace gpuprune::protocol;

namespace gpuprune {

kernels::FillRule indexRule(const Fill &Contents) {
  kernels::FillRule F = {};
  F.Kind = Contents.Kind == FillKind::Shift         ? kernels::Rule::Shift
           : Contents.Kind == FillKind::Permutation ? kernels::Rule::Permutation
                                                    : kernels::Rule::Clustered;
  F.Seed = Contents.Seed;
  F.Count = Contents.Count;
  F.Offset = Contents.Kind == FillKind::Shift ? Contents.By : Contents.Window;
  F.Per = Contents.Per;
  return F;
}

kernels::FixedStep sortedStep(uint64_t Spread, uint64_t Count) {
  unsigned __int128 Step = ((static_cast<unsigned __int128>(Spread) + 1) << 64) / Count;
  return {static_cast<uint64_t>(Step >> 64), static_cast<uint64_t>(Step)};
}

Error validateCounted(ElementType Type, const Fill &Contents) {
  auto Wrong = [](auto &&...Parts) { return makeError(ErrorKind::Input, formatv(Parts...)); };
  if (Contents.Count == 0 || Contents.Count > uint64_t(LargestExactInteger))
    return Wrong("fill: a count of {0}; expected 1 to 2^53", Contents.Count);
  if (Contents.Kind == FillKind::Sorted)
    return Error::success();
  if (!holdsIndices(Type, Contents.Count))
    return Wrong("fill: {0} does not hold all integers from 0 to {1} exactly; take a wider type",
                 elementTypeName(Type), Contents.Count - 1);
  if (Contents.Kind == FillKind::Shift && Contents.By >= Contents.Count)
    return Wrong("fill: a shift by {0}; expected less than the count, {1}", Contents.By, Contents.Count);
  if (Contents.Kind == FillKind::Clustered &&
      (Contents.Per == 0 || Contents.Window > uint64_t(LargestExactInteger)))
    return Wrong("fill: clustered with per {0} and window {1}; expected at least 1, and at most 2^53",
                 Contents.Per, Contents.Window);
  return Error::success();
}

} // namespace gpuprune
