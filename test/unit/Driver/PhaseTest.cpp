//===- PhaseTest.cpp - Names of phases ----------------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Phase.h"
#include "ExpectedTesting.h"

using namespace llvm;
using namespace gpuprune;

TEST(Phase, NamesGoBothWaysInOrder) {
  int Count = 0;
  for (StringRef Name : {"frontend", "prepare", "enumerate", "transform", "codegen", "assemble", "count",
                         "prune", "check", "measure", "report"}) {
    Phase P = test::valueOf(parsePhase(Name));
    EXPECT_EQ(phaseName(P), Name);
    EXPECT_EQ(static_cast<int>(P), Count++);
  }
  EXPECT_EQ(static_cast<int>(Phase::Report), Count - 1);
}

TEST(Phase, AnUnknownNameIsAUsageErrorThatListsThem) {
  TakenError Taken = takeError(parsePhase("codgen").takeError());
  EXPECT_EQ(Taken.Kind, ErrorKind::Usage);
  EXPECT_NE(Taken.Text.find("did you mean 'codegen'?"), std::string::npos) << Taken.Text;
  EXPECT_NE(Taken.Text.find("measure, report"), std::string::npos) << Taken.Text;
}
