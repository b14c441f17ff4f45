//===- CoarseningPlanPrinter.h - print<gpu-coarsening-plan> ------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_COARSENINGPLANPRINTER_H
#define GPUPRUNE_TRANSFORMS_COARSENINGPLANPRINTER_H

#include "gpuprune/Transforms/BlockCoarsen.h"
#include "gpuprune/Transforms/ThreadCoarsen.h"
#include <variant>

namespace llvm {
class raw_ostream;
}

namespace gpuprune {

/// "block;" or "thread;" and the options of gpu-block-coarsen or gpu-thread-coarsen.
struct CoarseningPlanOptions {
  std::variant<BlockCoarsenOptions, ThreadCoarsenOptions> Of;

  static llvm::Expected<CoarseningPlanOptions> parse(llvm::StringRef Text);
  /// Those of the two passes are listed there.
  static std::vector<OptionForm> forms() { return {}; }
};

/// print<gpu-coarsening-plan>: for each kernel what coarsening it replicates, gives copies, and makes once
/// for all replicas, or why it refuses. The module is left as it is.
class CoarseningPlanPrinterPass : public llvm::PassInfoMixin<CoarseningPlanPrinterPass> {
public:
  static constexpr const char *PassName = "print<gpu-coarsening-plan>";
  explicit CoarseningPlanPrinterPass(CoarseningPlanOptions Options, llvm::raw_ostream &Out = llvm::errs())
      : Out(&Out), Options(std::move(Options)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream *Out;
  CoarseningPlanOptions Options;
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_COARSENINGPLANPRINTER_H
