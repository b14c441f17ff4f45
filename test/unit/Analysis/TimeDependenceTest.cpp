//===- TimeDependenceTest.cpp - Whether a kernel's time depends on data ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Analysis/TimeDependence.h"
#include "TestModule.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

using Reasons = std::vector<std::string>;

/// Of the kernel @k of \p Text.
Reasons dependenceOf(StringRef Text) {
  auto Module = test::parseKernels(Text);
  return Module->M ? timeDependence(Module->function("k")) : Reasons();
}

/// %v = %y[%t], then \p Body, then %y[%t] = %r.
Reasons update(const Twine &Body) {
  return dependenceOf(("@tile = internal addrspace(3) global [64 x float] undef\n"
                       "@first = external addrspace(3) global [0 x float]\n"
                       "@second = external addrspace(3) global [0 x i32]\n"
                       "declare float @llvm.sqrt.f32(float)\n"
                       "declare float @llvm.maxnum.f32(float, float)\n"
                       "declare float @unknown(float)\n"
                       "declare void @unknown_store()\n"
                       "define ptx_kernel void @k(ptr %x, ptr %y, float %a) {\n"
                       "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                       "  %px = getelementptr float, ptr %x, i32 %t\n"
                       "  %py = getelementptr float, ptr %y, i32 %t\n"
                       "  %v = load float, ptr %py\n" +
                       Body +
                       "\n  store float %r, ptr %py\n"
                       "  ret void\n"
                       "}\n")
                          .str());
}

TEST(TimeDependence, ArithmeticTakesItsTime) {
  for (const char *Body :
       {"%u = load float, ptr %px\n%r = call float @llvm.fma.f32(float %a, float %u, float %v)",
        "%r = call float @llvm.maxnum.f32(float %a, float %v)",
        "%i = fptosi float %v to i32\n%j = xor i32 %i, 7\n%r = sitofp i32 %j to float"})
    EXPECT_EQ(update(Body), Reasons(3)) << Body;
}

TEST(TimeDependence, ASlowPathDoesNot) {
  for (const auto &[Body, Why] :
       {std::pair("%r = fdiv float %a, %v", "fdiv"),
        std::pair("%r = call float @llvm.sqrt.f32(float %v)", "call"),
        std::pair("%r = call float @unknown(float %v)", "call"),
        std::pair("%i = fptoui float %v to i32\n%j = urem i32 7, %i\n"
                  "%r = uitofp i32 %j to float",
                  "urem"),
        std::pair("%c = fcmp ogt float %v, %a\n"
                  "%r = select i1 %c, float %v, float 1.0",
                  "select"),
        std::pair("%r = call float asm \"rcp.rn.f32 $0, $1;\", \"=f,f\"(float %v)", "call"),
        std::pair("%r = atomicrmw fadd ptr %px, float %v monotonic", "atomicrmw")})
    EXPECT_EQ(update(Body)[1], Why) << Body;
}

TEST(TimeDependence, WhatIsOnlyReadStaysAsItWas) {
  const char *Divided = "%u = load float, ptr %px\n%d = fdiv float 1.0, %u\n%r = fadd float %d, %a\n";
  EXPECT_EQ(update(Divided), Reasons(3));
  for (const char *Write :
       {"store float 1.0, ptr %px", "%o = atomicrmw add ptr %px, i32 1 monotonic",
        "%o = cmpxchg ptr %px, i32 0, i32 1 monotonic monotonic",
        "call void @llvm.memset.p0.i64(ptr %x, i8 0, i64 4, i1 false)",
        "%q = load ptr, ptr addrspace(3) @second\nstore float 1.0, ptr %q", "call void @unknown_store()",
        "%s = select i1 true, ptr %px, ptr %py\nstore float 1.0, ptr %s",
        "call void asm sideeffect \"trap;\", \"~{memory}\"()"})
    EXPECT_NE(update(Twine(Divided) + Write)[0], "") << Write;
  EXPECT_EQ(update(Twine(Divided) + "call void @llvm.nvvm.barrier0()\nfence seq_cst"), Reasons(3));
}

TEST(TimeDependence, AddressesDecide) {
  EXPECT_EQ(update("%i = fptosi float %v to i32\n%p = getelementptr float, ptr %x, i32 %i\n"
                   "%r = load float, ptr %p"),
            Reasons({"", "an address", ""}));
  EXPECT_EQ(update("%i = fptosi float %v to i32\n%p = getelementptr float, ptr %x, i32 %i\n"
                   "store float 0.0, ptr %p\n%r = fadd float %v, %v")[1],
            "an address");
}

TEST(TimeDependence, BranchesDecideThroughSharedMemoryToo) {
  EXPECT_EQ(update("%ps = getelementptr float, ptr addrspace(3) @tile, i32 %t\n"
                   "store float %v, ptr addrspace(3) %ps\n"
                   "%w = load float, ptr addrspace(3) @tile\n"
                   "%c = fcmp ogt float %w, 0.0\n"
                   "br i1 %c, label %then, label %end\n"
                   "then:\n"
                   "br label %end\n"
                   "end:\n"
                   "%r = fadd float %v, %a"),
            Reasons({"", "br", ""}));
}

TEST(TimeDependence, AssemblyLoadsWithOrWithoutClobbers) {
  const char *Loop = "%c = icmp eq i32 %w, 0\nbr i1 %c, label %then, label %end\nthen:\nbr label %end\n"
                     "end:\n%r = fadd float %v, %a";
  for (const char *Load :
       {"%w = call i32 asm \"ld.global.cs.b32 $0, [$1];\", \"=r,l\"(ptr %py)\n",
        "%q = ptrtoint ptr %py to i64\n"
        "call void asm sideeffect \"{.reg .b32 t; ld.global.b32 t, [$0]; st.global.b32 [$1], "
        "t;}\", \"l,l,~{memory}\"(i64 %q, ptr %px)\n%w = load i32, ptr %px\n"})
    EXPECT_EQ(update(std::string(Load) + Loop)[1], "call")
        << "assembly itself may take any time; the load of what it read is connected: " << Load;
}

TEST(TimeDependence, DynamicSharedArraysShareTheirMemory) {
  Reasons Found = update("%pa = getelementptr float, ptr addrspace(3) @first, i32 %t\n"
                         "store float %v, ptr addrspace(3) %pa\n"
                         "%pb = getelementptr i32, ptr addrspace(3) @second, i32 %t\n"
                         "%w = load i32, ptr addrspace(3) %pb\n"
                         "%c = icmp eq i32 %w, 0\n"
                         "br i1 %c, label %then, label %end\n"
                         "then:\nbr label %end\n"
                         "end:\n%r = fadd float %v, %a");
  EXPECT_EQ(Found[1], "br");
}

TEST(TimeDependence, APointerOfUnknownOriginMayPointToEverything) {
  EXPECT_EQ(update("%q = load ptr, ptr %px\n%w = load i1, ptr %q\n"
                   "br i1 %w, label %then, label %end\n"
                   "then:\n"
                   "br label %end\n"
                   "end:\n"
                   "%r = fadd float %v, %a"),
            Reasons({"", "br", ""}));
}

} // namespace
