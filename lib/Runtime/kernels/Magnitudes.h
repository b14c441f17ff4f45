//===- Magnitudes.h - Steps that magnitudes are counted by ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A median magnitude is found by counting, and counts are the same in any order: the host and the device find
// the same median, bit by bit. Magnitudes are rounded up to steps of six significant bits, so that few counts
// suffice.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_RUNTIME_KERNELS_MAGNITUDES_H
#define GPUPRUNE_LIB_RUNTIME_KERNELS_MAGNITUDES_H

#include "Elements.h"

namespace gpuprune::kernels {

/// The exponent of a double and the first five bits behind its hidden one.
constexpr unsigned StepBits = 16;
constexpr unsigned BitsOfStep = 63 - StepBits; ///< That are rounded away.
constexpr uint32_t MagnitudeSteps = 1u << StepBits;

/// Zeros, infinities and NaN have no size that others could be measured by.
[[gnu::always_inline]] inline bool hasMagnitude(double Value) { return isFinite(Value) && Value != 0; }

/// The step of \p Value, which has a magnitude. A value that needs no rounding is the greatest of its step.
[[gnu::always_inline]] inline uint32_t stepOf(double Value) {
  return static_cast<uint32_t>((bitCast<uint64_t>(__builtin_fabs(Value)) - 1) >> BitsOfStep);
}

/// The greatest magnitude of a step.
[[gnu::always_inline]] inline double magnitudeOf(uint32_t Step) {
  constexpr uint64_t Infinity = uint64_t(0x7ff) << 52;
  uint64_t Bits = uint64_t(Step + 1) << BitsOfStep;
  return bitCast<double>(Bits < Infinity ? Bits : Infinity - 1);
}

} // namespace gpuprune::kernels

#endif // GPUPRUNE_LIB_RUNTIME_KERNELS_MAGNITUDES_H
