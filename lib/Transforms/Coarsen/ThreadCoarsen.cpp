//===- ThreadCoarsen.cpp - gpu-thread-coarsen: one thread does the work of several ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/ThreadCoarsen.h"
#include "Coarsening.h"
#include "Kernel/KernelPass.h"
#include "gpuprune/Analysis/LaunchAttributes.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "gpuprune/Transforms/RaggedLoops.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

Coarsening coarseningOf(const ThreadCoarsenOptions &Options) {
  Coarsening C;
  C.Unit = CoarseUnit::Thread;
  C.Noun = "thread";
  C.Factor[Options.Dimension] = Options.Factor;
  C.SplitLoops = !Options.LoopsApart;
  C.Order = Options.Stride == ThreadStride::Block ? ReplicaOrder::Strided : ReplicaOrder::Neighbours;
  return C;
}

/// What a pointer that is computed from a parameter is aligned to, if the
/// parameter is to \p Promised.
static Align alignmentOf(const Value *Pointer, Align Promised, const DataLayout &DL) {
  Align Known = Promised;
  while (true) {
    if (const auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer)) {
      Pointer = Cast->getPointerOperand();
      continue;
    }
    const auto *GEP = dyn_cast<GEPOperator>(Pointer);
    if (!GEP)
      break;
    SmallMapVector<Value *, APInt, 4> Variable;
    APInt Constant(DL.getIndexTypeSizeInBits(GEP->getType()), 0);
    if (!GEP->collectOffset(DL, Constant.getBitWidth(), Variable, Constant))
      return Align(1);
    Known = commonAlignment(Known, Constant.getZExtValue());
    for (const auto &[Index, Scale] : Variable) {
      unsigned Zeros = computeKnownBits(Index, DL).countMinTrailingZeros() + Scale.countr_zero();
      Known = std::min(Known, Align(uint64_t(1) << std::min(Zeros, Log2(Promised))));
    }
    Pointer = GEP->getPointerOperand();
  }
  const auto *Parameter = dyn_cast<Argument>(Pointer);
  return Parameter && !Parameter->hasByValAttr() ? Known : Align(1);
}

/// LLVM does not follow a parameter's alignment through a cast to global memory
/// to where it matters.
static void raiseAlignments(Function &F, Align Promised) {
  for (Instruction &I : instructions(F)) {
    if (!isa<LoadInst, StoreInst>(I))
      continue;
    Align Known = std::max(getLoadStoreAlignment(&I),
                           alignmentOf(getLoadStorePointerOperand(&I), Promised, F.getDataLayout()));
    if (auto *Load = dyn_cast<LoadInst>(&I))
      Load->setAlignment(Known);
    else
      cast<StoreInst>(I).setAlignment(Known);
  }
}

/// Of each parameter that is a pointer, the host promises it.
static Verdict promiseAlignment(Function &F, unsigned Bytes) {
  Expected<LaunchContract> Contract = readLaunchContract(F);
  if (!Contract)
    return Refusal::inFunction(RefusalKind::BadLaunchContract, F, toString(Contract.takeError()));
  Contract->PointerAlignment = std::max<int64_t>(Contract->PointerAlignment, Bytes);
  writeLaunchContract(F, *Contract);
  for (Argument &Parameter : F.args()) {
    if (!Parameter.getType()->isPointerTy() || Parameter.hasByValAttr())
      continue;
    Align Known = std::max(Align(Bytes), Parameter.getParamAlign().valueOrOne());
    Parameter.removeAttr(Attribute::Alignment);
    Parameter.addAttr(Attribute::getWithAlignment(F.getContext(), Known));
  }
  raiseAlignments(F, Align(Bytes));
  return std::nullopt;
}

static Verdict coarsen(Function &F, const ThreadCoarsenOptions &Options) {
  if (Verdict Refused = coarsenKernel(F, coarseningOf(Options)))
    return Refused;
  return Options.Align > 1 ? promiseAlignment(F, Options.Align) : std::nullopt;
}

PreservedAnalyses ThreadCoarsenPass::run(Module &M, ModuleAnalysisManager &MAM) {
  std::string Done =
      formatv("a thread does the work of {0} in {1}", Options.Factor, "xyz"[Options.Dimension]);
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Coarsened", Done, std::nullopt,
                              [&](Function &F) { return coarsen(F, Options); });
  forgetAssumptions(M, MAM);
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

static Error checkThreads(const ThreadCoarsenOptions &Options) {
  if (isPowerOf2_32(Options.Align))
    return Error::success();
  return makeError(ErrorKind::Input, formatv("{0}: option 'align={1}' needs a power of two",
                                             ThreadCoarsenPass::PassName, Options.Align));
}

const OptionTable<ThreadCoarsenOptions> &ThreadCoarsenOptions::table() {
  using O = ThreadCoarsenOptions;
  static const OptionTable<O> Table{
      ThreadCoarsenPass::PassName,
      {choiceOption({"dim", "x|y|z", OptionMeaning::Object}, &O::Dimension, Shown::Always),
       numberOption({"factor", "F"}, &O::Factor, Shown::Always),
       choiceOption({"stride", "block|consecutive", OptionMeaning::Manner}, &O::Stride, Shown::Always),
       numberOption({"align", "A", OptionMeaning::Manner}, &O::Align, Shown::UnlessDefault, 1,
                    WidestAccessBytes),
       loopsOption<O>(), kernelOption<O>()},
      checkThreads};
  return Table;
}

/// A factor of 1 does nothing. Only neighbours are read at once, so only they need the promise of where
/// buffers begin.
static bool normaliseThreads(PassElement &Element) {
  auto IsFactor = [](const PassParameter &P) { return P.Key == "factor"; };
  erase_if(Element.Parameters, [&](const PassParameter &P) { return IsFactor(P) && P.Value == "1"; });
  if (!is_contained(Element.Parameters, PassParameter{"stride", "consecutive"}))
    erase_if(Element.Parameters,
             [](const PassParameter &P) { return P.Key == "align" || P.Key == "stride"; });
  return any_of(Element.Parameters, IsFactor);
}

/// Where the sums of several blocks are kept by one, four results a thread on top of that are often too many.
static std::vector<std::string> threadFactorsAt(unsigned Step, bool HasSharedSums) {
  return Step < 2 || HasSharedSums ? std::vector<std::string>{"1", "2", "4"}
                                   : std::vector<std::string>{"1", "4"};
}

PassOffers offerThreadCoarsening(const Dim3 &Block, bool HasRaggedLoops, bool HasSharedSums) {
  static constexpr int64_t FewestRows = 4, ShortestRow = 128;
  static constexpr unsigned LastStep = 3; // Blocks have the same effect at less cost.
  bool Rows = Block.Y >= FewestRows && Block.Y % FewestRows == 0;
  bool Row = Block.X >= ShortestRow && Block.X % ShortestRow == 0;
  return atEachStep([&](unsigned Step) {
    PassOffer Offer;
    if (Step > LastStep || !(Rows || Row))
      return Offer;
    PassElement Coarsen{ThreadCoarsenPass::PassName, {{"dim", Rows ? "y" : "x"}, {"factor", "{threads}"}}};
    Offer.Choices.push_back({"threads", threadFactorsAt(Step, HasSharedSums), /*MultipliesResults=*/true});
    if (!Rows) {
      Coarsen.Parameters.push_back({"stride", "{stride}"});
      Coarsen.Parameters.push_back({"align", std::to_string(WidestAccessBytes)});
      Offer.Choices.push_back({"stride", {"block", "consecutive"}});
    }
    if (HasRaggedLoops) {
      Coarsen.Parameters.push_back({"loops", "{loops}"});
      Offer.Choices.push_back({"loops", {"none", "apart"}});
    }
    Offer.Elements.push_back(std::move(Coarsen));
    return Offer;
  });
}

/// As a rule they count or add up what the threads of a block find.
static bool hasSharedAtomics(const Module &M) {
  return hasAtomics(M, [](const AtomicRMWInst &Atomic) {
    return Atomic.getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
  });
}

static PassOffers offerThreads(Function &F, FunctionAnalysisManager &, const OfferContext &Context) {
  if (!Context.Launch.Block || dependsOnWarps(F))
    return {};
  return offerThreadCoarsening(*Context.Launch.Block, hasRaggedLoops(F), hasSharedAtomics(*F.getParent()));
}

const PassDescriptor &threadCoarsenDescriptor() {
  static const PassDescriptor D = describe<ThreadCoarsenPass, ThreadCoarsenOptions>(
      "one thread does the work of several",
      {.ChangesLaunch = [](const ThreadCoarsenOptions &O) { return O.Factor != 1 || O.Align != 1; },
       .Normalise = normaliseThreads,
       .Offer = offerThreads});
  return D;
}

} // namespace gpuprune
