//===- FloatingPointFreedom.cpp - Where bits may differ -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/FloatingPointFreedom.h"
#include "DataFlow.h"
#include "FloatingPointSums.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace gpuprune {

/// "contract" alone is not among them: gpu-prepare pins what is contracted.
static bool leavesBitsOpen(const FastMathFlags &Flags) {
  return Flags.allowReassoc() || Flags.allowReciprocal() || Flags.approxFunc() || Flags.noSignedZeros();
}

/// "rsqrt.approx.ftz.f32" of each such instruction of inline PTX.
static void addApproximate(StringRef Ptx, std::set<std::string> &Found) {
  SmallVector<StringRef> Words;
  SplitString(Ptx, Words, " \t\n\r;{}");
  for (StringRef Word : Words)
    if (Word.contains(".approx") || Word.starts_with("div.full"))
      Found.insert(Word.str());
}

/// LLVM's own operations of single precision and less that PTX has approximations of only.
static bool isApproximated(Intrinsic::ID Operation, const Type &Of) {
  switch (Operation) {
  case Intrinsic::exp2:
  case Intrinsic::log2:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tanh:
    return !Of.getScalarType()->isDoubleTy();
  default:
    return false;
  }
}

static void addApproximate(const CallInst &Call, std::set<std::string> &Found) {
  if (const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand()))
    return addApproximate(Asm->getAsmString(), Found);
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || !Callee->isIntrinsic())
    return;
  StringRef Name = Callee->getName();
  Name.consume_front("llvm.");
  Name.consume_front("nvvm.");
  if (Name.contains(".approx") || Name.starts_with("div.full") ||
      isApproximated(Callee->getIntrinsicID(), *Call.getType()))
    Found.insert(Name.str());
}

/// An instruction that leaves bits open, in words.
static std::string openBetweenVariants(const Instruction &I) {
  // The code generator chooses approximations for what the flags allow.
  if (const auto *Op = dyn_cast<FPMathOperator>(&I); Op && leavesBitsOpen(Op->getFastMathFlags()))
    return std::string(I.getOpcodeName()) + " with fast-math flags";
  return atomicSum(I);
}

/// In the source file of the kernel where \p I comes from there.
static unsigned lineOf(const Instruction &I, const Function &Kernel) {
  const DILocation *Place = I.getDebugLoc();
  const DISubprogram *Source = Kernel.getSubprogram();
  while (Place && Source && Place->getFile() != Source->getFile() && Place->getInlinedAt())
    Place = Place->getInlinedAt();
  return Place ? Place->getLine() : 0;
}

namespace {

/// Finds what each open instruction reaches.
class Spread {
public:
  Spread(DataFlow &Flow, const Function &Kernel) : Flow(Flow), Kernel(Kernel) {}

  /// Follows \p Open, for the reason \p Text.
  void follow(const Instruction &Open, const std::string &Text);
  /// Why \p Node may hold other bits; empty where it may not.
  std::string reason(const FlowNode &Node) const;

private:
  DataFlow &Flow;
  const Function &Kernel;
  std::vector<std::string> Reasons;
  DenseMap<const FlowNode *, size_t> Reached; ///< The number of the reason.
};

} // namespace

void Spread::follow(const Instruction &Open, const std::string &Text) {
  unsigned Line = lineOf(Open, Kernel);
  Reasons.push_back(Line ? formatv("{0} at line {1}", Text, Line).str() : Text);
  SmallVector<const FlowNode *, 32> Worklist;
  auto Reach = [&](const FlowNode &Node) {
    if (Reached.try_emplace(&Node, Reasons.size() - 1).second)
      Worklist.push_back(&Node);
  };
  Reach(Flow.of(Open));
  while (!Worklist.empty())
    for (const FlowNode *Next : Worklist.pop_back_val()->Next)
      Reach(*Next);
}

std::string Spread::reason(const FlowNode &Node) const {
  auto It = Reached.find(&Node);
  return It == Reached.end() ? "" : Reasons[It->second];
}

static std::vector<ArgumentFreedom> argumentFreedom(const Function &Kernel) {
  std::vector<ArgumentFreedom> Arguments(Kernel.arg_size());
  DataFlow Flow(Kernel);
  Spread Variants(Flow, Kernel);
  for (const Instruction *I : Flow.instructions())
    if (std::string Text = openBetweenVariants(*I); !Text.empty())
      Variants.follow(*I, Text);
  Spread Launches = Variants;
  for (const Instruction *I : findRecurrences(Flow))
    Launches.follow(*I, floatingPointSum(*I) + " in a recurrence");
  for (const Argument &A : Kernel.args())
    if (A.getType()->isPointerTy())
      Arguments[A.getArgNo()] = {Variants.reason(Flow.memoryOf(A)), Launches.reason(Flow.memoryOf(A))};
  return Arguments;
}

/// A number that is the same for all threads and iterations cannot be one of two candidates.
static bool isCandidate(const Value &V) {
  if (const auto *Cast = dyn_cast<CastInst>(&V))
    return isCandidate(*Cast->getOperand(0));
  return !isa<Constant>(V) && !(isa<Argument>(V) && !V.getType()->isPointerTy());
}

/// Whether the answer only chooses between the two that are compared.
static bool takesOneOf(const FCmpInst &Comparison, const User &U) {
  const auto *Choice = dyn_cast<SelectInst>(&U);
  const Value *A = Comparison.getOperand(0), *B = Comparison.getOperand(1);
  return Choice && Choice->getCondition() == &Comparison &&
         ((Choice->getTrueValue() == A && Choice->getFalseValue() == B) ||
          (Choice->getTrueValue() == B && Choice->getFalseValue() == A));
}

static bool breaksTies(const Function &F) {
  return any_of(instructions(F), [](const Instruction &I) {
    const auto *Comparison = dyn_cast<FCmpInst>(&I);
    bool Orders = Comparison && Comparison->isRelational() &&
                  Comparison->getOperand(0) != Comparison->getOperand(1) &&
                  !is_contained({CmpInst::FCMP_ORD, CmpInst::FCMP_UNO}, Comparison->getPredicate());
    return Orders && isCandidate(*Comparison->getOperand(0)) && isCandidate(*Comparison->getOperand(1)) &&
           !all_of(Comparison->users(), [&](const User *U) { return takesOneOf(*Comparison, *U); });
  });
}

FloatingPointFreedom floatingPointFreedom(const Module &M, const Function *Kernel) {
  FloatingPointFreedom Found;
  for (const Function &F : M)
    for (const Instruction &I : instructions(F)) {
      if (!atomicSum(I).empty())
        Found.Approximate.insert("atomic fadd");
      else if (!openBetweenVariants(I).empty())
        Found.Approximate.insert("fast-math flags");
      if (const auto *Call = dyn_cast<CallInst>(&I))
        addApproximate(*Call, Found.Approximate);
    }
  Found.BetweenVariants = Found.Approximate.contains("fast-math flags") || Found.addsAtomically();
  if (Kernel) {
    Found.Arguments = argumentFreedom(*Kernel);
    Found.BreaksTies = breaksTies(*Kernel);
  }
  return Found;
}

} // namespace gpuprune
