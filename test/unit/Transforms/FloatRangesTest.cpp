//===- FloatRangesTest.cpp ------------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Math/FloatRanges.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/NoFolder.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace gpuprune;

namespace {

/// The range of %r in the block %at, or the last one, of a function of float %a and %b, i32 %n and i1 %c.
std::string range(const Twine &Body, StringRef Attributes = "") {
  LLVMContext Context;
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseAssemblyString(
      ("define void @f(float %a, float %b, i32 %n, i1 %c) " + Attributes + " {\n" + Body + "\n  ret void\n}")
          .str(),
      Error, Context);
  if (!M)
    return Error.getMessage().str();
  Function &F = *M->getFunction("f");
  const ValueSymbolTable &Names = *F.getValueSymbolTable();
  const auto *At = cast_or_null<BasicBlock>(Names.lookup("at"));
  DominatorTree DT(F);
  std::string Text;
  raw_string_ostream OS(Text);
  FloatRanges(F, DT).at(*Names.lookup("r"), *(At ? At : &F.back())->getTerminator()).print(OS);
  return Text;
}

const char *const Anything = "full-set";

TEST(FloatRanges, NothingIsKnown) {
  EXPECT_EQ(range("%r = fadd float %a, 1.0"), Anything);
  EXPECT_EQ(range("%s = fmul float %a, %b\n %r = fadd float %s, 0.5"), Anything);
}

TEST(FloatRanges, ConvertedIntegers) {
  EXPECT_EQ(range("%r = uitofp i32 %n to float"), "[-0, 4.2949673E+9]");
  EXPECT_EQ(range("%m = and i32 %n, 255\n %r = sitofp i32 %m to float"), "[-0, 255]");
  EXPECT_EQ(
      range("%u = uitofp i32 %n to float\n %s = fadd float %u, 1.0\n %r = fmul float %s, 0x3DF0000000000000"),
      "[2.32830644E-10, 1]");
}

TEST(FloatRanges, SquaresAreNotNegative) {
  EXPECT_EQ(range("%s = fmul float %a, %a\n %r = fadd float %s, 0.5"), "[0.5, +Inf] with NaN");
  EXPECT_EQ(range("%s = fmul float %a, %a\n %r = call float @llvm.fma.f32(float %b, float %b, float %s)"),
            "[-0, +Inf] with NaN");
}

TEST(FloatRanges, ZeroTimesInfinity) {
  EXPECT_EQ(range("%s = fmul float %a, %a\n %n0 = call float @llvm.maxnum.f32(float %s, float 0.0)\n"
                  "%r = call float @llvm.fma.f32(float %n0, float 0.0, float 1.0)"),
            "[1, 1] with NaN");
}

TEST(FloatRanges, TheOtherOperandOfAMaximumWhereOneIsNoNumber) {
  EXPECT_EQ(range("%s = fmul float %a, %a\n %r = call float @llvm.maxnum.f32(float %s, float -7.0)"),
            "[-7, +Inf]");
  EXPECT_EQ(range("%s = fmul float %a, %a\n %r = call float @llvm.minnum.f32(float 9.0, float %s)"),
            "[-0, 9]");
}

TEST(FloatRanges, OperationsThatMayBeOtherOnes) {
  EXPECT_EQ(range("%s = fmul float %a, %a\n %r = fadd contract float %s, 0.5"), Anything);
  EXPECT_EQ(range("%s = fmul reassoc float %a, %a\n %r = fadd float %s, 0.5"), Anything);
}

TEST(FloatRanges, FlushedResults) {
  EXPECT_EQ(range("%s = fmul float %a, %a\n %r = fadd float %s, 0.5",
                  "\"denormal-fp-math-f32\"=\"preserve-sign,preserve-sign\""),
            Anything);
}

TEST(FloatRanges, RootsOfZeros) {
  EXPECT_EQ(range("%s = fmul float %a, %a\n %r = call float @llvm.sqrt.f32(float %s)"),
            "[-0, +Inf] with NaN");
  EXPECT_EQ(range("%s = fmul float %a, %a\n %r = call float @llvm.nvvm.rsqrt.approx.f(float %s)"), Anything);
  EXPECT_EQ(range("%s = fmul float %a, %a\n %t = fadd float %s, 0.5\n"
                  "%r = call float @llvm.nvvm.rsqrt.approx.f(float %t)"),
            "[-0, +Inf] with NaN");
}

/// Of %a where it was compared with 1, in the block that this leads to or in the other one.
std::string compared(StringRef Predicate, bool Holds) {
  return range("%k = fcmp " + Predicate +
               " float %a, 1.0\n br i1 %k, label %yes, label %no\nyes:\n br label " +
               (Holds ? "%at" : "%end") + "\nno:\n br label " + (Holds ? "%end" : "%at") +
               "\nat:\n %r = fneg float %a\n br label %end\nend:");
}

TEST(FloatRanges, BehindABranch) {
  EXPECT_EQ(compared("olt", true), "[-0.99999994, +Inf]");
  EXPECT_EQ(compared("olt", false), "[-Inf, -1] with NaN");
  EXPECT_EQ(compared("ugt", true), "[-Inf, -1.00000012] with NaN");
  EXPECT_EQ(compared("ugt", false), "[-1, +Inf]");
}

TEST(FloatRanges, WhereBothWaysMeetNothingIsKnown) {
  EXPECT_EQ(
      range("%k = fcmp olt float %a, 1.0\n br i1 %k, label %yes, label %end\nyes:\n br label %end\nend:\n"
            "%r = fneg float %a"),
      Anything);
}

TEST(FloatRanges, SelectsAndPhis) {
  EXPECT_EQ(range("%k = fcmp ogt float %a, 2.0\n %r = select i1 %k, float %a, float 2.0"), "[2, +Inf]");
  EXPECT_EQ(range("br i1 %c, label %yes, label %end\nyes:\n br label %end\nend:\n"
                  "%r = phi float [ 1.0, %yes ], [ 3.0, %0 ]"),
            "[1, 3]");
  EXPECT_EQ(range("br label %loop\nloop:\n %r = phi float [ 1.0, %0 ], [ %next, %loop ]\n"
                  "%next = fmul float %r, 0.5\n br i1 %c, label %loop, label %end\nend:"),
            Anything);
}

/// Random straight-line code, and what it gives for numbers.
class Expressions {
public:
  explicit Expressions(unsigned Seed) : Random(Seed), M("m", Context), B(Context) {
    Type *Float = B.getFloatTy();
    F = Function::Create(FunctionType::get(B.getVoidTy(), {Float, Float, B.getInt32Ty()}, false),
                         Function::ExternalLinkage, "f", M);
    B.SetInsertPoint(BasicBlock::Create(Context, "", F));
    for (Argument &A : F->args())
      if (A.getType() == Float)
        Values.push_back(&A);
    Values.push_back(B.CreateUIToFP(B.CreateLShr(F->getArg(2), 12), Float));
    Values.push_back(B.CreateSIToFP(F->getArg(2), Float));
    for (unsigned I = 0; I < 10; ++I)
      Values.push_back(operation());
    B.CreateRetVoid();
  }

  /// The number of values that were not in their range for random arguments.
  unsigned outside(unsigned Times) {
    DominatorTree DT(*F);
    FloatRanges Ranges(*F, DT);
    unsigned Wrong = 0;
    for (unsigned Time = 0; Time < Times; ++Time) {
      DenseMap<Value *, Constant *> Known;
      for (Argument &A : F->args())
        Known[&A] = A.getType()->isFloatTy() ? cast<Constant>(number()) : B.getInt32(Random());
      for (Instruction &I : drop_end(F->getEntryBlock())) {
        SmallVector<Constant *, 4> Operands;
        for (Value *Operand : I.operands())
          Operands.push_back(Known.contains(Operand) ? Known[Operand] : cast<Constant>(Operand));
        Constant *Result = isa<FCmpInst>(I)
                               ? ConstantFoldCompareInstOperands(cast<FCmpInst>(I).getPredicate(),
                                                                 Operands[0], Operands[1], M.getDataLayout())
                               : ConstantFoldInstOperands(&I, Operands, M.getDataLayout());
        if (!Result) // LLVM leaves the root of a negative number alone.
          break;
        Known[&I] = Result;
        if (auto *Number = dyn_cast<ConstantFP>(Result))
          Wrong += !Ranges.at(I, F->getEntryBlock().back()).contains(Number->getValueAPF());
      }
    }
    return Wrong;
  }
  /// Of how many values something is known.
  unsigned known() {
    DominatorTree DT(*F);
    FloatRanges Ranges(*F, DT);
    return count_if(F->getEntryBlock(), [&](Instruction &I) {
      return I.getType()->isFloatTy() && !Ranges.at(I, F->getEntryBlock().back()).isFullSet();
    });
  }

private:
  std::mt19937 Random;
  LLVMContext Context;
  Module M;
  IRBuilder<NoFolder> B;
  Function *F;
  SmallVector<Value *, 16> Values;

  Value *number() {
    static const float Numbers[] = {0.0f,     -0.0f,   1.0f,     -1.0f,     0.5f,   1e-45f,     -1e-40f,
                                    1.2e-38f, 3.4e38f, -3.4e38f, 3.0f,      1e-20f, 1e20f,      255.0f,
                                    0.1f,     -7.3f,   INFINITY, -INFINITY, NAN,    16777217.0f};
    if (Random() % 4 == 0) // Any bits.
      return ConstantFP::get(Context, APFloat(APFloat::IEEEsingle(), APInt(32, Random())));
    return ConstantFP::get(B.getFloatTy(), Numbers[Random() % std::size(Numbers)]);
  }
  Value *any() { return Random() % 5 == 0 ? number() : Values[Random() % Values.size()]; }
  Value *call(Intrinsic::ID Id, ArrayRef<Value *> Operands) {
    return B.CreateIntrinsic(Id, {B.getFloatTy()}, Operands);
  }
  Value *operation() {
    Value *X = any(), *Y = Random() % 3 == 0 ? X : any();
    switch (Random() % 14) {
    case 0:
      return B.CreateFAdd(X, Y);
    case 1:
      return B.CreateFSub(X, Y);
    case 2:
    case 3:
      return B.CreateFMul(X, Y);
    case 4:
      return B.CreateFDiv(X, Y);
    case 5:
      return B.CreateFNeg(X);
    case 6:
      return call(Intrinsic::fabs, {X});
    case 7:
    case 8:
      return call(Intrinsic::fma, {X, Y, any()});
    case 9:
      return call(Intrinsic::minnum, {X, Y});
    case 10:
      return call(Intrinsic::maxnum, {X, Y});
    case 11:
      return call(Intrinsic::floor, {X});
    case 12:
      return call(Intrinsic::sqrt, {X});
    default: {
      auto Predicate = CmpInst::Predicate(CmpInst::FCMP_OEQ + Random() % 14);
      return B.CreateSelect(B.CreateFCmp(Predicate, X, number()), X, any());
    }
    }
  }
};

TEST(FloatRanges, HoldEveryResult) {
  unsigned Known = 0;
  for (unsigned Seed = 0; Seed < 2000; ++Seed) {
    Expressions Some(Seed);
    EXPECT_EQ(Some.outside(50), 0U) << "seed " << Seed;
    Known += Some.known();
  }
  EXPECT_GT(Known, 10000U);
}

} // namespace
