//===- FloatingPointFreedomTest.cpp - Where bits may differ ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/FloatingPointFreedom.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

/// Of a function with \p Body over a float %x, a double %d and a pointer %p.
FloatingPointFreedom freedomOf(const std::string &Body) {
  LLVMContext Context;
  SMDiagnostic Problem;
  std::string Text = "declare float @llvm.nvvm.rsqrt.approx.f(float)\n"
                     "declare float @llvm.nvvm.div.full(float, float)\n"
                     "declare float @llvm.exp2.f32(float)\n"
                     "declare double @llvm.exp2.f64(double)\n"
                     "declare float @llvm.fma.f32(float, float, float)\n"
                     "define void @f(float %x, double %d, ptr %p) {\n" +
                     Body + "\nret void\n}\n";
  std::unique_ptr<Module> M = parseAssemblyString(Text, Problem, Context);
  EXPECT_TRUE(M) << Problem.getMessage().str();
  return M ? floatingPointFreedom(*M, nullptr) : FloatingPointFreedom();
}

using Names = std::set<std::string>;

TEST(FloatingPointFreedom, NoneWhereEveryOperationRoundsByItself) {
  for (const char *Body :
       {"%a = fadd float %x, %x", "%a = fadd contract float %x, %x", "%a = fadd nnan ninf float %x, %x",
        "%a = fdiv float %x, %x", "%a = call float @llvm.fma.f32(float %x, float %x, float %x)",
        "%a = call double @llvm.exp2.f64(double %d)", "%a = atomicrmw add ptr %p, i32 1 monotonic",
        "%a = call float asm \"sqrt.rn.f32 $0, $1;\", \"=f,f\"(float %x)"}) {
    FloatingPointFreedom Found = freedomOf(Body);
    EXPECT_FALSE(Found.BetweenVariants) << Body;
    EXPECT_EQ(Found.Approximate, Names()) << Body;
    EXPECT_FALSE(Found.betweenMachines());
  }
}

TEST(FloatingPointFreedom, ApproximationsDifferBetweenMachinesOnly) {
  const std::pair<const char *, const char *> Cases[] = {
      {"%a = call float @llvm.nvvm.rsqrt.approx.f(float %x)", "rsqrt.approx.f"},
      {"%a = call float @llvm.nvvm.div.full(float %x, float %x)", "div.full"},
      {"%a = call float @llvm.exp2.f32(float %x)", "exp2.f32"},
      {"%a = call float asm \"{ ex2.approx.ftz.f32 $0, $1; }\", \"=f,f\"(float %x)", "ex2.approx.ftz.f32"}};
  for (auto [Body, Name] : Cases) {
    FloatingPointFreedom Found = freedomOf(Body);
    EXPECT_FALSE(Found.BetweenVariants) << Body;
    EXPECT_EQ(Found.Approximate, Names{Name}) << Body;
  }
}

TEST(FloatingPointFreedom, FlagsAndTheOrderOfAtomicsDifferBetweenVariantsToo) {
  for (const char *Flag : {"reassoc", "arcp", "afn", "nsz", "fast"}) {
    FloatingPointFreedom Found = freedomOf("%a = fmul " + std::string(Flag) + " float %x, %x");
    EXPECT_TRUE(Found.BetweenVariants) << Flag;
    EXPECT_EQ(Found.Approximate, Names{"fast-math flags"}) << Flag;
  }
  FloatingPointFreedom Sum = freedomOf("%a = atomicrmw fadd ptr %p, float %x monotonic");
  EXPECT_TRUE(Sum.BetweenVariants);
  EXPECT_EQ(Sum.Approximate, Names{"atomic fadd"});
}

TEST(FloatingPointFreedom, EachOperationIsNamedOnce) {
  FloatingPointFreedom Found = freedomOf("%a = call float @llvm.nvvm.rsqrt.approx.f(float %x)\n"
                                         "%b = call float @llvm.nvvm.rsqrt.approx.f(float %a)\n"
                                         "%c = fadd fast float %b, %x");
  EXPECT_EQ(Found.Approximate, (Names{"fast-math flags", "rsqrt.approx.f"}));
}

} // namespace
