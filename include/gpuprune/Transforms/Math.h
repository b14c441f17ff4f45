//===- Math.h - gpu-math: arithmetic without cases that do not occur --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  r2 = dx * dx + dy * dy + 0.01f;    After:  r2 = dx * dx + dy * dy + 0.01f;
//          s = rsqrt.approx.f32(r2);                  s = rsqrt.approx.ftz.f32(r2);
//          if (fabs(angle) < 105615.f)                reduced = fast(angle);
//            reduced = fast(angle);
//          else
//            reduced = slow(angle);
//
// The functions of CUDA's mathematical library treat all numbers; most of what they do is for numbers that a
// kernel never has. Where the ranges of floating-point values, which follow from the operations that compute
// them (FloatRanges.h), decide a comparison, it becomes a constant, and code that nothing leads to any more
// is removed. An approximation that treats subnormal numbers with care (two to three instructions besides
// MUFU) becomes the one that flushes them to zero where neither its operand nor its result is subnormal:
//
//   rsqrt.approx, sqrt.approx, lg2.approx    the operand is not subnormal
//   ex2.approx                               the operand is at least -125
//
// (PTX ISA, "Floating Point Instructions": .ftz flushes subnormal inputs and results to sign-preserving zero
// and is the same otherwise.)
//
// What a number has behind its floor, x - floor(x), is computed from the floor as an integer where that is an
// index of memory that is accessed: x + (0 - (float)k). Floor and conversion are one instruction then, and
// the conversion back is four times as fast as a floor (FloorFraction.h, also for the zeros' signs).
//
// arguments=normal: a kernel that adds an argument, a softening or an epsilon, is right for any; the copy of
// the kernel that runs where such arguments are positive normal numbers needs no care. They are tested where
// the kernel begins; all threads of a launch go the same way, and loops of the kernel as it was have no
// numbers any more.
//
// Why it is right. A range holds all values that its operations can have, rounding, overflow and NaN
// included, so a comparison that is decided has that result in each execution; a comparison that is false for
// NaN is only taken for true where there is none. Results are the same bit by bit.
//
// Refused: NothingDecided, where the ranges decide no comparison and spare no operation its care, and no
//   floor is needed as an integer alone;
//   NoSuchKernel. docs/passes/gpu-math.md has a line on each.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_MATH_H
#define GPUPRUNE_TRANSFORMS_MATH_H

#include "gpuprune/Transforms/PassOptions.h"
#include <string>

namespace gpuprune {

struct MathOptions : TabledOptions<MathOptions> {
  /// Whether there is a copy for launches in which arguments are positive normal numbers.
  bool NormalArguments = false;
  std::string Kernel; ///< Empty: every kernel of the module.

  static const OptionTable<MathOptions> &table();
};

class MathPass : public PassWithOptions<MathPass, MathOptions> {
public:
  static constexpr const char *PassName = "gpu-math";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_MATH_H
