//===- KernelTesting.cpp - A kernel from text for tests of lib/Transforms ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KernelTesting.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune::test;

static constexpr char Before[] = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @kernel(ptr addrspace(1) %p, i32 %n, i32 %m) {
)";

/// So that tests go on where a text is wrong, with a kernel that has nothing in it.
static constexpr char Nothing[] = "  ret void\n";

TestKernel::TestKernel(StringRef Body) {
  SMDiagnostic Said;
  M = parseAssemblyString((Before + Body + "}\n").str(), Said, Context);
  if (M)
    return;
  ADD_FAILURE() << Said.getMessage().str() << ": " << Said.getLineContents().str();
  M = parseAssemblyString((Twine(Before) + Nothing + "}\n").str(), Said, Context);
}

BasicBlock &TestKernel::block(StringRef Name) {
  for (BasicBlock &Block : function())
    if (Block.getName() == Name)
      return Block;
  ADD_FAILURE() << "no block " << Name.str();
  return function().getEntryBlock();
}

Instruction &TestKernel::value(StringRef Name) {
  for (Instruction &I : instructions(function()))
    if (I.getName() == Name)
      return I;
  ADD_FAILURE() << "no value " << Name.str();
  return *function().getEntryBlock().getTerminator();
}

Names TestKernel::blocks(function_ref<bool(const BasicBlock &)> Takes) {
  Names Found;
  for (const BasicBlock &Block : function())
    if (Takes(Block))
      Found.insert(Block.getName().str());
  return Found;
}

Names TestKernel::values(function_ref<bool(const Instruction &)> Takes) {
  Names Found;
  for (const Instruction &I : instructions(function()))
    if (I.hasName() && Takes(I))
      Found.insert(I.getName().str());
  return Found;
}

bool TestKernel::isValid() { return !verifyModule(*M, &errs()); }
