//===- Unroll.cpp - gpu-unroll: unrolls one numbered loop of a kernel -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Unroll.h"
#include "CountedLoop.h"
#include "Facts/LoadHazards.h"
#include "Kernel/KernelCopy.h"
#include "Kernel/KernelPass.h"
#include "LoadsAhead.h"
#include "LoopCopies.h"
#include "VectorLoads.h"
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

/// Lets the loop at \p Header run a number of times that is known before it, if \p Plan needs that and it can
/// be.
static void makeCountable(BasicBlock &Header, UnrollPlan &Plan, unsigned Number,
                          FunctionAnalysisManager &FAM) {
  Function &F = *Header.getParent();
  {
    LoopAnalyses A(F, FAM);
    Loop &L = *A.LI.getLoopFor(&Header);
    // One with barriers or warp operations has none: how often it runs is not proved to be the same in the
    // block.
    std::optional<LatchTest> Test = Plan.hasRest() ? findLatchTest(L, A.SE) : std::nullopt;
    if (!Test)
      return;
    markLoadsAhead(L, *Test, LoadHazards(F, &L, FAM), A.SE);
    if (!countIterations(L, *Test, Plan.Count, A)) {
      forgetLoadsAhead(F);
      return;
    }
  }
  FAM.invalidate(F, PreservedAnalyses::none());
  LoopAnalyses A(F, FAM);
  Loop &L = *A.LI.getLoopFor(&Header);
  [[maybe_unused]] Verdict Refused = bringIntoForm(L, Number, A);
  assert(!Refused && "it was in form before");
  Plan.NeedsRemainder = A.SE.getSmallConstantTripMultiple(&L) % Plan.Count != 0;
}

static Verdict unrollScalar(Function &F, const UnrollOptions &Options, FunctionAnalysisManager &FAM) {
  SmallVector<std::pair<BasicBlock *, UnrollPlan>, 2> Plans;
  {
    LoopAnalyses A(F, FAM);
    SmallVector<Loop *, 2> Loops = findLoops(A.LI, Options.Loop);
    for (Loop *L : Loops)
      if (Verdict Refused = bringIntoForm(*L, Options.Loop, A))
        return Refused;
    Influence OfThread = influenceOfThread(F);
    for (Loop *L : Loops)
      if (Verdict Refused =
              decide(*L, Options, A, OfThread, Plans.emplace_back(L->getHeader(), UnrollPlan()).second))
        return Refused;
  }
  // The copies that an earlier pass made of the loop lie side by side, so
  // unrolling one leaves the others valid.
  for (auto &[Header, Plan] : Plans) {
    makeCountable(*Header, Plan, Options.Loop, FAM);
    LoopAnalyses A(F, FAM);
    if (makeCopies(*A.LI.getLoopFor(Header), Plan, A) && A.LI.getLoopFor(Header)->getNumBlocks() == 1)
      moveLoadsAhead(*Header);
    forgetLoadsAhead(F);
  }
  return std::nullopt;
}

/// Marks what of the loop at \p Header will be vectors and lets a loop run before it until they are aligned.
/// \p Main is the header of the one that is to have \p Copies.
static Verdict beginAligned(BasicBlock &Header, const UnrollOptions &Options, FunctionAnalysisManager &FAM,
                            BasicBlock *&Main, unsigned &Copies) {
  Function &F = *Header.getParent();
  LoopAnalyses A(F, FAM);
  Loop &L = *A.LI.getLoopFor(&Header);
  if (Verdict Refused = bringIntoForm(L, Options.Loop, A))
    return Refused;
  hoistKnown(L, A, FAM);
  UnrollPlan Plan;
  if (Verdict Refused = decide(L, Options, A, influenceOfThread(F), Plan))
    return Refused;
  SmallVector<VectorLoad, 4> Loads;
  if (Verdict Refused = planVectorLoads(L, Options.Loop, Plan.Count, A, FAM, Loads))
    return Refused;
  bool Aligned = areAligned(Loads, A);
  if (Options.Full && !Aligned)
    return Refusal::inLoop(
        RefusalKind::UnknownTripCount, L,
        formatv("loop {0} goes on where its vectors are aligned, and how often is not known", Options.Loop));
  markLoads(Loads);
  Main = (Aligned ? L : alignLoads(L, Loads, A)).getHeader();
  Copies = Plan.Count;
  return std::nullopt;
}

/// What it refuses is left in pieces.
static Verdict unrollWithVectors(BasicBlock &Header, const UnrollOptions &Options,
                                 FunctionAnalysisManager &FAM) {
  Function &F = *Header.getParent();
  BasicBlock *Main = nullptr;
  unsigned Copies = 0;
  if (Verdict Refused = beginAligned(Header, Options, FAM, Main, Copies))
    return Refused;
  FAM.invalidate(F, PreservedAnalyses::none());
  LoopAnalyses A(F, FAM);
  Loop &L = *A.LI.getLoopFor(Main);
  if (Verdict Refused = bringIntoForm(L, Options.Loop, A))
    return Refused;
  UnrollPlan Plan;
  if (Verdict Refused = planCopies(L, Copies, Options.Remainder, A, influenceOfThread(F), Plan))
    return Refused;
  if (Plan.NeedsRemainder)
    countFromZero(L);
  bool Remains = makeCopies(L, Plan, A);
  Verdict Refused = joinMarkedLoads(F, Remains ? &L : nullptr, Copies);
  FAM.invalidate(F, PreservedAnalyses::none());
  return Refused;
}

/// Transforms a copy of \p F, which takes its place if nothing is refused.
static Verdict unrollReadingVectors(Function &F, const UnrollOptions &Options, FunctionAnalysisManager &FAM) {
  Function &Copy = copyKernel(F, ".vectors");
  SmallVector<BasicBlock *, 2> Headers;
  for (const Loop *L : findLoops(FAM.getResult<LoopAnalysis>(Copy), Options.Loop))
    Headers.push_back(L->getHeader());
  Verdict Refused;
  for (BasicBlock *Header : Headers)
    if (!Refused)
      Refused = unrollWithVectors(*Header, Options, FAM);
  FAM.clear(Copy, Copy.getName());
  if (!Refused) {
    FAM.clear(F, F.getName());
    takeBody(F, Copy);
  }
  Copy.eraseFromParent();
  return Refused;
}

static Verdict unrollNumbered(Function &F, const UnrollOptions &Options, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (findLoops(LI, Options.Loop).empty())
    return noSuchLoop(F, Options.Loop, LI);
  return Options.Loads == UnrollLoads::Vector ? unrollReadingVectors(F, Options, FAM)
                                              : unrollScalar(F, Options, FAM);
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

static Error checkVectors(const UnrollOptions &Options) {
  if (Options.Loads == UnrollLoads::Scalar)
    return Error::success();
  if (Options.Remainder == UnrollRemainder::None)
    return makeError(ErrorKind::Input,
                     "loads=vector needs copies without tests, which remainder=none gives each: "
                     "leave one of the two out");
  return Options.Factor > 1 || Options.Full
             ? Error::success()
             : makeError(ErrorKind::Input,
                         "loads=vector reads for several copies: factor= has to be at least 2");
}

/// One copy reads no vectors, and without a factor nothing is unrolled.
static bool normaliseUnrolling(PassElement &Element) {
  if (Element.value("factor") == "1")
    llvm::erase_if(Element.Parameters, [](const PassParameter &P) { return P.Key == "loads"; });
  return llvm::any_of(Element.Parameters, [](const PassParameter &P) { return P.Key == "factor"; });
}

const OptionTable<UnrollOptions> &UnrollOptions::table() {
  using O = UnrollOptions;
  static const OptionTable<O> Table{
      UnrollPass::PassName,
      {numberOption({"loop", "N", OptionMeaning::Object, true}, &O::Loop, Shown::Always, 0),
       unrollFactorOption(),
       choiceOption({"remainder", "loop|unrolled|none", OptionMeaning::Manner}, &O::Remainder,
                    Shown::UnlessDefault),
       choiceOption({"loads", "scalar|vector", OptionMeaning::Manner}, &O::Loads, Shown::UnlessDefault),
       kernelOption<O>()},
      checkVectors};
  return Table;
}

/// Longer loops, unrolled fully, only overflow the instruction cache.
static constexpr uint64_t LongestFullUnroll = 128;

/// \p IsDeep: of a loop that pays by what it reads at once. Two vectors of 16 bytes are a sector of the
/// cache, and what strides over the data waits for memory.
static ArrayRef<uint64_t> unrollFactorsAt(unsigned Step, bool IsDeep) {
  static constexpr uint64_t All[] = {1, 2, 4, 8}, Two[] = {1, 4}, Deep[] = {4, 8}, One[] = {4};
  if (Step == 0)
    return All;
  if (Step < 5)
    return IsDeep ? ArrayRef(Deep) : ArrayRef(Two);
  return One;
}

/// `none` leaves the loop to the compiler; a factor of the whole trip count is `full`.
static std::vector<std::string> unrollFactorTexts(unsigned Step, std::optional<uint64_t> TripCount,
                                                  bool IsDeep) {
  std::vector<std::string> Result = {"none"};
  for (uint64_t Factor : unrollFactorsAt(Step, IsDeep))
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
    bool OneForAll = Step >= FirstOneForAll && Loops.size() > 1, OneKind = Step > 0;
    for (const InnermostLoop &Loop : Loops) {
      std::string Number = std::to_string(Loop.Number), Name = OneForAll ? "unroll" : "unroll" + Number;
      Offer.Elements.push_back({UnrollPass::PassName, {{"loop", Number}, {"factor", "{" + Name + "}"}}});
      if (Loop.ReadsRows)
        Offer.Elements.back().Parameters.push_back({"loads", OneKind ? "vector" : "{loads}"});
      if (!OneForAll)
        Offer.Choices.push_back({Name, unrollFactorTexts(Step, Loop.TripCount, Loop.isDeep())});
    }
    // Trip counts differ, so neither `full` nor an upper bound is common to all.
    bool Rows = any_of(Loops, [](const InnermostLoop &Loop) { return Loop.ReadsRows; });
    if (OneForAll)
      Offer.Choices.push_back(
          {"unroll",
           unrollFactorTexts(Step, std::nullopt, any_of(Loops, std::mem_fn(&InnermostLoop::isDeep)))});
    if (Rows && !OneKind)
      Offer.Choices.push_back({"loads", {"none", "vector"}});
    return Offer;
  });
}

/// Of the loop of that number, in a copy of \p F, which is brought into form.
static bool readsRows(Function &F, unsigned Number, FunctionAnalysisManager &FAM) {
  static constexpr unsigned Copies = 4;
  Function &Copy = copyKernel(F, ".rows");
  bool Reads = false;
  {
    LoopAnalyses A(Copy, FAM);
    Loop &L = *findLoops(A.LI, Number).front();
    SmallVector<VectorLoad, 4> Loads;
    if (!bringIntoForm(L, Number, A)) {
      hoistKnown(L, A, FAM);
      Reads = !planVectorLoads(L, Number, Copies, A, FAM, Loads) &&
              readRows(Loads, influenceOfThread(Copy), A.SE);
    }
  }
  FAM.clear(Copy, Copy.getName());
  Copy.eraseFromParent();
  return Reads;
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
    InnermostLoop Inner;
    Inner.Number = *Number;
    if (unsigned TripCount = SE.getSmallConstantTripCount(L))
      Inner.TripCount = TripCount;
    else
      Inner.ReadsRows = readsRows(F, *Number, FAM);
    Inner.Strides = isUncounted(*L, SE);
    Loops.push_back(Inner);
  }
  llvm::sort(Loops, [](const InnermostLoop &A, const InnermostLoop &B) { return A.Number < B.Number; });
  return offerUnrolling(Loops);
}

const PassDescriptor &unrollDescriptor() {
  static const PassDescriptor D = describe<UnrollPass, UnrollOptions>(
      "a loop does several iterations at once", {.Normalise = normaliseUnrolling, .Offer = offerLoops});
  return D;
}

} // namespace gpuprune
