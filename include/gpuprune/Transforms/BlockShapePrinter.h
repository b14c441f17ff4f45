//===- BlockShapePrinter.h - print<gpu-block-shape> -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_BLOCKSHAPEPRINTER_H
#define GPUPRUNE_TRANSFORMS_BLOCKSHAPEPRINTER_H

#include "gpuprune/Transforms/PassOptions.h"

namespace llvm {
class raw_ostream;
}

namespace gpuprune {

struct BlockShapeOptions : TabledOptions<BlockShapeOptions> {
  bool Distinct = false; ///< Different pointer arguments point to different buffers.

  static const OptionTable<BlockShapeOptions> &table();
};

/// print<gpu-block-shape>: for each kernel and dimension, whether the block shape is free.
class BlockShapePrinterPass : public llvm::PassInfoMixin<BlockShapePrinterPass> {
public:
  static constexpr const char *PassName = "print<gpu-block-shape>";
  explicit BlockShapePrinterPass(BlockShapeOptions Options, llvm::raw_ostream &Out = llvm::errs())
      : Out(&Out), Options(Options) {}
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &Analyses);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream *Out;
  BlockShapeOptions Options;
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_BLOCKSHAPEPRINTER_H
