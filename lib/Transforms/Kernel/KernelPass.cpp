//===- KernelPass.cpp - What the passes over kernels have in common ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelPass.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/LoopNumbers.h"

using namespace llvm;

namespace gpuprune {

/// Before the loop is transformed.
static DebugLoc startOfLoop(Function &F, unsigned Number) {
  if (!F.getSubprogram())
    return {};
  DominatorTree DT(F);
  LoopInfo LI(DT);
  SmallVector<Loop *, 2> Loops = findLoops(LI, Number);
  return Loops.empty() ? DebugLoc() : Loops.front()->getStartLoc();
}

bool transformKernels(Module &M, const char *PassName, StringRef Kernel, StringRef DoneName,
                      const Twine &Done, std::optional<unsigned> Loop,
                      function_ref<Verdict(Function &)> Transform) {
  if (!isDeviceModule(M))
    return false;
  SmallVector<Function *, 4> Kernels = selectKernels(M, Kernel);
  if (Kernels.empty() && !Kernel.empty())
    reportNoSuchKernel(PassName, M, Kernel);
  for (Function *F : Kernels) {
    std::string Name = F->getName().str();
    DebugLoc Where = Loop ? startOfLoop(*F, *Loop) : DebugLoc();
    if (Verdict Refused = Transform(*F))
      reportRefusal(PassName, *F, *Refused);
    else
      reportDone(PassName, DoneName, *M.getFunction(Name), Done, Where); // It may be another function now.
  }
  return !Kernels.empty();
}

} // namespace gpuprune
