//===- Unroll.cpp - gpu-unroll: unrolls one numbered loop of a kernel -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Unroll.h"
#include "Kernel/KernelPass.h"
#include "LoopCopies.h"
#include "gpuprune/Support/EnumNames.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/LoopNumbers.h"
#include "gpuprune/Transforms/PassDescriptor.h"

using namespace llvm;

namespace gpuprune {

/// A bound above that is not what the author had in mind.
static constexpr unsigned LargestBoundedUnroll = 1024;

/// Copies that the loop is to have; 0 where factor=full has no answer.
static unsigned copiesOf(const Loop &L, const UnrollOptions &Options, ScalarEvolution &SE) {
  unsigned TripCount = SE.getSmallConstantTripCount(&L);
  if (!Options.Full)
    return TripCount ? std::min(TripCount, Options.Factor) : Options.Factor;
  if (TripCount)
    return TripCount;
  // A bound will do as well, each copy behind its test, unless it is that of the counter's type.
  unsigned Bound = SE.getSmallConstantMaxTripCount(&L);
  return Bound <= LargestBoundedUnroll ? Bound : 0;
}

static Verdict decide(const Loop &L, const UnrollOptions &Options, LoopAnalyses &A, const Influence &OfThread,
                      UnrollPlan &Plan) {
  unsigned Copies = copiesOf(L, Options, A.SE);
  if (Copies == 0)
    return Refusal::inLoop(RefusalKind::UnknownTripCount, L,
                           formatv("loop {0} has no constant trip count", Options.Loop));
  return planCopies(L, Copies, Options.Remainder, A, OfThread, Plan);
}

static Verdict unrollNumbered(Function &F, const UnrollOptions &Options, FunctionAnalysisManager &FAM) {
  LoopAnalyses A(F, FAM);
  SmallVector<Loop *, 2> Loops = findLoops(A.LI, Options.Loop);
  if (Loops.empty())
    return noSuchLoop(F, Options.Loop, A.LI);
  for (Loop *L : Loops)
    if (Verdict Refused = bringIntoForm(*L, Options.Loop, A))
      return Refused;
  Influence OfThread = influenceOfThread(F);
  SmallVector<UnrollPlan, 2> Plans(Loops.size());
  for (auto [L, Plan] : zip(Loops, Plans))
    if (Verdict Refused = decide(*L, Options, A, OfThread, Plan))
      return Refused;
  // The copies that an earlier pass made of the loop lie side by side, so
  // unrolling one leaves the others valid.
  for (auto [L, Plan] : zip(Loops, Plans))
    makeCopies(*L, Plan, A);
  return std::nullopt;
}

PreservedAnalyses UnrollPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  std::string Done = Options.Full ? formatv("unrolled loop {0} fully", Options.Loop).str()
                                  : formatv("unrolled loop {0} by {1}", Options.Loop, Options.Factor).str();
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Unrolled", Done, Options.Loop, [&](Function &F) {
    Verdict Refused = unrollNumbered(F, Options, FAM);
    FAM.invalidate(F, PreservedAnalyses::none());
    return Refused;
  });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// "factor=F|full".
static PassOption<UnrollOptions> unrollFactorOption() {
  return {
      {.Key = "factor", .Values = "F|full", .Required = true},
      [](StringRef Value, UnrollOptions &Options) {
        Options.Full = Value == "full";
        return Options.Full ? Error::success() : parseNumber("factor", Value, 1).moveInto(Options.Factor);
      },
      [](const UnrollOptions &Options) { return Options.Full ? "full" : std::to_string(Options.Factor); }};
}

const OptionTable<UnrollOptions> &UnrollOptions::table() {
  using O = UnrollOptions;
  static const OptionTable<O> Table{
      UnrollPass::PassName,
      {numberOption({"loop", "N", OptionMeaning::Object, true}, &O::Loop, Shown::Always, 0),
       unrollFactorOption(),
       choiceOption({"remainder", "loop|unrolled|none", OptionMeaning::Manner}, &O::Remainder,
                    Shown::UnlessDefault),
       kernelOption<O>()}};
  return Table;
}

/// Longer loops, unrolled fully, only overflow the instruction cache.
static constexpr uint64_t LongestFullUnroll = 128;

static ArrayRef<uint64_t> unrollFactorsAt(unsigned Step) {
  static constexpr uint64_t All[] = {1, 2, 4, 8}, Two[] = {1, 4}, One[] = {4};
  return Step == 0 ? ArrayRef(All) : Step < 5 ? ArrayRef(Two) : ArrayRef(One);
}

/// `none` leaves the loop to the compiler; a factor of the whole trip count is `full`.
static std::vector<std::string> unrollFactorTexts(unsigned Step, std::optional<uint64_t> TripCount) {
  std::vector<std::string> Result = {"none"};
  for (uint64_t Factor : unrollFactorsAt(Step))
    if (!TripCount || Factor < *TripCount)
      Result.push_back(std::to_string(Factor));
  if (TripCount && *TripCount <= LongestFullUnroll)
    Result.push_back("full");
  return Result;
}

PassOffers offerUnrolling(ArrayRef<InnermostLoop> Loops) {
  static constexpr unsigned FirstOneForAll = 3;
  return atEachStep([&](unsigned Step) {
    PassOffer Offer;
    bool OneForAll = Step >= FirstOneForAll && Loops.size() > 1;
    for (const InnermostLoop &Loop : Loops) {
      std::string Number = std::to_string(Loop.Number), Name = OneForAll ? "unroll" : "unroll" + Number;
      Offer.Elements.push_back({UnrollPass::PassName, {{"loop", Number}, {"factor", "{" + Name + "}"}}});
      if (!OneForAll)
        Offer.Choices.push_back({Name, unrollFactorTexts(Step, Loop.TripCount)});
    }
    // Trip counts differ, so neither `full` nor an upper bound is common to all.
    if (OneForAll)
      Offer.Choices.push_back({"unroll", unrollFactorTexts(Step, std::nullopt)});
    return Offer;
  });
}

static PassOffers offerLoops(Function &F, FunctionAnalysisManager &FAM, const OfferContext &) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  std::vector<InnermostLoop> Loops;
  for (Loop *L : LI.getLoopsInPreorder()) {
    std::optional<unsigned> Number = loopNumber(*L);
    auto HasNumber = [](const Loop *Inner) { return loopNumber(*Inner).has_value(); };
    if (!Number || any_of(L->getSubLoops(), HasNumber))
      continue;
    unsigned TripCount = SE.getSmallConstantTripCount(L);
    Loops.push_back({*Number, TripCount ? std::optional<uint64_t>(TripCount) : std::nullopt});
  }
  llvm::sort(Loops, [](const InnermostLoop &A, const InnermostLoop &B) { return A.Number < B.Number; });
  return offerUnrolling(Loops);
}

const PassDescriptor &unrollDescriptor() {
  static const PassDescriptor D =
      describe<UnrollPass, UnrollOptions>("a loop does several iterations at once", {.Offer = offerLoops});
  return D;
}

} // namespace gpuprune
