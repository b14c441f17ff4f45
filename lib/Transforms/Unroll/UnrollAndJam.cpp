//===- UnrollAndJam.cpp - gpu-unroll-and-jam: outer iterations side by side -===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/UnrollAndJam.h"
#include "Coarsen/JamInnerLoops.h"
#include "Coarsen/LoopSplitter.h"
#include "CountedLoop.h"
#include "Facts/ForAllReplicas.h"
#include "Facts/LoopFunnel.h"
#include "InnerLoopGuard.h"
#include "Kernel/KernelCopy.h"
#include "Kernel/KernelPass.h"
#include "gpuprune/Transforms/LoopNumbers.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// Transforms a kernel, or leaves it in pieces.
class NestJammer {
public:
  /// \p AllApart: no two inner loops count as running equally often.
  NestJammer(Function &F, const UnrollAndJamOptions &Options, bool AllApart);
  Verdict run();
  /// The refusal is that inner loops that seemed to run equally often were not proved to once copied.
  bool needsAllApart() const { return NotAlike; }

private:
  /// Which of the inner loops one is a copy of, and which of them a block joins the rest of.
  static constexpr const char *Mark = "gpuprune.jam", *JoinMark = "gpuprune.jam.join";
  Function &F;
  const UnrollAndJamOptions &Options;
  bool AllApart, NotAlike = false;
  FunctionAnalysisManager FAM;
  /// Of the inner loops that have a rest, by header, where that leads to.
  DenseMap<const BasicBlock *, BasicBlock *> Joins;
  SmallPtrSet<const BasicBlock *, 16> Rests; ///< Their blocks.

  Verdict jamNest(BasicBlock &Header);
  Verdict count(BasicBlock &Header);
  Verdict prepare(BasicBlock &Header);
  bool runsAlike(const Loop &Outer, const Loop &Inner, LoopAnalyses &A) const;
  Verdict giveRest(BasicBlock &Header, BasicBlock &InnerHeader);
  Verdict giveRests(BasicBlock &Header);
  unsigned markInner(BasicBlock &Header);
  SmallVector<Loop *, 4> copiesOf(unsigned Inner, const BasicBlock *Header);
  SmallVector<BasicBlock *, 4> joinsOf(unsigned Inner, const BasicBlock *Header);
  unsigned copiesOfOuter(const Loop &Outer, ScalarEvolution &SE) const;
  Verdict jamCopies(unsigned Inner, const BasicBlock *Header, unsigned Count);
  void finish();
  void forget() { FAM.invalidate(F, PreservedAnalyses::none()); }
  LoopInfo &loops() { return FAM.getResult<LoopAnalysis>(F); }
};

} // namespace

NestJammer::NestJammer(Function &F, const UnrollAndJamOptions &Options, bool AllApart)
    : F(F), Options(Options), AllApart(AllApart) {
  FAM.registerPass([] { return PassInstrumentationAnalysis(); });
  FAM.registerPass([] { return DominatorTreeAnalysis(); });
  FAM.registerPass([] { return LoopAnalysis(); });
  FAM.registerPass([] { return TargetLibraryAnalysis(); });
  FAM.registerPass([] { return TargetIRAnalysis(); });
  FAM.registerPass([] { return AssumptionAnalysis(); });
  FAM.registerPass([] { return ScalarEvolutionAnalysis(); });
  FAM.registerPass([] { return TypeBasedAA(); });
}

/// Makes known before the nest how often it runs, if it can be.
Verdict NestJammer::count(BasicBlock &Header) {
  LoopAnalyses A(F, FAM);
  Loop &Outer = *A.LI.getLoopFor(&Header);
  if (Verdict Refused = bringIntoForm(Outer, Options.Loop, A))
    return Refused;
  if (A.LI.getLoopFor(&Header) != &Outer || Outer.getHeader() != &Header || Options.Factor <= 1)
    return std::nullopt;
  std::optional<LatchTest> Test = findLatchTest(Outer, A.SE);
  if (Test && countIterations(Outer, *Test, Options.Factor, A))
    forget();
  return std::nullopt;
}

/// Brings the nest into form and lets nothing lead past its inner loops.
Verdict NestJammer::prepare(BasicBlock &Header) {
  if (Verdict Refused = checkOrder(*loops().getLoopFor(&Header)))
    return Refused;
  for (bool Changed = true; Changed;) {
    Changed = false;
    LoopAnalyses A(F, FAM);
    Loop *Nest = A.LI.getLoopFor(&Header);
    Verdict Left = Refusal::inFunction(
        RefusalKind::DependentControl, F,
        "an iteration that comes to its inner loops is its last one: no other can run beside it");
    if (!Nest || Nest->getHeader() != &Header || Nest->isInnermost())
      return Left;
    Loop &Outer = *Nest;
    if (Verdict Refused = bringIntoForm(Outer, Options.Loop, A))
      return Refused;
    if (A.LI.getLoopFor(&Header) != Nest || Nest->getHeader() != &Header)
      return Left;
    for (Loop *Inner : Outer.getSubLoops()) {
      Changed = hoistGuard(Outer, *Inner, A);
      if (Changed)
        break;
    }
    if (Changed)
      forget();
  }
  return giveRests(Header);
}

/// Whether all iterations of \p Outer come to \p Inner and go through it equally often.
bool NestJammer::runsAlike(const Loop &Outer, const Loop &Inner, LoopAnalyses &A) const {
  if (AllApart || !endsAtEnd(Inner) || !A.DT.dominates(Inner.getHeader(), Outer.getLoopLatch()))
    return false;
  const SCEV *Count = A.SE.getExitCount(&Inner, Inner.getLoopLatch());
  return !isa<SCEVCouldNotCompute>(Count) && A.SE.isLoopInvariant(Count, &Outer);
}

/// Makes two of the inner loop: one for as long as all iterations that are jammed go on, and the rest of
/// each.
Verdict NestJammer::giveRest(BasicBlock &Header, BasicBlock &InnerHeader) {
  FunnelledLoop Funnelled;
  {
    LoopAnalyses A(F, FAM);
    Loop &Inner = *A.LI.getLoopFor(&InnerHeader), &Outer = *A.LI.getLoopFor(&Header);
    if (Verdict Refused = bringIntoForm(Inner, Options.Loop, A))
      return Refused;
    if (runsAlike(Outer, Inner, A))
      return std::nullopt;
    if (Verdict Refused = funnelLoop(F, Outer, Inner, A.DT, Funnelled))
      return Refused;
  }
  forget();
  LoopAnalyses A(F, FAM);
  SplitLoop Jammed;
  Jammed.L = A.LI.getLoopFor(&InnerHeader);
  if (Verdict Refused = bringIntoForm(*Jammed.L, Options.Loop, A))
    return Refused;
  Jammed.Guard = Funnelled.Guard;
  Jammed.Exits.push_back(cast<BranchInst>(Jammed.L->getLoopLatch()->getTerminator()));
  splitLoop(F, Jammed, Rests);
  Joins[&InnerHeader] = Funnelled.Join;
  forget();
  return std::nullopt;
}

Verdict NestJammer::giveRests(BasicBlock &Header) {
  SmallVector<BasicBlock *, 4> Inner;
  for (const Loop *L : loops().getLoopFor(&Header)->getSubLoops())
    Inner.push_back(L->getHeader());
  for (BasicBlock *InnerHeader : Inner)
    if (Verdict Refused = giveRest(Header, *InnerHeader))
      return Refused;
  LoopAnalyses A(F, FAM);
  return bringIntoForm(*A.LI.getLoopFor(&Header), Options.Loop, A);
}

/// In the order in which they follow one another.
static void sortByEntry(SmallVectorImpl<Loop *> &Loops, const DominatorTree &DT) {
  llvm::sort(Loops, [&](Loop *A, Loop *B) { return A != B && DT.dominates(entryOf(*A), entryOf(*B)); });
}

/// Marks the inner loops 1, 2, ... in the order in which they follow one another.
unsigned NestJammer::markInner(BasicBlock &Header) {
  SmallVector<Loop *, 4> Inner;
  for (Loop *L : loops().getLoopFor(&Header)->getSubLoops())
    if (!Rests.contains(L->getHeader()))
      Inner.push_back(L);
  sortByEntry(Inner, FAM.getResult<DominatorTreeAnalysis>(F));
  LLVMContext &Context = F.getContext();
  for (auto [Index, L] : enumerate(Inner)) {
    addStringMetadataToLoop(L, Mark, Index + 1);
    if (BasicBlock *Join = Joins.lookup(L->getHeader()))
      Join->getTerminator()->setMetadata(
          JoinMark, MDNode::get(Context, ConstantAsMetadata::get(
                                             ConstantInt::get(Type::getInt32Ty(Context), Index + 1))));
  }
  return Inner.size();
}

/// One after the other. \p Header is the outer loop's, or null where that has gone.
SmallVector<Loop *, 4> NestJammer::copiesOf(unsigned Inner, const BasicBlock *Header) {
  SmallVector<Loop *, 4> Copies;
  const Loop *Outer = Header ? loops().getLoopFor(Header) : nullptr;
  for (Loop *L : loops().getLoopsInPreorder())
    if (getOptionalIntLoopAttribute(L, Mark) == std::optional<int>(Inner) &&
        (!Outer || L->getParentLoop() == Outer))
      Copies.push_back(L);
  sortByEntry(Copies, FAM.getResult<DominatorTreeAnalysis>(F));
  return Copies;
}

/// Of the copies of the inner loop, where their rests lead to.
SmallVector<BasicBlock *, 4> NestJammer::joinsOf(unsigned Inner, const BasicBlock *Header) {
  SmallVector<BasicBlock *, 4> Found;
  const Loop *Outer = Header ? loops().getLoopFor(Header) : nullptr;
  for (BasicBlock &BB : F)
    if (const MDNode *Of = BB.getTerminator()->getMetadata(JoinMark);
        Of && mdconst::extract<ConstantInt>(Of->getOperand(0))->equalsInt(Inner) &&
        (!Outer || loops().getLoopFor(&BB) == Outer))
      Found.push_back(&BB);
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  llvm::sort(Found, [&](BasicBlock *A, BasicBlock *B) { return A != B && DT.dominates(A, B); });
  return Found;
}

Verdict NestJammer::jamCopies(unsigned Inner, const BasicBlock *Header, unsigned Count) {
  for (unsigned Left = Count; Left > 1; --Left) {
    LoopAnalyses A(F, FAM);
    SmallVector<Loop *, 4> Copies = copiesOf(Inner, Header);
    SmallVector<BasicBlock *, 4> Ends = joinsOf(Inner, Header);
    if (Copies.size() != Left || (!Ends.empty() && Ends.size() != Left))
      return Refusal::inFunction(
          RefusalKind::DependentControl, F,
          "an iteration of the outer loop may be its last one, which that itself decides");
    for (Loop *Copy : Copies)
      if (Verdict Refused = bringIntoForm(*Copy, Options.Loop, A))
        return Refused;
    JamPair Pair{*Copies[0], *Copies[1], nullptr, nullptr};
    if (!Ends.empty()) {
      Pair.JoinA = Ends[0];
      Pair.JoinB = Ends[1];
    } else if (!runEquallyOften(Pair.A, Pair.B, A.SE)) {
      NotAlike = true;
      return Refusal::inLoop(RefusalKind::DependentControl, Pair.B,
                             "the inner loop may run another number of times");
    }
    if (Verdict Refused = jamInnerLoops(F, Pair, FAM))
      return Refused;
    if (Pair.JoinA)
      Pair.JoinA->getTerminator()->setMetadata(JoinMark, nullptr);
    forget();
  }
  return std::nullopt;
}

/// As many as the factor says. Of a loop that may run as often and no more than that, one less: else nothing
/// would be left in which all of them are sure to come.
unsigned NestJammer::copiesOfOuter(const Loop &Outer, ScalarEvolution &SE) const {
  if (unsigned TripCount = SE.getSmallConstantTripCount(&Outer))
    return std::min(TripCount, Options.Factor);
  unsigned Most = SE.getSmallConstantMaxTripCount(&Outer);
  return Most > 2 ? std::min(Most - 1, Options.Factor) : Options.Factor;
}

Verdict NestJammer::jamNest(BasicBlock &Header) {
  if (Verdict Refused = count(Header))
    return Refused;
  if (Verdict Refused = prepare(Header))
    return Refused;
  unsigned InnerLoops = markInner(Header);
  unsigned Count = 1;
  bool Remains = true;
  {
    LoopAnalyses A(F, FAM);
    Loop &Outer = *A.LI.getLoopFor(&Header);
    Count = copiesOfOuter(Outer, A.SE);
    UnrollPlan Plan;
    if (Verdict Refused = planCopies(Outer, Count, UnrollRemainder::Loop, A, influenceOfThread(F), Plan))
      return Refused;
    Remains = makeCopies(Outer, Plan, A);
  }
  forget();
  for (unsigned Inner = 1; Inner <= InnerLoops; ++Inner)
    if (Verdict Refused = jamCopies(Inner, Remains ? &Header : nullptr, Count))
      return Refused;
  finish();
  return std::nullopt;
}

/// The variant has decided about all marked loops.
void NestJammer::finish() {
  for (Loop *L : loops().getLoopsInPreorder())
    if (getOptionalIntLoopAttribute(L, Mark)) {
      L->setLoopID(makePostTransformationMetadata(F.getContext(), L->getLoopID(), {Mark}, {}));
      L->setLoopAlreadyUnrolled();
    }
  for (BasicBlock &BB : F)
    BB.getTerminator()->setMetadata(JoinMark, nullptr);
}

Verdict NestJammer::run() {
  SmallVector<BasicBlock *, 2> Headers;
  for (Loop *L : findLoops(loops(), Options.Loop)) {
    if (L->isInnermost())
      return Refusal::inLoop(RefusalKind::NoInnerLoop, *L,
                             formatv("loop {0} holds no other loop", Options.Loop));
    Headers.push_back(L->getHeader());
  }
  if (Headers.empty())
    return noSuchLoop(F, Options.Loop, loops());
  for (BasicBlock *Header : Headers)
    if (Verdict Refused = jamNest(*Header))
      return Refused;
  answerForAllReplicas(F);
  return std::nullopt;
}

/// Transforms a copy of \p F, which takes its place if \p Take is set and nothing is refused.
static Verdict jamCopy(Function &F, const UnrollAndJamOptions &Options, bool Take) {
  Module &M = *F.getParent();
  SmallPtrSet<const Function *, 16> Known;
  for (const Function &Other : M)
    Known.insert(&Other);
  Verdict Refused;
  bool Again = true;
  for (bool AllApart = false; Again; AllApart = true) {
    Function &Copy = copyKernel(F, ".jammed");
    {
      NestJammer Jammer(Copy, Options, AllApart);
      Refused = Jammer.run();
      Again = Refused && Jammer.needsAllApart();
    }
    if (!Refused && Take)
      takeBody(F, Copy);
    Copy.eraseFromParent();
  }
  for (Function &Other : make_early_inc_range(M)) // Intrinsics that only the copies used.
    if (!Known.contains(&Other) && Other.isDeclaration() && Other.use_empty())
      Other.eraseFromParent();
  return Refused;
}

SmallVector<unsigned, 4> jammableLoops(Function &F) {
  DominatorTree DT(F);
  LoopInfo Loops(DT);
  SmallVector<unsigned, 4> Found;
  for (const Loop *L : Loops.getLoopsInPreorder()) {
    std::optional<unsigned> Number = loopNumber(*L);
    if (!Number || L->isInnermost())
      continue;
    UnrollAndJamOptions Twice;
    Twice.Loop = *Number;
    Twice.Factor = 2;
    if (!jamCopy(F, Twice, /*Take=*/false))
      Found.push_back(*Number);
  }
  return Found;
}

PreservedAnalyses UnrollAndJamPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  std::string Done = formatv("{1} iterations of loop {0} run side by side", Options.Loop, Options.Factor);
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Jammed", Done, Options.Loop, [&](Function &F) {
    Verdict Refused = jamCopy(F, Options, /*Take=*/true);
    if (auto *Assumptions = FAM.getCachedResult<AssumptionAnalysis>(F))
      Assumptions->clear(); // Never invalidated.
    FAM.invalidate(F, PreservedAnalyses::none());
    return Refused;
  });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

const OptionTable<UnrollAndJamOptions> &UnrollAndJamOptions::table() {
  using O = UnrollAndJamOptions;
  static const OptionTable<O> Table{
      UnrollAndJamPass::PassName,
      {numberOption({"loop", "N", OptionMeaning::Object, true}, &O::Loop, Shown::Always, 0),
       numberOption({.Key = "factor", .Values = "F", .Required = true}, &O::Factor, Shown::Always),
       kernelOption<O>()}};
  return Table;
}

PassOffers offerJamming(ArrayRef<unsigned> Loops) {
  return atEachStep([&](unsigned) {
    PassOffer Offer;
    for (unsigned Loop : Loops)
      Offer.Elements.push_back(
          {UnrollAndJamPass::PassName, {{"loop", std::to_string(Loop)}, {"factor", "{jam}"}}});
    if (!Loops.empty())
      Offer.Choices.push_back({"jam", {"none", "2", "4"}});
    return Offer;
  });
}

/// The loops next to the innermost ones: those that can be jammed and hold none of their kind.
static SmallVector<unsigned, 4> innermostJammable(Function &F) {
  SmallVector<unsigned, 4> Jammable = jammableLoops(F), Found;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (const Loop *L : LI.getLoopsInPreorder()) {
    auto CanJam = [&](const Loop *Other) {
      std::optional<unsigned> Number = loopNumber(*Other);
      return Number && is_contained(Jammable, *Number);
    };
    auto IsInside = [&](const Loop *Other) { return Other != L && L->contains(Other); };
    if (CanJam(L) &&
        none_of(LI.getLoopsInPreorder(), [&](const Loop *Other) { return IsInside(Other) && CanJam(Other); }))
      Found.push_back(*loopNumber(*L));
  }
  llvm::sort(Found);
  return Found;
}

static PassOffers offerInnermost(Function &F, FunctionAnalysisManager &, const OfferContext &) {
  return offerJamming(innermostJammable(F));
}

const PassDescriptor &unrollAndJamDescriptor() {
  static const PassDescriptor D = describe<UnrollAndJamPass, UnrollAndJamOptions>(
      "a loop does several iterations side by side, its inner loops joined", {.Offer = offerInnermost});
  return D;
}

} // namespace gpuprune
