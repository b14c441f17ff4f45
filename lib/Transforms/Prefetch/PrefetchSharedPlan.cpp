//===- PrefetchSharedPlan.cpp - Which tiles can wait in shared memory -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Facts/LoadHazards.h"
#include "PrefetchShared.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Device/CommonLimits.h"
#include "gpuprune/Transforms/KernelBounds.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace gpuprune {

/// The first compute capability with cp.async (PTX ISA, cp.async).
static constexpr unsigned FirstWithAsyncCopies = 80;
/// More than any block can have.
static constexpr uint64_t LargestTileBytes = 1 << 20;

namespace {

/// A store of a tile's element, on the way into the plan.
struct Candidate {
  LoadInst *Load;
  StoreInst *Store;
};

class SharedPlanner {
public:
  SharedPlanner(Function &F, PrefetchPlan &Plan, const DominatorTree &DT, const LoopInfo &LI,
                ScalarEvolution &SE, SharedPrefetch &Shared)
      : F(F), Plan(Plan), L(*Plan.L), DT(DT), LI(LI), SE(SE), Shared(Shared) {}
  Verdict run();

private:
  Function &F;
  PrefetchPlan &Plan;
  Loop &L;
  const DominatorTree &DT;
  const LoopInfo &LI;
  ScalarEvolution &SE;
  SharedPrefetch &Shared;
  MapVector<GlobalVariable *, SmallVector<Candidate, 8>> Tiles;

  Verdict checkFunction() const;
  Verdict takeLoad(const AheadLoad &A);
  Verdict collectTile(GlobalVariable &Array, ArrayRef<Candidate> Stores, PrivateArray &Private) const;
  Verdict checkReads(const ObjectUses &Uses, const Instruction *Barrier) const;
  void drop(GlobalVariable *Array, Refusal Why);
  std::optional<int64_t> distance(Value *From, Value *To) const;
  size_t piecesOf(ArrayRef<Candidate> Stores) const;
  void planCopies(size_t Array, ArrayRef<Candidate> Stores);
  bool runsAgain() const;
  void planNextRun();
  void findNeedlessBarriers();
};

} // namespace

/// Asynchronous copies, and what waits for them.
static bool copiesInBackground(const Instruction &I) {
  std::optional<DeviceOperation> Operation = classify(I);
  return Operation && is_contained({OperationKind::AsyncCopy, OperationKind::CopyGroup,
                                    OperationKind::CopyArrival, OperationKind::BulkCopy},
                                   Operation->Kind);
}

Verdict SharedPlanner::checkFunction() const {
  if (computeCapability(F) < FirstWithAsyncCopies)
    return Refusal::inFunction(RefusalKind::NoAsyncCopies, F,
                               "asynchronous copies need compute capability 8.0; to=register needs none");
  for (Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    const auto *Intrinsic = dyn_cast<IntrinsicInst>(Call);
    if (!Intrinsic)
      return Refusal::at(RefusalKind::Call, I, "a call that was not inlined may access the tiles");
    if (copiesInBackground(I))
      return Refusal::at(RefusalKind::OwnAsyncCopies, I,
                         "the kernel counts groups of asynchronous copies of its own");
  }
  return std::nullopt;
}

/// The one store that \p Load is for, to a shared array; nullptr where it is for anything else.
static StoreInst *tileStore(LoadInst &Load) {
  auto *Store = Load.hasOneUse() ? dyn_cast<StoreInst>(*Load.user_begin()) : nullptr;
  bool IsTile = Store && Store->isSimple() && Store->getValueOperand() == &Load &&
                Store->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED &&
                isa<GlobalVariable>(getUnderlyingObject(Store->getPointerOperand(), 0));
  return IsTile ? Store : nullptr;
}

static Align knownAlign(Value &Pointer, Align Stated, const Instruction &I) {
  return std::max(Stated, getKnownAlignment(&Pointer, I.getDataLayout(), &I));
}

/// Of the address stored to, as far as the array's buffers keep it.
static Align storeAlign(const StoreInst &Store) {
  auto *Array = cast<GlobalVariable>(getUnderlyingObject(Store.getPointerOperand(), 0));
  Align Known = knownAlign(*const_cast<Value *>(Store.getPointerOperand()), Store.getAlign(), Store);
  return std::min(
      Known, Array->getDataLayout().getValueOrABITypeAlignment(Array->getAlign(), Array->getValueType()));
}

static bool canCopy(const LoadInst &Load, const StoreInst &Store) {
  uint64_t Bytes = Load.getDataLayout().getTypeStoreSize(Load.getType());
  return is_contained({4u, 8u, 16u}, Bytes) &&
         Load.getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_GLOBAL && Load.getAlign().value() >= Bytes &&
         storeAlign(Store).value() >= Bytes;
}

/// Adds the load to the tiles, or says why it stays.
Verdict SharedPlanner::takeLoad(const AheadLoad &A) {
  LoadInst &Load = *A.Load;
  StoreInst *Store = tileStore(Load);
  if (!Store || LI.getLoopFor(Store->getParent()) != &L || !canCopy(Load, *Store))
    return Refusal::at(
        RefusalKind::NoCopy, Load,
        "what is read is not just stored to a shared array, in one aligned piece of 4, 8 or 16 bytes");
  std::optional<PathConditions> Stored = Plan.Ahead->conditionsOf(*Store->getParent());
  Value &To = *Store->getPointerOperand();
  if (!A.Conditions.empty() || !Stored || !Stored->empty() || Plan.Ahead->require(To, /*Speculated=*/false) ||
      Plan.Ahead->changes(To))
    return Refusal::at(
        RefusalKind::TileGoesOn, *Store,
        "not every iteration stores the same elements, so one may read what an earlier one stored");
  Tiles[cast<GlobalVariable>(getUnderlyingObject(&To, 0))].push_back({&Load, Store});
  return std::nullopt;
}

Verdict SharedPlanner::collectTile(GlobalVariable &Array, ArrayRef<Candidate> Stores,
                                   PrivateArray &Private) const {
  ObjectUses &Uses = Private.Uses;
  if (Verdict Refused = collectUses(Array, F, Uses))
    return Refused;
  if (Verdict Refused = planPrivate(Private, SharedLayout::Blocked, /*Copies=*/2))
    return Refused;
  if (Private.isDynamic() && !Shared.Dynamic)
    return Refusal::at(
        RefusalKind::DynamicShared, *Stores.front().Store,
        formatv("'{0}' is dynamic shared memory, of which the author's launch has room for one; "
                "launch=larger asks it for more",
                Array.getName()));
  if (Array.getDataLayout().getTypeAllocSize(Array.getValueType()).getFixedValue() > LargestTileBytes)
    return Refusal::at(RefusalKind::TooLarge, *Stores.front().Store,
                       "no device has room for several of this array");
  for (Instruction *Access : Uses.Accesses) {
    if (!L.contains(Access))
      return Refusal::at(RefusalKind::TileElsewhere, *Access,
                         "the tile is accessed outside of the loop as well");
    bool IsCopy = any_of(Stores, [&](const Candidate &C) { return C.Store == Access; });
    if (!IsCopy && Access->mayWriteToMemory())
      return Refusal::at(RefusalKind::TileGoesOn, *Access,
                         "the tile is not only stored what global memory holds");
  }
  return std::nullopt;
}

Verdict SharedPlanner::checkReads(const ObjectUses &Uses, const Instruction *Barrier) const {
  for (const Instruction *Access : Uses.Accesses)
    if (!Access->mayWriteToMemory() && (!Barrier || !DT.dominates(Barrier, Access)))
      return Refusal::at(RefusalKind::NoBarrier, *Access,
                         "no __syncthreads() lies between the stores to the tiles and this read");
  return std::nullopt;
}

/// How many bytes \p To lies behind \p From, if that is a constant.
std::optional<int64_t> SharedPlanner::distance(Value *From, Value *To) const {
  const SCEV *Between = SE.getMinusSCEV(SE.getSCEV(To), SE.getSCEV(From));
  const auto *Constant = dyn_cast<SCEVConstant>(Between);
  return Constant ? std::optional(Constant->getAPInt().getSExtValue()) : std::nullopt;
}

/// How many of the \p Stores, sorted by place, one copy can make, from the first.
size_t SharedPlanner::piecesOf(ArrayRef<Candidate> Stores) const {
  const Candidate &First = Stores.front();
  const DataLayout &DL = First.Load->getDataLayout();
  uint64_t Bytes = DL.getTypeStoreSize(First.Load->getType());
  Align Known = std::min(knownAlign(*First.Load->getPointerOperand(), First.Load->getAlign(), *First.Load),
                         storeAlign(*First.Store));
  size_t Best = 1;
  for (size_t N = 1;
       N < Stores.size() && (N + 1) * Bytes <= std::min<uint64_t>(Known.value(), WidestAccessBytes); ++N) {
    const Candidate &Next = Stores[N];
    int64_t Offset = N * Bytes;
    if (DL.getTypeStoreSize(Next.Load->getType()) != Bytes ||
        distance(First.Store->getPointerOperand(), Next.Store->getPointerOperand()) != Offset ||
        distance(First.Load->getPointerOperand(), Next.Load->getPointerOperand()) != Offset)
      break;
    if (isPowerOf2_64(N + 1))
      Best = N + 1;
  }
  return Best;
}

/// Neighbours become one copy where they are known to be aligned, for which the array may have to be.
void SharedPlanner::planCopies(size_t Array, ArrayRef<Candidate> Stores) {
  auto *Tile = cast<GlobalVariable>(getUnderlyingObject(Stores.front().Store->getPointerOperand(), 0));
  MaybeAlign Stated = Tile->getAlign();
  bool Raised = Tile->canIncreaseAlignment() && Stated.valueOrOne() < Align(WidestAccessBytes);
  if (Raised)
    Tile->setAlignment(Align(WidestAccessBytes));
  size_t First = Shared.Copies.size();
  // Neighbours of one store each.
  SmallVector<SmallVector<std::pair<int64_t, Candidate>, 8>, 4> Groups;
  for (const Candidate &C : Stores) {
    std::optional<int64_t> Place;
    auto *Group = find_if(Groups, [&](auto &Known) {
      Place = distance(Known.front().second.Store->getPointerOperand(), C.Store->getPointerOperand());
      return Place.has_value();
    });
    (Group == Groups.end() ? Groups.emplace_back() : *Group).push_back({Place.value_or(0), C});
  }
  for (auto &Group : Groups) {
    stable_sort(Group, [](const auto &A, const auto &B) { return A.first < B.first; });
    SmallVector<Candidate, 8> Sorted;
    for (auto &[Place, C] : Group)
      Sorted.push_back(C);
    for (size_t I = 0, N; I < Sorted.size(); I += N) {
      N = piecesOf(ArrayRef(Sorted).drop_front(I));
      unsigned Bytes = N * Sorted[I].Load->getDataLayout().getTypeStoreSize(Sorted[I].Load->getType());
      Shared.Copies.push_back({Sorted[I].Load, Sorted[I].Store, Array, Bytes});
    }
  }
  if (Raised && Shared.Copies.size() - First == Stores.size())
    Tile->setAlignment(Stated); // It is of no use.
  for (const Candidate &C : Stores)
    Shared.Replaced.push_back({C.Load, C.Store});
}

/// Whether the loop may be entered again after it was left.
bool SharedPlanner::runsAgain() const {
  SmallVector<BasicBlock *, 2> Exits;
  L.getExitBlocks(Exits);
  return any_of(Exits, [&](const BasicBlock *Exit) {
    return isPotentiallyReachable(Exit, L.getHeader(), /*ExclusionSet=*/nullptr, &DT, &LI);
  });
}

/// The first copies of the loop's next run must not overtake the last reads of this one:
/// a barrier at the end of each iteration keeps them apart, or one before the first copies.
void SharedPlanner::planNextRun() {
  SmallVector<const Instruction *, 16> Accesses;
  for (const PrivateArray &Array : Shared.Arrays)
    Accesses.append(Array.Uses.Accesses.begin(), Array.Uses.Accesses.end());
  Shared.BarrierBefore = !firstBarrierBehind(L, DT, LI, Accesses, isSyncThreads);
}

/// The other barriers of the loop, where it accesses the tiles alone.
void SharedPlanner::findNeedlessBarriers() {
  SmallVector<Instruction *, 2> Found;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      bool IsTile = any_of(Shared.Arrays,
                           [&](const PrivateArray &Array) { return Array.Uses.Accesses.contains(&I); }) ||
                    any_of(Shared.Replaced, [&](auto Pair) { return Pair.first == &I; });
      const auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
      if (isSyncThreads(I)) {
        if (I.getType()->isVoidTy() && &I != Shared.Barrier)
          Found.push_back(&I);
      } else if (I.mayReadOrWriteMemory() && !IsTile && !(Intrinsic && Intrinsic->isAssumeLikeIntrinsic())) {
        return;
      }
    }
  Shared.NeedlessBarriers = std::move(Found);
}

void SharedPlanner::drop(GlobalVariable *Array, Refusal Why) {
  Tiles.erase(Array);
  Plan.Stay.push_back(std::move(Why));
}

Verdict SharedPlanner::run() {
  if (Verdict Refused = checkFunction())
    return Refused;
  size_t Before = Plan.Stay.size();
  for (const AheadLoad &A : Plan.Loads)
    if (Verdict Stays = takeLoad(A))
      Plan.Stay.push_back(std::move(*Stays));
  // The barrier must be behind all stores; without the tiles that are read before it, an earlier
  // one may do.
  for (bool Again = true; Again && !Tiles.empty();) {
    Again = false;
    Shared.Arrays.clear();
    SmallVector<const Instruction *, 8> Stores;
    for (auto &[Array, Elements] : Tiles)
      for (const Candidate &C : Elements)
        Stores.push_back(C.Store);
    Shared.Barrier = firstBarrierBehind(L, DT, LI, Stores, isSyncThreads);
    for (auto &[Array, Elements] : Tiles) {
      PrivateArray &Private = Shared.Arrays.emplace_back();
      Verdict Refused = collectTile(*Array, Elements, Private);
      if (!Refused)
        Refused = checkReads(Private.Uses, Shared.Barrier);
      if (Refused) {
        drop(Array, std::move(*Refused));
        Again = true;
        break;
      }
    }
  }
  if (Tiles.empty())
    return Plan.Stay[Before];
  for (auto [Index, Tile] : enumerate(Tiles))
    planCopies(Index, Tile.second);
  if (runsAgain())
    planNextRun();
  else
    findNeedlessBarriers();
  return std::nullopt;
}

Verdict planSharedPrefetch(Function &F, PrefetchPlan &Plan, const DominatorTree &DT, const LoopInfo &LI,
                           ScalarEvolution &SE, SharedPrefetch &Shared) {
  return SharedPlanner(F, Plan, DT, LI, SE, Shared).run();
}

} // namespace gpuprune
