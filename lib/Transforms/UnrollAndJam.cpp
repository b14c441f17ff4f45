//===- UnrollAndJam.cpp - gpu-unroll-and-jam: outer iterations side by side -===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/UnrollAndJam.h"
#include "InnerLoopGuard.h"
#include "JamInnerLoops.h"
#include "KernelCopy.h"
#include "KernelPass.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/LoopNumbers.h"
#include "gpuprune/Transforms/PassOptions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// Transforms a kernel, or leaves it in pieces.
class NestJammer {
public:
  NestJammer(Function &F, const UnrollAndJamOptions &Options);
  Verdict run();

private:
  /// Which of the inner loops one is a copy of.
  static constexpr const char *Mark = "gpuprune.jam";
  Function &F;
  const UnrollAndJamOptions &Options;
  FunctionAnalysisManager FAM;

  Verdict jamNest(BasicBlock &Header);
  Verdict prepare(BasicBlock &Header);
  unsigned markInner(BasicBlock &Header);
  SmallVector<Loop *, 4> copiesOf(unsigned Inner, const BasicBlock *Header);
  Verdict jamCopies(unsigned Inner, const BasicBlock *Header, unsigned Count);
  void finish();
  void forget() { FAM.invalidate(F, PreservedAnalyses::none()); }
  LoopInfo &loops() { return FAM.getResult<LoopAnalysis>(F); }
};

} // namespace

NestJammer::NestJammer(Function &F, const UnrollAndJamOptions &Options) : F(F), Options(Options) {
  FAM.registerPass([] { return PassInstrumentationAnalysis(); });
  FAM.registerPass([] { return DominatorTreeAnalysis(); });
  FAM.registerPass([] { return LoopAnalysis(); });
  FAM.registerPass([] { return TargetLibraryAnalysis(); });
  FAM.registerPass([] { return TargetIRAnalysis(); });
  FAM.registerPass([] { return AssumptionAnalysis(); });
  FAM.registerPass([] { return ScalarEvolutionAnalysis(); });
  FAM.registerPass([] { return TypeBasedAA(); });
}

/// Brings the nest into form and lets nothing lead past its inner loops.
Verdict NestJammer::prepare(BasicBlock &Header) {
  if (Verdict Refused = checkOrder(*loops().getLoopFor(&Header)))
    return Refused;
  for (bool Changed = true; Changed;) {
    Changed = false;
    LoopAnalyses A(F, FAM);
    Loop *Nest = A.LI.getLoopFor(&Header);
    Verdict Left = Refusal::inFunction("DependentControl", F,
                                       "without what leads past its inner loops it is no loop any more");
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
  for (const Loop *Inner : loops().getLoopFor(&Header)->getSubLoops())
    if (Verdict Refused = checkJamForm(*Inner))
      return Refused;
  return std::nullopt;
}

/// Marks the inner loops 1, 2, ... in the order in which they follow one another.
unsigned NestJammer::markInner(BasicBlock &Header) {
  Loop &Outer = *loops().getLoopFor(&Header);
  SmallVector<Loop *, 4> Inner(Outer.begin(), Outer.end());
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  llvm::sort(Inner, [&](Loop *A, Loop *B) { return A != B && DT.dominates(A->getHeader(), B->getHeader()); });
  for (auto [Index, L] : enumerate(Inner))
    addStringMetadataToLoop(L, Mark, Index + 1);
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
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  llvm::sort(Copies,
             [&](Loop *A, Loop *B) { return A != B && DT.dominates(A->getHeader(), B->getHeader()); });
  return Copies;
}

Verdict NestJammer::jamCopies(unsigned Inner, const BasicBlock *Header, unsigned Count) {
  for (unsigned Left = Count; Left > 1; --Left) {
    LoopAnalyses A(F, FAM);
    SmallVector<Loop *, 4> Copies = copiesOf(Inner, Header);
    if (Copies.size() != Left)
      return Refusal::inFunction("DependentControl", F,
                                 "not every iteration of the outer loop comes to its inner loop");
    for (Loop *Copy : Copies)
      if (Verdict Refused = bringIntoForm(*Copy, Options.Loop, A))
        return Refused;
    if (Verdict Refused = jamInnerLoops(F, *Copies[0], *Copies[1], FAM))
      return Refused;
    forget();
  }
  return std::nullopt;
}

Verdict NestJammer::jamNest(BasicBlock &Header) {
  if (Verdict Refused = prepare(Header))
    return Refused;
  unsigned InnerLoops = markInner(Header);
  unsigned Count = 1;
  bool Remains = true;
  {
    LoopAnalyses A(F, FAM);
    Loop &Outer = *A.LI.getLoopFor(&Header);
    unsigned TripCount = A.SE.getSmallConstantTripCount(&Outer);
    Count = TripCount ? std::min(TripCount, Options.Factor) : Options.Factor;
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
}

Verdict NestJammer::run() {
  SmallVector<BasicBlock *, 2> Headers;
  for (Loop *L : findLoops(loops(), Options.Loop)) {
    if (L->isInnermost())
      return Refusal::inLoop("NoInnerLoop", *L, formatv("loop {0} holds no other loop", Options.Loop));
    Headers.push_back(L->getHeader());
  }
  if (Headers.empty())
    return noSuchLoop(F, Options.Loop, loops());
  for (BasicBlock *Header : Headers)
    if (Verdict Refused = jamNest(*Header))
      return Refused;
  return std::nullopt;
}

/// Transforms a copy of \p F, which takes its place if \p Take is set and nothing is refused.
static Verdict jamCopy(Function &F, const UnrollAndJamOptions &Options, bool Take) {
  Module &M = *F.getParent();
  SmallPtrSet<const Function *, 16> Known;
  for (const Function &Other : M)
    Known.insert(&Other);
  Function &Copy = copyKernel(F, ".jammed");
  Verdict Refused = NestJammer(Copy, Options).run();
  if (Refused)
    Refused->Region = &F.getEntryBlock(); // That of the copy goes.
  else if (Take)
    takeBody(F, Copy);
  Copy.eraseFromParent();
  for (Function &Other : make_early_inc_range(M)) // Intrinsics that only the copy used.
    if (!Known.contains(&Other) && Other.isDeclaration() && Other.use_empty())
      Other.eraseFromParent();
  return Refused;
}

SmallVector<unsigned, 4> jammableLoops(Function &F) {
  DominatorTree DT(F);
  LoopInfo Loops(DT);
  SmallVector<unsigned, 4> Found;
  for (const Loop *L : Loops.getLoopsInPreorder())
    if (std::optional<unsigned> Number = loopNumber(*L); Number && !L->isInnermost())
      if (!jamCopy(F, {*Number, 2, ""}, /*Take=*/false))
        Found.push_back(*Number);
  return Found;
}

PreservedAnalyses UnrollAndJamPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  std::string Done = formatv("{1} iterations of loop {0} run side by side", Options.Loop, Options.Factor);
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Jammed", Done, [&](Function &F) {
    Verdict Refused = jamCopy(F, Options, /*Take=*/true);
    if (auto *Assumptions = FAM.getCachedResult<AssumptionAnalysis>(F))
      Assumptions->clear(); // Never invalidated.
    FAM.invalidate(F, PreservedAnalyses::none());
    return Refused;
  });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

Expected<UnrollAndJamOptions> UnrollAndJamOptions::parse(StringRef Text) {
  UnrollAndJamOptions Options;
  bool HasLoop = false, HasFactor = false;
  auto Take = [&](StringRef Key, StringRef Value) -> Expected<bool> {
    if (Key != "factor" && Key != "loop")
      return false;
    bool IsLoop = Key == "loop";
    Expected<unsigned> Number = parseNumber(Key, Value, IsLoop ? 0 : 1);
    if (!Number)
      return Number.takeError();
    (IsLoop ? Options.Loop : Options.Factor) = *Number;
    (IsLoop ? HasLoop : HasFactor) = true;
    return true;
  };
  if (Error E = parsePassOptions(UnrollAndJamPass::PassName, Text, "loop=N, factor=F, kernel=NAME",
                                 Options.Kernel, Take))
    return std::move(E);
  if (!HasLoop || !HasFactor)
    return makeError(ErrorKind::Input, "gpu-unroll-and-jam needs both: gpu-unroll-and-jam<loop=N;factor=F>");
  return Options;
}

void UnrollAndJamOptions::print(raw_ostream &OS) const {
  OS << "loop=" << Loop << ";factor=" << Factor;
  printKernelOption(OS, Kernel);
}

void UnrollAndJamPass::printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)> Map) {
  printPass(OS, PassName, Options);
}

} // namespace gpuprune
