//===- SimplifyMath.cpp - gpu-math: arithmetic without cases that do not occur ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Coarsen/OneByOne.h"
#include "FloatRanges.h"
#include "FloorFraction.h"
#include "Kernel/KernelCopy.h"
#include "Kernel/KernelPass.h"
#include "gpuprune/Transforms/Math.h"
#include "gpuprune/Transforms/PassDescriptor.h"
#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace gpuprune {

namespace {

/// What can be left out of a kernel.
struct Decided {
  SmallVector<std::pair<FCmpInst *, bool>, 8> Comparisons;
  SmallVector<std::pair<CallInst *, Intrinsic::ID>, 8> Approximations; ///< And what is called in their place.
  SmallVector<FloorFraction, 4> Fractions;

  size_t count() const { return Comparisons.size() + Approximations.size() + Fractions.size(); }
};

using Arguments = SmallVector<Argument *, 4>;

} // namespace

static bool mayBeSubnormal(const ConstantFPRange &R) { return (R.classify() & fcSubnormal) != fcNone; }

/// The smallest exponent for which the approximation of a power of two, which may be smaller by two units in
/// the last place, is no subnormal number for sure.
static constexpr float LeastExponent = -125;

/// What computes the same as \p Call and flushes subnormal numbers to zero, if its operand is in \p Operand.
static std::optional<Intrinsic::ID> flushing(const CallInst &Call, const ConstantFPRange &Operand) {
  switch (Call.getIntrinsicID()) {
  case Intrinsic::nvvm_rsqrt_approx_f:
    return mayBeSubnormal(Operand) ? std::nullopt : std::optional(Intrinsic::nvvm_rsqrt_approx_ftz_f);
  case Intrinsic::nvvm_sqrt_approx_f:
    return mayBeSubnormal(Operand) ? std::nullopt : std::optional(Intrinsic::nvvm_sqrt_approx_ftz_f);
  case Intrinsic::nvvm_lg2_approx_f:
    return mayBeSubnormal(Operand) ? std::nullopt : std::optional(Intrinsic::nvvm_lg2_approx_ftz_f);
  case Intrinsic::nvvm_ex2_approx:
    if (!Call.getType()->isFloatTy() || Operand.getLower() < APFloat(LeastExponent))
      return std::nullopt;
    return Intrinsic::nvvm_ex2_approx_ftz;
  default:
    return std::nullopt;
  }
}

/// Whether \p Predicate holds for all numbers of both ranges. Unequal ones are not one range; they are less
/// or greater.
static bool holds(CmpInst::Predicate Predicate, const ConstantFPRange &A, const ConstantFPRange &B) {
  switch (Predicate) {
  case CmpInst::FCMP_ONE:
    return A.fcmp(CmpInst::FCMP_OLT, B) || A.fcmp(CmpInst::FCMP_OGT, B);
  case CmpInst::FCMP_UNE:
    return A.fcmp(CmpInst::FCMP_ULT, B) || A.fcmp(CmpInst::FCMP_UGT, B);
  default:
    return A.fcmp(Predicate, B);
  }
}

static std::optional<bool> outcome(FCmpInst &Compare, FloatRanges &Ranges) {
  if (!Compare.getOperand(0)->getType()->isFloatTy() && !Compare.getOperand(0)->getType()->isDoubleTy())
    return std::nullopt;
  ConstantFPRange A = Ranges.at(*Compare.getOperand(0), Compare),
                  B = Ranges.at(*Compare.getOperand(1), Compare);
  if (holds(Compare.getPredicate(), A, B))
    return true;
  if (holds(Compare.getInversePredicate(), A, B))
    return false;
  return std::nullopt;
}

/// What is decided in the blocks that \p From leads to, where \p Normal are positive normal numbers.
static Decided decide(Function &F, BasicBlock &From, ArrayRef<Argument *> Normal) {
  DominatorTree DT(F);
  FloatRanges Ranges(F, DT);
  for (Argument *A : Normal)
    Ranges.assumeNormal(*A);
  Decided Found;
  for (BasicBlock &Block : F) {
    if (!DT.dominates(&From, &Block) || !DT.isReachableFromEntry(&Block))
      continue;
    for (Instruction &I : Block) {
      if (auto *Compare = dyn_cast<FCmpInst>(&I)) {
        if (std::optional<bool> Outcome = outcome(*Compare, Ranges))
          Found.Comparisons.emplace_back(Compare, *Outcome);
      } else if (auto *Call = dyn_cast<CallInst>(&I);
                 Call && Call->arg_size() == 1 && Call->getType()->isFloatTy()) {
        if (std::optional<Intrinsic::ID> Id = flushing(*Call, Ranges.at(*Call->getArgOperand(0), I)))
          Found.Approximations.emplace_back(Call, *Id);
        else if (std::optional<FloorFraction> Fraction = floorFraction(*Call, DT))
          Found.Fractions.push_back(*Fraction);
      }
    }
  }
  return Found;
}

static void apply(const Decided &Found) {
  for_each(Found.Fractions, computeFromInteger);
  for (auto [Call, Id] : Found.Approximations) {
    SmallVector<Type *, 1> Overloaded;
    if (Id == Intrinsic::nvvm_ex2_approx_ftz)
      Overloaded.push_back(Call->getType());
    Call->setCalledFunction(Intrinsic::getOrInsertDeclaration(Call->getModule(), Id, Overloaded));
  }
  SmallVector<std::pair<WeakVH, bool>, 8> Comparisons(Found.Comparisons.begin(), Found.Comparisons.end());
  for (auto &[Compare, Outcome] : Comparisons)
    if (auto *Left = cast_or_null<Instruction>(Compare)) // Simplified with those before it, else.
      replaceAndRecursivelySimplify(Left, ConstantInt::getBool(Left->getType(), Outcome));
}

/// Removes what no branch leads to any more.
static void removeUnreachable(Function &F) {
  for (BasicBlock &Block : F)
    ConstantFoldTerminator(&Block, /*DeleteDeadConditions=*/true);
  EliminateUnreachableBlocks(F);
  for (BasicBlock &Block : make_early_inc_range(F)) {
    if (Block.getSinglePredecessor())
      FoldSingleEntryPHINodes(&Block);
    MergeBlockIntoPredecessor(&Block);
  }
}

/// Does what is decided behind \p From; whether that was anything. Less code decides more.
static bool simplify(Function &F, BasicBlock &From, ArrayRef<Argument *> Normal) {
  bool Changed = false;
  for (;;) {
    Decided Found = decide(F, From, Normal);
    if (Found.count() == 0)
      return Changed;
    apply(Found);
    Changed = true;
    if (Found.Comparisons.empty())
      return Changed;
    removeUnreachable(F);
  }
}

/// The floating-point arguments of \p F each of which decides something if it is a positive normal number.
static Arguments decidingArguments(Function &F) {
  Arguments Found;
  size_t Without = decide(F, F.getEntryBlock(), {}).count();
  for (Argument &A : F.args())
    if ((A.getType()->isFloatTy() || A.getType()->isDoubleTy()) &&
        decide(F, F.getEntryBlock(), {&A}).count() > Without)
      Found.push_back(&A);
  return Found;
}

/// Whether all of \p Normal are positive normal numbers.
static Value *testNormal(IRBuilder<> &B, ArrayRef<Argument *> Normal) {
  Value *All = B.getTrue();
  for (Argument *A : Normal) {
    const fltSemantics &Sem = A->getType()->getFltSemantics();
    auto Limit = [&](const APFloat &Number) { return ConstantFP::get(A->getContext(), Number); };
    Value *Least = B.CreateFCmpOGE(A, Limit(APFloat::getSmallestNormalized(Sem)));
    Value *Most = B.CreateFCmpOLE(A, Limit(APFloat::getLargest(Sem)));
    All = B.CreateAnd(All, B.CreateAnd(Least, Most));
  }
  return All;
}

/// Makes the copy for launches in which arguments are positive normal numbers; whether there are any to test.
static bool separate(Function &F) {
  Arguments Normal = decidingArguments(F);
  if (Normal.empty())
    return false;
  BasicBlock &Begin = *splitVariables(F), &Entry = F.getEntryBlock();
  IRBuilder<> B(Entry.getTerminator());
  copyUnless(Entry, *testNormal(B, Normal), ".others");
  simplify(F, Begin, Normal);
  return true;
}

static Verdict simplifyMath(Function &F, bool NormalArguments) {
  EliminateUnreachableBlocks(F);
  bool Changed = simplify(F, F.getEntryBlock(), {});
  if (NormalArguments)
    Changed |= separate(F);
  if (Changed)
    return std::nullopt;
  return Refusal::inFunction(
      RefusalKind::NothingDecided, F,
      "the ranges of floating-point values decide no comparison, and spare no approximation "
      "its care for subnormal numbers, and no floor is known to be needed as an integer alone");
}

PreservedAnalyses MathPass::run(Module &M, ModuleAnalysisManager &) {
  bool Ran =
      transformKernels(M, PassName, Options.Kernel, "Simplified", "cases that do not occur are left out",
                       std::nullopt, [&](Function &F) { return simplifyMath(F, Options.NormalArguments); });
  return Ran ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

const OptionTable<MathOptions> &MathOptions::table() {
  using O = MathOptions;
  static const OptionTable<O> Table{
      MathPass::PassName,
      {choiceOption({"arguments", "any|normal", OptionMeaning::Manner}, &O::NormalArguments, Shown::Always),
       kernelOption<O>()}};
  return Table;
}

/// Wherever there is something to leave out; a copy only where arguments decide more.
static PassOffers offerMath(Function &F, FunctionAnalysisManager &, const OfferContext &) {
  std::vector<std::string> Values;
  if (!decidingArguments(F).empty())
    Values = {"none", "normal"};
  else if (decide(F, F.getEntryBlock(), {}).count() > 0)
    Values = {"any"};
  return atEachStep([&](unsigned Step) {
    PassOffer Offer;
    if (Values.empty())
      return Offer;
    Offer.Elements.push_back({MathPass::PassName, {{"arguments", "{math}"}}});
    Offer.Choices.push_back({"math", Step == 0 ? Values : std::vector<std::string>{Values.back()}});
    return Offer;
  });
}

const PassDescriptor &mathDescriptor() {
  static const PassDescriptor D =
      describe<MathPass, MathOptions>("arithmetic without cases that do not occur", {.Offer = offerMath});
  return D;
}

} // namespace gpuprune
