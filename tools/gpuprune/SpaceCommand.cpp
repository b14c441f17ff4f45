//===- SpaceCommand.cpp - gpuprune tune --print-space -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "gpuprune/Driver/VariantBuilder.h"

using namespace llvm;

namespace gpuprune {

static void printCounts(raw_ostream &OS, const Enumeration &All) {
  OS << formatv("# {0} combinations, {1} variants\n", All.Combinations, All.Variants.size());
  for (const RemovedCombinations &Constraint : All.Removed)
    OS << formatv("#   {0} combinations are removed by {1}\n", Constraint.Count, Constraint.Constraint);
  if (All.Duplicates)
    OS << formatv("#   {0} combinations make a variant that another one makes, too\n", All.Duplicates);
}

Error printSpace(StringRef Workload, StringRef Device, unsigned Launch, raw_ostream &OS) {
  Expected<TuningTarget> Target = loadTarget(Workload, Device, Launch);
  if (!Target)
    return Target.takeError();
  VariantBuilder Builder(*Target);
  Expected<VariantKernel> Kernel = Builder.inspect();
  if (!Kernel)
    return Kernel.takeError();
  Expected<Space> Printed = spaceFor(Target->W, *Kernel);
  if (!Printed)
    return Printed.takeError();
  Expected<Enumeration> All = Printed->enumerate();
  if (!All)
    return All.takeError();
  printCounts(OS, *All);
  printYaml(OS, *Printed);
  return Error::success();
}

} // namespace gpuprune
