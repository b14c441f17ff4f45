//===- Unroll.h - gpu-unroll: unrolls one numbered loop of a kernel ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before:  for (k = 0; k < 16; ++k)        After gpu-unroll<loop=1;factor=4>:
//            acc += A[k] * B[k];             for (k = 0; k < 16; k += 4) {
//                                              acc += A[k] * B[k]; ... acc += A[k+3] * B[k+3]; }
//
// Afterwards the loop carries llvm.loop.unroll.disable: the variant has decided,
// so neither LLVM nor ptxas (.pragma "nounroll") unrolls it again. factor=1
// therefore means "leave it rolled". A factor of at least a constant trip count
// is a full unroll. A trip count the factor does not divide, or one known only
// at run time, gets a remainder loop.
//
// Refused:
//   NoSuchLoop             the kernel has no loop of that number;
//   UnknownTripCount       factor=full without a constant trip count;
//   TooLarge               the unrolled body would pass 100,000 instructions;
//   ConvergentRemainder    the loop holds a barrier or another convergent
//                          operation and the factor is not proved to divide the
//                          trip count: a remainder loop would put the operation
//                          under control it was not under;
//   NotUnrolled            LLVM's unroller does not take the loop's form.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TRANSFORMS_UNROLL_H
#define GPUPRUNE_TRANSFORMS_UNROLL_H

#include "llvm/IR/PassManager.h"
#include <string>

namespace gpuprune {

struct UnrollOptions {
  unsigned Loop = 0;   ///< Number of the loop, as gpu-prepare gives it.
  unsigned Factor = 1; ///< Copies of the body; not used where Full is set.
  bool Full = false;
  std::string Kernel; ///< Empty: every kernel of the module.

  static llvm::Expected<UnrollOptions> parse(llvm::StringRef Text);
  void print(llvm::raw_ostream &OS) const;
};

class UnrollPass : public llvm::PassInfoMixin<UnrollPass> {
public:
  static constexpr const char *PassName = "gpu-unroll";
  explicit UnrollPass(UnrollOptions Options) : Options(std::move(Options)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  void printPipeline(llvm::raw_ostream &OS, llvm::function_ref<llvm::StringRef(llvm::StringRef)> Map);
  static bool isRequired() { return true; }

private:
  UnrollOptions Options;
};

} // namespace gpuprune

#endif // GPUPRUNE_TRANSFORMS_UNROLL_H
