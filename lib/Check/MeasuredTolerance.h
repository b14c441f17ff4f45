//===- MeasuredTolerance.h - How far rounding may move a result -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A workload's tolerance cannot tell a sum in another order from a sum of one term
// less where terms are many, or anything from anything where they are tiny. So what passes by it
// is compared once more, by a tolerance that is measured: kernels run over inputs of three
// significant bits, so that sums and products of many terms need no rounding, and they run
// with all operations rounding to the nearest, downwards and upwards. What the direction moves
// in an element is what rounding explains there; the order of operations explains no more.
//
// Inputs of three bits are full of ties. A kernel that compares its data and goes by the answer
// (FloatingPointFreedom::BreaksTies) may break them in an order of its own, and is left out.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_CHECK_MEASUREDTOLERANCE_H
#define GPUPRUNE_LIB_CHECK_MEASUREDTOLERANCE_H

#include "gpuprune/Check/HostRuns.h"

namespace gpuprune {

/// \p Problem with floating-point inputs of few significant bits. Of a buffer whose largest magnitude lies
/// below a power of two P, at P/2 or above, elements become 1, 3, 5 or 7 times P/8, by their
/// position, so that neighbours differ; where they are sorted the smaller half becomes P/8 and the other
/// 7P/8. Signs stay, and so does 0. Scalars keep two significant bits.
HostProblem withCoarseInputs(HostProblem Problem);

/// \p Problem where each floating-point buffer that the kernel only reads and that holds one value alone
/// holds others, as above; nothing where there is none. Equal elements hide which of them was read.
std::optional<HostProblem> withVariedConstants(HostProblem Problem);

/// What a kernel leaves in each buffer in each direction of rounding; empty where a run did not come to its
/// end.
struct DirectedRuns {
  std::vector<std::vector<uint8_t>> Nearest, Down, Up;
  bool ended() const { return !Up.empty(); }
};
DirectedRuns runDirected(HostRunRequest Request);

/// Wrong where an element of a buffer that \p Link of \p Open leaves open differs between \p Own and \p Truth
/// by more than rounding explains; else, and where that cannot be told, Skipped. Rounding explains twice what
/// both directions move the element in both kernels, and twice what they move a quarter of the elements
/// by at most, relative to their magnitude: moves may make up for each other in one element. Nothing can be
/// told of elements that are not finite, and of 16-bit types, as conversions to them need not follow the
/// direction (HostLaunch::Round).
RunVerdict compareDirected(llvm::ArrayRef<ResolvedBuffer> Buffers, const DirectedRuns &Own,
                           const DirectedRuns &Truth, llvm::ArrayRef<BufferFreedom> Open,
                           std::string BufferFreedom::*Link);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_CHECK_MEASUREDTOLERANCE_H
