//===- CpuTimesTest.cpp - Times of CPU versions -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/CpuTimes.h"
#include "ExpectedTesting.h"
#include "gpuprune/Evaluate/RyooApplications.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

static const std::string Header = "application,size,cpu,threads,flags,ms\n";
static const std::string Matmul = "matmul,n=4096,A CPU,1,-O3,1200.5\n";

/// Each application with \p Threads.
static std::string lines(StringRef Threads) {
  std::string Text;
  for (const RyooApplication &A : ryooApplications())
    Text += (A.Kernel + "," + A.Size + ",\"Some, CPU\"," + Threads + ",-O3 -march=x,12.5\n").str();
  return Text;
}

static std::string errorOf(StringRef Text) { return inputErrorOf(readCpuTimes(Text).takeError()); }
static std::string errorOfLine(StringRef Line) { return errorOf(Header + Matmul + Line.str() + "\n"); }

TEST(CpuTimes, ReadsEachColumn) {
  CpuTimes Times = valueOf(readCpuTimes(Header + lines("1") + lines("16")));
  EXPECT_EQ(Times.Cpu, "Some, CPU");
  EXPECT_EQ(Times.Flags, "-O3 -march=x");
  EXPECT_EQ(Times.Threads, 16u);
  EXPECT_EQ(Times.Ms.at("sad"), (std::map<unsigned, double>{{1, 12.5}, {16, 12.5}}));
}

TEST(CpuTimes, ACpuMayHaveOneThread) {
  CpuTimes Times = valueOf(readCpuTimes(Header + lines("1")));
  EXPECT_EQ(Times.Threads, 1u);
  EXPECT_EQ(Times.Ms.size(), 4u);
}

TEST(CpuTimes, OtherTablesAreRefused) {
  const std::string Wanted =
      "line 1: no table of CPU times; expected 'application,size,cpu,threads,flags,ms'";
  EXPECT_EQ(errorOf(""), Wanted);
  EXPECT_EQ(errorOf("application,ms\n"), Wanted);
}

TEST(CpuTimes, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(errorOfLine("cp,1"), "line 3: 2 cells; expected 6: application,size,cpu,threads,flags,ms");
  EXPECT_EQ(errorOfLine(""), errorOf(Header + Matmul)); // Empty lines at the end.
  EXPECT_EQ(errorOfLine("fft,n=1,A CPU,1,-O3,1"),
            "line 3: application 'fft'; expected matmul, cp, sad or mri-fhd");
  EXPECT_EQ(errorOfLine("matmul,n=64,A CPU,2,-O3,1"), "line 3: matmul of 'n=64'; expected 'n=4096'");
  EXPECT_EQ(errorOfLine("matmul,n=4096,B CPU,2,-O3,1"),
            "line 3: cpu 'B CPU'; expected 'A CPU' as on the lines before");
  EXPECT_EQ(errorOfLine("matmul,n=4096,,2,-O3,1"), "line 3: cpu ''; expected a name");
  EXPECT_EQ(errorOfLine("matmul,n=4096,A CPU,2,-O2,1"),
            "line 3: flags '-O2'; expected '-O3' as on the lines before");
  for (StringRef Threads : {"0", "-1", "all", "", "99999999999"})
    EXPECT_EQ(errorOfLine(("matmul,n=4096,A CPU," + Threads + ",-O3,1").str()),
              ("line 3: threads '" + Threads + "'; expected a positive integer").str());
  for (StringRef Ms : {"0", "-1", "nan", "inf", "", "1 ms"})
    EXPECT_EQ(errorOfLine(("matmul,n=4096,A CPU,2,-O3," + Ms).str()),
              ("line 3: ms '" + Ms + "'; expected a positive number").str());
  EXPECT_EQ(errorOfLine(StringRef(Matmul).rtrim()),
            "line 3: a second time of matmul with threads = 1; expected one");
}

TEST(CpuTimes, EachApplicationHasOneThreadAndAll) {
  EXPECT_EQ(errorOf(Header), "no time of matmul with threads = 1; expected one");
  EXPECT_EQ(errorOf(Header + Matmul), "no time of cp with threads = 1; expected one");
  EXPECT_EQ(errorOf(Header + lines("16")), "no time of matmul with threads = 1; expected one");
  std::string All = lines("16");
  All.erase(All.find("mri-fhd"));
  EXPECT_EQ(errorOf(Header + lines("1") + All), "no time of mri-fhd with threads = 16; expected one");
  EXPECT_EQ(errorOf(Header + lines("1") + lines("8") + lines("16")),
            "times of matmul with threads = 8; expected 1 and 16 alone");
}
