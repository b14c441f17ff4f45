//===- Compilation.h - One module on its way from bitcode to PTX ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_CODEGEN_COMPILATION_H
#define GPUPRUNE_LIB_CODEGEN_COMPILATION_H

#include "KernelFreedom.h"
#include "SharedStage.h"
#include "gpuprune/Analysis/MachineCounting.h"
#include "gpuprune/CodeGen/VariantCompiler.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace gpuprune {

class CompileDiagnostics;

/// One module on its way from bitcode to PTX.
class Compilation {
public:
  explicit Compilation(const VariantRequest &Request, CompileReuse *Known = nullptr);
  llvm::Error load();
  llvm::Error optimize();
  llvm::Expected<std::string> generateOnce();
  llvm::Expected<VariantCode> result(std::string Ptx);
  llvm::Expected<OptimizedVariant> optimized();
  /// The kernel of the module once that is prepared.
  llvm::Expected<llvm::Function *> preparedKernel();

private:
  const VariantRequest &Request;
  llvm::LLVMContext Context;
  CompileDiagnostics *Said = nullptr;
  std::unique_ptr<llvm::Module> M;
  std::unique_ptr<llvm::TargetMachine> TM;
  FrequencyMap Frequencies;
  std::map<std::string, KernelCounts> Counts;
  std::map<std::string, std::vector<KernelLoop>> Loops;
  std::map<std::string, KernelOffers> Offers;
  std::map<std::string, DataFreedom> Freedom;
  std::unique_ptr<llvm::ErrorInfoBase> ShapeRefusal;
  std::string IR;
  llvm::SmallString<0> FinalBitcode;
  uint64_t FrontEndInstructions = 0;
  std::string TooLarge; ///< Why the variant needs more than a device has; empty: it does not.

  CompileReuse *Reuse = nullptr; ///< Null: everything is made anew.
  std::string Stem;              ///< The passes that act before the end of -O3.
  std::string OptimizedKey;
  CompileReuse::Kept<std::string> Optimized; ///< What -O3 made, to go on from.
  RegisterRequests Requests;                 ///< Where there is that, the variant's own.

  llvm::Error createTargetMachine();
  void showFilled();
  void checkShared(llvm::Module &M);
  void checkCode(llvm::Module &M);
  llvm::Error takeDiagnostics();
  void schedulePasses(llvm::PassBuilder &PB);
  void lookUpOptimized(llvm::Module &M);
  void keepOptimized(llvm::Module &M);
  void leaveTo(CompileReuse::Kept<std::string> Known, llvm::Module &M);
  llvm::Error continueFromOptimized(llvm::PassBuilder &PB);
  llvm::Expected<std::string> generate();
  LaunchContext launchOf(const llvm::Function &F);
  void collectLoops(llvm::Module &M);
  void collectOffers(llvm::Module &M);
  void collectFreedom(llvm::Module &M);
  InstrSource countTrips(const llvm::Function &F, const llvm::LoopInfo &LI,
                         llvm::MutableArrayRef<LoopTrips> Trips);
  void collectFrequencies(llvm::Module &M);
  void countByRunning(const llvm::Function &F, BlockFrequencies &Found);
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_CODEGEN_COMPILATION_H
