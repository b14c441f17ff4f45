//===- RyooReportTest.cpp - Section 5 of Ryoo et al., paper and ours -----===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Evaluate/RyooReport.h"
#include "MadeUpRows.h"

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

static std::vector<RecordedKernel> fourKernels() {
  std::vector<RecordedKernel> Table;
  for (const RyooApplication &A : ryooApplications())
    Table.insert(Table.begin(),
                 {A.Kernel.str(),
                  measured("", 100, 10, 12),
                  {measured("", 100, 10, 10), measured("gpu-unroll<loop=0;factor=2>", 80, 4, 12.5)}});
  return Table;
}

TEST(RyooReport, InTheOrderOfThePaper) {
  std::vector<RyooSpace> Spaces = valueOf(evaluateRyoo(fourKernels()));
  ASSERT_EQ(Spaces.size(), 4u);
  EXPECT_EQ(Spaces[0].Application->Title, "Matrix multiplication");
  EXPECT_EQ(Spaces[3].Application->Title, "MRI-FHD");
}

TEST(RyooReport, EachApplicationIsNeeded) {
  std::vector<RecordedKernel> Table = fourKernels();
  Table.erase(Table.begin());
  EXPECT_EQ(inputErrorOf(evaluateRyoo(Table).takeError()), "the table lacks the kernel mri-fhd");
}

TEST(RyooReport, FiguresOfThePaperStandBesideOurs) {
  std::string Text;
  raw_string_ostream OS(Text);
  printRyoo(OS, valueOf(evaluateRyoo(fourKernels())), std::nullopt);
  EXPECT_NE(Text.find("paper             908           7.677        16       98 %         0.127   0.0 %"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("here               2           0.022         1     50.0 %         0.013  25.0 %"),
            std::string::npos)
      << Text;
}

TEST(RyooReport, ThePageShowsTheFiguresThatThereAre) {
  std::vector<GeneratedFile> Files =
      ryooPage(valueOf(evaluateRyoo(fourKernels())), std::nullopt, "table.csv");
  ASSERT_FALSE(Files.empty());
  EXPECT_EQ(Files[0].Name, "ryoo.md");
  EXPECT_NE(Files[0].Text.find("[table.csv](table.csv)"), std::string::npos);
  for (const GeneratedFile &File : drop_begin(Files))
    EXPECT_NE(Files[0].Text.find("](" + File.Name + ")"), std::string::npos) << File.Name;
  // No two variants of CP or SAD differ in what Figures 4 and 5 vary.
  EXPECT_EQ(Files.size(), 3u);
  EXPECT_EQ(StringRef(Files[0].Text).count("!["), 2u);
}

static std::string printed(const std::optional<CpuTimes> &Cpu) {
  std::string Text;
  raw_string_ostream OS(Text);
  printRyoo(OS, valueOf(evaluateRyoo(fourKernels())), Cpu);
  return Text;
}

static CpuTimes cpuTimes(unsigned Threads) {
  CpuTimes Times{"A CPU", "-O3", Threads, {}};
  for (const RyooApplication &A : ryooApplications())
    Times.Ms[A.Kernel.str()] = {{1, 2000}, {Threads, Threads == 1 ? 2000 : 500}};
  return Times;
}

TEST(RyooReport, Table3SetsTheOptimumAgainstTheCpu) {
  std::string Text = printed(cpuTimes(4));
  EXPECT_NE(Text.find("Table 3: speed-up over CPU versions, on A CPU with 4 threads"), std::string::npos);
  EXPECT_NE(Text.find("647X            200X  50.00X"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("not measured"), std::string::npos);
}

TEST(RyooReport, Table3OfOneThread) {
  std::string Text = printed(cpuTimes(1));
  EXPECT_NE(Text.find("on A CPU with 1 thread\n"), std::string::npos) << Text;
}

TEST(RyooReport, Table3MayBeUnmeasured) {
  std::string Text = printed(std::nullopt);
  EXPECT_NE(Text.find("Table 3"), std::string::npos);
  EXPECT_NE(Text.find("5.51X  not measured"), std::string::npos) << Text;
}

TEST(RyooReport, ThePageNamesWhatItIsMadeOf) {
  std::vector<RyooSpace> Spaces = valueOf(evaluateRyoo(fourKernels()));
  std::string With = ryooPage(Spaces, cpuTimes(4), "table.csv")[0].Text;
  EXPECT_NE(With.find("[table.csv](table.csv) and [cpu-ryoo.csv](cpu-ryoo.csv) by"), std::string::npos);
  EXPECT_NE(With.find("They are built with `-O3`"), std::string::npos) << With;
  std::string Without = ryooPage(Spaces, std::nullopt, "table.csv")[0].Text;
  EXPECT_EQ(Without.find("](cpu-ryoo.csv)"), std::string::npos);
  EXPECT_NE(Without.find("there is no cpu-ryoo.csv beside the data"), std::string::npos) << Without;
}
