//===- PrefetchPlan.cpp - Which loads gpu-prefetch makes ahead, and where ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "PrefetchPlan.h"
#include "Facts/LoadHazards.h"
#include "Facts/Operations.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace gpuprune {

namespace {

class Planner {
public:
  Planner(Function &F, Loop &L, FunctionAnalysisManager &FAM, PrefetchPlan &Plan)
      : L(L), DT(FAM.getResult<DominatorTreeAnalysis>(F)), LI(FAM.getResult<LoopAnalysis>(F)),
        Hazards(F, &L, FAM), Plan(Plan) {}
  Verdict run();

private:
  Loop &L;
  DominatorTree &DT;
  LoopInfo &LI;
  LoadHazards Hazards;
  PrefetchPlan &Plan;
  DenseMap<LoadInst *, bool> Invariant; ///< False while it is not known, as in a chain of pointers.
  unsigned InvariantDepth = 0;

  bool isOwn(const BasicBlock &BB) const { return LI.getLoopFor(&BB) == &L; }
  bool isInvariant(LoadInst &Load);
  bool findInvariant(LoadInst &Load);
  Verdict requireNext();
  Verdict requireLoad(LoadInst &Load);
  Verdict planLoads();
  void findBarrier();
};

} // namespace

/// Every iteration gets to its end, so the next one, if its turn comes, is executed.
static Verdict checkReturns(const Loop &L) {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (!goesOn(I))
        return Refusal::at(RefusalKind::MayNotReturn, I,
                           "the thread may end here, and the next iteration must not be read ahead then");
  return std::nullopt;
}

/// Loads that depend on loads are followed so far.
static constexpr unsigned MostInvariantDepth = 32;

/// Such as the end of a row in \c row_pointers[row + 1], read again for each test.
bool Planner::isInvariant(LoadInst &Load) {
  auto [Known, IsNew] = Invariant.try_emplace(&Load, false);
  if (!IsNew || InvariantDepth == MostInvariantDepth)
    return Known->second;
  ++InvariantDepth;
  bool Result = findInvariant(Load);
  --InvariantDepth;
  return Invariant[&Load] = Result;
}

bool Planner::findInvariant(LoadInst &Load) {
  if (!Load.isSimple() || !isOwn(*Load.getParent()) || Hazards.check(Load))
    return false;
  std::optional<PathConditions> Conditions = Plan.Ahead->conditionsOf(*Load.getParent());
  Value &Address = *Load.getPointerOperand();
  return Conditions && Conditions->empty() && !Plan.Ahead->require(Address, /*Speculated=*/true) &&
         !Plan.Ahead->changes(Address);
}

Verdict Planner::requireNext() {
  std::optional<PathConditions> Next = Plan.Ahead->conditionsOfNext();
  if (!Next)
    return Refusal::inLoop(
        RefusalKind::UnknownNextIteration, L,
        "the branches of the loop do not say as a conjunction whether another iteration follows");
  for (const PathCondition &C : *Next)
    if (Instruction *Unknown = Plan.Ahead->require(*C.Condition, /*Speculated=*/true))
      return Refusal::at(RefusalKind::UnknownNextIteration, *Unknown,
                         "whether another iteration follows is not known ahead of this");
  Plan.Next = std::move(*Next);
  return std::nullopt;
}

/// Adds \p Load to the plan, or says why it stays.
Verdict Planner::requireLoad(LoadInst &Load) {
  if (Load.isVolatile() || Load.isAtomic())
    return Refusal::at(RefusalKind::Volatile, Load, "volatile and atomic loads have their time");
  if (Verdict Refused = Hazards.check(Load))
    return Refused;
  std::optional<PathConditions> Conditions = Plan.Ahead->conditionsOf(*Load.getParent());
  if (!Conditions)
    return Refusal::at(RefusalKind::ConditionNotAhead, Load,
                       "no conjunction of branches says whether this is executed");
  for (const PathCondition &C : *Conditions)
    if (Instruction *Unknown = Plan.Ahead->require(*C.Condition, /*Speculated=*/true))
      return Refusal::at(RefusalKind::ConditionNotAhead, *Unknown,
                         "whether a load is executed is not known ahead of this");
  if (Instruction *Unknown = Plan.Ahead->require(*Load.getPointerOperand(), /*Speculated=*/false))
    return Refusal::at(RefusalKind::AddressNotAhead, *Unknown,
                       "the address of a load is not known ahead of this");
  if (Plan.Ahead->changes(*Load.getPointerOperand()))
    Plan.Loads.push_back({&Load, std::move(*Conditions)});
  return std::nullopt;
}

static bool mayReadGlobal(const LoadInst &Load) {
  unsigned Space = Load.getPointerAddressSpace();
  return Space == NVPTXAS::ADDRESS_SPACE_GLOBAL || Space == NVPTXAS::ADDRESS_SPACE_GENERIC;
}

Verdict Planner::planLoads() {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (auto *Load = dyn_cast<LoadInst>(&I); Load && isOwn(*BB) && mayReadGlobal(*Load))
        if (Verdict Stays = requireLoad(*Load))
          Plan.Stay.push_back(std::move(*Stays));
  if (!Plan.Loads.empty())
    return std::nullopt;
  if (!Plan.Stay.empty())
    return Plan.Stay.front();
  return Refusal::inLoop(
      RefusalKind::NoGlobalLoad, L,
      "the loop itself, outside of loops within it, reads no global memory at an address that changes");
}

/// Whether \p I, executed in every iteration, is executed after \p Other in it: all ways to
/// the latch lead over I, so one that leads to Other first meets I later.
static bool follows(const Instruction &I, const Instruction &Other, const DominatorTree &DT) {
  return I.getParent() == Other.getParent() ? Other.comesBefore(&I)
                                            : !DT.dominates(I.getParent(), Other.getParent());
}

Instruction *firstBarrierBehind(const Loop &L, const DominatorTree &DT, const LoopInfo &LI,
                                ArrayRef<const Instruction *> Behind,
                                function_ref<bool(const Instruction &)> IsBarrier) {
  assert(L.getLoopLatch() && "what dominates it is executed in every iteration");
  Instruction *First = nullptr;
  for (BasicBlock *BB : L.blocks())
    if (LI.getLoopFor(BB) == &L && DT.dominates(BB, L.getLoopLatch()))
      for (Instruction &I : *BB)
        if (IsBarrier(I) && (!First || DT.dominates(&I, First)) &&
            all_of(Behind, [&](const Instruction *Other) { return follows(I, *Other, DT); }))
          First = &I;
  return First;
}

/// Behind the first barrier after the loads, so that what is read ahead is under way
/// while the block computes; without one, at the head of the iteration.
void Planner::findBarrier() {
  SmallVector<const Instruction *, 8> Loads;
  for (const AheadLoad &A : Plan.Loads)
    Loads.push_back(A.Load);
  Plan.Barrier = firstBarrierBehind(L, DT, LI, Loads, isBlockBarrier);
}

Verdict Planner::run() {
  Plan.L = &L;
  if (!L.isLoopSimplifyForm())
    return Refusal::inLoop(
        RefusalKind::LoopForm, L,
        "jumps to computed addresses lead into the loop or out of it: there is no one way to go ahead of");
  Plan.Ahead = std::make_unique<LoopAhead>(L, DT, [this](LoadInst &Load) { return isInvariant(Load); });
  scope_exit Forget([&] { Plan.Ahead->forgetInvariantCheck(); }); // It knows this planner.
  if (Verdict Refused = checkReturns(L))
    return Refused;
  if (Verdict Refused = requireNext())
    return Refused;
  if (Verdict Refused = planLoads())
    return Refused;
  findBarrier();
  return std::nullopt;
}

Verdict planPrefetch(Function &F, Loop &L, FunctionAnalysisManager &FAM, PrefetchPlan &Plan) {
  return Planner(F, L, FAM, Plan).run();
}

} // namespace gpuprune
