//===- Persistent.cpp - gpu-persistent: blocks that stay on the device ----------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Persistent.h"
#include "Coarsen/Coarsening.h"
#include "Coarsen/OneByOne.h"
#include "Facts/LanesThatEnded.h"
#include "Kernel/KernelCopy.h"
#include "Kernel/KernelPass.h"
#include "PersistentLoop.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/InlineCalls.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprune {

static constexpr std::array<HiddenParameter, 3> Extents = {HiddenParameter::BlocksX, HiddenParameter::BlocksY,
                                                           HiddenParameter::BlocksZ};

/// Each block would add to the thread's stack, which is given back only where the thread ends.
static Verdict checkStack(Function &F) {
  for (const Instruction &I : instructions(F))
    if (const auto *Local = dyn_cast<AllocaInst>(&I); Local && !isa<Constant>(Local->getArraySize()))
      return Refusal::at(RefusalKind::TooLarge, I,
                         "each block would take further memory on the stack, of a size known at run time");
  return std::nullopt;
}

static Verdict checkPersistence(Function &F) {
  Coarsening Blocks;
  if (Verdict Refused = checkLegality(F, Blocks))
    return Refused;
  if (Verdict Refused = checkStack(F))
    return Refused;
  if (Verdict Refused = checkOneByOne(F, Blocks))
    return Refused;
  return checkNoLaneEnds(F);
}

static Verdict makePersistent(Function &F, const PersistentOptions &Options) {
  Expected<LaunchContract> Contract = readLaunchContract(F);
  if (!Contract)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, toString(Contract.takeError()));
  if (Contract->PersistentBlocks)
    return Refusal::inFunction(
        RefusalKind::BadLaunchContract, F,
        "its blocks do several of the author's already, as many as the device decides");
  if (Contract->GridBlocks)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, "gpu-grid decides on its grid already");
  Contract->PersistentBlocks = Options.Blocks;
  SmallVector<StringRef, 3> Names;
  for (HiddenParameter Parameter : Extents) {
    Contract->Hidden.push_back(Parameter);
    Names.push_back(hiddenParameterName(Parameter));
  }
  EliminateUnreachableBlocks(F);
  Function &Copy = copyKernel(F, ".persistent", Names);
  inlineCalls(Copy);
  returnInsteadOfExit(Copy);
  sharedUsesToInstructions(Copy);
  Verdict Refused = checkPersistence(Copy);
  if (!Refused) {
    size_t Given = F.arg_size();
    loopOverBlocks(Copy, {Copy.getArg(Given), Copy.getArg(Given + 1), Copy.getArg(Given + 2)},
                   Options.Consecutive);
    restoreForm(Copy);
    writeLaunchContract(takeBody(F, Copy), *Contract);
  }
  Copy.eraseFromParent();
  return Refused;
}

PreservedAnalyses PersistentPass::run(Module &M, ModuleAnalysisManager &MAM) {
  std::string Done = formatv("at most {0} blocks a multiprocessor do all blocks", Options.Blocks);
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Persistent", Done, std::nullopt,
                              [&](Function &F) { return makePersistent(F, Options); });
  forgetAssumptions(M, MAM);
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

const OptionTable<PersistentOptions> &PersistentOptions::table() {
  using O = PersistentOptions;
  static const OptionTable<O> Table{PersistentPass::PassName,
                                    {numberOption({.Key = "blocks", .Values = "K", .Required = true},
                                                  &O::Blocks, Shown::Always, 1, MostPersistentBlocks),
                                     choiceOption({"order", "strided|consecutive", OptionMeaning::Manner},
                                                  &O::Consecutive, Shown::UnlessDefault),
                                     kernelOption<O>()}};
  return Table;
}

const PassDescriptor &persistentDescriptor() {
  static const PassDescriptor D = describe<PersistentPass, PersistentOptions>(
      "a fixed number of blocks do all blocks of the grid",
      {.ChangesLaunch = [](const PersistentOptions &) { return true; }, .LaunchesPerMultiprocessor = true});
  return D;
}

} // namespace gpuprune
