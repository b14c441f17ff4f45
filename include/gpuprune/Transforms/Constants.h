//===- Constants.h - gpu-constants: tables that nobody writes ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// gpu-constants<symbol=NAME|all>: what the kernel reads from the __constant__ variable
// NAME, or from all that have an initial value, is that value.
// Before:  __constant__ int dx[4] = {0, 1, 0, -1};       for (k = 0; k < 4; k++) s += a[i + dx[k]];
// After:   static const int copy[4] = {0, 1, 0, -1};     for (k = 0; k < 4; k++) s += a[i + copy[k]];
// Where LLVM unrolls the loop it folds the loads, and with them addresses and products:
//          s += a[i]; s += a[i + 1]; s += a[i]; s += a[i - 1];
// What is not folded is read from the copy, in constant memory, too. The author's variable stays, and so
// does what other kernels and functions that were not inlined read.
//
// Why it is right. No kernel can write a __constant__ variable; the host can
// (cudaMemcpyToSymbol), which is why LLVM does not fold loads from it. The launch contract
// (LaunchContract.h, unwritten-variables) names the variables that have to hold their
// initial values at each launch, and whoever launches proves that: the tuner by what a
// workload gives them, a build by the program's host code (VariableProof.h in lib/Deploy).
// The kernel does nothing with the variable's address but load from it, so that nobody can
// tell the copy from the variable.
//
// Refused: NoSuchSymbol, NotConstantMemory (a __device__ variable: kernels may write it),
//   DeclaredElsewhere (defined in another file, or weak), NothingRead (not by the kernel; or there is no
//   initial value, only zeros; or it holds addresses; or LLVM knows the value as it is), PointerEscapes,
//   MixedSymbols, TooLarge (with the copies, the module has more constant memory than a device),
//   BadLaunchContract (one that cannot be read), NoSuchKernel.
//   symbol=all leaves out what would be refused by itself, and is refused where nothing is left.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_CONSTANTS_H
#define GPUPRUNE_TRANSFORMS_CONSTANTS_H

#include "gpuprune/Transforms/PassOptions.h"
#include <string>

namespace gpuprune {

struct ConstantsOptions : TabledOptions<ConstantsOptions> {
  std::string Symbol; ///< Its name in the PTX; empty: all.
  std::string Kernel; ///< Empty: every kernel of the module.

  static const OptionTable<ConstantsOptions> &table();
};

class ConstantsPass : public PassWithOptions<ConstantsPass, ConstantsOptions> {
public:
  static constexpr const char *PassName = "gpu-constants";
  using PassWithOptions::PassWithOptions;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_CONSTANTS_H
