//===- Prefetch.cpp - gpu-prefetch: loads of later iterations are made ahead ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Prefetch.h"
#include "FurthestIteration.h"
#include "Kernel/KernelCopy.h"
#include "Kernel/KernelPass.h"
#include "PrefetchKernel.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/LoopNumbers.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace gpuprune {

static void reportStaying(Function &F, ArrayRef<Refusal> Stay) {
  for (const Refusal &Why : Stay)
    reportLeft(PrefetchPass::PassName, "LoadStays", F,
               "a load is not made ahead (" + refusalName(Why.Kind) + "): " + Why.Message, Why.Where);
}

/// An assignment of a float4 is a copy of 16 bytes: as a load and a store it is the same,
/// and the load can go ahead.
static void splitSmallCopies(Loop &L) {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : make_early_inc_range(*BB)) {
      auto *Copy = dyn_cast<MemCpyInst>(&I);
      auto *Length = Copy ? dyn_cast<ConstantInt>(Copy->getLength()) : nullptr;
      if (!Length || Copy->isVolatile() || (Length->getValue() != 8 && Length->getValue() != 16))
        continue;
      uint64_t Bytes = Length->getZExtValue();
      Align To = Copy->getDestAlign().valueOrOne(), From = Copy->getSourceAlign().valueOrOne();
      if (std::min(To, From).value() < Bytes)
        continue;
      IRBuilder<> Builder(Copy);
      Type *Whole = FixedVectorType::get(Builder.getInt32Ty(), Bytes / 4);
      Value *Loaded = Builder.CreateAlignedLoad(Whole, Copy->getRawSource(), From);
      Builder.CreateAlignedStore(Loaded, Copy->getRawDest(), To);
      Copy->eraseFromParent();
    }
}

/// Decides for all loops; \p Dynamic, if there is one, gets the buffers of dynamic shared memory.
static Verdict planLoops(Function &F, const PrefetchOptions &Options, FunctionAnalysisManager &FAM,
                         DynamicMemory *Dynamic, KernelPrefetch &Planned) {
  bool ToShared = Options.To == PrefetchTarget::SharedAsync;
  if (ToShared)
    sharedUsesToInstructions(F);
  if (Dynamic)
    uniteDynamicShared(F);
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  DominatorTree &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  ScalarEvolution &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  for (Loop *L : findLoops(LI, Options.Loop)) {
    simplifyLoop(L, &DT, &LI, &SE, nullptr, nullptr, /*PreserveLCSSA=*/false);
    splitSmallCopies(*L);
    if (Verdict Refused = planPrefetch(F, *L, FAM, Planned.Loops.emplace_back()))
      return Refused;
    if (!ToShared)
      continue;
    Planned.Shared.emplace_back().Dynamic = Dynamic;
    if (Verdict Refused = planSharedPrefetch(F, Planned.Loops.back(), DT, LI, SE, Planned.Shared.back()))
      return Refused;
  }
  return Planned.Loops.empty() ? Verdict(noSuchLoop(F, Options.Loop, LI)) : std::nullopt;
}

static void carryOut(Function &F, KernelPrefetch &Planned, unsigned Distance, FunctionAnalysisManager &FAM,
                     SmallVectorImpl<Refusal> &Stay) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  DomTreeUpdater DTU(FAM.getResult<DominatorTreeAnalysis>(F), DomTreeUpdater::UpdateStrategy::Eager);
  for (auto [Index, Plan] : enumerate(Planned.Loops)) {
    append_range(Stay, Plan.Stay);
    if (Planned.Shared.empty())
      prefetchToRegisters(Plan, Distance, DTU, LI);
    else
      prefetchToShared(Plan, Planned.Shared[Index], Distance, DTU, LI);
  }
}

static Verdict prefetch(Function &F, const PrefetchOptions &Options, FunctionAnalysisManager &FAM,
                        PrefetchWatcher Watch, SmallVectorImpl<Refusal> &Stay,
                        DynamicMemory *Dynamic = nullptr) {
  KernelPrefetch Planned;
  Verdict Refused = planLoops(F, Options, FAM, Dynamic, Planned);
  Watch(F, Planned, Refused);
  if (!Refused)
    carryOut(F, Planned, Options.Distance, FAM, Stay);
  return Refused;
}

/// On a copy that is told the author's dynamic shared memory. \p F may be another function afterwards.
static Verdict prefetchWithLargerLaunch(Function &F, const PrefetchOptions &Options,
                                        FunctionAnalysisManager &FAM, SmallVectorImpl<Refusal> &Stay,
                                        PrefetchWatcher Watch) {
  Expected<LaunchContract> Contract = readLaunchContract(F);
  if (!Contract)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, toString(Contract.takeError()));
  if (Contract->SharedArrays)
    return Refusal::inFunction(
        RefusalKind::BadLaunchContract, F,
        "its arrays have been moved to dynamic shared memory, in front of the author's; "
        "prefetch before the end of the pipeline");
  constexpr HiddenParameter Bytes = HiddenParameter::SharedBytes;
  SmallVector<StringRef, 1> More;
  if (!Contract->hidden(Bytes)) {
    Contract->Hidden.push_back(Bytes);
    More.push_back(hiddenParameterName(Bytes));
  }
  Function &Copy = copyKernel(F, ".prefetched", More);
  DynamicMemory Dynamic = dynamicMemoryOf(Copy, *Contract);
  Verdict Refused = prefetch(Copy, Options, FAM, Watch, Stay, &Dynamic);
  if (!Refused)
    Refused = askForCopies(Copy, Dynamic, *Contract);
  FAM.clear(Copy, Copy.getName());
  if (Refused) {
    Copy.eraseFromParent();
    return Refused;
  }
  size_t Spare = Dynamic.AuthorBytes->use_empty() ? More.size() : 0;
  Contract->Hidden.resize(Contract->Hidden.size() - Spare);
  FAM.clear(F, F.getName());
  Function &Kernel = takeBody(F, Copy, Spare);
  Copy.eraseFromParent();
  writeLaunchContract(Kernel, *Contract);
  return std::nullopt;
}

Verdict prefetchKernel(Function &F, const PrefetchOptions &Options, FunctionAnalysisManager &FAM,
                       SmallVectorImpl<Refusal> &Stay, PrefetchWatcher Watch) {
  if (Options.LargerLaunch && hasDynamicShared(*F.getParent()))
    return prefetchWithLargerLaunch(F, Options, FAM, Stay, Watch);
  Verdict Refused = prefetch(F, Options, FAM, Watch, Stay);
  FAM.invalidate(F, PreservedAnalyses::none());
  return Refused;
}

SmallVector<unsigned, 4> tileLoops(Function &F) {
  FunctionAnalysisManager FAM;
  FAM.registerPass([] { return PassInstrumentationAnalysis(); });
  FAM.registerPass([] { return DominatorTreeAnalysis(); });
  FAM.registerPass([] { return LoopAnalysis(); });
  FAM.registerPass([] { return TargetLibraryAnalysis(); });
  FAM.registerPass([] { return TypeBasedAA(); });
  SmallVector<unsigned, 4> Found;
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
    PrefetchPlan Plan;
    std::optional<unsigned> Number = loopNumber(*L);
    if (Number && !planPrefetch(F, *L, FAM, Plan) && Plan.Barrier)
      Found.push_back(*Number);
  }
  return Found;
}

PreservedAnalyses PrefetchPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  std::string Done =
      formatv("loop {0} reads global memory {1} iterations ahead", Options.Loop, Options.Distance);
  bool Ran =
      transformKernels(M, PassName, Options.Kernel, "Prefetched", Done, Options.Loop, [&](Function &F) {
        std::string Name = F.getName().str();
        SmallVector<Refusal, 4> Stay;
        Verdict Refused = prefetchKernel(F, Options, FAM, Stay);
        if (!Refused)
          reportStaying(*M.getFunction(Name), Stay);
        return Refused;
      });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

static Error checkDistance(const PrefetchOptions &Options) {
  static constexpr unsigned Most = PrefetchOptions::MostBuffers - 1;
  if (Options.To != PrefetchTarget::SharedAsync || Options.Distance <= Most)
    return Error::success();
  return makeError(ErrorKind::Input, formatv("{0}: to=shared-async takes a distance of at most {1}, not {2}",
                                             PrefetchPass::PassName, Most, Options.Distance));
}

const OptionTable<PrefetchOptions> &PrefetchOptions::table() {
  using O = PrefetchOptions;
  static const OptionTable<O> Table{
      PrefetchPass::PassName,
      {numberOption({"loop", "N", OptionMeaning::Object, true}, &O::Loop, Shown::Always, 0),
       numberOption({"distance", "D"}, &O::Distance, Shown::Always, 1, MostDistance),
       choiceOption({"to", "register|shared-async", OptionMeaning::Manner}, &O::To, Shown::Always),
       choiceOption({"launch", "author|larger"}, &O::LargerLaunch, Shown::UnlessDefault), kernelOption<O>()},
      checkDistance};
  return Table;
}

static bool normalisePrefetch(PassElement &Element) {
  return !is_contained(Element.Parameters, PassParameter{"distance", "0"});
}

PassOffers offerPrefetching(ArrayRef<unsigned> Loops) {
  static constexpr unsigned LastAnywhere = 1, LastStep = 5;
  return atEachStep([&](unsigned Step) {
    PassOffer Offer;
    if (Step > LastStep || Loops.empty())
      return Offer;
    for (unsigned Loop : Loops)
      Offer.Elements.push_back(
          {PrefetchPass::PassName, {{"loop", std::to_string(Loop)}, {"to", "{prefetch}"}}});
    Offer.Choices.push_back({"prefetch", {"none", "register"}});
    if (Step <= LastAnywhere)
      Offer.Choices.back().Values.push_back("shared-async");
    return Offer;
  });
}

static PassOffers offerTiles(Function &F, FunctionAnalysisManager &, const OfferContext &) {
  return offerPrefetching(tileLoops(F));
}

const PassDescriptor &prefetchDescriptor() {
  static const PassDescriptor D = describe<PrefetchPass, PrefetchOptions>(
      "a loop reads global memory some iterations ahead",
      {.ChangesLaunch = [](const PrefetchOptions &O) { return O.LargerLaunch; },
       .Normalise = normalisePrefetch,
       .Offer = offerTiles});
  return D;
}

} // namespace gpuprune
