//===- BlockShapePrinter.cpp - print<gpu-block-shape> -----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/BlockShapePrinter.h"
#include "gpuprune/Transforms/BlockShapeFreedom.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace gpuprune {

const OptionTable<BlockShapeOptions> &BlockShapeOptions::table() {
  static const OptionTable<BlockShapeOptions> Table{BlockShapePrinterPass::PassName,
                                                    {wordOption({"distinct"}, &BlockShapeOptions::Distinct)}};
  return Table;
}

const PassDescriptor &blockShapeDescriptor() {
  static const PassDescriptor D = describe<BlockShapePrinterPass, BlockShapeOptions>(
      "the blocks that a kernel can be launched with", {.Role = PassRole::Printer});
  return D;
}

PreservedAnalyses BlockShapePrinterPass::run(Function &F, FunctionAnalysisManager &) {
  if (F.getCallingConv() != CallingConv::PTX_Kernel)
    return PreservedAnalyses::all();
  BlockShapeFreedom Freedom =
      findBlockShapeFreedom(F, Options.Distinct ? distinctBuffers(F) : ArgumentBuffers());
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
