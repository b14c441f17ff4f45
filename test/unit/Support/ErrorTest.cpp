//===- ErrorTest.cpp - Typed errors -------------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/Error.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using namespace gpuprune;

TEST(Error, KeepsKindAndText) {
  TakenError Taken = takeError(makeError(ErrorKind::Refused, "loop " + Twine(3)));
  EXPECT_EQ(Taken.Kind, ErrorKind::Refused);
  EXPECT_EQ(Taken.Text, "loop 3");
  EXPECT_EQ(toString(makeError(ErrorKind::Io, "text")), "text");
}

TEST(Error, JoinedErrorsHaveTheFirstKindAndAllTexts) {
  TakenError Taken =
      takeError(joinErrors(makeError(ErrorKind::Io, "first"), makeError(ErrorKind::Usage, "second")));
  EXPECT_EQ(Taken.Kind, ErrorKind::Io);
  EXPECT_EQ(Taken.Text, "first\nsecond");
}

TEST(Error, AForeignErrorIsInternalUnlessAToolErrorIsThere) {
  auto Foreign = [] { return createStringError(inconvertibleErrorCode(), "foreign"); };
  EXPECT_EQ(takeError(Foreign()).Kind, ErrorKind::Internal);
  EXPECT_EQ(takeError(Foreign()).Text, "foreign");
  EXPECT_EQ(takeError(joinErrors(Foreign(), makeError(ErrorKind::Ptxas, "ours"))).Kind, ErrorKind::Ptxas);
}

TEST(Error, EveryKindHasANameOfItsOwn) {
  std::set<std::string> Names;
  int Kinds = static_cast<int>(ErrorKind::Internal) + 1;
  for (int Kind = 0; Kind < Kinds; ++Kind)
    Names.insert(errorKindName(static_cast<ErrorKind>(Kind)).str());
  EXPECT_EQ(Names.size(), size_t(Kinds));
  EXPECT_FALSE(Names.count(""));
}
