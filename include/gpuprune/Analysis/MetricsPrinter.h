//===- MetricsPrinter.h - print<gpu-metrics> ------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_ANALYSIS_METRICSPRINTER_H
#define GPUPRUNE_ANALYSIS_METRICSPRINTER_H

#include "gpuprune/Analysis/BlockFrequencies.h"
#include "gpuprune/Analysis/InstructionClass.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class raw_ostream;
}

namespace gpuprune {

/// Counts the IR of \p F with the executions in \p Frequencies. Each instruction
/// counts as one, in the class of what it becomes; phis, casts that change no
/// bits and debug or lifetime markers become nothing and do not count.
KernelCounts countIR(const llvm::Function &F, const llvm::LoopInfo &Loops,
                     const BlockFrequencies &Frequencies);

/// print<gpu-metrics>: for each kernel its counts by class, regions, shared bytes
/// and loops, at IR level and without a launch: what depends on arguments or on
/// the geometry is assumed (see BlockFrequencies.h) and printed as such; a trip
/// count that is not a constant prints as "unknown".
class GpuMetricsPrinterPass : public llvm::PassInfoMixin<GpuMetricsPrinterPass> {
public:
  static constexpr const char *PassName = "print<gpu-metrics>";
  explicit GpuMetricsPrinterPass(llvm::raw_ostream &Out = llvm::errs()) : Out(&Out) {}
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &Analyses);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream *Out;
};

} // namespace gpuprune

#endif // GPUPRUNE_ANALYSIS_METRICSPRINTER_H
