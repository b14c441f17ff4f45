//===- GridStride.cpp - Loops whose threads stride over the whole grid -------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GridStride.h"
#include "gpuprune/Device/CommonLimits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// Stride * PerBlock + Rest, where PerBlock is ctaid.x or nctaid.x.
struct BlockMultiple {
  Polynomial Stride, Rest;
};

/// The comparison that \p Branch makes where it goes to \p In.
struct BoundTest {
  ICmpInst *Compare;
  Value *Left, *Right; ///< Left < Right, or <=.
  bool Inclusive, Signed;
};

} // namespace

static Term termOf(Term::Kind Kind) {
  Term T;
  T.Is = Kind;
  return T;
}

/// Takes one factor \p Old out of \p Product and puts \p New for it.
static Polynomial::Product exchanged(Polynomial::Product Product, const Term &Old,
                                     std::optional<Term> New = std::nullopt) {
  Product.erase(find(Product, Old));
  if (New)
    Product.push_back(*New);
  llvm::sort(Product);
  return Product;
}

/// Splits \p P by \p PerBlock, or by the whole of which IndexTerms has made it: G is ctaid * ntid + tid, S is
/// nctaid * ntid.
static BlockMultiple split(const Polynomial &P, Term::Kind PerBlock, Term::Kind Whole) {
  BlockMultiple Parts;
  Parts.Stride.Bits = Parts.Rest.Bits = P.Bits;
  Term Block = termOf(PerBlock), Grid = termOf(Whole), Size = termOf(Term::BlockSize);
  for (const auto &[Product, Coefficient] : P.Products) {
    if (is_contained(Product, Grid)) {
      Parts.Stride.add(exchanged(Product, Grid, Size), Coefficient);
      if (Whole == Term::Index)
        Parts.Rest.add(exchanged(Product, Grid, termOf(Term::Thread)), Coefficient);
    } else if (is_contained(Product, Block)) {
      Parts.Stride.add(exchanged(Product, Block), Coefficient);
    } else {
      Parts.Rest.add(Product, Coefficient);
    }
  }
  return Parts;
}

/// The most that \p P is, where it is made of such terms of the block as \p IsPart says and positive
/// constants; nothing where it may be negative or anything.
static std::optional<uint64_t> mostOf(const Polynomial &P, function_ref<bool(const Term &)> IsPart) {
  uint64_t Most = 0;
  for (const auto &[Product, Coefficient] : P.Products) {
    uint64_t Part = Coefficient;
    if (P.coefficient(Product) <= 0)
      return std::nullopt;
    for (const Term &T : Product) {
      if (!IsPart(T))
        return std::nullopt;
      Part = SaturatingMultiply<uint64_t>(Part, MostThreadsPerBlock);
    }
    Most = SaturatingAdd(Most, Part);
  }
  return Most;
}

static bool isExtent(const Term &T) { return T.Is == Term::BlockSize; }
static bool isOfThread(const Term &T) { return T.Is == Term::BlockSize || T.Is == Term::Thread; }

/// c, where \p Start and \p Step are c * ctaid.x + h and c * nctaid.x.
static std::optional<Polynomial> perBlockOf(const Polynomial &Start, const Polynomial &Step) {
  BlockMultiple First = split(Start, Term::Block, Term::Index),
                By = split(Step, Term::GridSize, Term::Extent);
  if (!By.Rest.Products.empty() || First.Stride.Products.empty() || First.Stride.Bits != By.Stride.Bits ||
      First.Stride.Products != By.Stride.Products)
    return std::nullopt;
  std::optional<uint64_t> Stride = mostOf(First.Stride, isExtent), Rest = mostOf(First.Rest, isOfThread);
  bool Fits = Stride && Rest && *Stride <= LargestGridStride && *Rest <= LargestFirst &&
              *Stride * MostGridBlocks + *Rest <= std::numeric_limits<int32_t>::max();
  return Fits ? std::optional(First.Stride) : std::nullopt;
}

static std::optional<BoundTest> belowOf(BranchInst &Branch, const BasicBlock &In, const Value &Left) {
  auto *Compare = Branch.isConditional() ? dyn_cast<ICmpInst>(Branch.getCondition()) : nullptr;
  if (!Compare || Branch.getSuccessor(0) == Branch.getSuccessor(1))
    return std::nullopt;
  bool Swap = Compare->getOperand(0) != &Left;
  CmpInst::Predicate P =
      Branch.getSuccessor(0) == &In ? Compare->getPredicate() : Compare->getInversePredicate();
  P = Swap ? CmpInst::getSwappedPredicate(P) : P;
  bool IsBelow =
      P == CmpInst::ICMP_SLT || P == CmpInst::ICMP_SLE || P == CmpInst::ICMP_ULT || P == CmpInst::ICMP_ULE;
  if (!IsBelow || Compare->getOperand(Swap) != &Left)
    return std::nullopt;
  return BoundTest{Compare, Compare->getOperand(Swap), Compare->getOperand(!Swap),
                   !CmpInst::isStrictPredicate(P), CmpInst::isSigned(P)};
}

/// The blocks from \p BB back to the branch that decides whether it is reached, each with one way in and one
/// way out.
static SmallVector<BasicBlock *, 4> chainBefore(BasicBlock *BB) {
  SmallVector<BasicBlock *, 4> Chain = {BB};
  for (BasicBlock *From = BB->getSinglePredecessor(); From && From->getSingleSuccessor();
       From = From->getSinglePredecessor())
    Chain.push_back(From);
  return Chain;
}

/// The blocks from \p BB on, each with one way in and one way out, and where they lead to.
static SmallVector<BasicBlock *, 4> chainBehind(BasicBlock *BB) {
  SmallVector<BasicBlock *, 4> Chain = {BB};
  while (BB->getSinglePredecessor() && BB->getSingleSuccessor())
    Chain.push_back(BB = BB->getSingleSuccessor());
  return Chain;
}

/// Sets Guard's Merge and Between; whether both ways meet.
static bool join(GridStride &G, BasicBlock *Skipped) {
  SmallVector<BasicBlock *, 4> Without = chainBehind(Skipped), With = chainBehind(G.L->getExitBlock());
  if (Without.back() != With.back())
    return false;
  G.Merge = With.back();
  G.Between.append(Without.begin(), std::prev(Without.end()));
  G.Between.append(With.begin(), std::prev(With.end()));
  return true;
}

static std::optional<GridStride> strideOf(Loop &L, PHINode &Index, const IndexTerms &Terms) {
  BasicBlock *Latch = L.getLoopLatch(), *Before = L.getLoopPreheader();
  GridStride G;
  G.L = &L;
  G.Index = &Index;
  G.Start = Index.getIncomingValueForBlock(Before);
  G.Next = dyn_cast<BinaryOperator>(Index.getIncomingValueForBlock(Latch));
  if (!G.Next || G.Next->getOpcode() != Instruction::Add || !is_contained(G.Next->operands(), &Index))
    return std::nullopt;
  G.Step = G.Next->getOperand(G.Next->getOperand(0) == &Index);
  std::optional<Polynomial> Start = Terms.of(*G.Start), Step = Terms.of(*G.Step);
  if (!Start || !Step || Index.getType()->getIntegerBitWidth() < 32)
    return std::nullopt;
  std::optional<Polynomial> PerBlock = perBlockOf(*Start, *Step);
  if (!PerBlock)
    return std::nullopt;
  G.PerBlock = *PerBlock;
  G.Between = chainBefore(Before);
  BasicBlock *Chosen = G.Between.back(), *Deciding = Chosen->getSinglePredecessor();
  auto *Guard = Deciding ? dyn_cast<BranchInst>(Deciding->getTerminator()) : nullptr;
  auto *Repeat = dyn_cast<BranchInst>(Latch->getTerminator());
  std::optional<BoundTest> In = Guard ? belowOf(*Guard, *Chosen, *G.Start) : std::nullopt,
                           Again = Repeat ? belowOf(*Repeat, *L.getHeader(), *G.Next) : std::nullopt;
  if (!In || !Again || In->Right != Again->Right || In->Inclusive != Again->Inclusive ||
      In->Signed != Again->Signed || !Again->Compare->hasOneUse() ||
      !join(G, Guard->getSuccessor(Guard->getSuccessor(0) == Chosen)))
    return std::nullopt;
  G.Bound = In->Right;
  G.Entry = In->Compare;
  G.Exit = Again->Compare;
  G.Guard = Guard;
  G.Inclusive = In->Inclusive;
  G.Signed = In->Signed;
  return G;
}

/// Whether there are cycles besides the loops, in which a loop over the grid may run several times unnoticed.
static bool hasOtherCycles(const LoopInfo &LI) {
  if (LI.empty())
    return false;
  const Function *F = (*LI.begin())->getHeader()->getParent();
  ReversePostOrderTraversal<const Function *> Order(F);
  return containsIrreducibleCFG<const BasicBlock *>(Order, LI);
}

SmallVector<GridStride, 2> findGridStrides(const LoopInfo &LI, const IndexTerms &Terms) {
  SmallVector<GridStride, 2> Found;
  if (hasOtherCycles(LI))
    return Found;
  for (Loop *L : LI.getLoopsInPreorder()) {
    if (!L->getLoopPreheader() || !L->getLoopLatch() || L->getExitingBlock() != L->getLoopLatch())
      continue;
    for (PHINode &Phi : L->getHeader()->phis())
      if (Phi.getType()->isIntegerTy())
        if (std::optional<GridStride> G = strideOf(*L, Phi, Terms)) {
          Found.push_back(*G);
          break;
        }
  }
  return Found;
}

Value *GridStride::before(const PHINode &Phi) const {
  return Phi.getIncomingValueForBlock(L->getLoopPreheader());
}

Value *GridStride::after(const PHINode &Phi) const { return Phi.getIncomingValueForBlock(L->getLoopLatch()); }

std::optional<GridBound> GridStride::end() const {
  const Value *Wide = Bound;
  if (isa<SExtInst, ZExtInst>(Wide))
    Wide = cast<CastInst>(Wide)->getOperand(0);
  const auto *A = dyn_cast<Argument>(Wide);
  unsigned Bits = A && A->getType()->isIntegerTy() ? A->getType()->getIntegerBitWidth() : 0;
  if ((Bits != 32 && Bits != 64) || PerBlock.Products.size() != 1)
    return std::nullopt;
  const auto &[Product, Coefficient] = *PerBlock.Products.begin();
  bool PerThread = Product == Polynomial::Product{termOf(Term::BlockSize)};
  if (!PerThread && !Product.empty())
    return std::nullopt;
  return GridBound{A->getArgNo(), Bits, isa<ZExtInst>(Bound) ? false : Signed, PerThread,
                   uint32_t(Coefficient)};
}

void GridStride::testWithoutWrapping() const {
  IRBuilder<> B(Exit);
  Value *Left = B.CreateSub(Bound, Index, "left");
  CmpInst::Predicate Goes = Signed ? (Inclusive ? CmpInst::ICMP_SGE : CmpInst::ICMP_SGT)
                                   : (Inclusive ? CmpInst::ICMP_UGE : CmpInst::ICMP_UGT);
  auto *Repeat = cast<BranchInst>(Exit->user_back());
  bool RepeatsIfTrue = Repeat->getSuccessor(0) == L->getHeader();
  Value *Test =
      B.CreateICmp(RepeatsIfTrue ? Goes : CmpInst::getInversePredicate(Goes), Left, Step, "goes.on");
  Repeat->setCondition(Test);
  Exit->eraseFromParent();
  Next->dropPoisonGeneratingFlags();
}

} // namespace gpuprune
