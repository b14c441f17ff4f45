//===- DeployTesting.h - Records and modules for the tests of lib/Deploy --===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_DEPLOY_DEPLOYTESTING_H
#define GPUPRUNE_TEST_UNIT_DEPLOY_DEPLOYTESTING_H

#include "gpuprune/Deploy/TuningRecord.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include <memory>
#include <string>

namespace gpuprune::test {

/// A record that can be read, with a value of its own in each field.
TuningRecord fullRecord();
/// The same with nothing that may be left out.
TuningRecord shortRecord();

/// Device code: \p Text behind NVPTX's triple and data layout. A failure, and an empty module, where it is
/// none.
std::unique_ptr<llvm::Module> parseDevice(llvm::LLVMContext &Context, llvm::StringRef Text);
/// As bitcode.
std::string deviceBitcode(llvm::StringRef Text);
/// \p M as text.
std::string textOf(const llvm::Module &M);

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_DEPLOY_DEPLOYTESTING_H
