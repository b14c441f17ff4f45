//===- AgreementTest.cpp - What CPU and GPU compute of the same kernel ----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Report/Agreement.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

protocol::Difference apart(uint64_t Outside) { return {3, Outside, 0.5, 0.25, 7, "1", "1.5"}; }

SizeAgreement size(StringRef Name, std::vector<std::string> Approximate = {}) {
  SizeAgreement Size;
  Size.Variant = "-DTILE=8";
  Size.Size = Name;
  Size.Approximate = std::move(Approximate);
  Size.Relative = 1e-5;
  Size.Outputs = {{"a", "11", "", std::nullopt}, {"b", "22", "", std::nullopt}};
  return Size;
}

/// What the runner says of both buffers at the size n=1.
protocol::Result said(StringRef A, StringRef B, std::optional<protocol::Difference> Apart = std::nullopt) {
  protocol::ProblemCheck Check;
  Check.Problem = "n=1";
  Check.Outputs = {{"a", A.str(), std::nullopt}, {"b", B.str(), std::move(Apart)}};
  protocol::Result R;
  R.Checks = {Check};
  return R;
}

AgreementOutcome outcomeOf(std::vector<std::string> Approximate, const protocol::Result &Said) {
  SizeAgreement Size = size("n=1", std::move(Approximate));
  joinAgreement(Size, "-DTILE=8", Said);
  return Size.outcome();
}

std::string printed(ArrayRef<SizeAgreement> Sizes) {
  std::string Text;
  raw_string_ostream OS(Text);
  printAgreement(OS, Sizes);
  return Text;
}

TEST(Agreement, EqualHashesAreEqualBits) {
  EXPECT_EQ(outcomeOf({}, said("11", "22")), AgreementOutcome::Bitwise);
  EXPECT_EQ(outcomeOf({}, said("11", "23", apart(0))), AgreementOutcome::Differs)
      << "the tolerance is not asked where every bit must be the same";
}

TEST(Agreement, TheToleranceHoldsWhereThereAreApproximations) {
  EXPECT_EQ(outcomeOf({"ex2.approx"}, said("11", "22")), AgreementOutcome::Bitwise);
  EXPECT_EQ(outcomeOf({"ex2.approx"}, said("11", "23", apart(0))), AgreementOutcome::Tolerance);
  EXPECT_EQ(outcomeOf({"ex2.approx"}, said("11", "23", apart(1))), AgreementOutcome::Differs);
  EXPECT_EQ(outcomeOf({"ex2.approx"}, said("11", "23")), AgreementOutcome::Differs)
      << "nobody said by how much";
}

TEST(Agreement, UnknownWhereOneSaysNothing) {
  EXPECT_EQ(size("n=1").outcome(), AgreementOutcome::Unknown);
  SizeAgreement Other = size("n=2");
  joinAgreement(Other, "-DTILE=8", said("11", "22"));
  EXPECT_EQ(Other.outcome(), AgreementOutcome::Unknown) << "another size";
  SizeAgreement Defines = size("n=1");
  joinAgreement(Defines, "-DTILE=16", said("11", "22"));
  EXPECT_EQ(Defines.outcome(), AgreementOutcome::Unknown) << "other defines";
  EXPECT_EQ(outcomeOf({}, said("11", "")), AgreementOutcome::Unknown) << "one of two buffers";
  EXPECT_EQ(printed({size("n=1"), size("n=2")}), "");
}

TEST(Agreement, PrintsWhatAgreesAndWhatDoesNot) {
  SizeAgreement Same = size("n=1"), Close = size("n=1", {"ex2.approx", "fast-math flags"}),
                Apart = size("n=1");
  joinAgreement(Same, "-DTILE=8", said("11", "22"));
  joinAgreement(Close, "-DTILE=8", said("11", "23", apart(0)));
  joinAgreement(Apart, "-DTILE=8", said("11", "23", apart(2)));
  EXPECT_EQ(printed({Same, Same, size("n=3")}), "CPU = GPU: 2 of 2 check sizes bitwise\n");
  EXPECT_EQ(printed({Same, Close}), "CPU = GPU: 1 of 2 check sizes bitwise, 1 within the tolerance (largest "
                                    "relative difference 2.50e-01; ex2.approx, fast-math flags)\n");
  EXPECT_EQ(printed({Apart}),
            "CPU ≠ GPU: buffer b, n=1, -DTILE=8: 3 elements differ, by 5.00e-01 and 2.50e-01 "
            "relative at most; at 7 the CPU has 1, the GPU 1.5\n");
}

TEST(Agreement, ComesBackFromJson) {
  SizeAgreement Size = size("n=1", {"ex2.approx"});
  Size.Absolute = 0.125;
  Size.Note = "why";
  joinAgreement(Size, "-DTILE=8", said("11", "23", apart(1)));
  SizeAgreement Back;
  json::Path::Root Root;
  ASSERT_TRUE(fromJSON(toJSON(Size), Back, Root)) << toString(Root.getError());
  EXPECT_EQ(toJSON(Back), toJSON(Size));
  EXPECT_EQ(Back.Absolute, 0.125);
  EXPECT_EQ(Back.Outputs[1].Apart, apart(1));
}

} // namespace
