//===- PinContraction.h - Fixes which multiply-adds are fused ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  %m = fmul contract float %x, %y        After:  %s = call float @llvm.fma.f32(%x, %y, %z)
//          %s = fadd contract float %m, %z
//
// Under -ffp-contract=fast the NVPTX code generator fuses whichever product of
// an addition has fewer uses, a number that changes when a kernel is coarsened,
// and with it the rounding. Fusing here, once, in the order of the source makes
// the results of all variants of a kernel comparable bit by bit. Where both
// operands of an addition are products, the left one is fused. The product stays
// where others use it. Contract flags that remain are dropped, which makes the
// code generator emit the unfused .rn forms that ptxas leaves alone.
//
// Limits: scalar and vector floating point of any width that contracts; other
// fast-math flags stay.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_PINCONTRACTION_H
#define GPUPRUNE_TRANSFORMS_PINCONTRACTION_H

namespace llvm {
class Function;
} // namespace llvm

namespace gpuprune {

/// Returns whether \p F changed.
bool pinContraction(llvm::Function &F);

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_PINCONTRACTION_H
