//===- ShapeControl.cpp - Which threads of a grid come where ----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ShapeControl.h"
#include "Facts/LoadHazards.h"
#include "Facts/ParameterMembers.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprune {

namespace {

/// Left < Right, or Left <= Right.
struct Below {
  Polynomial Left, Right;
  bool Inclusive = false, Signed = true, Equal = false;
};

struct Leaf {
  const Value *Condition;
  bool Expected;
};

} // namespace

static std::optional<Below> asBelow(const IndexTerms &Terms, const ICmpInst &Compare, bool Expected,
                                    bool Swap) {
  std::optional<Polynomial> Left = Terms.of(*Compare.getOperand(Swap)),
                            Right = Terms.of(*Compare.getOperand(!Swap));
  CmpInst::Predicate P = Expected ? Compare.getPredicate() : Compare.getInversePredicate();
  P = Swap ? CmpInst::getSwappedPredicate(P) : P;
  bool IsBelow = P == CmpInst::ICMP_SLT || P == CmpInst::ICMP_SLE || P == CmpInst::ICMP_ULT ||
                 P == CmpInst::ICMP_ULE || P == CmpInst::ICMP_EQ;
  if (!Left || !Right || !IsBelow)
    return std::nullopt;
  bool Equal = P == CmpInst::ICMP_EQ;
  return Below{std::move(*Left), std::move(*Right), Equal || !CmpInst::isStrictPredicate(P),
               Equal || CmpInst::isSigned(P), Equal};
}

/// What \p P extends, where it is an extension and no more; else \p P.
static const Polynomial *unextended(const Polynomial &P, const Term *&Extension) {
  Extension = nullptr;
  if (P.Products.size() != 1 || P.Products.begin()->first.size() != 1 || P.Products.begin()->second != 1)
    return &P;
  const Term &T = P.Products.begin()->first.front();
  if (T.Is != Term::Extended)
    return &P;
  Extension = &T;
  return T.Inner;
}

static Polynomial indexOf(unsigned D, unsigned Bits) {
  Term T;
  T.Is = Term::Index;
  T.Dimension = D;
  Polynomial P;
  P.Bits = Bits;
  P.add({T}, 1);
  return P;
}

static std::optional<IndexGuard> guardOf(const Below &B, unsigned D) {
  const Term *Extension = nullptr;
  const Polynomial &Left = *unextended(B.Left, Extension);
  Polynomial::Product Index = indexOf(D, Left.Bits).Products.begin()->first;
  int64_t Factor = Left.coefficient(Index);
  if (Factor <= 0)
    return std::nullopt;
  Polynomial Rest = Left;
  Rest.add(Index, -uint64_t(Factor));
  std::optional<LaunchFormula> Offset = IndexTerms::formula(Rest, /*WithExtents=*/false),
                               Bound = IndexTerms::formula(B.Right, /*WithExtents=*/false);
  if (!Offset || !Bound)
    return std::nullopt;
  IndexGuard G;
  G.Factor = uint64_t(Factor);
  G.Offset = std::move(*Offset);
  G.Bound = std::move(*Bound);
  G.Inclusive = B.Inclusive;
  G.Signed = B.Signed;
  G.Bits = B.Right.Bits;
  G.IndexBits = Left.Bits;
  G.IndexSigned = Extension ? Extension->Signed : B.Signed;
  G.Narrow = B.Left.Narrow || Left.Narrow;
  return G;
}

static void collectLeaves(const Value *Condition, bool Expected, SmallVectorImpl<Leaf> &Leaves) {
  const Value *A = nullptr, *B = nullptr;
  if (Expected ? match(Condition, m_LogicalAnd(m_Value(A), m_Value(B)))
               : match(Condition, m_LogicalOr(m_Value(A), m_Value(B)))) {
    collectLeaves(A, Expected, Leaves);
    collectLeaves(B, Expected, Leaves);
  } else if (match(Condition, m_Not(m_Value(A)))) {
    collectLeaves(A, !Expected, Leaves);
  } else {
    Leaves.push_back({Condition, Expected});
  }
}

void ShapeControl::addGuards(const BranchInst &Branch, unsigned Way) {
  SmallVector<Leaf, 4> Leaves;
  collectLeaves(Branch.getCondition(), Way == 0, Leaves);
  BasicBlockEdge Edge(Branch.getParent(), Branch.getSuccessor(Way));
  for (const Leaf &L : Leaves) {
    const auto *Compare = dyn_cast<ICmpInst>(L.Condition);
    for (bool Swap : {false, true})
      for (unsigned D = 0; Compare && D < Dim3::size(); ++D) {
        std::optional<Below> B = asBelow(Terms, *Compare, L.Expected, Swap);
        std::optional<IndexGuard> G = B ? guardOf(*B, D) : std::nullopt;
        if (!G)
          continue;
        Placed.push_back({Edge, D, unsigned(Guards[D].size())});
        Guards[D].push_back(std::move(*G));
      }
  }
}

/// Whether \p Left is \p Whole, perhaps extended.
static bool isWhole(const Polynomial &Left, const Polynomial &Whole) {
  const Term *Extension = nullptr;
  const Polynomial &Inner = *unextended(Left, Extension);
  if (Inner.Bits == Whole.Bits)
    return Inner.Products == Whole.Products;
  // The extension of G is G.
  bool IsIndex = Whole.Products.size() == 1 && Whole.Products.begin()->first.size() == 1 &&
                 Whole.Products.begin()->first.front().Is == Term::Index;
  return IsIndex && Left.Products == Whole.Products;
}

/// The comparison on which \p From goes to \p To, where it is no more than that.
static const ICmpInst *onlyCondition(const BasicBlock &From, const BasicBlock &To, bool &Expected) {
  const auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return nullptr;
  Expected = Branch->getSuccessor(0) == &To;
  return dyn_cast<ICmpInst>(Branch->getCondition());
}

/// Where the way to \p BB was last chosen, and the block that was chosen.
static std::pair<const BasicBlock *, const BasicBlock *> lastChoice(const BasicBlock &BB) {
  const BasicBlock *Chosen = &BB;
  const BasicBlock *From = Chosen->getSinglePredecessor();
  while (From && From->getSingleSuccessor()) {
    Chosen = From;
    From = Chosen->getSinglePredecessor();
  }
  return {From, Chosen};
}

namespace {

/// What decides whether a loop is entered and whether it goes on.
struct LoopEnds {
  const BasicBlock *Guarding;
  const ICmpInst *Entry, *Exit;
  bool Enters = false, Repeats = false; ///< What the comparisons are then.
};

/// An index of a loop, at its start and in the next iteration.
struct Induction {
  Polynomial Start, Next;
};

} // namespace

static std::optional<LoopEnds> endsOf(const Loop &L) {
  const BasicBlock *Latch = L.getLoopLatch(), *Before = L.getLoopPreheader();
  if (!Latch || !Before || L.getExitingBlock() != Latch)
    return std::nullopt;
  auto [Guarding, Chosen] = lastChoice(*Before);
  LoopEnds Ends{Guarding, nullptr, nullptr};
  Ends.Entry = Guarding ? onlyCondition(*Guarding, *Chosen, Ends.Enters) : nullptr;
  Ends.Exit = onlyCondition(*Latch, *L.getHeader(), Ends.Repeats);
  if (!Ends.Entry || !Ends.Exit)
    return std::nullopt;
  return Ends;
}

/// Null where \p Index steps by anything but the grid's extent in \p D, or does not start at the thread's
/// index and a small constant.
static std::optional<Induction> gridStride(const IndexTerms &Terms, const Loop &L, const PHINode &Index,
                                           unsigned D) {
  std::optional<Polynomial> Start = Terms.of(*Index.getIncomingValueForBlock(L.getLoopPreheader())),
                            Next = Terms.of(*Index.getIncomingValueForBlock(L.getLoopLatch())),
                            Here = Terms.of(Index);
  if (!Start || !Next || !Here)
    return std::nullopt;
  Polynomial Step = *Next, First = *Start;
  Step.add(Here->Products.begin()->first, -uint64_t(1));
  First.add(indexOf(D, First.Bits).Products.begin()->first, -uint64_t(1));
  Term Extent;
  Extent.Is = Term::Extent;
  Extent.Dimension = D;
  bool FromConstant = First.Products.empty() || (First.Products.size() == 1 && First.coefficient({}) > 0 &&
                                                 First.coefficient({}) < LargestStart);
  if (!Step.isOnly(Extent) || !FromConstant)
    return std::nullopt;
  return Induction{std::move(*Start), std::move(*Next)};
}

/// The guard that each iteration of the loop passes, the first one as the others.
static std::optional<IndexGuard> iterationGuard(const IndexTerms &Terms, const LoopEnds &Ends,
                                                const Induction &Index) {
  std::optional<Below> In;
  for (bool Swap : {false, true})
    if (std::optional<Below> B = asBelow(Terms, *Ends.Entry, Ends.Enters, Swap);
        B && isWhole(B->Left, Index.Start))
      In = B;
  for (bool Swap : {false, true}) {
    std::optional<Below> At = asBelow(Terms, *Ends.Exit, Ends.Repeats, Swap);
    if (!At || !In || At->Equal || In->Equal || !isWhole(At->Left, Index.Next) || At->Right != In->Right ||
        At->Inclusive != In->Inclusive || At->Signed != In->Signed)
      continue;
    std::optional<LaunchFormula> Bound = IndexTerms::formula(At->Right, /*WithExtents=*/false);
    if (!Bound)
      continue;
    IndexGuard G;
    G.Offset = LaunchFormula::constant(0, At->Right.Bits);
    G.Bound = std::move(*Bound);
    G.Inclusive = At->Inclusive;
    G.Signed = G.IndexSigned = At->Signed;
    G.Bits = At->Right.Bits;
    G.IndexBits = Index.Next.Bits;
    G.Narrow = Index.Start.Narrow;
    return G;
  }
  return std::nullopt;
}

void ShapeControl::addGridLoop(const Loop &L, unsigned D) {
  std::optional<LoopEnds> Ends = endsOf(L);
  if (!Ends || OfDimension[D]->decides(*Ends->Guarding))
    return;
  for (const PHINode &Phi : L.getHeader()->phis()) {
    std::optional<Induction> Index = gridStride(Terms, L, Phi, D);
    std::optional<IndexGuard> Guard = Index ? iterationGuard(Terms, *Ends, *Index) : std::nullopt;
    if (!Guard)
      continue;
    GridLoops.push_back({&L, D, unsigned(Loops[D].size()), &Phi, Ends->Exit});
    Loops[D].push_back(std::move(*Guard));
    return;
  }
}

ShapeControl::ShapeControl(Function &F) : F(F), DT(F), LI(DT), Terms(F) {
  for (unsigned D = 0; D < Dim3::size(); ++D)
    OfDimension[D].emplace(F, [D](const Instruction &I) {
      std::optional<Term> Register = indexRegister(I);
      return Register && Register->Dimension == D;
    });
  for (const BasicBlock &BB : F)
    if (const auto *Branch = dyn_cast<BranchInst>(BB.getTerminator());
        Branch && Branch->isConditional() && Branch->getSuccessor(0) != Branch->getSuccessor(1)) {
      addGuards(*Branch, 0);
      addGuards(*Branch, 1);
    }
  for (const Loop *L : LI.getLoopsInPreorder())
    for (unsigned D = 0; D < Dim3::size(); ++D)
      addGridLoop(*L, D);
}

SmallVector<unsigned, 2> ShapeControl::guardsOf(const BasicBlock &BB, unsigned D) const {
  SmallVector<unsigned, 2> Found;
  for (const PlacedGuard &G : Placed)
    if (G.Dimension == D && DT.dominates(G.Edge, &BB))
      Found.push_back(G.Number);
  return Found;
}

const GridLoop *ShapeControl::gridLoopAround(const BasicBlock &BB, unsigned D) const {
  for (const GridLoop &G : GridLoops)
    if (G.Dimension == D && G.L->contains(&BB))
      return &G;
  return nullptr;
}

/// Whether \p P depends on the thread in \p D; what is computed in \p Outside, a loop over the grid, does
/// so by its index alone.
bool ShapeControl::depends(const Polynomial &P, unsigned D, const Loop *Outside) const {
  return P.any([&](const Term &T) {
    if (T.Is == Term::Opaque) {
      const auto *I = dyn_cast<Instruction>(T.Of);
      return I && !(Outside && Outside->contains(I)) && OfDimension[D]->reaches(*I);
    }
    return T.Is != Term::Extended && T.Dimension == D;
  });
}

/// Whether \p I may read what an earlier iteration of \p L left in memory of the thread's own: all but
/// a variable that begins anew in each iteration.
bool ShapeControl::readsEarlier(const Instruction &I, const Loop &L) const {
  const auto *Copy = dyn_cast<MemTransferInst>(&I);
  const Value *Pointer = Copy ? Copy->getRawSource() : getLoadStorePointerOperand(&I);
  if (!Pointer || isa<StoreInst>(I))
    return false;
  return any_of(objectsOf(*Pointer), [&](const Value *Object) {
    const auto *Argument = dyn_cast<llvm::Argument>(Object);
    if (Argument && Argument->hasByValAttr())
      return !Argument->onlyReadsMemory() && !isOnlyRead(*Argument);
    if (!isa<AllocaInst>(Object))
      return Object->getType()->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_LOCAL;
    return none_of(Object->users(), [&](const User *U) {
      const auto *Begin = dyn_cast<LifetimeIntrinsic>(U);
      return Begin && Begin->getIntrinsicID() == Intrinsic::lifetime_start && L.contains(Begin) &&
             DT.dominates(Begin, &I);
    });
  });
}

/// Whether an operand of \p I depends on the thread by more than the loop's index.
bool ShapeControl::dependsOtherwise(const Instruction &I, const GridLoop &G) const {
  return any_of(I.operands(), [&](const Value *Operand) {
    const auto *From = dyn_cast<Instruction>(Operand);
    if (!From)
      return false;
    if (std::optional<Polynomial> P = Terms.of(*From))
      return depends(*P, G.Dimension, G.L);
    return !G.L->contains(From) && OfDimension[G.Dimension]->reaches(*From);
  });
}

/// A user of \p I behind the loop that is itself used, or null.
static const Instruction *usedBehind(const Instruction &I, const Loop &L) {
  for (const User *U : I.users())
    if (const auto *User = cast<Instruction>(U); !L.contains(User) && !User->use_empty())
      return User;
  return nullptr;
}

/// What in the loop depends on the thread by more than the index; what is used behind it.
const Instruction *ShapeControl::otherIndex(const GridLoop &G) const {
  for (const PHINode &Phi : G.L->getHeader()->phis())
    if (&Phi != G.Index)
      return &Phi;
  for (const BasicBlock *BB : G.L->blocks())
    for (const Instruction &I : *BB) {
      if (readsEarlier(I, *G.L))
        return &I;
      if (const Instruction *User = usedBehind(I, *G.L))
        return User;
      bool Known = &I == G.Index || &I == G.Exit || Terms.isArithmetic(I) || indexRegister(I);
      if (!Known && dependsOtherwise(I, G))
        return &I;
    }
  return nullptr;
}

/// Whether \p Condition compares, as far as \p D decides it, G and what is the same for all
/// threads, so that threads beyond the author's can compute it.
bool ShapeControl::isPlain(const Value &Condition, unsigned D) const {
  SmallVector<Leaf, 4> Leaves, Parts;
  collectLeaves(&Condition, true, Parts);
  for (const Leaf &L : Parts)
    collectLeaves(L.Condition, false, Leaves);
  return all_of(Leaves, [&](const Leaf &L) {
    const auto *I = dyn_cast<Instruction>(L.Condition);
    if (!I || !OfDimension[D]->reaches(*I))
      return true;
    auto IsPlain = [&](const Term &T) {
      const auto *Of = T.Is == Term::Opaque ? dyn_cast<Instruction>(T.Of) : nullptr;
      return !Of || !OfDimension[D]->reaches(*Of);
    };
    const auto *Compare = dyn_cast<ICmpInst>(I);
    return Compare && all_of(Compare->operands(), [&](const Value *Operand) {
             std::optional<Polynomial> P = Terms.of(*Operand);
             return P && !P->any([&](const Term &T) { return !IsPlain(T); });
           });
  });
}

/// What a thread that the author's grid lacks must not come to in \p BB, outside of guards.
const Instruction *ShapeControl::surplusWork(const BasicBlock &BB, unsigned D) const {
  const Influence &Of = *OfDimension[D];
  const Instruction *Last = BB.getTerminator();
  if (isa<UnreachableInst>(Last))
    return Last;
  const auto *Branch = dyn_cast<BranchInst>(Last);
  if (Of.reaches(*Last) && !(Branch && Branch->isConditional() && isPlain(*Branch->getCondition(), D)))
    return Last;
  if (LI.isLoopHeader(&BB)) {
    SmallVector<BasicBlock *, 4> Exiting;
    LI.getLoopFor(&BB)->getExitingBlocks(Exiting);
    for (const BasicBlock *Leaving : Exiting)
      if (Of.decides(BB) || Of.reaches(*Leaving->getTerminator()))
        return Leaving->getTerminator();
  }
  for (const Instruction &I : BB)
    if (const auto *Assume = dyn_cast<AssumeInst>(&I); Assume && (Of.decides(BB) || Of.reaches(I)))
      return &I;
  return nullptr;
}

/// What stands against other extents in \p D, but for accesses.
std::optional<ShapeObstacle> ShapeControl::againstExtent(unsigned D) const {
  auto IsStep = [&](const Instruction *By) {
    return any_of(GridLoops,
                  [&](const GridLoop &G) { return G.Dimension == D && (By == G.Index || By == G.Exit); });
  };
  for (const ExtentUse &Use : Terms.extentUses())
    if (Use.Dimension == D && !IsStep(Use.By))
      return obstacleAt(ShapeObstacleKind::GridExtent, *Use.By);
  for (const GridLoop &G : GridLoops)
    if (const Instruction *Other = G.Dimension == D ? otherIndex(G) : nullptr)
      return obstacleAt(ShapeObstacleKind::GridExtent, *Other);
  for (const BasicBlock &BB : F)
    if (DT.isReachableFromEntry(&BB) && !gridLoopAround(BB, D) && guardsOf(BB, D).empty())
      if (const Instruction *Work = surplusWork(BB, D))
        return obstacleAt(ShapeObstacleKind::Unguarded, *Work);
  return std::nullopt;
}

/// A load that all threads of the author's grid make from one address.
bool ShapeControl::isHarmless(const Instruction &Access, unsigned D) const {
  const auto *Load = dyn_cast<LoadInst>(&Access);
  const auto *Address = Load ? dyn_cast<Instruction>(Load->getPointerOperand()) : nullptr;
  return Load && !OfDimension[D]->decides(*Load->getParent()) &&
         !(Address && OfDimension[D]->reaches(*Address));
}

void ShapeControl::judge(BlockShapeFreedom &Freedom, ArrayRef<const Instruction *> Accesses) const {
  for (unsigned D = 0; D < Dim3::size(); ++D) {
    DimensionFreedom &Free = Freedom.Dimensions[D];
    Free.Guards = Guards[D];
    Free.Loops = Loops[D];
    Free.MustNotWrap = Terms.mustNotWrap(D);
    Free.OtherExtent = againstExtent(D);
    for (const Instruction *Access : Accesses) {
      if (gridLoopAround(*Access->getParent(), D) || isHarmless(*Access, D))
        continue;
      SmallVector<unsigned, 2> Any = guardsOf(*Access->getParent(), D);
      if (Any.empty() && !Free.OtherExtent)
        Free.OtherExtent = obstacleAt(ShapeObstacleKind::Unguarded, *Access);
      if (!Any.empty() && !is_contained(Free.Needed, Any))
        Free.Needed.push_back(std::move(Any));
    }
    for (const BasicBlock &BB : F) {
      SmallVector<unsigned, 2> Any = guardsOf(BB, D);
      if (!Any.empty() && !gridLoopAround(BB, D) && surplusWork(BB, D) && !is_contained(Free.Needed, Any))
        Free.Needed.push_back(std::move(Any));
    }
  }
}

} // namespace gpuprune
