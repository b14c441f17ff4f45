//===- FreedomTesting.h - Expectations of arguments' bits -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_ANALYSIS_FREEDOMTESTING_H
#define GPUPRUNE_TEST_UNIT_ANALYSIS_FREEDOMTESTING_H

#include "TestModule.h"
#include "gpuprune/Analysis/FloatingPointFreedom.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

namespace gpuprune::test {

/// Of the kernel @k of \p Text.
inline std::vector<ArgumentFreedom> argumentsOf(llvm::StringRef Text) {
  auto Module = parseKernels(Text);
  return Module->M ? floatingPointFreedom(*Module->M, &Module->function("k")).Arguments
                   : std::vector<ArgumentFreedom>(8);
}

inline void expectBitwise(const ArgumentFreedom &A) {
  EXPECT_EQ(A.BetweenVariants, "");
  EXPECT_EQ(A.BetweenLaunches, "");
}

inline void expectOpenBetweenLaunches(const ArgumentFreedom &A, llvm::StringRef Why) {
  EXPECT_EQ(A.BetweenVariants, "");
  EXPECT_EQ(llvm::StringRef(A.BetweenLaunches), Why);
}

inline void expectOpen(const ArgumentFreedom &A, llvm::StringRef Why) {
  EXPECT_EQ(llvm::StringRef(A.BetweenVariants), Why);
  EXPECT_EQ(llvm::StringRef(A.BetweenLaunches), Why);
}

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_ANALYSIS_FREEDOMTESTING_H
