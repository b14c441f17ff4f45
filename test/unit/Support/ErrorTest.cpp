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

TEST(Error, ARefusalIsOfKindRefusedAndKeepsItsReason) {
  TakenError Taken = takeError(makeRefusal(RefusalKind::TooLarge, "17 bytes"));
  EXPECT_EQ(Taken.Kind, ErrorKind::Refused);
  EXPECT_EQ(Taken.Refusal, RefusalKind::TooLarge);
  EXPECT_EQ(Taken.Text, "refused (TooLarge): 17 bytes");
  auto OfPass = [] { return make_error<RefusalError>(RefusalKind::Call, "gpu-unroll", "k", "why"); };
  EXPECT_EQ(takeError(OfPass()).Text, "gpu-unroll refused 'k' (Call): why");
  EXPECT_EQ(takeError(joinErrors(OfPass(), makeRefusal(RefusalKind::TooLarge, ""))).Refusal,
            RefusalKind::Call);
  EXPECT_EQ(takeError(makeError(ErrorKind::Refused, "refused (Call): text")).Refusal, std::nullopt);
  handleAllErrors(OfPass(), [](const RefusalError &E) {
    EXPECT_EQ(E.pass(), "gpu-unroll");
    EXPECT_EQ(E.kernel(), "k");
    EXPECT_EQ(E.reason(), "why");
  });
}

TEST(Error, EveryRefusalComesBackFromItsName) {
#define GPUPRUNE_REFUSAL(NAME, WRONG)                                                                        \
  EXPECT_EQ(parseRefusalKind(#NAME), RefusalKind::NAME);                                                     \
  EXPECT_EQ(refusalName(RefusalKind::NAME), #NAME);                                                          \
  EXPECT_EQ(whyRefused(RefusalKind::NAME), WRONG);
#include "gpuprune/Support/Refusals.def"
  EXPECT_EQ(parseRefusalKind("Unheard"), std::nullopt);
}

TEST(Error, EveryKindHasANameOfItsOwn) {
  std::set<std::string> Names;
  int Kinds = static_cast<int>(ErrorKind::Internal) + 1;
  for (int Kind = 0; Kind < Kinds; ++Kind)
    Names.insert(errorKindName(static_cast<ErrorKind>(Kind)).str());
  EXPECT_EQ(Names.size(), size_t(Kinds));
  EXPECT_FALSE(Names.count(""));
}
