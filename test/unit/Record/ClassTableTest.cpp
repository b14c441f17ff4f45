//===- ClassTableTest.cpp - Which launches are kept ----------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ClassTable.h"
#include "gtest/gtest.h"

using namespace gpuprune;

namespace {

LaunchShape shape(unsigned Kernel, uint32_t Blocks) { return {Kernel, {Blocks, 1, 1}, {256, 1, 1}, 0}; }

/// A launch of \p Blocks blocks that is recorded if the table wants it. Whether it was.
bool launch(ClassTable &Table, unsigned Kernel, uint32_t Blocks, uint32_t Correlation = 0) {
  unsigned Class = Table.classOf(shape(Kernel, Blocks));
  bool Wanted = Table.wants(Class);
  if (Wanted)
    Table.recorded(Class, "folder" + std::to_string(Blocks), {}, 100, Correlation);
  Table.launched(Class);
  return Wanted;
}

TEST(ClassTableTest, KeepsTheFirstLaunchOfEachClass) {
  ClassTable Table({});
  unsigned Kernel = Table.kernel("k");
  EXPECT_EQ(Table.kernel("k"), Kernel);
  EXPECT_TRUE(launch(Table, Kernel, 4));
  EXPECT_FALSE(launch(Table, Kernel, 4));
  EXPECT_TRUE(launch(Table, Kernel, 8));
  EXPECT_TRUE(launch(Table, Table.kernel("other"), 4));
}

TEST(ClassTableTest, KeepsTheLargestLaunchOfAKernel) {
  RecorderOptions Options;
  Options.Keep = KeepRule::Largest;
  ClassTable Table(Options);
  unsigned Kernel = Table.kernel("k");
  EXPECT_TRUE(launch(Table, Kernel, 4));
  EXPECT_FALSE(launch(Table, Kernel, 2));
  unsigned Class = Table.classOf(shape(Kernel, 8));
  ASSERT_TRUE(Table.wants(Class));
  EXPECT_EQ(Table.recorded(Class, "folder8", {}, 100, 0), std::vector<std::string>{"folder4"});
  EXPECT_EQ(Table.finalRecordings().size(), 1u);
}

TEST(ClassTableTest, BoundsBytesAndClasses) {
  RecorderOptions Options;
  Options.MaxBytes = 150;
  Options.MaxTotal = 250;
  Options.MaxClasses = 2;
  ClassTable Table(Options);
  std::string Why;
  EXPECT_FALSE(Table.fits(151, Why));
  EXPECT_NE(Why.find("--max-bytes"), std::string::npos);
  unsigned Kernel = Table.kernel("k");
  EXPECT_TRUE(launch(Table, Kernel, 1));
  EXPECT_TRUE(Table.fits(150, Why));
  EXPECT_TRUE(launch(Table, Kernel, 2));
  EXPECT_FALSE(Table.fits(51, Why));
  EXPECT_NE(Why.find("--max-total"), std::string::npos);
  EXPECT_FALSE(launch(Table, Kernel, 3));
  std::vector<KernelSummary> Summary = Table.summary();
  ASSERT_EQ(Summary.size(), 1u);
  EXPECT_EQ(Summary[0].Classes, 3u);
  EXPECT_EQ(Summary[0].Recorded, 2u);
  ASSERT_EQ(Summary[0].Reasons.size(), 1u);
  EXPECT_NE(Summary[0].Reasons.begin()->first.find("--max-classes"), std::string::npos);
}

TEST(ClassTableTest, TriesAClassThreeTimes) {
  ClassTable Table({});
  unsigned Class = Table.classOf(shape(Table.kernel("k"), 1));
  for (int I = 0; I < 3; ++I) {
    EXPECT_TRUE(Table.wants(Class));
    Table.notRecorded(Class, "a stream was being captured", /*Permanent=*/false);
    Table.notRecorded(Class, "some reason");
  }
  EXPECT_FALSE(Table.wants(Class));
}

TEST(ClassTableTest, SelectsKernelsByEitherName) {
  RecorderOptions Options;
  Options.Kernel = "smooth(float";
  ClassTable Table(Options);
  EXPECT_TRUE(Table.wants(Table.classOf(shape(Table.kernel("_Z6smoothPfi"), 1))));
  EXPECT_FALSE(Table.wants(Table.classOf(shape(Table.kernel("_Z5scale4View"), 1))));
}

TEST(ClassTableTest, SumsTheTimeOfLaunchesWithoutCopies) {
  ClassTable Table({});
  unsigned Kernel = Table.kernel("k");
  for (uint32_t I = 1; I <= 4; ++I)
    launch(Table, Kernel, 4, I);
  EXPECT_TRUE(Table.finalRecordings()[0].second.GpuMs == 0);
  Table.timed("k", shape(0, 4), 100, 1, false); // The recorded one.
  EXPECT_DOUBLE_EQ(Table.finalRecordings()[0].second.GpuMs, 400);
  for (uint32_t I = 2; I <= 4; ++I)
    Table.timed("k", shape(0, 4), 2, I, false);
  Table.timed("k", shape(0, 4), 1000, 9, /*InGraph=*/true);
  EXPECT_DOUBLE_EQ(Table.finalRecordings()[0].second.GpuMs, 8);
  EXPECT_EQ(Table.finalRecordings()[0].second.Launches, 4u);
  EXPECT_EQ(Table.summary()[0].Launches, 5u);
  EXPECT_DOUBLE_EQ(Table.summary()[0].Ms, 1008);
}

/// \p Ms: of all launches of a class, each timed as soon as it has been made. The numbers of those recorded.
std::vector<unsigned> recordedOf(ClassTable &Table, std::vector<double> Ms) {
  std::vector<unsigned> Recorded;
  unsigned Kernel = Table.kernel("k"), Number = 0;
  for (double Each : Ms) {
    ++Number;
    if (launch(Table, Kernel, 4, Number))
      Recorded.push_back(Number);
    Table.timed("k", shape(0, 4), Each, Number, false);
  }
  return Recorded;
}

using Numbers = std::vector<unsigned>;

TEST(ClassTableTest, KeepsATypicalLaunch) {
  // As a breadth-first search: the first launches have little to do.
  ClassTable Search({});
  EXPECT_EQ(recordedOf(Search, {1, 1, 1, 2, 5, 20, 22, 20, 10, 2, 1, 1}), (Numbers{1, 6}));
  auto [Folder, Kept] = Search.finalRecordings().at(0);
  EXPECT_EQ(Kept.Launches, 12u);
  EXPECT_NEAR(Kept.TypicalMs, 1021.0 / 65, 1e-9); // Without those recorded.
  EXPECT_EQ(Search.summary()[0].Recorded, 1u);
  EXPECT_EQ(Search.summary()[0].RecordedBytes, 100u);
}

TEST(ClassTableTest, LeavesRoomForTheReplay) {
  // A replay of 0.36 ms may take 0.34, which is off 0.53 by more than OtherWork.
  ClassTable Edges({}), Alike({});
  std::vector<double> Ms(13, 0.53);
  Ms[0] = 0.36;
  EXPECT_EQ(recordedOf(Edges, Ms), (Numbers{1, 4}));
  Ms[0] = 0.45;
  EXPECT_EQ(recordedOf(Alike, Ms), (Numbers{1}));
}

TEST(ClassTableTest, KeepsTheFirstOfEqualOnes) {
  ClassTable Equal({}), Slower({});
  EXPECT_EQ(recordedOf(Equal, std::vector<double>(100, 3)), (Numbers{1}));
  // On an idle GPU the recorded one takes longer: so does the next.
  std::vector<double> Ms(100, 0.003);
  Ms[0] = Ms[3] = 0.006;
  EXPECT_EQ(recordedOf(Slower, Ms), (Numbers{1, 4}));
}

TEST(ClassTableTest, ComesBackFromAnUntypicalOne) {
  std::vector<double> Ms(40), Pairs(40);
  for (unsigned I = 0; I < 40; ++I) {
    Ms[I] = I % 2 ? 0.1 : 10;
    Pairs[I] = I % 2 ? 10 : 0.1;
  }
  Ms[0] = 20;
  ClassTable Long({}), Short({});
  EXPECT_EQ(recordedOf(Long, Ms).back() % 2, 1u) << "one of 10 ms";
  EXPECT_EQ(recordedOf(Short, Pairs).back() % 2, 0u) << "one of 10 ms";
}

TEST(ClassTableTest, IsNotMisledByWhatIsToCome) {
  ClassTable Falling({}), Wild({});
  EXPECT_EQ(recordedOf(Falling, {20, 18, 16, 9, 5, 2, 1, 1, 1, 1, 1, 1}), (Numbers{1}));
  std::vector<double> Ms;
  for (unsigned I = 0; I < 1000; ++I)
    Ms.push_back(I * 7919 % 100 + 1);
  EXPECT_LE(recordedOf(Wild, Ms).size(), 5u);
}

} // namespace
