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
  printRyoo(OS, valueOf(evaluateRyoo(fourKernels())));
  EXPECT_NE(Text.find("paper             908           7.677        16       98 %         0.127   0.0 %"),
            std::string::npos)
      << Text;
  EXPECT_NE(Text.find("here               2           0.022         1     50.0 %         0.013  25.0 %"),
            std::string::npos)
      << Text;
}

TEST(RyooReport, ThePageShowsTheFiguresThatThereAre) {
  std::vector<GeneratedFile> Files = ryooPage(valueOf(evaluateRyoo(fourKernels())), "table.csv");
  ASSERT_FALSE(Files.empty());
  EXPECT_EQ(Files[0].Name, "ryoo.md");
  EXPECT_NE(Files[0].Text.find("[table.csv](table.csv)"), std::string::npos);
  for (const GeneratedFile &File : drop_begin(Files))
    EXPECT_NE(Files[0].Text.find("](" + File.Name + ")"), std::string::npos) << File.Name;
  // No two variants of CP or SAD differ in what Figures 4 and 5 vary.
  EXPECT_EQ(Files.size(), 3u);
  EXPECT_EQ(StringRef(Files[0].Text).count("!["), 2u);
}
