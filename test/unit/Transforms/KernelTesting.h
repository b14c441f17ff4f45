//===- KernelTesting.h - A kernel from text for tests of lib/Transforms ---===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_TRANSFORMS_KERNELTESTING_H
#define GPUPRUNE_TEST_UNIT_TRANSFORMS_KERNELTESTING_H

#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <set>
#include <string>

namespace gpuprune::test {

using Names = std::set<std::string>;

/// A module with one kernel, found by the names of its values and blocks.
class TestKernel {
public:
  /// \p Body is that of a kernel of a pointer p and integers n and m.
  explicit TestKernel(llvm::StringRef Body);

  llvm::Function &function() { return *M->getFunction("kernel"); }
  /// Fails the test where there is none; the entry block and its terminator stand for it then.
  llvm::BasicBlock &block(llvm::StringRef Name);
  llvm::Instruction &value(llvm::StringRef Name);
  /// The names of the blocks that \p Takes.
  Names blocks(llvm::function_ref<bool(const llvm::BasicBlock &)> Takes);
  /// The names of the instructions that \p Takes, those without one left out.
  Names values(llvm::function_ref<bool(const llvm::Instruction &)> Takes);
  /// Whether LLVM takes the module to be well-formed.
  bool isValid();

private:
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> M;
};

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_TRANSFORMS_KERNELTESTING_H
