//===- CountedKernel.h - A kernel from text, counted ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_HOSTEXECUTION_COUNTEDKERNEL_H
#define GPUPRUNE_TEST_UNIT_HOSTEXECUTION_COUNTEDKERNEL_H

#include "../ExpectedTesting.h"
#include "gpuprune/HostExecution/BlockCounts.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include <map>

namespace gpuprune::test {

/// A kernel from text, with what counting says of its blocks, by name.
class Counted {
public:
  explicit Counted(llvm::StringRef Body) {
    llvm::SMDiagnostic Problem;
    std::string Text = ("target triple = \"nvptx64-nvidia-cuda\"\n"
                        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                        "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                        "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()\n"
                        "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n" +
                        Body)
                           .str();
    M = llvm::parseAssemblyString(Text, Problem, Context);
    EXPECT_TRUE(M) << Problem.getMessage().str();
    Request.Launch.Block = {128, 1, 1};
  }
  llvm::Function &kernel() { return *M->getFunction("k"); }
  std::map<std::string, double> run() {
    Result = valueOf(countBlocks(kernel(), Request));
    std::map<std::string, double> Named;
    for (auto &[Block, Count] : Result.Blocks)
      Named[Block->getName().str()] = Count;
    return Named;
  }

  CountingRequest Request;
  BlockFrequencies Result;

private:
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
};

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_HOSTEXECUTION_COUNTEDKERNEL_H
