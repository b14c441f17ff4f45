//===- TestModule.h - Kernels for the tests of lib/Analysis ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_ANALYSIS_TESTMODULE_H
#define GPUPRUNE_TEST_UNIT_ANALYSIS_TESTMODULE_H

#include "gpuprune/Analysis/BlockFrequencies.h"
#include "gpuprune/Analysis/InstructionClass.h"
#include "gpuprune/Analysis/MachineCounting.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <map>
#include <memory>
#include <string>

namespace gpuprune::test {

/// A module of device code in a context of its own.
struct TestModule {
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;

  llvm::Function &function(llvm::StringRef Name) { return *M->getFunction(Name); }
  /// The block called \p Name of the function called \p In.
  const llvm::BasicBlock &block(llvm::StringRef In, llvm::StringRef Name);
};

/// \p Text is put after the NVPTX triple and data layout and before the
/// declarations of the intrinsics that the tests use.
std::unique_ptr<TestModule> parseKernels(llvm::StringRef Text);
/// A file of test/unit/Analysis/Inputs.
std::unique_ptr<TestModule> parseInput(llvm::StringRef FileName);

BlockFrequencies frequencies(TestModule &Module, llvm::StringRef Function, const LaunchContext &Launch);

struct Generated {
  std::string Ptx;
  std::map<std::string, KernelCounts> Counts;
};
/// Optional -O3 pipeline, then code for sm_90, counted with \p Launch for the
/// kernel called \p Kernel; without counting where \p Count is false.
Generated generate(TestModule &Module, llvm::StringRef Kernel, const LaunchContext &Launch, bool Optimize,
                   bool Count = true);

/// Instructions in the text of PTX function \p Name, counted line by line.
unsigned instructionLines(llvm::StringRef Ptx, llvm::StringRef Name);

/// What a person does who follows the PTX of kernel \p Name with a pencil: the
/// instructions that a thread executes whose integer parameters are \p Scalars (by
/// index), whose other special registers are in \p Registers ("%ntid.x"), and whose
/// loads return 0.
double interpret(llvm::StringRef Ptx, llvm::StringRef Name, const std::map<unsigned, int64_t> &Scalars,
                 const std::map<std::string, int64_t> &Registers);

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_ANALYSIS_TESTMODULE_H
