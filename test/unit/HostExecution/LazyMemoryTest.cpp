//===- LazyMemoryTest.cpp - Tests of buffers that fill themselves ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../ExpectedTesting.h"
#include "gpuprune/HostExecution/HostProgram.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"

using namespace gpuprune;
using namespace gpuprune::test;
using namespace llvm;

namespace {

/// Thread i increments element stride * i of data and writes it to out[i].
constexpr const char *Gather = R"(
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %data, ptr %out, i64 %stride) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %at = mul i64 %i, %stride
  %a = getelementptr i32, ptr %data, i64 %at
  %v = load i32, ptr %a
  %w = add i32 %v, 1
  store i32 %w, ptr %a
  %again = load volatile i32, ptr %a
  %o = getelementptr i32, ptr %out, i64 %i
  store i32 %again, ptr %o
  ret void
}
)";

class LazyMemory : public testing::Test {
protected:
  std::unique_ptr<HostProgram> Program;
  GuardedMemory Memory;
  uint64_t Filled = 0; ///< Bytes asked for.

  void SetUp() override {
    LLVMContext Context;
    SMDiagnostic Problem;
    std::unique_ptr<Module> M = parseAssemblyString(Gather, Problem, Context);
    ASSERT_TRUE(M) << Problem.getMessage().str();
    Program = valueOf(HostProgram::create(*M));
  }
  /// Element i holds i.
  GuardedBuffer &iota(uint64_t Count) {
    return cantFail(
        Memory.allocateLazily("data", 4 * Count, [this](uint64_t At, MutableArrayRef<char> Bytes) {
          Filled += Bytes.size();
          for (uint64_t I = 0; I < Bytes.size() / 4; ++I)
            reinterpret_cast<uint32_t *>(Bytes.data())[I] = uint32_t(At / 4 + I);
        }));
  }
  LaunchReport run(GuardedBuffer &Data, GuardedBuffer &Out, uint64_t Stride) {
    HostLaunch Launch;
    Launch.Kernel = "k";
    Launch.Block = {64, 1, 1};
    Launch.Workers = 4;
    Launch.Memory = &Memory;
    Launch.argument(Data).argument(Out).argument(Stride);
    return valueOf(Program->launch(Launch));
  }
};

} // namespace

TEST_F(LazyMemory, OnlyWhatIsTouchedIsFilled) {
  constexpr uint64_t Stride = 100003, Count = uint64_t(1) << 30; // 4 GiB.
  GuardedBuffer &Data = iota(Count), &Out = cantFail(Memory.allocate("out", 4 * 64));
  EXPECT_TRUE(Memory.isLazy());
  for (uint32_t Round = 1; Round <= 2; ++Round) { // What has been written stays.
    LaunchReport Report = run(Data, Out, Stride);
    EXPECT_FALSE(Report.Fault) << Report.Fault->Message;
    for (uint64_t I = 0; I < 64; ++I)
      EXPECT_EQ(Out.as<uint32_t>()[I], uint32_t(Stride * I) + Round) << I;
  }
  EXPECT_LT(Filled, uint64_t(4) << 20);
}

TEST_F(LazyMemory, WhatLiesBesideItIsAFault) {
  GuardedBuffer &Data = iota(5), &Out = cantFail(Memory.allocate("out", 4 * 64));
  LaunchReport Report = run(Data, Out, 1 << 20);
  ASSERT_TRUE(Report.Fault);
  EXPECT_EQ(Report.Fault->Kind, FaultKind::Memory);
  EXPECT_EQ(Report.Fault->Place->Buffer, "data");
  EXPECT_FALSE(Memory.isLazilyFull());
}

TEST_F(LazyMemory, MoreThanIsFilledIsAFault) {
  constexpr uint64_t Bytes = GuardedMemory::MostLazyBytes + (uint64_t(1) << 20);
  GuardedBuffer &Data = iota(Bytes / 4), &Out = cantFail(Memory.allocate("out", 4 * 64));
  bool Full = false;
  // One chunk after another.
  for (uint64_t First = 0; First < Bytes && !Full; First += 64 * 4096) {
    GuardedBuffer Part{"part", Data.Data + First, Data.Bytes};
    Full = run(Part, Out, 1024).Fault.has_value();
  }
  EXPECT_TRUE(Full);
  EXPECT_TRUE(Memory.isLazilyFull());
}
