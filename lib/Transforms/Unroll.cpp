//===- Unroll.cpp - gpu-unroll: unrolls one numbered loop of a kernel -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Unroll.h"
#include "KernelPass.h"
#include "SizeLimit.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/LoopNumbers.h"
#include "gpuprune/Transforms/PassOptions.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// What unrolling one loop needs to know of it.
struct UnrollPlan {
  unsigned Count = 1;
  bool NeedsRemainder = false;
};

struct LoopFacts {
  unsigned TripCount = 0; ///< 0 where it is not constant.
  unsigned TripMultiple = 1;
  const Instruction *Convergent = nullptr;
  uint64_t Instructions = 0;
};

/// The analyses UnrollLoop keeps up to date.
struct LoopAnalyses {
  LoopInfo &LI;
  ScalarEvolution &SE;
  DominatorTree &DT;
  AssumptionCache &AC;
  const TargetTransformInfo &TTI;

  LoopAnalyses(Function &F, FunctionAnalysisManager &FAM)
      : LI(FAM.getResult<LoopAnalysis>(F)), SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)), AC(FAM.getResult<AssumptionAnalysis>(F)),
        TTI(FAM.getResult<TargetIRAnalysis>(F)) {}
};

} // namespace

static LoopFacts gatherFacts(const Loop &L, ScalarEvolution &SE) {
  LoopFacts Facts;
  Facts.TripCount = SE.getSmallConstantTripCount(&L);
  Facts.TripMultiple = SE.getSmallConstantTripMultiple(&L);
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      ++Facts.Instructions;
      if (const auto *Call = dyn_cast<CallBase>(&I); Call && Call->isConvergent() && !Facts.Convergent)
        Facts.Convergent = Call;
    }
  return Facts;
}

static Verdict decide(const Loop &L, const UnrollOptions &Options, const LoopFacts &Facts, UnrollPlan &Plan) {
  if (Options.Full && !Facts.TripCount)
    return Refusal::inLoop("UnknownTripCount", L,
                           formatv("loop {0} has no constant trip count", Options.Loop));
  bool Whole = Options.Full || (Facts.TripCount && Options.Factor >= Facts.TripCount);
  Plan.Count = Whole ? Facts.TripCount : Options.Factor;
  Plan.NeedsRemainder = Facts.TripMultiple % Plan.Count != 0;
  if (Facts.Instructions * Plan.Count > LargestBody)
    return Refusal::inLoop("TooLarge", L,
                           formatv("{0} copies of {1} instructions are more than {2}", Plan.Count,
                                   Facts.Instructions, LargestBody));
  if (Facts.Convergent && Plan.NeedsRemainder)
    return Refusal::at(
        "ConvergentRemainder", *Facts.Convergent,
        formatv("factor {0} is not proved to divide the trip count of loop {1}, and a remainder "
                "loop would move this convergent operation under other control",
                Plan.Count, Options.Loop));
  return std::nullopt;
}

static LoopUnrollResult unroll(Loop &L, const UnrollPlan &Plan, LoopAnalyses &A,
                               OptimizationRemarkEmitter &ORE, Loop *&Remainder) {
  UnrollLoopOptions ULO;
  ULO.Count = Plan.Count;
  ULO.Force = true;
  ULO.Runtime = Plan.NeedsRemainder;
  ULO.AllowExpensiveTripCount = true;
  ULO.UnrollRemainder = false;
  ULO.ForgetAllSCEV = false;
  ULO.SCEVExpansionBudget = SCEVCheapExpansionBudget;
  return UnrollLoop(&L, ULO, &A.LI, &A.SE, &A.DT, &A.AC, &A.TTI, &ORE, /*PreserveLCSSA=*/true, &Remainder);
}

static Verdict transform(Function &F, Loop &L, const UnrollPlan &Plan, unsigned Number, LoopAnalyses &A) {
  if (Plan.Count == 1) {
    L.setLoopAlreadyUnrolled();
    return std::nullopt;
  }
  OptimizationRemarkEmitter ORE(&F);
  Loop *Remainder = nullptr;
  // The unroller may delete the loop, so a refusal about it is made before.
  Refusal NotUnrolled = Refusal::inLoop(
      "NotUnrolled", L,
      formatv("LLVM's unroller does not take loop {0}: it needs one entry and one latch", Number));
  switch (unroll(L, Plan, A, ORE, Remainder)) {
  case LoopUnrollResult::Unmodified:
    return NotUnrolled;
  case LoopUnrollResult::PartiallyUnrolled:
    L.setLoopAlreadyUnrolled();
    break;
  case LoopUnrollResult::FullyUnrolled:
    break;
  }
  if (Remainder)
    Remainder->setLoopAlreadyUnrolled();
  return std::nullopt;
}

static Verdict unrollNumbered(Function &F, const UnrollOptions &Options, FunctionAnalysisManager &FAM) {
  LoopAnalyses A(F, FAM);
  SmallVector<std::pair<Loop *, UnrollPlan>, 2> Loops;
  for (Loop *L : findLoops(A.LI, Options.Loop)) {
    UnrollPlan &Plan = Loops.emplace_back(L, UnrollPlan()).second;
    if (Verdict Refused = decide(*L, Options, gatherFacts(*L, A.SE), Plan))
      return Refused;
  }
  if (Loops.empty())
    return noSuchLoop(F, Options.Loop, A.LI);
  // The copies that an earlier pass made of the loop lie side by side, so
  // unrolling one leaves the others valid.
  for (auto [L, Plan] : Loops)
    if (Verdict Refused = transform(F, *L, Plan, Options.Loop, A))
      return Refused;
  return std::nullopt;
}

PreservedAnalyses UnrollPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  std::string Done = Options.Full ? formatv("unrolled loop {0} fully", Options.Loop).str()
                                  : formatv("unrolled loop {0} by {1}", Options.Loop, Options.Factor).str();
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Unrolled", Done, [&](Function &F) {
    Verdict Refused = unrollNumbered(F, Options, FAM);
    FAM.invalidate(F, PreservedAnalyses::none());
    return Refused;
  });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

Expected<UnrollOptions> UnrollOptions::parse(StringRef Text) {
  UnrollOptions Options;
  bool HasLoop = false, HasFactor = false;
  auto Take = [&](StringRef Key, StringRef Value) -> Expected<bool> {
    if (Key == "factor" && Value == "full") {
      Options.Full = HasFactor = true;
      return true;
    }
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
  if (Error E = parsePassOptions(UnrollPass::PassName, Text, "loop=N, factor=F|full, kernel=NAME",
                                 Options.Kernel, Take))
    return std::move(E);
  if (!HasLoop || !HasFactor)
    return makeError(ErrorKind::Input, "gpu-unroll needs both: gpu-unroll<loop=N;factor=F|full>");
  return Options;
}

void UnrollOptions::print(raw_ostream &OS) const {
  OS << "loop=" << Loop << ";factor=";
  if (Full)
    OS << "full";
  else
    OS << Factor;
  printKernelOption(OS, Kernel);
}

void UnrollPass::printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)> Map) {
  printPass(OS, PassName, Options);
}

} // namespace gpuprune
