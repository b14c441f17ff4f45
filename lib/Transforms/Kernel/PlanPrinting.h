//===- PlanPrinting.h - What printers of plans have in common ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_TRANSFORMS_PLANPRINTING_H
#define GPUPRUNE_LIB_TRANSFORMS_PLANPRINTING_H

#include "KernelPass.h"
#include "gpuprune/Transforms/Kernels.h"

namespace gpuprune {

/// Calls \p Show, which prints the plan of one kernel, for those of \p M that \p Printed selects: under the
/// line "\p PlanName of kernel 'k', PASS<OPTIONS>:", and before one that says why it is refused, if it is.
template <typename Options>
void printKernelPlans(llvm::raw_ostream &Out, llvm::StringRef PlanName, const char *PassName, llvm::Module &M,
                      const Options &Printed, llvm::function_ref<Verdict(llvm::Function &)> Show) {
  llvm::SmallVector<llvm::Function *, 4> Kernels = selectKernels(M, Printed.Kernel);
  if (Kernels.empty() && !Printed.Kernel.empty())
    reportNoSuchKernel(("print<" + PlanName + ">").str().c_str(), M, Printed.Kernel);
  for (llvm::Function *F : Kernels) {
    Out << PlanName << " of kernel '" << F->getName() << "', " << PassName << '<';
    Printed.print(Out);
    Out << ">:\n";
    if (Verdict Refused = Show(*F))
      Out << "  refused (" << refusalName(Refused->Kind) << "): " << Refused->Message << '\n';
  }
}

} // namespace gpuprune

#endif // GPUPRUNE_LIB_TRANSFORMS_PLANPRINTING_H
