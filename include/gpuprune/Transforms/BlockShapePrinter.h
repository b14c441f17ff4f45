//===- BlockShapePrinter.h - print<gpu-block-shape> -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_BLOCKSHAPEPRINTER_H
#define GPUPRUNE_TRANSFORMS_BLOCKSHAPEPRINTER_H

#include "llvm/IR/PassManager.h"

namespace llvm {
class raw_ostream;
}

namespace gpuprune {

/// print<gpu-block-shape>: for each kernel and dimension, whether the block shape is free.
/// print<gpu-block-shape><distinct>: different pointer arguments point to different buffers.
class BlockShapePrinterPass : public llvm::PassInfoMixin<BlockShapePrinterPass> {
public:
  BlockShapePrinterPass(llvm::raw_ostream &Out, bool Distinct) : Out(&Out), Distinct(Distinct) {}
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &Analyses);
  static bool isRequired() { return true; }

  /// "distinct" or nothing.
  static llvm::Expected<bool> parseOptions(llvm::StringRef Text);

private:
  llvm::raw_ostream *Out;
  bool Distinct;
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_BLOCKSHAPEPRINTER_H
