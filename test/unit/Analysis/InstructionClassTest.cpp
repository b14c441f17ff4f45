//===- InstructionClassTest.cpp - Tests of the instruction classes --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/InstructionClass.h"
#include "gtest/gtest.h"
#include <set>

using namespace gpuprune;
using Class = InstructionClass;

TEST(InstructionClass, HasANameForEachClassAndNoNameTwice) {
  std::set<std::string> Names;
  for (unsigned C = 0; C != NumInstructionClasses; ++C)
    EXPECT_TRUE(Names.insert(instructionClassName(static_cast<Class>(C)).str()).second) << C;
  EXPECT_EQ(instructionClassName(Class::LoadGlobal), "load-global");
  EXPECT_EQ(instructionClassName(Class::Other), "other");
}

TEST(InstructionClass, KnowsPtxByItsMnemonic) {
  EXPECT_EQ(classifyPtx("fma.rn.f32"), Class::Fp32);
  EXPECT_EQ(classifyPtx("add.f64"), Class::Fp64);
  EXPECT_EQ(classifyPtx("fma.rn.bf16x2"), Class::Fp16);
  EXPECT_EQ(classifyPtx("add.s32"), Class::Int);
  EXPECT_EQ(classifyPtx("addc.cc.s32"), Class::Int);
  EXPECT_EQ(classifyPtx("mad.lo.s32"), Class::IntMul);
  EXPECT_EQ(classifyPtx("mul.wide.u32"), Class::IntMul);
  EXPECT_EQ(classifyPtx("mul24.lo.s32"), Class::IntMul);
  EXPECT_EQ(classifyPtx("rem.u64"), Class::IntDiv);
  EXPECT_EQ(classifyPtx("div.s32"), Class::IntDiv);
  EXPECT_EQ(classifyPtx("div.rn.f32"), Class::Special);
  EXPECT_EQ(classifyPtx("rsqrt.approx.f32"), Class::Special);
  EXPECT_EQ(classifyPtx("setp.ge.s32"), Class::Compare);
  EXPECT_EQ(classifyPtx("bra.uni"), Class::Branch);
  EXPECT_EQ(classifyPtx("bar.sync"), Class::Barrier);
  EXPECT_EQ(classifyPtx("bar.warp.sync"), Class::Warp);
  EXPECT_EQ(classifyPtx("membar.gl"), Class::Fence);
  EXPECT_EQ(classifyPtx("cvta.to.global.u64"), Class::Move);
  EXPECT_EQ(classifyPtx("cvt.rn.f32.s32"), Class::Convert);
  EXPECT_EQ(classifyPtx("cp.async.wait_all"), Class::AsyncCopy);
  EXPECT_EQ(classifyPtx("nosuchthing.b32"), Class::Other);
}

TEST(InstructionClass, TakesATypeFromTheOpcodeWhereTheTextHasNone) {
  EXPECT_EQ(classifyPtx("add", "FADDf32rr"), Class::Fp32);
  EXPECT_EQ(classifyPtx("fma.rn", "FMA_F16x2rrr"), Class::Fp16);
  EXPECT_EQ(classifyPtx("add", "ADD32rr"), Class::Int);
}

TEST(InstructionClass, TellsMemoriesApart) {
  EXPECT_EQ(classifyPtx("ld.global.nc.b32"), Class::LoadGlobal);
  EXPECT_EQ(classifyPtx("ld.shared.v4.b32"), Class::LoadShared);
  EXPECT_EQ(classifyPtx("ld.param.b64"), Class::LoadConst);
  EXPECT_EQ(classifyPtx("ld.b32"), Class::LoadGeneric);
  EXPECT_EQ(classifyPtx("ld", "", MemorySpace::Local), Class::LoadLocal);
  EXPECT_EQ(classifyPtx("st", "", MemorySpace::Shared), Class::StoreShared);
  EXPECT_EQ(memorySpace(0), MemorySpace::Generic);
  EXPECT_EQ(memorySpace(1), MemorySpace::Global);
  EXPECT_EQ(memorySpace(3), MemorySpace::Shared);
  EXPECT_EQ(memorySpace(7), MemorySpace::Shared);
  EXPECT_EQ(memorySpace(101), MemorySpace::Const);
}

TEST(InstructionClass, KnowsIntrinsicsByTheirNames) {
  EXPECT_EQ(classifyIntrinsic("llvm.fma.f32", "f32"), Class::Fp32);
  EXPECT_EQ(classifyIntrinsic("llvm.nvvm.barrier.cta.sync.aligned.all", ""), Class::Barrier);
  EXPECT_EQ(classifyIntrinsic("llvm.nvvm.shfl.sync.down.i32", ""), Class::Warp);
  EXPECT_EQ(classifyIntrinsic("llvm.nvvm.read.ptx.sreg.tid.x", ""), Class::Move);
  EXPECT_EQ(classifyIntrinsic("llvm.nvvm.sqrt.approx.f", "f32"), Class::Special);
  EXPECT_EQ(classifyIntrinsic("llvm.umin.i32", ""), Class::Int);
}

TEST(InstructionClass, SeesWhatBlocks) {
  EXPECT_TRUE(isBlocking(Class::Barrier, "bar.sync"));
  EXPECT_FALSE(isBlocking(Class::Barrier, "bar.arrive"));
  EXPECT_TRUE(isBlocking(Class::AsyncCopy, "cp.async.wait_group"));
  EXPECT_FALSE(isBlocking(Class::AsyncCopy, "cp.async.ca.shared.global"));
  EXPECT_FALSE(isBlocking(Class::LoadGlobal, "ld.global.b32"));
}

TEST(InstructionClass, SplitsInlineAssembly) {
  using List = std::vector<std::string>;
  EXPECT_EQ(splitPtx(""), List{});
  EXPECT_EQ(splitPtx("bar.sync 0;"), List{"bar.sync"});
  EXPECT_EQ(splitPtx("mov.u32 $0, %laneid"), List{"mov.u32"});
  EXPECT_EQ(splitPtx("{ .reg .f32 t;\n\t mul.f32 t, $1, $1; // a; b\n\t add.f32 $0, t, t; }"),
            (List{"mul.f32", "add.f32"}));
  EXPECT_EQ(splitPtx("L: @p bra L; /* not; counted */ @!%q ret;"), (List{"bra", "ret"}));
  EXPECT_EQ(splitPtx("/* open"), List{});
}

TEST(KernelCounts, AddsInstructionsBytesAndCalls) {
  KernelCounts Callee;
  Callee.add(Class::LoadGlobal, 2);
  Callee.addBytes(Class::LoadGlobal, 2, 4);
  Callee.Regions = 3;
  KernelCounts Kernel;
  Kernel.add(Class::Fp32, 10);
  Kernel.addCall(Callee, 5);
  EXPECT_EQ(Kernel.Instr, 20);
  EXPECT_EQ(Kernel[Class::LoadGlobal], 10);
  EXPECT_EQ(Kernel.Global.Loaded, 40);
  EXPECT_EQ(Kernel.Regions, 11);
  EXPECT_EQ(Kernel.Source, InstrSource::ExactStatic);
  Callee.estimate("because");
  Kernel.addCall(Callee, 1);
  Kernel.addCall(Callee, 1);
  EXPECT_EQ(Kernel.Source, InstrSource::Estimated);
  EXPECT_EQ(Kernel.Reasons, std::vector<std::string>{"because"});
}
