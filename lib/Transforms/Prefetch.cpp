//===- Prefetch.cpp - gpu-prefetch: loads of later iterations are made ahead ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Prefetch.h"
#include "KernelPass.h"
#include "PrefetchPlan.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/LoopNumbers.h"
#include "gpuprune/Transforms/PassOptions.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace gpuprune {

namespace {

using LoadedValues = SmallVector<Value *, 8>; ///< One a load of the plan.

/// Carries out a plan with the values in registers.
class RegisterPrefetch {
public:
  RegisterPrefetch(PrefetchPlan &Plan, unsigned Distance, DomTreeUpdater &DTU, LoopInfo &LI)
      : Plan(Plan), Ahead(*Plan.Ahead), Distance(Distance), DTU(DTU), LI(LI) {}
  void run();

private:
  PrefetchPlan &Plan;
  LoopAhead &Ahead;
  unsigned Distance;
  DomTreeUpdater &DTU;
  LoopInfo &LI;

  /// The state furthest ahead, and whether its iteration exists (nullptr: surely).
  IterationValues State;
  Value *Exists = nullptr;

  void advance(Instruction &Before);
  LoadedValues loadBefore(Instruction &Before);
  void loadGroup(ArrayRef<size_t> Group, Instruction &Before, LoadedValues &Loaded);
  Value *load(const AheadLoad &A, IterationValues &Values, IRBuilder<> &Builder);
  SmallVector<PHINode *, 4> carryState();
  void closeState(ArrayRef<PHINode *> Carried);
};

} // namespace

/// From one iteration to the next.
void RegisterPrefetch::advance(Instruction &Before) {
  IRBuilder<> Builder(&Before);
  Exists = Ahead.evaluate(Exists, Plan.Next, State, Builder);
  State = Ahead.next(State, Builder);
}

Value *RegisterPrefetch::load(const AheadLoad &A, IterationValues &Values, IRBuilder<> &Builder) {
  Value *Address = Ahead.evaluate(*A.Load->getPointerOperand(), Values, Builder);
  auto *Clone = cast<LoadInst>(A.Load->clone());
  Clone->setOperand(LoadInst::getPointerOperandIndex(), Address);
  Clone->setMetadata(LLVMContext::MD_alias_scope, nullptr);
  Clone->setMetadata(LLVMContext::MD_noalias, nullptr);
  return Builder.Insert(Clone, A.Load->getName() + ".ahead");
}

/// Makes the loads of \p Group, which have the same conditions.
void RegisterPrefetch::loadGroup(ArrayRef<size_t> Group, Instruction &Before, LoadedValues &Loaded) {
  IRBuilder<> Builder(&Before);
  IterationValues Values = State; // What is computed under the condition is not for other groups.
  Value *Condition = Ahead.evaluate(Exists, Plan.Loads[Group.front()].Conditions, Values, Builder);
  if (!Condition) {
    for (size_t Index : Group)
      Loaded[Index] = load(Plan.Loads[Index], Values, Builder);
    return;
  }
  BasicBlock *Head = Before.getParent();
  MDNode *Likely = MDBuilder(Head->getContext()).createLikelyBranchWeights();
  Instruction *End =
      SplitBlockAndInsertIfThen(Condition, Before.getIterator(), /*Unreachable=*/false, Likely, &DTU, &LI);
  IRBuilder<> Inside(End), Behind(&Before);
  for (size_t Index : Group) {
    Value *V = load(Plan.Loads[Index], Values, Inside);
    PHINode *Phi = Behind.CreatePHI(V->getType(), 2);
    Phi->addIncoming(V, End->getParent());
    Phi->addIncoming(PoisonValue::get(V->getType()), Head);
    Loaded[Index] = Phi;
  }
}

/// The loads of the iteration that State is of, where it exists.
LoadedValues RegisterPrefetch::loadBefore(Instruction &Before) {
  LoadedValues Loaded(Plan.Loads.size());
  for (size_t First = 0; First < Loaded.size(); ++First) {
    if (Loaded[First])
      continue;
    SmallVector<size_t, 8> Group;
    for (size_t Index = First; Index < Loaded.size(); ++Index)
      if (Plan.Loads[Index].Conditions == Plan.Loads[First].Conditions)
        Group.push_back(Index);
    loadGroup(Group, Before, Loaded);
  }
  return Loaded;
}

/// Carries State and Exists, of the iteration before the one to be loaded, around the loop. With
/// distance 1 that is the iteration itself.
SmallVector<PHINode *, 4> RegisterPrefetch::carryState() {
  SmallVector<PHINode *, 4> Carried;
  if (Distance == 1) {
    for (PHINode *Phi : Ahead.state())
      State[Phi] = Phi;
    return Carried;
  }
  IRBuilder<> Builder(&*Plan.L->getHeader()->begin());
  auto Carry = [&](Value *&V) {
    PHINode *Phi = Builder.CreatePHI(V->getType(), 2);
    Phi->addIncoming(V, Plan.L->getLoopPreheader());
    Carried.push_back(Phi);
    V = Phi;
  };
  for (PHINode *Phi : Ahead.state())
    Carry(State[Phi]);
  if (Exists)
    Carry(Exists);
  return Carried;
}

void RegisterPrefetch::closeState(ArrayRef<PHINode *> Carried) {
  if (Carried.empty())
    return;
  BasicBlock *Latch = Plan.L->getLoopLatch();
  for (auto [Phi, Carry] : zip_first(Ahead.state(), Carried))
    Carry->addIncoming(State[Phi], Latch);
  if (Carried.size() > Ahead.state().size())
    Carried.back()->addIncoming(Exists, Latch);
}

void RegisterPrefetch::run() {
  Loop &L = *Plan.L;
  // First[d] are the values of iteration d.
  SmallVector<LoadedValues, 4> First;
  State = Ahead.first();
  for (unsigned D = 0; D < Distance; ++D) {
    if (D > 0)
      advance(*L.getLoopPreheader()->getTerminator());
    First.push_back(loadBefore(*L.getLoopPreheader()->getTerminator()));
  }
  SmallVector<PHINode *, 4> Carried = carryState();
  advance(*Plan.Point);
  LoadedValues Furthest = loadBefore(*Plan.Point);
  closeState(Carried);

  IRBuilder<> Builder(&*L.getHeader()->begin());
  for (auto [Index, A] : enumerate(Plan.Loads)) {
    Value *Later = Furthest[Index];
    for (unsigned D = Distance; D-- > 0;) {
      PHINode *Waiting = Builder.CreatePHI(A.Load->getType(), 2);
      Waiting->addIncoming(First[D][Index], L.getLoopPreheader());
      Waiting->addIncoming(Later, L.getLoopLatch());
      Later = Waiting;
    }
    A.Load->replaceAllUsesWith(Later);
    A.Load->eraseFromParent();
  }
}

static void reportStaying(Function &F, const PrefetchPlan &Plan) {
  OptimizationRemarkEmitter ORE(&F);
  for (const Refusal &Why : Plan.Stay)
    ORE.emit([&] {
      return OptimizationRemarkMissed(PrefetchPass::PassName, "LoadStays", Why.Where, Why.Region)
             << "a load is not made ahead (" << Why.Name << "): " << Why.Message;
    });
}

static Verdict prefetch(Function &F, const PrefetchOptions &Options, FunctionAnalysisManager &FAM) {
  LoopInfo &LI = FAM.getResult<LoopAnalysis>(F);
  SmallVector<PrefetchPlan, 2> Plans;
  for (Loop *L : findLoops(LI, Options.Loop))
    if (Verdict Refused = planPrefetch(F, *L, FAM, Plans.emplace_back()))
      return Refused;
  if (Plans.empty())
    return noSuchLoop(F, Options.Loop, LI);
  DomTreeUpdater DTU(FAM.getResult<DominatorTreeAnalysis>(F), DomTreeUpdater::UpdateStrategy::Eager);
  // The copies that an earlier pass made of the loop lie side by side.
  for (PrefetchPlan &Plan : Plans) {
    reportStaying(F, Plan);
    RegisterPrefetch(Plan, Options.Distance, DTU, LI).run();
  }
  return std::nullopt;
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
    if (Number && !planPrefetch(F, *L, FAM, Plan) && Plan.BehindBarrier)
      Found.push_back(*Number);
  }
  return Found;
}

PreservedAnalyses PrefetchPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  std::string Done =
      formatv("loop {0} reads global memory {1} iterations ahead", Options.Loop, Options.Distance);
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Prefetched", Done, [&](Function &F) {
    Verdict Refused = prefetch(F, Options, FAM);
    FAM.invalidate(F, PreservedAnalyses::none());
    return Refused;
  });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

Expected<PrefetchOptions> PrefetchOptions::parse(StringRef Text) {
  PrefetchOptions Options;
  bool HasLoop = false;
  auto Take = [&](StringRef Key, StringRef Value) -> Expected<bool> {
    if (Key == "to") {
      if (Value != "register")
        return makeError(ErrorKind::Input, formatv("option 'to={0}' needs register", Value));
      return true;
    }
    if (Key != "distance" && Key != "loop")
      return false;
    bool IsLoop = Key == "loop";
    Expected<unsigned> Number =
        IsLoop ? parseNumber(Key, Value, 0) : parseNumber(Key, Value, 1, MostDistance);
    if (!Number)
      return Number.takeError();
    (IsLoop ? Options.Loop : Options.Distance) = *Number;
    HasLoop |= IsLoop;
    return true;
  };
  StringRef Known = "loop=N, distance=D, to=register, kernel=NAME";
  if (Error E = parsePassOptions(PrefetchPass::PassName, Text, Known, Options.Kernel, Take))
    return std::move(E);
  if (!HasLoop)
    return makeError(ErrorKind::Input,
                     "gpu-prefetch needs a loop: gpu-prefetch<loop=N;distance=D;to=register>");
  return Options;
}

void PrefetchOptions::print(raw_ostream &OS) const {
  OS << "loop=" << Loop << ";distance=" << Distance << ";to=register";
  printKernelOption(OS, Kernel);
}

void PrefetchPass::printPipeline(raw_ostream &OS, function_ref<StringRef(StringRef)> Map) {
  printPass(OS, PassName, Options);
}

} // namespace gpuprune
