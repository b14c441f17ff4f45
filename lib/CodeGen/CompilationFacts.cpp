//===- CompilationFacts.cpp - What is known of a kernel at its stages ------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Compilation.h"
#include "KernelFreedom.h"
#include "gpuprune/Analysis/AnalysisManagers.h"
#include "gpuprune/Analysis/FreshAnalyses.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Analysis/SharedMemory.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Device/DeviceInfo.h"
#include "gpuprune/Passes/Registry.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/Kernels.h"
#include "gpuprune/Transforms/RaggedLoops.h"
#include "gpuprune/Transforms/ReusedLoads.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// The launch of \p F as its contract makes it.
LaunchContext Compilation::launchOf(const Function &F) {
  if (Request.Kernel.empty() || !hasKernelName(F, Request.Kernel))
    return {};
  LaunchContext Launch = Request.Launch;
  if (!Launch.Grid)
    return Launch;
  Expected<LaunchContract> Contract = readLaunchContract(F);
  // A block that is not known is one that any contract divides.
  Expected<PhysicalLaunch> Physical =
      Contract ? apply(Launch.author(), *Contract, Launch.Multiprocessors) : Contract.takeError();
  if (!Physical) {
    handleAllErrors(Physical.takeError(),
                    [&](std::unique_ptr<ErrorInfoBase> E) { ShapeRefusal = std::move(E); });
    return Launch;
  }
  Launch.Grid = Physical->Grid;
  if (Launch.Block)
    Launch.Block = Physical->Block;
  Launch.SharedBytes = Physical->SharedBytes;
  Launch.Hidden = std::move(Physical->Hidden);
  Launch.Scalars.resize(F.arg_size());
  llvm::transform(Launch.Hidden, Launch.Scalars.end() - Launch.Hidden.size(),
                  [](const HiddenArgument &A) { return A.Value; });
  return Launch;
}

/// Puts what a run counts in place of what is assumed of \p Trips, where there can be
/// one; how the numbers were got then.
InstrSource Compilation::countTrips(const Function &F, const LoopInfo &LI, MutableArrayRef<LoopTrips> Trips) {
  BlockFrequencies Counted;
  Counted.Exact = false;
  countByRunning(F, Counted);
  if (!Counted.Exact)
    return InstrSource::Estimated;
  for (LoopTrips &L : Trips) {
    if (L.Exact)
      continue;
    L.Iterations = Counted.of(L.Header);
    L.Entries = 0;
    for (const BasicBlock *From : predecessors(L.Header))
      if (!LI.getLoopFor(L.Header)->contains(From))
        L.Entries += Counted.Edges.lookup({From, L.Header});
  }
  return Counted.Source;
}

void Compilation::collectLoops(Module &M) {
  for (Function *F : selectKernels(M, "")) {
    if (Loops.contains(F->getName().str()))
      continue; // A pipeline such as default<O3> has the extension point, too.
    FreshAnalyses A(*F);
    BlockFrequencies Found = computeBlockFrequencies(*F, A.LI, A.SE, launchOf(*F));
    InstrSource Rest = Found.Exact ? InstrSource::ExactStatic : countTrips(*F, A.LI, Found.Loops);
    for (const LoopTrips &L : Found.Loops)
      if (L.Number)
        Loops[F->getName().str()].push_back(
            {*L.Number, L.Depth, L.Line, L.tripCount(), L.Exact ? InstrSource::ExactStatic : Rest});
  }
}

static bool sharesReads(Function &F, const LaunchContext &Launch) {
  if (sharedBytes(F) > 0 || Launch.SharedBytes > 0)
    return true;
  std::array<bool, 3> Reused = reusesLoads(F);
  for (unsigned D = 0; D != Reused.size(); ++D)
    if (Reused[D] && Launch.Grid && (*Launch.Grid)[D] > 1)
      return true;
  return false;
}

void Compilation::collectOffers(Module &M) {
  SmallVector<Function *, 4> Named = selectKernels(M, Request.Kernel);
  if (Request.Kernel.empty() || Named.size() != 1 || Offers.contains(Named.front()->getName().str()))
    return;
  Function &F = *Named.front();
  PassBuilder PB(TM.get());
  AnalysisManagers Analyses; // Of its own, as FreshAnalyses are.
  Analyses.registerAll(PB);
  KernelOffers &Found = Offers[F.getName().str()];
  for (const PassDescriptor *Pass : passDescriptors())
    if (Pass->Offer)
      Found.OfPasses.push_back(Pass->Offer(F, Analyses.Functions, *Request.OffersFor));
  Found.HasRaggedLoops = hasRaggedLoops(F);
  Found.SharesReads = sharesReads(F, Request.OffersFor->Launch);
}

void Compilation::collectFreedom(Module &M) {
  for (Function *F : selectKernels(M, ""))
    if (auto [It, IsFirst] = Freedom.try_emplace(F->getName().str()); IsFirst)
      It->second = kernelFreedom(M, *F);
}

/// Of the kernel that is to be launched: the device could not hold one block of it, and ptxas would say so of
/// a whole batch.
void Compilation::checkShared(Module &M) {
  SmallVector<Function *, 4> Named = selectKernels(M, Request.Kernel);
  if (Request.Kernel.empty() || Named.size() != 1)
    return;
  if (uint64_t Bytes = sharedBytes(*Named.front()); Bytes > MostStaticShared)
    TooLarge = formatv("a block needs {0} bytes of static shared memory; {1} can be declared", Bytes,
                       MostStaticShared);
  std::optional<const DeviceInfo *> Device = expectedToOptional(findDevice(TM->getTargetCPU()));
  std::optional<LaunchContract> Contract = expectedToOptional(readLaunchContract(*Named.front()));
  if (Device && Contract && Contract->SharedArrays > (*Device)->SharedPerBlockOptIn)
    TooLarge = formatv("a block needs {0} bytes of shared memory; {1} has {2}", Contract->SharedArrays,
                       (*Device)->Arch, (*Device)->SharedPerBlockOptIn);
}

/// Code that no cache holds is read anew in each iteration; what that gains nothing takes longest to compile.
void Compilation::checkCode(Module &M) {
  constexpr uint64_t Fits = InstructionCacheBytes / InstructionBytes;
  uint64_t Has = M.getInstructionCount();
  if (Has <= std::max(Fits, 2 * FrontEndInstructions) || !canDropBodies(M))
    return;
  TooLarge = formatv("replication made {0} instructions of {1}; the instruction cache holds {2}", Has,
                     FrontEndInstructions, Fits);
  Requests = RegisterRequests::take(M);
  dropBodies(M); // Which leaves the rest of the pipeline nothing to do.
}

void Compilation::collectFrequencies(Module &M) {
  if (TooLarge.empty())
    checkShared(M);
  if (!TooLarge.empty())
    return;
  for (Function &F : M)
    if (!F.isDeclaration()) {
      FreshAnalyses A(F);
      BlockFrequencies Found = computeBlockFrequencies(F, A.LI, A.SE, launchOf(F));
      if (!Found.Exact)
        countByRunning(F, Found);
      Frequencies.add(F, Found);
    }
}

/// Puts what was counted in place of what was estimated.
void Compilation::countByRunning(const Function &F, BlockFrequencies &Found) {
  LaunchContext Launch = launchOf(F);
  if (!Request.CountByRunning || !Launch.Grid || !Launch.Block || ShapeRefusal)
    return;
  if (Expected<BlockFrequencies> Counted = Request.CountByRunning(F, Launch))
    Found = std::move(*Counted);
  else
    Found.Reasons.push_back("not counted by running: " + toString(Counted.takeError()));
}

} // namespace gpuprune
