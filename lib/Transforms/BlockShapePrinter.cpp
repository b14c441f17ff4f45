//===- BlockShapePrinter.cpp - print<gpu-block-shape> -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/BlockShapePrinter.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/BlockShapeFreedom.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace gpuprune {

Expected<bool> BlockShapePrinterPass::parseOptions(StringRef Text) {
  if (Text.empty() || Text == "distinct")
    return !Text.empty();
  return makeError(ErrorKind::Input,
                   "print<gpu-block-shape>: unknown option '" + Text + "'; expected distinct, or none");
}

PreservedAnalyses BlockShapePrinterPass::run(Function &F, FunctionAnalysisManager &) {
  if (F.getCallingConv() != CallingConv::PTX_Kernel)
    return PreservedAnalyses::all();
  ArgumentBuffers Buffers(F.arg_size());
  for (const Argument &A : F.args())
    if (Distinct && A.getType()->isPointerTy())
      Buffers[A.getArgNo()] = A.getArgNo();
  BlockShapeFreedom Freedom = findBlockShapeFreedom(F, Buffers);
  *Out << "gpu-block-shape of kernel '" << F.getName() << "':\n";
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    const DimensionFreedom &Free = Freedom.Dimensions[D];
    *Out << "  " << "xyz"[D] << ": ";
    if (Free.Never)
      *Out << "not free; " << Free.Never->message() << '\n';
    else if (Free.OtherExtent)
      *Out << "free where the grid has as many threads; " << Free.OtherExtent->message() << '\n';
    else
      *Out << "free\n";
  }
  if (Freedom.Rounds)
    *Out << "  floating-point additions may round differently\n";
  return PreservedAnalyses::all();
}

} // namespace gpuprune
