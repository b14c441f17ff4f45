//===- VariantTime.cpp - The modelled time of a variant ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Variant/VariantTime.h"
#include "gpuprune/Support/Process.h"
#include "gpuprune/Variant/MemoryTrace.h"

using namespace llvm;

namespace gpuprune {

Expected<KernelCode> readCode(const AssembledKernel &Kernel) {
  Expected<std::string> Image = readFile(Kernel.Cubin);
  if (!Image)
    return Image.takeError();
  Expected<std::vector<KernelCode>> All = readKernelCode(*Image);
  if (!All)
    return All.takeError();
  auto Found = find_if(*All, [&](const KernelCode &Code) { return Code.Name == Kernel.Symbol; });
  if (Found == All->end())
    return makeError(ErrorKind::CodeGen, "the cubin has no code of '" + Kernel.Symbol + "'");
  return std::move(*Found);
}

Expected<ModelledTime> modelVariant(const BuiltVariant &Built, const VariantBuilder &Builder,
                                    const TuningTarget &Target, IfUntraced Else) {
  // Said before anything is run.
  if (Expected<const ModelRates *> Rates = findRates(Target.Device->Arch); !Rates)
    return Rates.takeError();
  Expected<ResolvedProblem> Problem = Builder.tuneProblem(Built.parts());
  if (!Problem)
    return Problem.takeError();
  Expected<KernelCode> Code = readCode(*Built.Code);
  if (!Code)
    return Code.takeError();
  Expected<FlowGraph> Ptx = ptxFlow(Built.Ptx, Built.Symbol);
  if (!Ptx)
    return Ptx.takeError();
  Expected<MemoryProfile> Memory = profileMemory(Built, *Ptx, *Problem, *Target.Device, Else);
  if (!Memory)
    return Memory.takeError();
  const PhysicalLaunch &Launch = Built.Row.Launch;
  Expected<ModelledTime> Time =
      modelTime(*Code, *Ptx, Built.Kernel.Counts, *Memory,
                {Launch.Grid, Launch.Block, Built.Row.BlocksPerSM.value_or(1)}, *Target.Device);
  if (Time && Target.W.isSequence()) {
    Time->Notes.push_back("the data are those of the workload, not what the launches before this one leave");
    Time->IsEstimated = true;
  }
  return Time;
}

} // namespace gpuprune
