//===- PrefetchPlanPrinter.h - print<gpu-prefetch-plan> ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_PREFETCHPLANPRINTER_H
#define GPUPRUNE_TRANSFORMS_PREFETCHPLANPRINTER_H

#include "gpuprune/Transforms/Prefetch.h"

namespace llvm {
class raw_ostream;
}

namespace gpuprune {

/// print<gpu-prefetch-plan>: for each kernel which loads gpu-prefetch makes ahead, where and under which
/// conditions, and why it leaves others or refuses. The module is left as it is.
class PrefetchPlanPrinterPass : public llvm::PassInfoMixin<PrefetchPlanPrinterPass> {
public:
  static constexpr const char *PassName = "print<gpu-prefetch-plan>";
  explicit PrefetchPlanPrinterPass(PrefetchOptions Options, llvm::raw_ostream &Out = llvm::errs())
      : Out(&Out), Options(std::move(Options)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream *Out;
  PrefetchOptions Options;
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_PREFETCHPLANPRINTER_H
