//===- RecordFolderTest.cpp - Tests of reading a folder of records --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Deploy/RecordFolder.h"
#include "DeployTesting.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <sys/stat.h>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::test;

namespace {

class RecordFolderTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(sys::fs::createUniqueDirectory("gpuprune-records", Folder)); }
  void TearDown() override { sys::fs::remove_directories(Folder); }

  std::string path(StringRef Name) { return (Folder + "/" + Name).str(); }
  void write(StringRef Name, StringRef Content) {
    std::error_code Failed;
    raw_fd_ostream OS(path(Name), Failed);
    ASSERT_FALSE(Failed) << Failed.message();
    OS << Content;
  }
  /// shortRecord() with this many registers.
  void writeRecord(StringRef Name, unsigned Registers) {
    TuningRecord R = shortRecord();
    R.Registers = Registers;
    write(Name, printTuningRecord(R));
  }

  SmallString<128> Folder;
};

} // namespace

TEST_F(RecordFolderTest, NoFolderHasNoRecordsAndNoProblem) {
  RecordFolder Found = readRecords(path("nothing"));
  EXPECT_TRUE(Found.Files.empty());
  EXPECT_TRUE(Found.Problems.empty());
  Found = readRecords(Folder);
  EXPECT_TRUE(Found.Files.empty());
  EXPECT_TRUE(Found.Problems.empty());
}

TEST_F(RecordFolderTest, AFileInPlaceOfAFolderIsAProblem) {
  write("file", "");
  RecordFolder Found = readRecords(path("file"));
  EXPECT_TRUE(Found.Files.empty());
  ASSERT_EQ(Found.Problems.size(), 1u);
  EXPECT_NE(Found.Problems[0].find("/file/: cannot be listed: "), std::string::npos) << Found.Problems[0];
}

TEST_F(RecordFolderTest, RecordsAreInTheOrderOfTheirNames) {
  for (auto [Name, Registers] : {std::pair<StringRef, unsigned>{"c.gpuprune.json", 3},
                                 {"a.gpuprune.json", 1},
                                 {"b.x.gpuprune.json", 2},
                                 {"Z.gpuprune.json", 4}})
    writeRecord(Name, Registers);
  write("a.json", "no record by its name");
  write("gpuprune.json", "nor this");
  RecordFolder Found = readRecords(Folder);
  EXPECT_TRUE(Found.Problems.empty());
  std::vector<std::pair<std::string, unsigned>> Read;
  for (const RecordFile &File : Found.Files)
    Read.emplace_back(File.Name, File.Variants.front().Registers);
  EXPECT_EQ(
      Read,
      (std::vector<std::pair<std::string, unsigned>>{
          {"Z.gpuprune.json", 4}, {"a.gpuprune.json", 1}, {"b.x.gpuprune.json", 2}, {"c.gpuprune.json", 3}}));
}

TEST_F(RecordFolderTest, FilesThatAreNoRecordsDoNotHideOthers) {
  writeRecord("b.gpuprune.json", 2);
  write("a.gpuprune.json", "");
  write("c.gpuprune.json", StringRef(printTuningRecord(shortRecord())).drop_back(3));
  write("d.gpuprune.json", std::string((1 << 20) + 1, ' '));
  ASSERT_FALSE(sys::fs::create_directory(path("e.gpuprune.json")));
  ASSERT_FALSE(sys::fs::create_link("missing", path("f.gpuprune.json")));
  writeRecord("g.gpuprune.json", 7);
  ASSERT_EQ(::mkfifo(path("h.gpuprune.json").c_str(), 0600), 0);
  write("i.gpuprune.json", std::string(50000, '['));
  RecordFolder Found = readRecords(Folder);
  ASSERT_EQ(Found.Files.size(), 2u);
  EXPECT_EQ(Found.Files[0].Name, "b.gpuprune.json");
  EXPECT_EQ(Found.Files[1].Name, "g.gpuprune.json");
  StringRef Said[] = {"a.gpuprune.json: not JSON",
                      "c.gpuprune.json: not JSON",
                      "d.gpuprune.json: too large for a tuning record: 1048577 bytes",
                      "e.gpuprune.json: cannot be read: it is not a regular file",
                      "f.gpuprune.json: cannot be read: ",
                      "h.gpuprune.json: cannot be read: it is not a regular file",
                      "i.gpuprune.json: JSON nested deeper than 64 levels"};
  ASSERT_EQ(Found.Problems.size(), std::size(Said));
  for (size_t I = 0; I != std::size(Said); ++I)
    EXPECT_EQ(Found.Problems[I].find(Said[I]), 0u) << Found.Problems[I];
}

TEST_F(RecordFolderTest, TheDigestIsThatOfTheRegularFiles) {
  writeRecord("a.gpuprune.json", 1);
  std::string Digest = recordsDigest(Folder);
  ASSERT_EQ(::mkfifo(path("b.gpuprune.json").c_str(), 0600), 0);
  EXPECT_EQ(recordsDigest(Folder), Digest);
  writeRecord("c.gpuprune.json", 2);
  EXPECT_NE(recordsDigest(Folder), Digest);
}

TEST_F(RecordFolderTest, OnlyWhatIsKnownToBeBitwiseIsKept) {
  std::vector<TuningRecord> Several(3, shortRecord());
  for (auto [Index, R] : enumerate(Several))
    R.Conditions.LeastBlocks = Index + 1;
  Several[0].Bitwise = true;
  Several[1].Bitwise = false;
  Several[1].Difference = "buffer y differs";
  write("a.gpuprune.json", printTuningRecord(Several));
  writeRecord("b.gpuprune.json", 2);
  RecordFolder Found = readRecords(Folder);
  keepBitwise(Found);
  ASSERT_EQ(Found.Files.size(), 2u);
  EXPECT_EQ(Found.Files[0].Variants, std::vector{Several[0]});
  ASSERT_EQ(Found.Files[0].NotBitwise.size(), 2u);
  EXPECT_NE(
      Found.Files[0].NotBitwise[0].find("'a.gpuprune.json' is not deployed: its results are not those of "
                                        "stock clang's code bit by bit: buffer y differs"),
      std::string::npos);
  EXPECT_NE(Found.Files[0].NotBitwise[1].find("it is not known whether"), std::string::npos);
  EXPECT_TRUE(Found.Files[1].Variants.empty());
  EXPECT_EQ(Found.Files[1].NotBitwise.size(), 1u);
  EXPECT_TRUE(Found.Problems.empty());
}

TEST_F(RecordFolderTest, TheSameRecordCountsOnce) {
  TuningRecord Later = shortRecord();
  Later.Times = RecordTimes{"GPU", 2, 1}; // For readers only.
  write("a.gpuprune.json", printTuningRecord(shortRecord()));
  write("b.gpuprune.json", printTuningRecord(Later));
  writeRecord("c.gpuprune.json", 99);
  RecordFolder Found = readRecords(Folder);
  ASSERT_EQ(Found.Files.size(), 2u);
  EXPECT_EQ(Found.Files[0].Name, "a.gpuprune.json");
  EXPECT_EQ(Found.Files[1].Name, "c.gpuprune.json");
  ASSERT_EQ(Found.Problems.size(), 1u);
  EXPECT_EQ(Found.Problems[0], "b.gpuprune.json: 'a.gpuprune.json' is the same record; delete one of them");
}
