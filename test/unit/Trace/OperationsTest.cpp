//===- OperationsTest.cpp - Instructions that compute, for a warp at once ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operations.h"
#include "AtomicSteps.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace gpuprune;

/// What lane 5 gets.
static uint64_t result(llvm::StringRef Mnemonic, uint64_t A, uint64_t B = 0, uint64_t C = 0) {
  LaneValues Out = {}, X = {}, Y = {}, Z = {};
  X[5] = A;
  Y[5] = B;
  Z[5] = C;
  Operation Function = findOperation(Mnemonic);
  if (!Function) {
    ADD_FAILURE() << Mnemonic.str() << " is not known";
    return 0;
  }
  Function(Out, X, Y, Z);
  return Out[5];
}

static float floatResult(llvm::StringRef Mnemonic, float A, float B = 0, float C = 0) {
  return valueOf<float>(result(Mnemonic, bitsOf(A), bitsOf(B), bitsOf(C)));
}

static constexpr uint64_t Minus1 = 0xFFFFFFFF;

TEST(TraceOperations, integersWrapInTheirWidth) {
  EXPECT_EQ(result("add.s32", Minus1, 2), 1u);
  EXPECT_EQ(result("sub.s32", 0, 1), Minus1);
  EXPECT_EQ(result("add.s64", ~uint64_t(0), 2), 1u);
  EXPECT_EQ(result("mul.lo.s32", 0x10000, 0x10001), 0x10000u);
  EXPECT_EQ(result("mad.lo.s32", 3, 4, 5), 17u);
  EXPECT_EQ(result("mul.hi.u32", Minus1, Minus1), 0xFFFFFFFEu);
  EXPECT_EQ(result("mul.hi.s32", Minus1, Minus1), 0u);
  EXPECT_EQ(result("sub.s16", 0, 1), 0xFFFFu);
  EXPECT_EQ(result("abs.s32", Minus1), 1u);
  EXPECT_EQ(result("neg.s32", 1), Minus1);
}

TEST(TraceOperations, wideProductsKeepTheSign) {
  EXPECT_EQ(result("mul.wide.s32", Minus1, 4), ~uint64_t(3));
  EXPECT_EQ(result("mul.wide.u32", Minus1, 4), Minus1 * 4);
  EXPECT_EQ(result("mul.wide.u16", 0xFFFF, 2), 0x1FFFEu);
  EXPECT_EQ(result("mad.wide.s32", Minus1, 4, 10), 6u);
}

TEST(TraceOperations, divisionsAreNoTraps) {
  EXPECT_EQ(result("div.s32", uint32_t(-7), 2), uint32_t(-3));
  EXPECT_EQ(result("rem.s32", uint32_t(-7), 2), Minus1);
  EXPECT_EQ(result("div.u32", Minus1, 2), 0x7FFFFFFFu);
  EXPECT_EQ(result("div.s32", 0x80000000, Minus1), 0x80000000u);
  EXPECT_EQ(result("rem.s32", 0x80000000, Minus1), 0u);
  EXPECT_EQ(result("div.u32", 5, 0), Minus1);
}

TEST(TraceOperations, shiftsByTheWidthAndMore) {
  EXPECT_EQ(result("shl.b32", 1, 31), 0x80000000u);
  EXPECT_EQ(result("shl.b32", 1, 32), 0u);
  EXPECT_EQ(result("shr.u32", 0x80000000, 31), 1u);
  EXPECT_EQ(result("shr.u32", 0x80000000, 99), 0u);
  EXPECT_EQ(result("shr.s32", 0x80000000, 99), Minus1);
  EXPECT_EQ(result("shr.s32", 0x80000000, 4), 0xF8000000u);
  EXPECT_EQ(result("shf.l.wrap.b32", 0x80000000, 1, 1), 3u);
}

TEST(TraceOperations, comparisonsKnowSignsAndNaN) {
  EXPECT_EQ(result("setp.lt.s32", Minus1, 0), 1u);
  EXPECT_EQ(result("setp.lt.u32", Minus1, 0), 0u);
  EXPECT_EQ(result("setp.hi.u32", Minus1, 0), 1u);
  EXPECT_EQ(result("setp.ne.b32", Minus1, 0), 1u);
  uint64_t NaN = bitsOf(std::numeric_limits<float>::quiet_NaN()), One = bitsOf(1.0f);
  EXPECT_EQ(result("setp.lt.f32", One, NaN), 0u);
  EXPECT_EQ(result("setp.gtu.f32", One, NaN), 1u);
  EXPECT_EQ(result("setp.ne.f32", NaN, NaN), 0u);
  EXPECT_EQ(result("setp.neu.f32", NaN, NaN), 1u);
  EXPECT_EQ(result("setp.nan.f32", One, NaN), 1u);
}

TEST(TraceOperations, predicatesAndChoices) {
  EXPECT_EQ(result("not.pred", 1), 0u);
  EXPECT_EQ(result("mov.pred", uint64_t(-1)), 1u);
  EXPECT_EQ(result("and.pred", 1, 0), 0u);
  EXPECT_EQ(result("selp.b32", 7, 8, 1), 7u);
  EXPECT_EQ(result("selp.f32", 7, 8, 0), 8u);
}

TEST(TraceOperations, floatsRoundOnce) {
  EXPECT_EQ(floatResult("add.f32", 1, 2), 3);
  float X = 1 + std::ldexp(1.0f, -12);
  EXPECT_EQ(floatResult("fma.rn.f32", X, X, -1), std::fma(X, X, -1.0f));
  EXPECT_NE(floatResult("fma.rn.f32", X, X, -1), X * X - 1);
  EXPECT_EQ(floatResult("max.f32", 1, std::numeric_limits<float>::quiet_NaN()), 1);
  EXPECT_EQ(floatResult("rsqrt.approx.f32", 4), 0.5f);
  EXPECT_EQ(floatResult("ex2.approx.ftz.f32", 3), 8);
}

TEST(TraceOperations, conversionsClampAndExtend) {
  EXPECT_EQ(result("cvt.s64.s32", Minus1), ~uint64_t(0));
  EXPECT_EQ(result("cvt.u64.u32", Minus1), Minus1);
  EXPECT_EQ(result("cvt.u32.u64", 0x1234567890), 0x34567890u);
  EXPECT_EQ(result("cvt.rzi.s32.f32", bitsOf(-2.7f)), uint32_t(-2));
  EXPECT_EQ(result("cvt.rzi.u32.f32", bitsOf(-2.7f)), 0u);
  EXPECT_EQ(result("cvt.rzi.s32.f32", bitsOf(1e20f)), 0x7FFFFFFFu);
  EXPECT_EQ(result("cvt.rzi.s32.f32", bitsOf(std::nanf(""))), 0u);
  EXPECT_EQ(result("cvt.rn.f32.s32", Minus1), bitsOf(-1.0f));
  EXPECT_EQ(result("cvt.sat.f32.f32", bitsOf(-3.0f)), bitsOf(0.0f));
}

TEST(TraceOperations, othersAreNotKnown) {
  for (llvm::StringRef Name : {"fma.rm.f32", "add.ftz.f32", "vote.sync.any.pred", "dp4a.u32.u32", ""})
    EXPECT_FALSE(findOperation(Name)) << Name.str();
}

TEST(TraceOperations, atomicsLeaveWhatTheISASays) {
  auto After = [](AtomicOperation Of, uint64_t Before, uint64_t X, uint64_t Y = 0, bool IsSigned = false) {
    TraceAccess A;
    A.Kind = AccessKind::Atomic;
    A.Atomic = Of;
    A.IsSigned = IsSigned;
    return afterAtomic(A, Before, X, Y);
  };
  EXPECT_EQ(After(AtomicOperation::Add, Minus1, 2), 1u);
  EXPECT_EQ(After(AtomicOperation::Min, Minus1, 1), 1u);
  EXPECT_EQ(After(AtomicOperation::Min, Minus1, 1, 0, true), Minus1);
  EXPECT_EQ(After(AtomicOperation::Max, Minus1, 1, 0, true), 1u);
  EXPECT_EQ(After(AtomicOperation::Exchange, 3, 9), 9u);
  EXPECT_EQ(After(AtomicOperation::CompareAndSwap, 3, 3, 9), 9u);
  EXPECT_EQ(After(AtomicOperation::CompareAndSwap, 3, 4, 9), 3u);
  EXPECT_EQ(After(AtomicOperation::Increment, 5, 5), 0u);
  EXPECT_EQ(After(AtomicOperation::Decrement, 0, 5), 5u);
}
