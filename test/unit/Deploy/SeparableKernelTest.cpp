//===- SeparableKernelTest.cpp - Tests of what a copy may not have ---------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/SeparableKernel.h"
#include "../ExpectedTesting.h"
#include "DeployTesting.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

/// A kernel that calls @helper, which has \p Body; \p Others are in the file besides.
std::string problemOf(StringRef Body, StringRef Others = "", StringRef Linkage = "internal") {
  std::string Text = (Others +
                      "\n@tile = internal addrspace(3) global [32 x float] undef, align 4\n"
                      "@_ZL5table = internal addrspace(4) constant [2 x float] zeroinitializer\n"
                      "define ptx_kernel void @kernel(ptr %p) {\n  call void @helper(ptr %p)\n"
                      "  store float 1.0, ptr addrspace(3) @tile\n  ret void\n}\ndefine " +
                      Linkage + " void @helper(ptr %p) {\n" + Body + "  ret void\n}\n")
                         .str();
  Error E = checkSeparable(deviceBitcode(Text), "kernel");
  return E ? inputErrorOf(std::move(E)) : "";
}

bool has(StringRef Text, StringRef Part) { return Text.contains(Part); }

} // namespace

TEST(SeparableKernel, MostAre) {
  EXPECT_EQ(problemOf(""), "");
  EXPECT_EQ(problemOf("  call void asm sideeffect \"bar.warp.sync 0xffffffff;\", \"\"()\n"), "");
  EXPECT_EQ(problemOf("  call void asm sideeffect \"st.shared.u32 [tiles], 0;\", \"\"()\n"), "");
}

TEST(SeparableKernel, AFunctionThatTheLinkerMayReplaceIsNone) {
  EXPECT_EQ(problemOf("", "", "weak"), "'helper' is weak: the linker may take another file's in its place");
  EXPECT_EQ(problemOf("", "", "linkonce_odr"), "") << "all files have the same";
  EXPECT_EQ(problemOf("", "define weak void @other() {\n  ret void\n}\n"), "") << "not reached";
}

TEST(SeparableKernel, AssemblyThatNamesAVariableIsNone) {
  for (StringRef Text : {"st.shared.f32 [tile], 0f00000000;", "mov.u64 %rd1,_ZL5table;"})
    EXPECT_EQ(problemOf(("  call void asm sideeffect \"" + Text + "\", \"\"()\n").str()),
              "its inline assembly names a variable of the file")
        << Text.str();
}

TEST(SeparableKernel, AFunctionBehindAPointerKnowsTheAuthorsArray) {
  StringRef Callback = "@hook = addrspace(1) global ptr @callback\n"
                       "define internal void @callback() {\n  store float 2.0, ptr addrspace(3) @tile\n"
                       "  ret void\n}\n";
  EXPECT_EQ(problemOf("  %f = load ptr, ptr addrspace(1) @hook\n  call void %f()\n", Callback),
            "'callback', whose address is taken, uses the shared array 'tile' of the kernel");
  EXPECT_TRUE(has(problemOf("", Callback), "whose address is taken")) << "the host may hand it over";
  StringRef Harmless = "@hook = addrspace(1) global ptr @callback\n"
                       "define internal void @callback() {\n  ret void\n}\n";
  EXPECT_EQ(problemOf("  %f = load ptr, ptr addrspace(1) @hook\n  call void %f()\n", Harmless), "");
}

TEST(SeparableKernel, AKernelThatAsksForItsClusterIsNone) {
  EXPECT_TRUE(has(problemOf("  %r = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()\n",
                            "declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()\n"),
                  "it asks for its cluster, whose size is an attribute of the author's kernel"));
  for (StringRef Call :
       {"ptr @llvm.nvvm.mapa(ptr %p, i32 0)", "i32 @llvm.nvvm.getctarank(ptr %p)",
        "void @llvm.nvvm.barrier.cluster.arrive()", "i1 @llvm.nvvm.is_explicit_cluster()",
        "i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()", "i32 @llvm.nvvm.read.ptx.sreg.nclusterid.y()"}) {
    std::string Declared = ("declare " + Call).str();
    for (StringRef Argument : {" %p", " 0"})
      if (size_t At = Declared.find(Argument); At != std::string::npos)
        Declared.erase(At, Argument.size());
    StringRef Result = Call.starts_with("void") ? "  call " : "  %r = call ";
    EXPECT_TRUE(has(problemOf((Result + Call + "\n").str(), Declared), "asks for its cluster")) << Call.str();
  }
  EXPECT_TRUE(has(problemOf("  %r = call i32 asm \"mov.u32 $0, %cluster_ctarank;\", \"=r\"()\n"),
                  "assembly asks for its cluster"));
}

TEST(SeparableKernel, WhatCannotBeReadIsSaid) {
  EXPECT_TRUE(has(inputErrorOf(checkSeparable("no bitcode", "kernel")), "cannot read"));
  EXPECT_TRUE(has(
      inputErrorOf(checkSeparable(deviceBitcode("define ptx_kernel void @k() {\n  ret void\n}\n"), "kernel")),
      "has no kernel"));
}
