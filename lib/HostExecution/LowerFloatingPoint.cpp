//===- LowerFloatingPoint.cpp - Floating point without fast-math ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HostLowering.h"
#include "gpuprune/Support/Error.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprune {

/// What NVPTX makes of an intrinsic and this machine would not.
static Intrinsic::ID sameOnHost(Intrinsic::ID Id) {
  switch (Id) {
  case Intrinsic::fmuladd: // Always fused on the GPU.
    return Intrinsic::fma;
  case Intrinsic::minnum: // PTX orders -0 before +0.
    return Intrinsic::minimumnum;
  case Intrinsic::maxnum:
    return Intrinsic::maximumnum;
  default:
    return Intrinsic::not_intrinsic;
  }
}

Error lowerFloatingPoint(Module &M) {
  for (Function &F : M) {
    if (F.getDenormalMode(APFloat::IEEEsingle()).Output == DenormalMode::PreserveSign)
      return makeError(
          ErrorKind::Refused,
          formatv("'{0}' is compiled to flush denormals (-fgpu-flush-denormals-to-zero, -ffast-math), "
                  "which is not supported on the CPU",
                  F.getName()));
    for (Instruction &I : instructions(F)) {
      if (isa<FPMathOperator>(I))
        I.setFastMathFlags(FastMathFlags());
      auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
      if (!Intrinsic)
        continue;
      if (Intrinsic::ID Id = sameOnHost(Intrinsic->getIntrinsicID()))
        Intrinsic->setCalledFunction(Intrinsic::getOrInsertDeclaration(&M, Id, {I.getType()}));
    }
  }
  return Error::success();
}

} // namespace gpuprune
