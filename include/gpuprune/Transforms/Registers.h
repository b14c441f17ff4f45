//===- Registers.h - gpu-registers: what ptxas may use for a kernel ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// max=R       writes .maxnreg R (PTX ISA, performance-tuning directives): ptxas
//             uses at most R registers a thread and spills the rest.
// min-blocks=B writes .minnctapersm B: ptxas limits registers so that B thread
//             blocks fit an SM. It has a meaning only beside a bound on the
//             threads of a block, which __launch_bounds__ gives.
//
// Refused:
//   MissingThreadBound  min-blocks on a kernel without __launch_bounds__.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_REGISTERS_H
#define GPUPRUNE_TRANSFORMS_REGISTERS_H

#include "llvm/IR/PassManager.h"
#include <string>

namespace gpuprune {

struct RegistersOptions {
  unsigned Max = 0;       ///< Registers a thread; 0: no cap.
  unsigned MinBlocks = 0; ///< Thread blocks an SM; 0: not asked for.
  std::string Kernel;     ///< Empty: every kernel of the module.

  static llvm::Expected<RegistersOptions> parse(llvm::StringRef Text);
  void print(llvm::raw_ostream &OS) const;
};

class RegistersPass : public llvm::PassInfoMixin<RegistersPass> {
public:
  static constexpr const char *PassName = "gpu-registers";
  explicit RegistersPass(RegistersOptions Options) : Options(std::move(Options)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  void printPipeline(llvm::raw_ostream &OS, llvm::function_ref<llvm::StringRef(llvm::StringRef)> Map);
  static bool isRequired() { return true; }

private:
  RegistersOptions Options;
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_REGISTERS_H
