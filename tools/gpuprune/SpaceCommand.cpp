//===- SpaceCommand.cpp - gpuprune tune --print-space -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "gpuprune/Support/Counted.h"
#include "gpuprune/Variant/VariantBuilder.h"

using namespace llvm;

namespace gpuprune {

static void printCounts(raw_ostream &OS, const Enumeration &All) {
  OS << "# " << counted(All.Combinations, "combination") << ", " << counted(All.Variants.size(), "variant")
     << '\n';
  for (const RemovedCombinations &Constraint : All.Removed)
    OS << formatv("#   {0} removed by {1}\n", counted(Constraint.Count, "combination is", "combinations are"),
                  Constraint.Constraint);
  if (All.Duplicates)
    OS << formatv("#   {0} a variant that another combination makes, too\n",
                  counted(All.Duplicates, "combination makes", "combinations make"));
}

static void printWhatIsLeftOut(raw_ostream &OS, const Space &Printed) {
  if (std::optional<uint64_t> All = Printed.combinationsUnshortened())
    OS << formatv("#   values are left out: all of them would make {0} combinations; write a space with more "
                  "into the workload where they are missed\n",
                  *All);
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
  printWhatIsLeftOut(OS, *Printed);
  printYaml(OS, *Printed);
  return Error::success();
}

} // namespace gpuprune
