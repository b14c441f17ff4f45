//===- FloorFraction.h - What a number has behind its floor -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  below = floorf(x);         After:  below = floorf(x);  (in one instruction with the conversion)
//          k = (int)below;                    k = (int)below;
//          use(p[k], x - below);              use(p[k], x + (0.0f - (float)k));
//
// ptxas makes floor and conversion one instruction where nothing else needs the floor; both are done by the
// unit of 16 lanes, the conversion back, from sm_86 on, by one of 64.
//
// Why the bits are the same, B being the floor of x, K the integer, and N = +0 - (float)K:
// - Where K is poison (B is no number or out of the range of int), the program is undefined: memory is
//   accessed by K as an index, without a test or a clamp in front, in the same block behind it.
// - Else K is B exactly; B has at most 24 significant bits, so (float)K is B but for the sign of a zero, and
//   a conversion gives +0. So N is -B where B is no zero, and +0 where B is +0 or -0.
// - B = -0: -B is +0, which N is.
// - B = +0: then x is not negative and not -0, whose floors are not +0. To +0 or a positive number both
//   -0 and +0 add nothing, and the sum with either is that number, +0 staying +0.
// The same holds for fma(a, b, -B) where B is the floor of the rounded product x = a * b: x is +0 or greater,
// so the exact product is +0 or greater (that of numbers with different signs is rounded to -0 or less).
//
// Flushed subnormal numbers are another arithmetic; there nothing is found.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_FLOORFRACTION_H
#define GPUPRUNE_LIB_TRANSFORMS_FLOORFRACTION_H

#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace gpuprune {

/// Sums with a negated floor, which can be had from an integer.
struct FloorFraction {
  llvm::FPToSIInst *Integer; ///< The floor, converted.
  bool Late;                 ///< Whether the conversion has to be moved behind the floor.
  llvm::SmallVector<llvm::Instruction *, 2> Sums;
};

/// Where \p Call is a floor that nothing needs but such sums and conversions, and its device gains.
std::optional<FloorFraction> floorFraction(llvm::CallInst &Call, const llvm::DominatorTree &DT);

/// Computes the sums of \p Fraction from the integer.
void computeFromInteger(const FloorFraction &Fraction);

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_FLOORFRACTION_H
