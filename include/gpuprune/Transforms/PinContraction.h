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
// where others use it. Contract flags that remain are dropped.
//
// That is not enough: the code generator does not look at the flags when all of
// the compile may fuse, and the -O3 pipeline makes new sums of products
// (fma(m, 1, z) is m + z). So after the pipeline, a product that still feeds a
// sum becomes llvm.nvvm.mul.rn, which neither LLVM nor ptxas fuses:
//
// Before:  %m = fmul float %x, %y                 After:  %m = call float @llvm.nvvm.mul.rn.f(%x, %y)
//          %s = fadd float %m, %z                         %s = fadd float %m, %z
//
// Limits: products are sealed in scalar float and double only; other fast-math
// flags stay, and what they allow may differ between variants.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_PINCONTRACTION_H
#define GPUPRUNE_TRANSFORMS_PINCONTRACTION_H

#include "llvm/IR/PassManager.h"

namespace gpuprune {

/// Fuses in source order. Returns whether \p F changed.
bool pinContraction(llvm::Function &F);

/// Keeps products that were not fused from being fused later. Returns whether
/// \p F changed.
bool sealProducts(llvm::Function &F);

/// sealProducts for each function of a device module; runs after all else.
class SealProductsPass : public llvm::PassInfoMixin<SealProductsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
  static bool isRequired() { return true; }
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_PINCONTRACTION_H
