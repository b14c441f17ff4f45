//===- MetricsPrinterTest.cpp - Tests of print<gpu-metrics> ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/MetricsPrinter.h"
#include "TestModule.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

static std::string print(TestModule &Module) {
  std::string Text;
  raw_string_ostream Out(Text);
  LoopAnalysisManager Loops;
  FunctionAnalysisManager Functions;
  CGSCCAnalysisManager Components;
  ModuleAnalysisManager Modules;
  PassBuilder Builder;
  Builder.registerModuleAnalyses(Modules);
  Builder.registerCGSCCAnalyses(Components);
  Builder.registerFunctionAnalyses(Functions);
  Builder.registerLoopAnalyses(Loops);
  Builder.crossRegisterProxies(Loops, Functions, Components, Modules);
  ModulePassManager Manager;
  Manager.addPass(createModuleToFunctionPassAdaptor(GpuMetricsPrinterPass(Out)));
  Manager.run(*Module.M, Modules);
  return Text;
}

TEST(MetricsPrinter, PrintsAKernelWithAConstantLoopWhole) {
  auto Module = parseKernels(R"(
@tile = internal addrspace(3) global [64 x float] undef, align 4
define ptx_kernel void @k(ptr %p) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %t, %loop ]
  %address = getelementptr float, ptr %p, i32 %i
  %v = load float, ptr %address
  store float %v, ptr addrspace(3) @tile
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %t = call float @llvm.fma.f32(float %v, float %v, float %s)
  %next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %next, 10
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  store float %t, ptr %p
  ret void
}
define void @not_a_kernel() {
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"gpuprune.loop", i32 3}
)");
  EXPECT_EQ(print(*Module), "gpu-metrics of kernel 'k', one thread:\n"
                            "  instructions: 84 (exact-static), 12 in the text\n"
                            "    fp32: 10\n"
                            "    int: 20\n"
                            "    move: 1\n"
                            "    compare: 10\n"
                            "    branch: 12\n"
                            "    barrier: 10\n"
                            "    load-global: 10\n"
                            "    store-global: 1\n"
                            "    store-shared: 10\n"
                            "  regions: 21\n"
                            "  global bytes: 40 loaded, 4 stored\n"
                            "  shared bytes: 0 loaded, 40 stored\n"
                            "  local bytes: 0 loaded, 0 stored\n"
                            "  static shared memory: 256 bytes\n"
                            "  loop 3: depth 1, trip count 10\n");
}

TEST(MetricsPrinter, SaysWhatIsUnknownWithoutALaunch) {
  std::string Text = print(*parseInput("matmul.ll"));
  EXPECT_NE(Text.find("trip count unknown"), std::string::npos) << Text;
  EXPECT_NE(Text.find("(estimated)"), std::string::npos) << Text;
  EXPECT_NE(Text.find("static shared memory: 2048 bytes"), std::string::npos) << Text;
  EXPECT_NE(Text.find("assumed: "), std::string::npos) << Text;
}
