//===- CuptiHeadersTest.cpp - Our declarations are NVIDIA's --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built only where CUPTI's headers are.
//
//===----------------------------------------------------------------------===//
#include "CuptiTypes.h"
#include "gtest/gtest.h"
#include <vector>

using namespace gpuprune;

std::vector<size_t> theirNumbers();

namespace {

struct Number {
  const char *Name;
  size_t Value;
};

constexpr Number OurNumbers[] = {
#define GPUPRUNE_FIELD(Ours, Field, Theirs, TheirField) {#Ours "::" #Field, offsetof(Ours, Field)},
#define GPUPRUNE_VALUE(Ours, Theirs) {#Ours, size_t(Ours)},
#include "CuptiFields.def"
#define GPUPRUNE_CALLBACK(What, Id, Name) {#Name, Id},
#include "Callbacks.def"
};

TEST(CuptiHeadersTest, HaveOurNumbers) {
  std::vector<size_t> Theirs = theirNumbers();
  ASSERT_EQ(std::size(OurNumbers), Theirs.size());
  for (size_t I = 0; I < Theirs.size(); ++I)
    EXPECT_EQ(OurNumbers[I].Value, Theirs[I]) << OurNumbers[I].Name;
}

} // namespace
