//===- SkippedWork.cpp - What is computed for one side of a select alone ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SkippedWork.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace gpuprune {

/// In instructions, about: what a division takes (nine, with a branch), and what a branch has to spare.
static constexpr unsigned OfDivision = 9, LeastWork = 9;

static bool isMovable(const Instruction &I) {
  if (isa<PHINode, AllocaInst>(I) || I.isTerminator() || I.mayReadOrWriteMemory() || I.mayHaveSideEffects())
    return false;
  const auto *Call = dyn_cast<CallBase>(&I);
  return !Call || !Call->isConvergent();
}

static unsigned costOf(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FDiv:
    return OfDivision;
  case Instruction::FRem:
    return 2 * OfDivision;
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return isa<Constant>(I.getOperand(1)) ? 3 : 2 * OfDivision;
  case Instruction::Call:
    return cast<CallInst>(I).getIntrinsicID() == Intrinsic::sqrt ? OfDivision : 1;
  default:
    return 1;
  }
}

SkippedWork::SkippedWork(BasicBlock &Block, FloatRanges &Ranges) : Block(Block) {
  addTests(Ranges);
  findSelects();
}

SkippedWork::~SkippedWork() {
  for (auto [Compare, Test] : WithoutQuotient)
    Test->eraseFromParent();
}

void SkippedWork::addTests(FloatRanges &Ranges) {
  for (Instruction &I : make_early_inc_range(Block))
    if (auto *Compare = dyn_cast<FCmpInst>(&I))
      if (std::optional<QuotientTest> Test = quotientTest(*Compare, Ranges)) {
        auto *Without =
            new FCmpInst(Compare->getIterator(), Test->Predicate, Test->Numerator, Test->Denominator);
        Without->setDebugLoc(Compare->getDebugLoc());
        WithoutQuotient[Compare] = Without;
      }
}

/// Whether nothing needs \p I but \p Work and the sides of \p Of that take work. Comparisons that can do
/// without their quotient do not need it.
bool SkippedWork::isOnlyFor(const Instruction &I, ArrayRef<Choice> Of, const Instructions &Work) const {
  return !I.use_empty() && all_of(I.users(), [&](const User *U) {
    auto *User = cast<Instruction>(const_cast<llvm::User *>(U));
    if (Work.contains(User))
      return true;
    if (auto *Compare = dyn_cast<FCmpInst>(User); Compare && WithoutQuotient.contains(Compare))
      return true;
    return any_of(Of, [&](const Choice &C) {
      return C.Select == User && C.costly() == &I && C.other() != &I && C.Select->getCondition() != &I;
    });
  });
}

SkippedWork::Instructions SkippedWork::workOf(ArrayRef<Choice> Of) const {
  Instructions Work, Chosen; // Selects of other branches are no work of this one.
  for (const Choice &C : concat<const Choice>(Of, Selects))
    Chosen.insert(C.Select);
  for (Instruction &I : reverse(Block)) {
    auto *Compare = dyn_cast<FCmpInst>(&I);
    if (!Chosen.contains(&I) && !(Compare && WithoutQuotient.contains(Compare)) && isMovable(I) &&
        isOnlyFor(I, Of, Work))
      Work.insert(&I);
  }
  return Work;
}

/// What of \p Work is behind the side of \p C that takes work.
unsigned SkippedWork::costOf(const Choice &C, const Instructions &Work) const {
  unsigned Cost = 0;
  Instructions Seen;
  SmallVector<Value *, 8> Left{C.costly()};
  while (!Left.empty()) {
    auto *I = dyn_cast<Instruction>(Left.pop_back_val());
    if (!I || !Work.contains(I) || !Seen.insert(I).second)
      continue;
    Cost += gpuprune::costOf(*I);
    append_range(Left, I->operands());
  }
  return Cost;
}

void SkippedWork::findSelects() {
  SmallVector<Choice, 8> Left;
  for (Instruction &I : Block)
    if (auto *S = dyn_cast<SelectInst>(&I); S && !S->getCondition()->getType()->isVectorTy())
      Left.push_back({S, true});
  // What several selects need is only found for all of them together.
  SmallVector<Choice, 8> Found;
  for (bool OfTrue : {true, false}) {
    for (Choice &C : Left)
      C.OfTrue = OfTrue;
    Instructions Work = workOf(Left);
    auto HasWork = [&](const Choice &C) { return costOf(C, Work) >= LeastWork; };
    copy_if(Left, std::back_inserter(Found), HasWork);
    erase_if(Left, HasWork);
  }
  llvm::sort(Found, [](const Choice &A, const Choice &B) { return A.Select->comesBefore(B.Select); });
  for (size_t Before = 0; Before != Found.size();) {
    Before = Found.size();
    Instructions Work = workOf(Found);
    erase_if(Found, [&](const Choice &C) { return costOf(C, Work) < LeastWork; });
  }
  Selects = std::move(Found);
}

/// Whether nothing in front of the last select of \p Group but work depends on another one.
bool SkippedWork::mayShareBranch(ArrayRef<Choice> Group) const {
  Instructions Work = workOf(Group);
  const SelectInst *Last = Group.back().Select;
  auto MayUse = [&](const User *U, const SelectInst *S) {
    auto *User = cast<Instruction>(const_cast<llvm::User *>(U));
    if (User->getParent() != &Block || isa<PHINode>(User) || Work.contains(User) || Last->comesBefore(User))
      return true;
    return any_of(Group, [&](const Choice &C) { return C.Select == User && C.Select->getCondition() != S; });
  };
  return all_of(Group, [&](const Choice &C) {
    return all_of(C.Select->users(), [&](const User *U) { return MayUse(U, C.Select); });
  });
}

/// What \p C is where no select of \p Group chooses its work.
static Value *skippedValue(const Value *Other, const DenseMap<const Value *, Value *> &Others) {
  Value *V = const_cast<Value *>(Other);
  for (auto Found = Others.find(V); Found != Others.end(); Found = Others.find(V))
    V = Found->second;
  return V;
}

/// Lets comparisons that need a quotient of some select's work do without it, before it is said what moves
/// where: what they alone needed is gone then, and no work.
void SkippedWork::replaceTests() {
  Instructions Work = workOf(Selects);
  SmallVector<Instruction *, 8> Unneeded;
  for (auto [Compare, Test] : WithoutQuotient) {
    auto *Compared = dyn_cast<Instruction>(Compare->getOperand(0));
    if (!Work.contains(Compared)) {
      Test->eraseFromParent();
      continue;
    }
    Compare->replaceAllUsesWith(Test);
    Compare->eraseFromParent();
    Unneeded.push_back(Compared);
  }
  WithoutQuotient.clear();
  while (!Unneeded.empty()) {
    Instruction *I = Unneeded.pop_back_val();
    if (!Work.contains(I) || !I->use_empty())
      continue;
    Work.erase(I);
    for (Value *Operand : I->operands())
      if (auto *Of = dyn_cast<Instruction>(Operand))
        Unneeded.push_back(Of);
    salvageDebugInfo(*I);
    I->eraseFromParent();
  }
}

/// Whether a select of \p Group chooses its work, computed in front of the end of \p B.
Value *SkippedWork::isNeeded(ArrayRef<Choice> Group, IRBuilder<> &B) {
  Value *Needed = nullptr;
  for (const Choice &C : Group) {
    Value *Condition = C.Select->getCondition();
    if (!isGuaranteedNotToBeUndefOrPoison(Condition))
      Condition = B.CreateFreeze(Condition);
    if (!C.OfTrue)
      Condition = B.CreateNot(Condition);
    Needed = Needed ? B.CreateOr(Needed, Condition) : Condition;
  }
  return Needed;
}

/// Debug information that \p Moved, which \p Head does not execute any more, is a variable's value: \p Either
/// is behind it, if anything; else that is not known.
static void updateDebugRecords(Instruction &Moved, const BasicBlock &Head, PHINode *Either) {
  SmallVector<DbgVariableRecord *, 4> Records;
  findDbgUsers(&Moved, Records);
  for (DbgVariableRecord *Record : Records)
    if (Either && Record->getParent() != &Head)
      Record->replaceVariableLocationOp(&Moved, Either);
    else
      Record->setKillLocation();
}

bool SkippedWork::skipGroup(ArrayRef<Choice> Group) {
  Instructions Work = workOf(Group);
  if (none_of(Group, [&](const Choice &C) { return costOf(C, Work) >= LeastWork; }))
    return false;
  BasicBlock::iterator Behind = std::next(Group.back().Select->getIterator());
  Behind.setHeadBit(true); // In front of the debug records of the last select.
  IRBuilder<> B(&Block, Behind);
  Value *Needed = isNeeded(Group, B);

  DenseMap<const Value *, Value *> Others;
  for (const Choice &C : Group)
    Others[C.Select] = C.other();
  Instruction *End = SplitBlockAndInsertIfThen(Needed, Behind, /*Unreachable=*/false,
                                               MDBuilder(Block.getContext()).createUnlikelyBranchWeights());
  BasicBlock *Then = End->getParent(), *Tail = End->getSuccessor(0);
  for (Instruction &I : make_early_inc_range(Block))
    if (bool IsWork = Work.contains(&I); IsWork || Others.contains(&I)) {
      I.moveBefore(End->getIterator());
      if (IsWork)
        updateDebugRecords(I, Block, nullptr);
    }
  for (const Choice &C : Group) {
    auto IsElsewhere = [&](const Use &U) { return cast<Instruction>(U.getUser())->getParent() != Then; };
    if (none_of(C.Select->uses(), IsElsewhere)) {
      updateDebugRecords(*C.Select, Block, nullptr);
      continue;
    }
    PHINode *Either = PHINode::Create(C.Select->getType(), 2, "", Tail->begin());
    Either->setDebugLoc(C.Select->getDebugLoc());
    updateDebugRecords(*C.Select, Block, Either);
    C.Select->replaceUsesWithIf(Either, IsElsewhere);
    Either->addIncoming(C.Select, Then);
    Either->addIncoming(skippedValue(C.other(), Others), &Block);
  }
  return true;
}

bool SkippedWork::skip(unsigned SelectsOfBranch) {
  replaceTests();
  SmallVector<ArrayRef<Choice>, 4> Groups;
  for (ArrayRef<Choice> Left = Selects; !Left.empty(); Left = Left.drop_front(Groups.back().size())) {
    ArrayRef<Choice> Group = Left.take_front(SelectsOfBranch);
    while (!mayShareBranch(Group))
      Group = Group.drop_back();
    Groups.push_back(Group);
  }
  bool Skips = false;
  for (ArrayRef<Choice> Group : reverse(Groups))
    Skips |= skipGroup(Group);
  return Skips;
}

} // namespace gpuprune
