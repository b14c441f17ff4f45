//===- FloorFractionTest.cpp ----------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Math/FloorFraction.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <optional>
#include <random>

using namespace llvm;
using namespace gpuprune;

namespace {

/// A function of two numbers that stores what the last one has behind its floor, and uses the integer.
class Fraction {
public:
  explicit Fraction(const Twine &Computation) {
    SMDiagnostic Error;
    M = parseAssemblyString(("define void @f(ptr %p, float %a, float %b) {\n" + Computation +
                             "\n%k = fptosi float %below to i32\n"
                             "%at = getelementptr float, ptr %p, i32 %k\n"
                             "store float %fraction, ptr %at\n ret void\n}")
                                .str(),
                            Error, Context);
    EXPECT_TRUE(M) << Error.getMessage().str();
  }

  /// Whether something was computed from the integer.
  bool transform() {
    DominatorTree DT(function());
    for (Instruction &I : function().getEntryBlock())
      if (auto *Call = dyn_cast<CallInst>(&I))
        if (std::optional<FloorFraction> Found = floorFraction(*Call, DT)) {
          computeFromInteger(*Found);
          return !verifyModule(*M, &errs());
        }
    return false;
  }
  /// The bits that are stored; none where the integer is poison.
  std::optional<uint32_t> stored(float A, float B) {
    DenseMap<Value *, Constant *> Known;
    Known[function().getArg(1)] = number(A);
    Known[function().getArg(2)] = number(B);
    for (Instruction &I : function().getEntryBlock()) {
      if (auto *Store = dyn_cast<StoreInst>(&I))
        return cast<ConstantFP>(Known[Store->getValueOperand()])
            ->getValueAPF()
            .bitcastToAPInt()
            .getZExtValue();
      if (I.getType()->isPointerTy())
        continue;
      SmallVector<Constant *, 4> Operands;
      for (Value *Operand : I.operands())
        Operands.push_back(Known.contains(Operand) ? Known[Operand] : cast<Constant>(Operand));
      Known[&I] = ConstantFoldInstOperands(&I, Operands, M->getDataLayout());
      if (isa<PoisonValue>(Known[&I]))
        return std::nullopt;
    }
    return std::nullopt;
  }

private:
  LLVMContext Context;
  std::unique_ptr<Module> M;

  Function &function() { return *M->getFunction("f"); }
  Constant *number(float Number) { return ConstantFP::get(Context, APFloat(Number)); }
};

/// Numbers of all exponents and both signs, around those with few bits.
std::vector<float> numbers() {
  std::vector<float> All;
  std::mt19937 Random(1);
  for (uint32_t Top = 0; Top < 512; ++Top)
    for (uint32_t Low : {0U, 1U, 2U, 0x400000U, 0x3fffffU, 0x400001U, 0x7ffffeU, 0x7fffffU,
                         uint32_t(Random()) % 0x800000U, 0x800000U - (0x800000U >> (Top % 23))})
      All.push_back(bit_cast<float>(Top << 23 | Low));
  return All;
}

TEST(FloorFraction, HasTheBitsOfTheDifference) {
  const char *const Text = "%below = call float @llvm.floor.f32(float %a)\n"
                           "%fraction = fsub float %a, %below";
  Fraction Before(Text), After(Text);
  ASSERT_TRUE(After.transform());
  unsigned Defined = 0;
  for (float X : numbers()) {
    std::optional<uint32_t> Expected = Before.stored(X, 0);
    EXPECT_EQ(After.stored(X, 0), Expected) << X;
    Defined += Expected.has_value();
  }
  EXPECT_GT(Defined, 3000U);
}

TEST(FloorFraction, HasTheBitsOfTheMultiplyAdd) {
  const char *const Text = "%product = fmul float %a, %b\n"
                           "%below = call float @llvm.floor.f32(float %product)\n"
                           "%negated = fneg float %below\n"
                           "%fraction = call float @llvm.fma.f32(float %a, float %b, float %negated)";
  Fraction Before(Text), After(Text);
  ASSERT_TRUE(After.transform());
  unsigned Defined = 0;
  for (float X : numbers())
    for (float Y : {0.0f, -0.0f, 1.0f, -1.0f, 1e-45f, -1e-45f, 0.7f, -3.3f, 1e-30f, -1e-30f, 1e9f}) {
      std::optional<uint32_t> Expected = Before.stored(X, Y);
      EXPECT_EQ(After.stored(X, Y), Expected) << X << " * " << Y;
      Defined += Expected.has_value();
    }
  EXPECT_GT(Defined, 30000U);
}

} // namespace
