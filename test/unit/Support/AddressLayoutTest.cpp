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
#include <sys/mman.h>
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

/// Where a mapping of 1 GiB comes to lie, which does not stay.
uint64_t placeOfMapping() {
  constexpr size_t Bytes = size_t(1) << 30;
  void *At = ::mmap(nullptr, Bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  EXPECT_NE(At, MAP_FAILED);
  ::munmap(At, Bytes);
  return reinterpret_cast<uint64_t>(At);
}

TEST(AddressLayout, LaterMappingsLieFarBelow) {
  uint64_t Before = placeOfMapping();
  ASSERT_TRUE(mapFarBelow());
  EXPECT_LE(placeOfMapping() + (uint64_t(64) << 30), Before);
}

} // namespace
