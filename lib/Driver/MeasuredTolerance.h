//===- MeasuredTolerance.h - How far rounding may move a result -----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A workload's tolerance cannot tell a sum in another order from a sum of one term
// less where terms are many, or anything from anything where they are tiny. So what passes by it
// is compared once more, by a tolerance that is measured: kernels run over inputs of two
// significant bits, so that sums and products of many terms need no rounding, and they run
// twice, once with all operations rounding downwards and once upwards. What this moves is
// what rounding explains; the order of operations explains no more.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DRIVER_MEASUREDTOLERANCE_H
#define GPUPRUNE_LIB_DRIVER_MEASUREDTOLERANCE_H

#include "HostRuns.h"

namespace gpuprune {

/// \p Problem with floating-point inputs of few significant bits. Of a buffer whose largest magnitude lies
/// below a power of two P, at P/2 or above, elements become P/4 or 3P/4, whichever side of P/2 they lie on,
/// and keep their sign; 0 stays 0. Scalars keep two significant bits.
HostProblem withCoarseInputs(HostProblem Problem);

/// What a kernel leaves in each buffer in both directions of rounding; empty where a run did not come to its
/// end.
struct DirectedRuns {
  std::vector<std::vector<uint8_t>> Down, Up;
};
DirectedRuns runDirected(HostRunRequest Request);

/// Wrong where an element of a buffer that \p Link of \p Open leaves open differs between \p Own and \p Truth
/// by more than rounding explains; else, and where that cannot be told, Skipped. Nothing can be told of
/// 16-bit types, as conversions to them need not follow the direction (Rounding).
RunVerdict compareDirected(llvm::ArrayRef<ResolvedBuffer> Buffers, const DirectedRuns &Own,
                           const DirectedRuns &Truth, llvm::ArrayRef<BufferFreedom> Open,
                           std::string BufferFreedom::*Link);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_DRIVER_MEASUREDTOLERANCE_H
