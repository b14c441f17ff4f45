//===- Recurrences.cpp - Sums whose results come back to them -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// They are in cycles of the data flow. A cycle through memory counts only where
// what is written into an object can be read from it later on, as something else than
// the register that one element of one thread is: other objects are cut out of the
// graph, until none is left to be cut.
//
//===----------------------------------------------------------------------===//
#include "FloatingPointSums.h"
#include "gpuprune/Analysis/DeviceOperations.h"
#include "gpuprune/Analysis/FreshAnalyses.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// What is looked at of one function.
struct FunctionView : FreshAnalyses {
  SmallVector<const Instruction *, 8> Meetings; ///< Where threads may learn from each other.

  explicit FunctionView(Function &F);
  bool reaches(const Instruction &From, const Instruction &To) const {
    return isPotentiallyReachable(&From, &To, nullptr, &DT, &LI);
  }
  bool meetsBetween(const Instruction &From, const Instruction &To) const;
  SmallVector<const Loop *, 4> loopsAround(const Instruction &A, const Instruction &B) const;
};

class RecurrenceFinder {
public:
  explicit RecurrenceFinder(DataFlow &Flow) : Flow(Flow) {}
  ~RecurrenceFinder();
  SmallVector<const Instruction *, 8> find();

private:
  using Component = SmallPtrSet<const FlowNode *, 32>;

  DataFlow &Flow;
  DenseMap<const Function *, std::unique_ptr<FunctionView>> Views;
  std::vector<std::pair<FlowNode *, SmallVector<FlowNode *, 4>>> Cut;

  FunctionView &viewOf(const Function &F);
  bool cutMemory();
  bool carries(const FlowNode &Object, const Component &Cycle);
  bool carries(const FlowAccess &Write, const FlowAccess &Read);
};

} // namespace

static bool isVolatileOrAtomic(const Instruction &I) { return I.isVolatile() || I.isAtomic(); }

FunctionView::FunctionView(Function &F) : FreshAnalyses(F) {
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    if (isVolatileOrAtomic(I) || (Call && Call->isConvergent()))
      Meetings.push_back(&I);
  }
}

bool FunctionView::meetsBetween(const Instruction &From, const Instruction &To) const {
  return any_of(Meetings, [&](const Instruction *Meeting) {
    return (Meeting == &From || reaches(From, *Meeting)) && (Meeting == &To || reaches(*Meeting, To));
  });
}

SmallVector<const Loop *, 4> FunctionView::loopsAround(const Instruction &A, const Instruction &B) const {
  SmallVector<const Loop *, 4> Around;
  for (const Loop *L = LI.getLoopFor(A.getParent()); L; L = L->getParentLoop())
    if (L->contains(&B))
      Around.push_back(L);
  return Around;
}

/// Whether \p V has one value in all iterations of \p L: special registers are read where
/// they are used, for gpu-prepare hoists nothing.
static bool isInvariant(const Value &V, const Loop &L) {
  const auto *I = dyn_cast<Instruction>(&V);
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&V);
  return !I || !L.contains(I) || (Intrinsic && Intrinsic->arg_empty() && !Intrinsic->mayReadOrWriteMemory());
}

static bool isInvariant(const SCEV *S, const Loop &L) {
  return !SCEVExprContains(S, [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    const auto *Advances = dyn_cast<SCEVAddRecExpr>(Part);
    return (Unknown && !isInvariant(*Unknown->getValue(), L)) ||
           (Advances && L.contains(Advances->getLoop()));
  });
}

namespace {

/// How an address moves in the loops around its access, innermost first.
class AddressSteps {
public:
  AddressSteps(const SCEV *Address, ArrayRef<const Loop *> Loops, ScalarEvolution &SE)
      : Address(Address), Loops(Loops), SE(SE) {
    SCEVExprContains(Address, [this](const SCEV *Part) {
      look(Part);
      return false;
    });
  }
  /// Whether it is another one in each iteration of all loops: the innermost moves it, and
  /// each outer one by a row, whose pitch is not a constant or at least what the inner ones cover.
  bool differ() const;

private:
  const SCEV *Address;
  ArrayRef<const Loop *> Loops;
  ScalarEvolution &SE;
  DenseMap<const Loop *, const SCEV *> Steps;
  bool Known = true;

  void look(const SCEV *Part);
  void lookInLoop(const SCEVUnknown &Unknown, const Loop &L);
  const SCEV *stepOf(const SCEVUnknown &Unknown, const Loop &L) const;
  bool restartsIn(const SCEVUnknown &Unknown, const Loop &Outer) const;
  bool isScaled(const SCEVUnknown &Unknown) const;
  bool coversLessThan(const Loop &Inner, const APInt &Pitch) const;
};

} // namespace

/// By how much \p Unknown, a phi of \p L, advances in an iteration, if that is the same in
/// each; else null. ScalarEvolution does not see it where the step is read in the loop.
const SCEV *AddressSteps::stepOf(const SCEVUnknown &Unknown, const Loop &L) const {
  auto *Phi = dyn_cast<PHINode>(Unknown.getValue());
  if (!Phi || Phi->getParent() != L.getHeader() || !L.getLoopLatch())
    return nullptr;
  const SCEV *Step = SE.getMinusSCEV(SE.getSCEV(Phi->getIncomingValueForBlock(L.getLoopLatch())), &Unknown);
  return isInvariant(Step, L) ? Step : nullptr;
}

/// Whether \p Unknown is a phi of an inner loop that takes the same values in each iteration of
/// \p Outer.
bool AddressSteps::restartsIn(const SCEVUnknown &Unknown, const Loop &Outer) const {
  return any_of(Loops, [&](const Loop *Inner) {
    const SCEV *Step = Inner != &Outer && Outer.contains(Inner) ? stepOf(Unknown, *Inner) : nullptr;
    if (!Step || !Inner->getLoopPreheader() || !isInvariant(Step, Outer))
      return false;
    const auto *Phi = cast<PHINode>(Unknown.getValue());
    return isInvariant(SE.getSCEV(Phi->getIncomingValueForBlock(Inner->getLoopPreheader())), Outer);
  });
}

/// Whether the address has \p Unknown only as the number of a row whose pitch is unknown.
bool AddressSteps::isScaled(const SCEVUnknown &Unknown) const {
  auto Has = [&](const SCEV *S) { return SCEVExprContains(S, [&](const SCEV *P) { return P == &Unknown; }); };
  return SCEVExprContains(Address, [&](const SCEV *Part) {
    return isa<SCEVMulExpr>(Part) && Has(Part) && any_of(Part->operands(), [&](const SCEV *Factor) {
             return !isa<SCEVConstant>(Factor) && !Has(Factor);
           });
  });
}

void AddressSteps::lookInLoop(const SCEVUnknown &Unknown, const Loop &L) {
  if (isInvariant(*Unknown.getValue(), L) || restartsIn(Unknown, L))
    return;
  const SCEV *Step = stepOf(Unknown, L);
  // Two that change may make up for each other.
  Known &= Step && (&L == Loops.front() || isScaled(Unknown)) && Steps.try_emplace(&L, Step).second;
}

void AddressSteps::look(const SCEV *Part) {
  if (const auto *Unknown = dyn_cast<SCEVUnknown>(Part))
    for (const Loop *L : Loops)
      lookInLoop(*Unknown, *L);
  if (const auto *Advances = dyn_cast<SCEVAddRecExpr>(Part);
      Advances && is_contained(Loops, Advances->getLoop()))
    Known &= Advances->isAffine() && Steps.try_emplace(Advances->getLoop(), Advances->getOperand(1)).second;
}

bool AddressSteps::coversLessThan(const Loop &Inner, const APInt &Pitch) const {
  const auto *Step = dyn_cast<SCEVConstant>(Steps.lookup(&Inner));
  unsigned Trips = SE.getSmallConstantMaxTripCount(&Inner);
  return Step && Trips && Step->getAPInt().getBitWidth() == Pitch.getBitWidth() &&
         (Step->getAPInt().abs() * Trips).ule(Pitch.abs());
}

bool AddressSteps::differ() const {
  SmallPtrSet<const SCEV *, 4> Different;
  for (size_t Index = 0; Index != Loops.size(); ++Index) {
    const SCEV *Step = Steps.lookup(Loops[Index]);
    if (!Known || !Step || Step->isZero() || !Different.insert(Step).second)
      return false;
    const auto *Pitch = dyn_cast<SCEVConstant>(Step);
    if (Pitch && !all_of(Loops.take_front(Index),
                         [&](const Loop *Inner) { return coversLessThan(*Inner, Pitch->getAPInt()); }))
      return false;
  }
  return true;
}

RecurrenceFinder::~RecurrenceFinder() {
  for (auto &[Node, Next] : Cut)
    Node->Next = std::move(Next);
}

FunctionView &RecurrenceFinder::viewOf(const Function &F) {
  std::unique_ptr<FunctionView> &View = Views[&F];
  if (!View)
    View = std::make_unique<FunctionView>(const_cast<Function &>(F)); // None of it changes a function.
  return *View;
}

/// Whether \p Read may find what \p Write has written, in a way that adds up.
bool RecurrenceFinder::carries(const FlowAccess &Write, const FlowAccess &Read) {
  const Function &F = *Write.I->getFunction();
  if (&F != Read.I->getFunction() || !Write.Pointer || !Read.Pointer)
    return true;
  FunctionView &View = viewOf(F);
  SmallVector<const Loop *, 4> Loops = View.loopsAround(*Write.I, *Read.I);
  if (Write.I == Read.I ? Loops.empty() : !View.reaches(*Write.I, *Read.I))
    return false;
  const SCEV *Written = View.SE.getSCEV(const_cast<Value *>(Write.Pointer));
  if (Written == View.SE.getSCEV(const_cast<Value *>(Read.Pointer)))
    return !Loops.empty() && !AddressSteps(Written, Loops, View.SE).differ();
  // Straight-line code adds up what it does not tell apart only across threads.
  bool IsPrivate = all_of(Write.Objects, [](const FlowNode *O) { return O->V && isa<AllocaInst>(O->V); });
  return !Loops.empty() || (!IsPrivate && View.meetsBetween(*Write.I, *Read.I));
}

bool RecurrenceFinder::carries(const FlowNode &Object, const Component &Cycle) {
  auto InCycle = [&](const FlowAccess &A) { return A.touches(Object) && Cycle.contains(&Flow.of(*A.I)); };
  for (const FlowAccess &Write : Flow.accesses())
    if (Write.Writes && InCycle(Write))
      for (const FlowAccess &Read : Flow.accesses())
        if (Read.Reads && InCycle(Read) && carries(Write, Read))
          return true;
  return false;
}

/// Returns whether there was something to cut.
bool RecurrenceFinder::cutMemory() {
  SmallVector<FlowNode *, 4> ToCut;
  for (auto Nodes = scc_begin(&Flow.root()); !Nodes.isAtEnd(); ++Nodes) {
    if (!Nodes.hasCycle())
      continue;
    Component Cycle((*Nodes).begin(), (*Nodes).end());
    for (FlowNode *Node : *Nodes)
      if (Node->IsMemory && !carries(*Node, Cycle))
        ToCut.push_back(Node);
  }
  for (FlowNode *Node : ToCut)
    Cut.push_back({Node, std::exchange(Node->Next, {})});
  return !ToCut.empty();
}

/// Whether \p I hands on what it is given, perhaps in pieces: shuffles take 32 bits.
static bool copies(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::Or:
  case Instruction::Shl:
  case Instruction::LShr:
    return true;
  default:
    return isa<CastInst>(I) ||
           (isa<CallInst>(I) && cast<CallInst>(I).isInlineAsm() &&
            cast<InlineAsm>(cast<CallInst>(I).getCalledOperand())->getAsmString().starts_with("mov."));
  }
}

static bool isShuffle(const Instruction &I) {
  if (isOperation(I, OperationKind::Shuffle))
    return true;
  const auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->isInlineAsm() &&
         StringRef(cast<InlineAsm>(Call->getCalledOperand())->getAsmString()).contains("shfl.");
}

/// Whether \p Shuffled, an operand of a shuffle, is a sum, at most copied.
static bool isSum(const Value *Shuffled) {
  SetVector<const Value *> Values;
  Values.insert(Shuffled);
  for (size_t Next = 0; Next != Values.size(); ++Next)
    if (const auto *I = dyn_cast<Instruction>(Values[Next])) {
      if (std::string Sum = floatingPointSum(*I); !Sum.empty() && Sum != "fmul")
        return true;
      if (copies(*I))
        Values.insert(I->op_begin(), I->op_end());
    }
  return false;
}

/// The sums that a shuffle's result goes to, at most copied.
static void addSumsOf(const Instruction &Shuffle, SetVector<const Instruction *> &Found) {
  SetVector<const Instruction *> Values;
  Values.insert(&Shuffle);
  for (size_t Next = 0; Next != Values.size(); ++Next)
    for (const User *U : Values[Next]->users())
      if (const auto *I = dyn_cast<Instruction>(U)) {
        if (!floatingPointSum(*I).empty())
          Found.insert(I);
        else if (copies(*I))
          Values.insert(I);
      }
}

SmallVector<const Instruction *, 8> RecurrenceFinder::find() {
  while (cutMemory())
    ;
  SetVector<const Instruction *> Found;
  for (auto Nodes = scc_begin(&Flow.root()); !Nodes.isAtEnd(); ++Nodes)
    if (Nodes.hasCycle())
      for (const FlowNode *Node : *Nodes)
        if (const auto *I = dyn_cast_or_null<Instruction>(Node->V); I && !floatingPointSum(*I).empty())
          Found.insert(I);
  for (const Instruction *I : Flow.instructions())
    if (isShuffle(*I) && any_of(I->operands(), isSum))
      addSumsOf(*I, Found);
  SmallVector<const Instruction *, 8> Sorted(Found.begin(), Found.end());
  sort(Sorted,
       [&](const Instruction *A, const Instruction *B) { return Flow.of(*A).Index < Flow.of(*B).Index; });
  return Sorted;
}

SmallVector<const Instruction *, 8> findRecurrences(DataFlow &Flow) { return RecurrenceFinder(Flow).find(); }

} // namespace gpuprune
