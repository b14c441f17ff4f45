//===- AddressLayoutTest.cpp ------------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/AddressLayout.h"
#include "../ExpectedTesting.h"
#include "gpuprune/Support/Process.h"
#include <gtest/gtest.h>
#include <sys/personality.h>

using namespace gpuprune;

namespace {

/// Where the stack of a new process is.
std::string stackOfChild() {
  ProcessOutput Said = test::valueOf(runProcess({"/bin/grep", "stack", "/proc/self/maps"}));
  return Said.Text.substr(0, Said.Text.find(' '));
}

TEST(AddressLayout, ProcessesAreAlikeOnceItIsFixed) {
  int Before = ::personality(0xffffffff);
  if (!fixAddressLayout())
    GTEST_SKIP() << "randomization is off or must not be turned off";
  EXPECT_FALSE(fixAddressLayout()) << "it is off already";
  std::string First = stackOfChild();
  EXPECT_NE(First, "");
  EXPECT_EQ(First, stackOfChild());
  EXPECT_EQ(::personality(static_cast<unsigned long>(Before)), Before | ADDR_NO_RANDOMIZE);
}

} // namespace
