//===- SkippedWorkTest.cpp ------------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Math/SkippedWork.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/NoFolder.h"
#include "llvm/IR/Verifier.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace gpuprune;

namespace {

/// A loop of one block, of random operations, many of which are divisions and selects; results are stored.
class RandomLoop {
public:
  explicit RandomLoop(unsigned Seed) : Random(Seed), M("m", Context), B(Context) {
    Type *Float = B.getFloatTy();
    F = Function::Create(
        FunctionType::get(B.getVoidTy(), {B.getPtrTy(), Float, Float, Float, B.getInt1Ty()}, false),
        Function::ExternalLinkage, "f", M);
    BasicBlock *Entry = BasicBlock::Create(Context, "entry", F),
               *Body = BasicBlock::Create(Context, "body", F), *Exit = BasicBlock::Create(Context, "exit", F);
    IRBuilder<>(Entry).CreateBr(Body);
    IRBuilder<>(Exit).CreateRetVoid();
    B.SetInsertPoint(Body);
    PHINode *Index = B.CreatePHI(B.getInt32Ty(), 2);
    SmallVector<PHINode *, 3> Carried;
    for (unsigned I = 1; I <= 3; ++I) {
      Numbers.push_back(F->getArg(I));
      Carried.push_back(B.CreatePHI(Float, 2));
      Carried.back()->addIncoming(F->getArg(I), Entry);
    }
    append_range(Numbers, Carried);
    Conditions.push_back(F->getArg(4));
    for (unsigned I = 0, E = 8 + Random() % 32; I < E; ++I)
      addOperation();
    Value *Next = B.CreateAdd(Index, B.getInt32(1));
    for (PHINode *Phi : Carried)
      Phi->addIncoming(any(Numbers), Body);
    Index->addIncoming(B.getInt32(0), Entry);
    Index->addIncoming(Next, Body);
    B.CreateCondBr(B.CreateICmpULT(Next, B.getInt32(3)), Body, Exit);
  }

  bool skip(unsigned Selects) {
    DominatorTree DT(*F);
    FloatRanges Ranges(*F, DT);
    return SkippedWork(*F->getEntryBlock().getSingleSuccessor(), Ranges).skip(Selects);
  }
  bool isValid() { return !verifyModule(M, &errs()); }

  /// What is stored, one number after the other, for arguments drawn with \p Seed.
  std::vector<uint32_t> stored(unsigned Seed) {
    std::mt19937 Drawn(Seed);
    DenseMap<Value *, Constant *> Known;
    for (Argument &A : F->args())
      Known[&A] = A.getType()->isFloatTy()     ? number(Drawn)
                  : A.getType()->isIntegerTy() ? B.getInt1(Drawn() % 2)
                                               : Constant::getNullValue(A.getType());
    std::vector<uint32_t> Stored;
    BasicBlock *From = nullptr, *At = &F->getEntryBlock();
    while (At) {
      BasicBlock *Next = execute(*At, From, Known, Stored);
      From = std::exchange(At, Next);
    }
    return Stored;
  }

private:
  std::mt19937 Random;
  LLVMContext Context;
  Module M;
  IRBuilder<NoFolder> B;
  Function *F;
  SmallVector<Value *, 16> Numbers, Conditions;

  static Constant *number(std::mt19937 &Random, LLVMContext &Context) {
    static const float Numbers[] = {0.0f,  -0.0f,  1.0f,  -1.0f,    0.5f,      1e-45f, -1e-40f,
                                    3e38f, -3e38f, 1e20f, INFINITY, -INFINITY, NAN,    2.0f};
    if (Random() % 4 == 0)
      return ConstantFP::get(Context, APFloat(APFloat::IEEEsingle(), APInt(32, Random())));
    return ConstantFP::get(Context, APFloat(Numbers[Random() % std::size(Numbers)]));
  }
  Constant *number(std::mt19937 &Drawn) { return number(Drawn, Context); }
  /// Mostly one of the last, so that chains are made.
  Value *any(ArrayRef<Value *> Of) {
    return Random() % 3 ? Of[Of.size() - 1 - Random() % std::min<size_t>(4, Of.size())]
                        : Of[Random() % Of.size()];
  }
  void addOperation() {
    Value *X = any(Numbers), *Y = any(Numbers);
    switch (Random() % 14) {
    case 0:
      Numbers.push_back(B.CreateFAdd(X, Y));
      break;
    case 1:
      Numbers.push_back(B.CreateFMul(X, Random() % 2 ? X : Y));
      break;
    case 2:
      Numbers.push_back(B.CreateFSub(ConstantFP::get(B.getFloatTy(), 1), X));
      break;
    case 3:
      Numbers.push_back(B.CreateFDiv(X, B.CreateFMul(Y, Y)));
      break;
    case 4:
    case 5:
      Numbers.push_back(B.CreateFDiv(X, Y));
      break;
    case 6:
      Conditions.push_back(B.CreateFCmp(predicate(), X, ConstantFP::get(B.getFloatTy(), Random() % 2)));
      break;
    case 7:
      Conditions.push_back(B.CreateFCmp(predicate(), X, Y));
      break;
    case 8:
      Conditions.push_back(B.CreateSelect(any(Conditions), any(Conditions), B.getFalse()));
      break;
    case 9:
      if (Random() % 2)
        B.CreateStore(X, F->getArg(0));
      break;
    case 10:
    case 11:
      testQuotient();
      break;
    default:
      Numbers.push_back(B.CreateSelect(any(Conditions), X, Y));
    }
  }
  /// By a difference that nothing else needs, as InstCombine leaves it.
  void testQuotient() {
    auto IsQuotient = [](const Value *V) {
      const auto *I = dyn_cast<Instruction>(V);
      return I && I->getOpcode() == Instruction::FDiv;
    };
    auto Last = find_if(reverse(Numbers), IsQuotient);
    if (Last == Numbers.rend())
      return;
    Constant *One = ConstantFP::get(B.getFloatTy(), 1), *Zero = ConstantFP::get(B.getFloatTy(), 0);
    Value *Difference = Random() % 2   ? B.CreateFSub(One, *Last)
                        : Random() % 2 ? B.CreateFSub(*Last, One)
                                       : B.CreateFAdd(*Last, ConstantFP::get(B.getFloatTy(), -1));
    Conditions.push_back(B.CreateFCmp(predicate(), Difference, Zero));
  }
  CmpInst::Predicate predicate() {
    return CmpInst::Predicate(CmpInst::FCMP_OEQ + Random() % (CmpInst::FCMP_UNE - CmpInst::FCMP_OEQ + 1));
  }

  BasicBlock *execute(BasicBlock &Block, BasicBlock *From, DenseMap<Value *, Constant *> &Known,
                      std::vector<uint32_t> &Stored) {
    auto Is = [&](Value *V) { return isa<Constant>(V) ? cast<Constant>(V) : Known.at(V); };
    SmallVector<std::pair<PHINode *, Constant *>, 4> Entered;
    for (PHINode &Phi : Block.phis())
      Entered.emplace_back(&Phi, Is(Phi.getIncomingValueForBlock(From)));
    for (auto [Phi, Is] : Entered)
      Known[Phi] = Is;
    for (Instruction &I : make_range(Block.getFirstNonPHIIt(), Block.getTerminator()->getIterator())) {
      if (auto *Store = dyn_cast<StoreInst>(&I)) {
        APFloat Number = cast<ConstantFP>(Is(Store->getValueOperand()))->getValueAPF();
        Stored.push_back(Number.isNaN() ? 1 : Number.bitcastToAPInt().getZExtValue());
        continue;
      }
      SmallVector<Constant *, 3> Operands;
      for (Value *Operand : I.operands())
        Operands.push_back(Is(Operand));
      auto *Compare = dyn_cast<CmpInst>(&I);
      Known[&I] = isa<FreezeInst>(I) ? Operands[0]
                  : Compare
                      ? ConstantFoldCompareInstOperands(Compare->getPredicate(), Operands[0], Operands[1],
                                                        M.getDataLayout(), /*TLI=*/nullptr, Compare)
                      : ConstantFoldInstOperands(&I, Operands, M.getDataLayout());
    }
    auto *Branch = dyn_cast<BranchInst>(Block.getTerminator());
    if (!Branch)
      return nullptr;
    return Branch->getSuccessor(Branch->isConditional() && Is(Branch->getCondition())->isNullValue());
  }
};

TEST(SkippedWork, StoresTheSameInTheSameOrder) {
  unsigned Skipped = 0;
  for (unsigned Seed = 0; Seed < 3000; ++Seed)
    for (unsigned Selects : {1, 3, 8}) {
      RandomLoop Before(Seed), After(Seed);
      if (!After.skip(Selects))
        continue;
      ++Skipped;
      ASSERT_TRUE(After.isValid()) << "seed " << Seed;
      for (unsigned Arguments = 0; Arguments < 5; ++Arguments)
        ASSERT_EQ(Before.stored(Arguments), After.stored(Arguments))
            << "seed " << Seed << ", selects " << Selects << ", arguments " << Arguments;
    }
  EXPECT_GT(Skipped, 1500U);
}

} // namespace
