//===- Grid.cpp - gpu-grid: as many blocks as the device runs ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Grid.h"
#include "GridFreedom.h"
#include "Kernel/KernelPass.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprune {

/// A thread may add up more than in the author's grid, so that what wraps in none of his sums may wrap here.
static void letSumsWrap(Function &F, ArrayRef<GridStride> Loops) {
  Origins From(F, Loops);
  for (Instruction &I : instructions(F))
    if (Origin Of = From.of(I); Of == Origin::Running || Of == Origin::Sum)
      I.dropPoisonGeneratingAnnotations();
}

static Verdict freeGrid(Function &F, unsigned Blocks) {
  Expected<LaunchContract> Contract = readLaunchContract(F);
  if (!Contract)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, toString(Contract.takeError()));
  if (Contract->PersistentBlocks || Contract->GridBlocks || Contract->GridDivisor != Dim3{1, 1, 1})
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F,
                               "a pass has changed its grid already; write gpu-grid in front of that pass");
  EliminateUnreachableBlocks(F);
  DominatorTree DT(F);
  LoopInfo LI(DT);
  IndexTerms Terms(F);
  SmallVector<GridStride, 2> Loops = findGridStrides(LI, Terms);
  if (Verdict Refused = checkGridFreedom(F, Loops, Terms))
    return Refused;
  letSumsWrap(F, Loops);
  for (const GridStride &G : Loops)
    G.testWithoutWrapping();
  Contract->GridBlocks = Blocks;
  if (Loops.size() == 1)
    Contract->GridEnd = Loops.front().end();
  writeLaunchContract(F, *Contract);
  return std::nullopt;
}

PreservedAnalyses GridPass::run(Module &M, ModuleAnalysisManager &) {
  std::string Done = formatv("launched are {0} blocks a multiprocessor", Options.Blocks);
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Freed", Done, std::nullopt,
                              [&](Function &F) { return freeGrid(F, Options.Blocks); });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

const OptionTable<GridOptions> &GridOptions::table() {
  using O = GridOptions;
  static const OptionTable<O> Table{GridPass::PassName,
                                    {numberOption({.Key = "blocks", .Values = "K", .Required = true},
                                                  &O::Blocks, Shown::Always, 1, MostPersistentBlocks),
                                     kernelOption<O>()}};
  return Table;
}

/// As many of the author's blocks as can be resident on a multiprocessor, if registers and shared memory let
/// them.
static PassOffers offerGrids(Function &F, FunctionAnalysisManager &, const OfferContext &Context) {
  static constexpr unsigned LastStep = 5;
  static constexpr uint64_t MostThreadsPerSM = 2048; // Some devices have fewer.
  const std::optional<Dim3> &Block = Context.Launch.Block, &Grid = Context.Launch.Grid;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  IndexTerms Terms(F);
  bool IsFree = Block && Grid && Grid->X > 1 && Grid->X <= MostGridBlocks && Block->volume() >= 1 &&
                !checkGridFreedom(F, findGridStrides(LI, Terms), Terms);
  return atEachStep([&](unsigned Step) {
    PassOffer Offer;
    if (!IsFree || Step > LastStep)
      return Offer;
    uint64_t Resident = divideCeil(MostThreadsPerSM, uint64_t(Block->volume()));
    Resident = std::clamp<uint64_t>(Resident, 1, MostPersistentBlocks);
    Offer.Elements.push_back({GridPass::PassName, {{"blocks", "{grid}"}}});
    Offer.Choices.push_back({"grid", {"none", utostr(Resident)}});
    return Offer;
  });
}

const PassDescriptor &gridDescriptor() {
  static const PassDescriptor D =
      describe<GridPass, GridOptions>("as many blocks are launched as the device runs",
                                      {.ChangesLaunch = [](const GridOptions &) { return true; },
                                       .LaunchesPerMultiprocessor = true,
                                       .Offer = offerGrids});
  return D;
}

} // namespace gpuprune
