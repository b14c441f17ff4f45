//===- LoopCopies.cpp - Unrolling as the passes need it ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LoopCopies.h"
#include "Kernel/SizeLimit.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// LLVM's unroller leaves it to its caller that a remainder of a loop with convergent
/// operations is right, and insists that there are none.
class WithoutConvergence {
public:
  explicit WithoutConvergence(Loop &L);
  ~WithoutConvergence();

private:
  static constexpr const char *Mark = "gpuprune.convergent";
  Function &F;
  SmallSetVector<Function *, 4> Callees;
};

} // namespace

WithoutConvergence::WithoutConvergence(Loop &L) : F(*L.getHeader()->getParent()) {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !Call->isConvergent())
        continue;
      if (Function *Callee = Call->getCalledFunction(); Callee && Callee->isConvergent())
        Callees.insert(Callee);
      if (Call->getAttributes().hasFnAttr(Attribute::Convergent)) {
        Call->setNotConvergent();
        Call->setMetadata(Mark, MDNode::get(F.getContext(), {})); // Copies have it, too.
      }
    }
  for (Function *Callee : Callees)
    Callee->setNotConvergent();
}

WithoutConvergence::~WithoutConvergence() {
  for (Function *Callee : Callees)
    Callee->setConvergent();
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->getMetadata(Mark)) {
      Call->setConvergent();
      Call->setMetadata(Mark, nullptr);
    }
}

LoopAnalyses::LoopAnalyses(Function &F, FunctionAnalysisManager &FAM)
    : LI(FAM.getResult<LoopAnalysis>(F)), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
      DT(FAM.getResult<DominatorTreeAnalysis>(F)), AC(FAM.getResult<AssumptionAnalysis>(F)),
      TTI(FAM.getResult<TargetIRAnalysis>(F)) {}

/// A latch that stays in the loop both ways, or chooses among several.
static bool hasUsualLatch(const Loop &L) {
  const auto *Branch = dyn_cast<BranchInst>(L.getLoopLatch()->getTerminator());
  return Branch && (Branch->isUnconditional() || L.isLoopExiting(L.getLoopLatch()));
}

Verdict bringIntoForm(Loop &L, unsigned Number, LoopAnalyses &A) {
  Refusal NotUnrolled = Refusal::inLoop(
      RefusalKind::NotUnrolled, L,
      formatv("loop {0} holds a call that must not be copied, or a jump to a computed address", Number));
  if (!L.isSafeToClone() || L.getHeader()->hasAddressTaken())
    return NotUnrolled;
  Loop &Outermost = *L.getOutermostLoop();
  if (!Outermost.isRecursivelyLCSSAForm(A.DT, A.LI))
    formLCSSARecursively(Outermost, A.DT, &A.LI, &A.SE);
  if (!L.isLoopSimplifyForm())
    simplifyLoop(&L, &A.DT, &A.LI, &A.SE, &A.AC, nullptr, /*PreserveLCSSA=*/true);
  if (!L.getLoopPreheader() || !L.getLoopLatch())
    return NotUnrolled;
  if (!hasUsualLatch(L))
    SplitEdge(L.getLoopLatch(), L.getHeader(), &A.DT, &A.LI);
  return std::nullopt;
}

const CallBase *findConvergent(const Loop &L) {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && Call->isConvergent())
        return Call;
  return nullptr;
}

bool isTripCountOfBlock(const Loop &L, LoopAnalyses &A, const Influence &OfThread) {
  const SCEV *Count = A.SE.getExitCount(&L, L.getLoopLatch());
  return !SCEVExprContains(Count, [&](const SCEV *S) {
    if (const auto *Unknown = dyn_cast<SCEVUnknown>(S)) {
      const auto *I = dyn_cast<Instruction>(Unknown->getValue());
      return I && OfThread.reaches(*I);
    }
    if (const auto *Outer = dyn_cast<SCEVAddRecExpr>(S))
      return OfThread.decides(*Outer->getLoop()->getHeader());
    return isa<SCEVCouldNotCompute>(S);
  });
}

Verdict planCopies(const Loop &L, unsigned Factor, UnrollRemainder Remainder, LoopAnalyses &A,
                   const Influence &OfThread, UnrollPlan &Plan) {
  Plan.Count = Factor;
  Plan.NeedsRemainder = A.SE.getSmallConstantTripMultiple(&L) % Factor != 0;
  Plan.Remainder = Remainder;
  uint64_t Instructions = 0;
  for (const BasicBlock *BB : L.blocks())
    Instructions += BB->size();
  if (Instructions * Plan.Count > LargestBody)
    return Refusal::inLoop(
        RefusalKind::TooLarge, L,
        formatv("{0} copies of {1} instructions are more than {2}", Plan.Count, Instructions, LargestBody));
  if (Plan.NeedsRemainder && findConvergent(L) && !isTripCountOfBlock(L, A, OfThread))
    Plan.Remainder = UnrollRemainder::None;
  return std::nullopt;
}

bool makeCopies(Loop &L, const UnrollPlan &Plan, LoopAnalyses &A) {
  assert(isa<BranchInst>(L.getLoopLatch()->getTerminator()) && "bringIntoForm sees to it");
  if (Plan.Count == 1) {
    L.setLoopAlreadyUnrolled();
    return true;
  }
  UnrollLoopOptions ULO;
  ULO.Count = Plan.Count;
  ULO.Force = true;
  ULO.Runtime = Plan.hasRest();
  ULO.AllowExpensiveTripCount = true;
  ULO.UnrollRemainder = Plan.Remainder == UnrollRemainder::Unrolled;
  ULO.ForgetAllSCEV = false;
  ULO.SCEVExpansionBudget = SCEVCheapExpansionBudget;
  OptimizationRemarkEmitter ORE(L.getHeader()->getParent());
  Loop *Rest = nullptr;
  LoopUnrollResult Result = LoopUnrollResult::Unmodified;
  {
    WithoutConvergence Guard(L);
    Result = UnrollLoop(&L, ULO, &A.LI, &A.SE, &A.DT, &A.AC, &A.TTI, &ORE, /*PreserveLCSSA=*/true, &Rest);
  }
  assert(Result != LoopUnrollResult::Unmodified && "bringIntoForm sees to it");
  if (Rest)
    Rest->setLoopAlreadyUnrolled();
  if (Result == LoopUnrollResult::FullyUnrolled)
    return false;
  L.setLoopAlreadyUnrolled();
  return true;
}

} // namespace gpuprune
