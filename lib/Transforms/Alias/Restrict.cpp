//===- Restrict.cpp - gpu-restrict: parameters that do not overlap --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Transforms/Restrict.h"
#include "ArgumentRanges.h"
#include "Coarsen/Coarsening.h"
#include "Facts/LoadHazards.h"
#include "Facts/Operations.h"
#include "Kernel/KernelCopy.h"
#include "Kernel/KernelPass.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Transforms/LoopNumbers.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace gpuprune {

static constexpr size_t MostPairs = 32, MostConditions = 64;

namespace {

/// A kernel whose entry is a block of its own, and what is known of its parameters.
class Overlaps {
public:
  /// Of the loop of that number, or of all that \p F does.
  Overlaps(Function &F, std::optional<unsigned> OfLoop);

  Verdict check() const;
  /// Puts true where no two overlap in front of the end of the entry.
  Value *test();
  void mark() const;

  /// Whether an access of a loop is one of a pair with a write in the same loop. Across operations for which
  /// threads wait little is moved. \p Deep: only of loops that store to one place each time, or whose
  /// iterations are counted before they run, so that their loads need not wait for stores.
  bool areInLoop(bool Deep);

private:
  using Pair = std::pair<Argument *, Argument *>;

  Function &F;
  std::optional<unsigned> OfLoop;
  BasicBlock &Entry;
  DominatorTree DT;
  LoopInfo LI;
  AssumptionCache AC;
  TargetLibraryInfoImpl LibraryFunctions;
  TargetLibraryInfo TLI;
  ScalarEvolution SE;
  LaunchRanges Ranges;
  SmallVector<Loop *, 2> Loops;
  Instruction *Unknown = nullptr;
  ArgumentRanges Arguments;
  SmallVector<Pair, 8> Pairs;
  bool AreWritesKnown; ///< All that the kernel writes to global memory is in the ranges.

  bool areIn(const Loop &L, const Pair &P) const;
  bool sums(const Loop &L);
  bool strides(const Loop &L);
  bool knowsAllWrites() const;
  bool isOnlyRead(Argument *A, const ArgumentRange &Of) const;
};

} // namespace

/// What is on the stack stays in the entry.
static BasicBlock &separateEntry(Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  Entry.splitBasicBlock(Entry.getFirstNonPHIOrDbgOrAlloca(), "begin");
  return Entry;
}

static SmallVector<Value *, 6> readExtents(BasicBlock &Entry) {
  IRBuilder<> B(Entry.getTerminator());
  SmallVector<Value *, 6> Extents;
  for (RegisterFamily Family : {RegisterFamily::BlockExtent, RegisterFamily::GridExtent})
    for (unsigned Dimension : {0, 1, 2})
      Extents.push_back(B.CreateIntrinsic(registerIntrinsic(Family, Dimension), {}));
  return Extents;
}

Overlaps::Overlaps(Function &F, std::optional<unsigned> OfLoop)
    : F(F), OfLoop(OfLoop), Entry(separateEntry(F)), DT(F), LI(DT), AC(F),
      LibraryFunctions(F.getParent()->getTargetTriple()), TLI(LibraryFunctions), SE(F, TLI, AC, DT, LI),
      Ranges(F, SE, readExtents(Entry)), Loops(OfLoop ? findLoops(LI, *OfLoop) : SmallVector<Loop *, 2>()),
      Arguments(rangesOfArguments(
          F, SE, Ranges,
          [&](const Instruction &I) {
            return !OfLoop || any_of(Loops, [&](const Loop *L) { return L->contains(&I); });
          },
          Unknown)) {
  for (auto &[A, OfA] : Arguments)
    for (auto &[B, OfB] : Arguments)
      if (A->getArgNo() < B->getArgNo() && (OfA.IsWritten || OfB.IsWritten) && !A->hasNoAliasAttr() &&
          !B->hasNoAliasAttr())
        Pairs.push_back({A, B});
  AreWritesKnown = knowsAllWrites();
}

Verdict Overlaps::check() const {
  if (OfLoop && Loops.empty())
    return noSuchLoop(F, *OfLoop, LI);
  if (Pairs.empty() && Unknown)
    return Refusal::at(RefusalKind::UnknownRange, *Unknown,
                       "of no two parameters that may overlap it can be computed from arguments, grid and "
                       "block how far accesses reach; of this one, for instance, it cannot");
  if (Pairs.empty())
    return Refusal::inFunction(
        RefusalKind::KnownApart, F,
        "no two parameters may overlap of which one is written by plain stores; atomic "
        "operations and pointers in structures or in memory are not looked at");
  if (Pairs.size() > MostPairs || Ranges.conditions().size() > MostConditions)
    return Refusal::inFunction(
        RefusalKind::TooLarge, F,
        formatv("{0} pairs of parameters and {1} conditions would have to be tested; at most {2} and {3} are",
                Pairs.size(), Ranges.conditions().size(), MostPairs, MostConditions));
  return std::nullopt;
}

Value *Overlaps::test() {
  Instruction *End = Entry.getTerminator();
  SCEVExpander Expander(SE, "restrict");
  IRBuilder<> B(End);
  Type *I64 = B.getInt64Ty();
  Value *Apart = B.getTrue();
  auto Expand = [&](const SCEV *S) { return Expander.expandCodeFor(S, I64, End->getIterator()); };
  for (const SCEV *Condition : Ranges.conditions())
    Apart = B.CreateAnd(Apart, B.CreateICmpSGE(Expand(Condition), B.getInt64(0)));
  DenseMap<Argument *, std::pair<Value *, Value *>> Bounds;
  for (auto &[A, Of] : Arguments)
    if (any_of(Pairs, [A = A](const Pair &P) { return P.first == A || P.second == A; })) {
      Value *Address = B.CreatePtrToInt(A, I64);
      Value *Begin = B.CreateAdd(Address, Expand(Of.Begin));
      Bounds[A] = {Begin, B.CreateAdd(Address, Expand(Of.End))};
    }
  for (auto [First, Second] : Pairs) {
    auto [BeginFirst, EndFirst] = Bounds[First];
    auto [BeginSecond, EndSecond] = Bounds[Second];
    Apart = B.CreateAnd(
        Apart, B.CreateOr(B.CreateICmpSLE(EndFirst, BeginSecond), B.CreateICmpSLE(EndSecond, BeginFirst)));
  }
  // Where one condition does not hold, the others may overflow.
  for (Instruction *I : Expander.getAllInsertedInstructions())
    I->dropPoisonGeneratingFlags();
  return Apart;
}

bool Overlaps::knowsAllWrites() const {
  DenseSet<const Instruction *> Known;
  for (const auto &[A, Of] : Arguments)
    Known.insert(Of.Accesses.begin(), Of.Accesses.end());
  auto StaysInBlock = [](const Instruction &I) {
    const Value *Pointer = accessedPointer(I);
    return Pointer &&
           (isSharedArray(getUnderlyingObject(Pointer)) || isa<AllocaInst>(getUnderlyingObject(Pointer)));
  };
  return all_of(instructions(F), [&](const Instruction &I) {
    return !I.mayWriteToMemory() || Known.contains(&I) || StaysInBlock(I) || isBlockBarrier(I);
  });
}

/// Whether nobody writes what is read through \p A while the kernel runs.
bool Overlaps::isOnlyRead(Argument *A, const ArgumentRange &Of) const {
  return !Of.IsWritten && all_of(Arguments, [&](const auto &Other) {
    return !Other.second.IsWritten || is_contained(Pairs, Pair(A, Other.first)) ||
           is_contained(Pairs, Pair(Other.first, A));
  });
}

void Overlaps::mark() const {
  MDBuilder Make(F.getContext());
  MDNode *Domain = Make.createAnonymousAliasScopeDomain(KernelScopes);
  DenseMap<const Argument *, Metadata *> Scopes;
  for (const auto &[A, Of] : Arguments)
    Scopes[A] = Make.createAnonymousAliasScope(Domain, A->getName());
  for (const auto &[A, Of] : Arguments) {
    SmallVector<Metadata *, 4> Others;
    for (auto [First, Second] : Pairs)
      if (First == A || Second == A)
        Others.push_back(Scopes[First == A ? Second : First]);
    if (Others.empty())
      continue;
    bool IsInvariant = AreWritesKnown && isOnlyRead(A, Of);
    auto Join = [&](Instruction &I, unsigned Kind, ArrayRef<Metadata *> More) {
      I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind), MDNode::get(F.getContext(), More)));
    };
    for (Instruction *Access : Of.Accesses) {
      Join(*Access, LLVMContext::MD_alias_scope, {Scopes[A]});
      Join(*Access, LLVMContext::MD_noalias, Others);
      if (IsInvariant)
        Access->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(F.getContext(), {}));
    }
  }
}

bool Overlaps::areIn(const Loop &L, const Pair &P) const {
  auto In = [&](Argument *A, bool Written) {
    return any_of(Arguments.find(A)->second.Accesses,
                  [&](const Instruction *I) { return L.contains(I) && (!Written || isa<StoreInst>(I)); });
  };
  return (In(P.first, true) && In(P.second, false)) || (In(P.first, false) && In(P.second, true));
}

static bool waits(const Loop &L) {
  return any_of(L.blocks(), [](const BasicBlock *Block) {
    return any_of(*Block, [](const Instruction &I) { return isMadeTogether(I); });
  });
}

/// Whether each iteration stores to the same place.
bool Overlaps::sums(const Loop &L) {
  return any_of(Arguments, [&](const auto &Of) {
    return any_of(Of.second.Accesses, [&](Instruction *I) {
      return isa<StoreInst>(I) && L.contains(I) &&
             SE.isLoopInvariant(SE.getSCEV(getLoadStorePointerOperand(I)), &L);
    });
  });
}

/// Whether \p L goes on by a step of the launch (gpu-unroll's CountedLoop.h), as far as this is known without
/// a change.
bool Overlaps::strides(const Loop &L) {
  return L.isInnermost() && L.getLoopLatch() && L.isLoopExiting(L.getLoopLatch()) &&
         isa<SCEVCouldNotCompute>(SE.getExitCount(&L, L.getLoopLatch()));
}

bool Overlaps::areInLoop(bool Deep) {
  return any_of(LI.getLoopsInPreorder(), [&](const Loop *L) {
    return !waits(*L) && (!Deep || sums(*L) || strides(*L)) &&
           any_of(Pairs, [&](const Pair &P) { return areIn(*L, P); });
  });
}

/// Moves out of loops what they need not compute, load or store each time.
static void moveOutOfLoops(Function &F, FunctionAnalysisManager &FAM) {
  auto Move = createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true);
  FAM.invalidate(F, Move.run(F, FAM));
}

static Verdict separate(Function &F, std::optional<unsigned> OfLoop) {
  Overlaps Found(F, OfLoop);
  if (Verdict Refused = Found.check())
    return Refused;
  BasicBlock &Entry = F.getEntryBlock();
  copyUnless(Entry, *Found.test(), ".overlapping");
  Found.mark();
  return std::nullopt;
}

/// A copy of \p F in which steps of loops that are the same each time, such as gridDim.x * blockDim.x, stand
/// in front of them.
static Function &copyWithSteps(Function &F, FunctionAnalysisManager &FAM) {
  Function &Copy = copyKernel(F, ".restricted");
  EliminateUnreachableBlocks(Copy);
  moveOutOfLoops(Copy, FAM);
  return Copy;
}

static void erase(Function &Copy, FunctionAnalysisManager &FAM) {
  FAM.clear(Copy, Copy.getName());
  Copy.eraseFromParent();
}

static Verdict makeRestricted(Function &F, std::optional<unsigned> OfLoop, FunctionAnalysisManager &FAM) {
  Function &Copy = copyWithSteps(F, FAM);
  Verdict Refused = separate(Copy, OfLoop);
  if (!Refused) {
    takeBody(F, Copy);
    FAM.invalidate(F, PreservedAnalyses::none());
    moveOutOfLoops(F, FAM);
  }
  erase(Copy, FAM);
  return Refused;
}

PreservedAnalyses RestrictPass::run(Module &M, ModuleAnalysisManager &MAM) {
  auto &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  bool Ran = transformKernels(M, PassName, Options.Kernel, "Restricted",
                              "parameters are tested for overlap where the kernel begins", Options.Loop,
                              [&](Function &F) { return makeRestricted(F, Options.Loop, FAM); });
  forgetAssumptions(M, MAM);
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

/// "loop=N" or "loop=all".
static PassOption<RestrictOptions> loopOption() {
  static constexpr StringLiteral All = "all";
  return {{"loop", "N|all", OptionMeaning::Object, true},
          [](StringRef Value, RestrictOptions &Options) -> Error {
            if (Value == All)
              return Error::success();
            Expected<unsigned> Number = parseNumber("loop", Value, 0, std::numeric_limits<unsigned>::max());
            if (!Number)
              return Number.takeError();
            Options.Loop = *Number;
            return Error::success();
          },
          [](const RestrictOptions &Options) -> std::optional<std::string> {
            return Options.Loop ? utostr(*Options.Loop) : All.str();
          }};
}

const OptionTable<RestrictOptions> &RestrictOptions::table() {
  using O = RestrictOptions;
  static const OptionTable<O> Table{RestrictPass::PassName, {loopOption(), kernelOption<O>()}};
  return Table;
}

/// Where a loop has what may overlap; there is little to gain elsewhere. Sums that are stored each time gain
/// most.
static PassOffers offerRestriction(Function &F, FunctionAnalysisManager &FAM, const OfferContext &) {
  Function &Copy = copyWithSteps(F, FAM);
  bool IsOffered = false, IsPreferred = false;
  {
    Overlaps Found(Copy, std::nullopt);
    IsOffered = !Found.check() && Found.areInLoop(/*Deep=*/false);
    IsPreferred = IsOffered && Found.areInLoop(/*Deep=*/true);
  }
  erase(Copy, FAM);
  return atEachStep([&](unsigned Step) {
    PassOffer Offer;
    if (Step == 0 ? !IsOffered : !IsPreferred)
      return Offer;
    Offer.Elements.push_back({RestrictPass::PassName, {{"loop", "{restrict}"}}});
    Offer.Choices.push_back(
        {"restrict", Step == 0 ? std::vector<std::string>{"none", "all"} : std::vector<std::string>{"all"}});
    return Offer;
  });
}

const PassDescriptor &restrictDescriptor() {
  static const PassDescriptor D = describe<RestrictPass, RestrictOptions>(
      "the kernel is made a second time for parameters that do not overlap", {.Offer = offerRestriction});
  return D;
}

} // namespace gpuprune
