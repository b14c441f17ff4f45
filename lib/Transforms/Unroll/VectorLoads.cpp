//===- VectorLoads.cpp - Loads of several iterations at once -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "VectorLoads.h"
#include "CountedLoop.h"
#include "Facts/LoadHazards.h"
#include "Facts/Operations.h"
#include "gpuprune/Device/CommonLimits.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace gpuprune {

/// Its operand is the number of elements.
static constexpr const char *VectorMark = "gpuprune.vector";

/// Bytes of what \p Load reads; nothing where a vector of it has another layout.
static std::optional<unsigned> elementBytes(const LoadInst &Load) {
  Type *T = Load.getType();
  if (!Load.isSimple() || !(T->isIntegerTy() || T->isFloatingPointTy()))
    return std::nullopt;
  unsigned Bits = T->getPrimitiveSizeInBits();
  bool Usual = Bits == 8 || Bits == 16 || Bits == 32 || Bits == 64;
  return Usual && Load.getAlign().value() * 8 >= Bits ? std::optional(Bits / 8) : std::nullopt;
}

/// Where \p Load begins, if the next iteration reads the next element.
static const SCEV *firstAddress(const LoadInst &Load, unsigned Bytes, const Loop &L, LoopAnalyses &A) {
  const auto *Address = dyn_cast<SCEVAddRecExpr>(A.SE.getSCEV(const_cast<Value *>(Load.getPointerOperand())));
  if (!Address || Address->getLoop() != &L || !Address->isAffine())
    return nullptr;
  const auto *Step = dyn_cast<SCEVConstant>(Address->getStepRecurrence(A.SE));
  SCEVExpander Expander(A.SE, "");
  bool Next = Step && Step->getAPInt() == Bytes &&
              Expander.isSafeToExpandAt(Address->getStart(), L.getLoopPreheader()->getTerminator());
  return Next ? Address->getStart() : nullptr;
}

static unsigned elementsOf(unsigned Bytes, unsigned Factor) {
  unsigned Dividing = Factor & -Factor;
  return std::min(WidestAccessBytes / Bytes, Dividing);
}

/// Where the thread may end in \p L; null: an iteration that begins comes to its end.
static const Instruction *mayEndThread(const Loop &L) {
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      if (!goesOn(I))
        return &I;
  return nullptr;
}

/// The loads of \p L in each iteration by which its latch decides.
static SmallVector<LoadInst *, 2> loadsOfTest(const Loop &L, const DominatorTree &DT) {
  SmallVector<LoadInst *, 2> Loads;
  SmallSetVector<Value *, 8> Known;
  auto *Branch = dyn_cast<BranchInst>(L.getLoopLatch()->getTerminator());
  if (Branch && Branch->isConditional())
    Known.insert(Branch->getCondition());
  for (size_t Next = 0; Next != Known.size(); ++Next) {
    auto *I = dyn_cast<Instruction>(Known[Next]);
    if (!I || !L.contains(I) || isa<PHINode>(I))
      continue;
    if (auto *Load = dyn_cast<LoadInst>(I);
        Load && Load->isSimple() && DT.dominates(Load->getParent(), L.getLoopLatch()))
      Loads.push_back(Load);
    else
      Known.insert_range(I->operands());
  }
  return Loads;
}

/// As in a[(blockIdx.x * blockDim.x + threadIdx.x) * n + i].
static void hoistArithmetic(Loop &L, ScalarEvolution &SE) {
  bool Changed = false;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : make_early_inc_range(*BB))
      if (!I.isTerminator() && !isa<PHINode>(I))
        L.makeLoopInvariant(&I, Changed, nullptr, nullptr, &SE);
  if (Changed)
    SE.forgetLoop(&L);
}

void hoistKnown(Loop &L, LoopAnalyses &A, FunctionAnalysisManager &FAM) {
  hoistArithmetic(L, A.SE);
  if (L.getExitingBlock() != L.getLoopLatch() || mayEndThread(L))
    return;
  LoadHazards Hazards(*L.getHeader()->getParent(), &L, FAM);
  for (LoadInst *Load : loadsOfTest(L, A.DT))
    if (L.isLoopInvariant(Load->getPointerOperand()) && !Hazards.check(*Load)) {
      Load->moveBefore(L.getLoopPreheader()->getTerminator()->getIterator());
      Load->updateLocationAfterHoist();
      A.SE.forgetLoop(&L);
      hoistArithmetic(L, A.SE);
    }
}

/// Whether all copies of an iteration come together, if one does.
static Verdict checkLoop(const Loop &L, unsigned Number, LoopAnalyses &A) {
  if (!L.isInnermost())
    return Refusal::inLoop(
        RefusalKind::NotContiguous, L,
        formatv("loop {0} holds another loop: only an innermost one reads vectors", Number));
  const SCEV *Count = A.SE.getExitCount(&L, L.getLoopLatch());
  SCEVExpander Expander(A.SE, "");
  bool Known = L.getExitingBlock() == L.getLoopLatch() && !isa<SCEVCouldNotCompute>(Count) &&
               Count->getType()->getIntegerBitWidth() >= 8 && // Holds the most iterations before.
               Expander.isSafeToExpandAt(Count, L.getLoopPreheader()->getTerminator());
  if (!Known)
    return Refusal::inLoop(
        RefusalKind::UnknownNextIteration, L,
        formatv("how often loop {0} runs is not known before it: a vector could reach beyond the end",
                Number));
  if (const Instruction *End = mayEndThread(L))
    return Refusal::at(RefusalKind::MayNotReturn, *End, "the thread may end here, before it reads on");
  return std::nullopt;
}

/// What \p I is if it is read in each iteration of \p L, the next element in the next; otherwise nothing.
static std::optional<VectorLoad> contiguousLoad(Instruction &I, const Loop &L, unsigned Factor,
                                                LoopAnalyses &A) {
  auto *Load = dyn_cast<LoadInst>(&I);
  std::optional<unsigned> Bytes = Load ? elementBytes(*Load) : std::nullopt;
  if (!Bytes || elementsOf(*Bytes, Factor) < 2 || !A.DT.dominates(I.getParent(), L.getLoopLatch()))
    return std::nullopt;
  const SCEV *Start = firstAddress(*Load, *Bytes, L, A);
  return Start ? std::optional(VectorLoad{Load, Start, elementsOf(*Bytes, Factor), *Bytes}) : std::nullopt;
}

/// Those of \p L that nothing can write in between. Refuses as planVectorLoads where there is none.
static Verdict collectLoads(const Loop &L, unsigned Number, unsigned Factor, LoopAnalyses &A,
                            FunctionAnalysisManager &FAM, SmallVectorImpl<VectorLoad> &Loads) {
  LoadHazards Hazards(*L.getHeader()->getParent(), &L, FAM);
  Verdict First;
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      if (std::optional<VectorLoad> V = contiguousLoad(I, L, Factor, A)) {
        Verdict Refused = Hazards.check(*V->Load);
        if (!Refused)
          Loads.push_back(*V);
        else if (!First)
          First = std::move(Refused);
      }
  if (!Loads.empty())
    return std::nullopt;
  return First ? std::move(First)
               : Refusal::inLoop(
                     RefusalKind::NotContiguous, L,
                     formatv("no load of loop {0} reads the next element in the next iteration, in every "
                             "iteration, or not two of them at once",
                             Number));
}

Verdict planVectorLoads(const Loop &L, unsigned Number, unsigned Factor, LoopAnalyses &A,
                        FunctionAnalysisManager &FAM, SmallVectorImpl<VectorLoad> &Loads) {
  if (Verdict Refused = checkLoop(L, Number, A))
    return Refused;
  if (Verdict Refused = collectLoads(L, Number, Factor, A, FAM, Loads))
    return Refused;
  const CallBase *Together = areAligned(Loads, A) ? nullptr : findConvergent(L);
  if (!Together)
    return std::nullopt;
  return Refusal::at(RefusalKind::DependentBarrier, *Together,
                     "threads whose addresses are aligned in other ways would come to it in other copies");
}

bool areAligned(ArrayRef<VectorLoad> Loads, LoopAnalyses &A) {
  return all_of(Loads, [&](const VectorLoad &V) {
    return A.SE.getMinTrailingZeros(V.First) >= Log2_32(V.vectorBytes());
  });
}

static bool isThreadIndex(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && is_contained({Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                               Intrinsic::nvvm_read_ptx_sreg_tid_z},
                              Call->getIntrinsicID());
}

/// Whether the next thread of the warp begins elsewhere than \p V does, behind its vector.
static bool beginsApart(const VectorLoad &V, const Influence &OfThread, ScalarEvolution &SE) {
  ValueToSCEVMapTy Next;
  bool ReadsWhere = SCEVExprContains(V.First, [&](const SCEV *S) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(S);
    const auto *I = Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
    if (I && match(I, m_Intrinsic<Intrinsic::nvvm_read_ptx_sreg_tid_x>()))
      Next[I] = SE.getAddExpr(S, SE.getOne(S->getType()));
    return I && OfThread.reaches(*I) && !isThreadIndex(*I);
  });
  const SCEV *Step = SE.getMinusSCEV(SCEVParameterRewriter::rewrite(V.First, SE, Next), V.First);
  const auto *Known = dyn_cast<SCEVConstant>(Step);
  return ReadsWhere || !Known || Known->getAPInt().abs().uge(V.vectorBytes());
}

bool readRows(ArrayRef<VectorLoad> Loads, const Influence &OfThread, ScalarEvolution &SE) {
  return any_of(Loads, [&](const VectorLoad &V) { return beginsApart(V, OfThread, SE); });
}

/// How many iterations L is to run before its vectors, at \p Before: at most \p Count, all but one.
static Value *iterationsBefore(Instruction &Before, ArrayRef<VectorLoad> Loads, const SCEV &Count,
                               ScalarEvolution &SE) {
  SCEVExpander Expander(SE, "vector");
  IRBuilder<> B(&Before);
  const DataLayout &DL = Before.getDataLayout();
  auto AddressOf = [&](const VectorLoad &V) {
    Value *First = B.CreateFreeze(Expander.expandCodeFor(V.First, V.First->getType(), &Before));
    return B.CreatePtrToInt(First, DL.getIntPtrType(First->getType()));
  };
  // Where that of the most elements begins, those of fewer do, if any iteration is such.
  const VectorLoad &Most =
      *max_element(Loads, [](const VectorLoad &A, const VectorLoad &B) { return A.Elements < B.Elements; });
  Type *T = Count.getType();
  Value *Missing = B.CreateAnd(B.CreateNeg(AddressOf(Most)), Most.vectorBytes() - 1);
  Value *Wanted = B.CreateZExtOrTrunc(B.CreateLShr(Missing, Log2_32(Most.Bytes)), T, "misaligned");
  Value *Fits = B.getTrue();
  SmallSet<std::pair<const SCEV *, unsigned>, 4> Asked;
  for (const VectorLoad &V : Loads) {
    if (!Asked.insert({V.First, V.Bytes}).second)
      continue;
    Value *Address = AddressOf(V);
    Value *Skipped = B.CreateShl(B.CreateZExtOrTrunc(Wanted, Address->getType()), Log2_32(V.Bytes));
    Value *Rest = B.CreateAnd(B.CreateAdd(Address, Skipped), V.vectorBytes() - 1);
    Fits = B.CreateAnd(Fits, B.CreateIsNull(Rest));
  }
  Value *All = B.CreateFreeze(Expander.expandCodeFor(&Count, T, &Before));
  return B.CreateSelect(B.CreateAnd(Fits, B.CreateICmpULE(Wanted, All)), Wanted, All, "iterations");
}

void countFromZero(Loop &L) {
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch();
  IRBuilder<> B(&*Header->begin());
  PHINode *Number = B.CreatePHI(B.getInt32Ty(), 2, "number");
  B.SetInsertPoint(Latch->getTerminator());
  for (BasicBlock *From : predecessors(Header))
    Number->addIncoming(From == Latch ? B.CreateAdd(Number, B.getInt32(1)) : B.getInt32(0), From);
}

Loop &alignLoads(Loop &L, ArrayRef<VectorLoad> Loads, LoopAnalyses &A) {
  const SCEV *Count = A.SE.getExitCount(&L, L.getLoopLatch());
  Value *Before = iterationsBefore(*L.getLoopPreheader()->getTerminator(), Loads, *Count, A.SE);
  Loop &Rest = runCounted(L, *Before, A);
  L.setLoopAlreadyUnrolled();
  return Rest;
}

void markLoads(ArrayRef<VectorLoad> Loads) {
  for (const VectorLoad &V : Loads) {
    LLVMContext &Context = V.Load->getContext();
    auto *Elements = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(Context), V.Elements));
    V.Load->setMetadata(VectorMark, MDNode::getDistinct(Context, Elements));
  }
}

/// Makes one of \p Copies, of which each dominates the next.
static void joinLoads(ArrayRef<LoadInst *> Copies) {
  LoadInst &First = *Copies.front();
  IRBuilder<> B(&First);
  auto *T = FixedVectorType::get(First.getType(), Copies.size());
  unsigned Bytes = First.getType()->getPrimitiveSizeInBits() / 8 * Copies.size();
  LoadInst *Vector = B.CreateAlignedLoad(T, First.getPointerOperand(), Align(Bytes), "vector");
  AAMDNodes Tags = First.getAAMetadata();
  for (LoadInst *Copy : Copies.drop_front())
    Tags = Tags.merge(Copy->getAAMetadata());
  Vector->setAAMetadata(Tags);
  if (First.hasMetadata(LLVMContext::MD_invariant_load))
    Vector->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(First.getContext(), {}));
  for (auto [Number, Copy] : enumerate(Copies))
    Copy->replaceAllUsesWith(B.CreateExtractElement(Vector, Number));
  for (LoadInst *Copy : Copies)
    Copy->eraseFromParent();
}

/// The marked loads of \p L, or of \p F where it has gone, by mark, in the order of copies; without marks
/// afterwards.
static MapVector<MDNode *, SmallVector<LoadInst *, 8>> takeMarked(Function &F, const Loop *L) {
  MapVector<MDNode *, SmallVector<LoadInst *, 8>> Marked;
  for (BasicBlock &BB : F)
    for (Instruction &I : BB)
      if (MDNode *Of = I.getMetadata(VectorMark)) {
        if (!L || L->contains(&BB))
          Marked[Of].push_back(&cast<LoadInst>(I));
        I.setMetadata(VectorMark, nullptr);
      }
  return Marked;
}

Verdict joinMarkedLoads(Function &F, const Loop *L, unsigned Factor) {
  DominatorTree DT(F);
  PostDominatorTree PDT(F);
  for (auto &[Of, Copies] : takeMarked(F, L)) {
    unsigned Elements = mdconst::extract<ConstantInt>(Of->getOperand(0))->getZExtValue();
    for (size_t I = 0; I < Copies.size(); I += Elements) {
      ArrayRef<LoadInst *> One = ArrayRef(Copies).slice(I, std::min<size_t>(Elements, Copies.size() - I));
      bool Together = Copies.size() == Factor && all_of(One.drop_front(), [&](const LoadInst *Copy) {
                        return DT.dominates(One.front(), Copy) &&
                               PDT.dominates(Copy->getParent(), One.front()->getParent());
                      });
      if (!Together)
        return Refusal::at(RefusalKind::UnknownNextIteration, *One.front(),
                           "copies come without the next ones: a vector could reach beyond the end");
      joinLoads(One);
    }
  }
  return std::nullopt;
}

} // namespace gpuprune
