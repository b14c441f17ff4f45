//===- UniqueFileTest.cpp - Tests of files with new names -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/UniqueFile.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <unistd.h>

using namespace llvm;
using namespace gpuprune;

namespace {

/// A folder whose path has what LLVM's functions replace.
class UniqueFileTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(sys::fs::create_directory(Folder)); }

  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
  std::string Folder = Directory.file("50%%%d{0}");
};

} // namespace

TEST_F(UniqueFileTest, PercentSignsOfThePrefixStay) {
  std::string First, Second;
  ASSERT_FALSE(createUniqueFile(Folder + "/a%-", First));
  int Descriptor = -1;
  ASSERT_FALSE(createUniqueFile(Folder + "/a%-", Descriptor, Second));
  EXPECT_EQ(::write(Descriptor, "text", 4), 4);
  ::close(Descriptor);
  EXPECT_NE(First, Second);
  for (StringRef Path : {First, Second}) {
    EXPECT_TRUE(Path.starts_with(Folder + "/a%-")) << Path.str();
    EXPECT_TRUE(sys::fs::exists(Path)) << Path.str();
  }
  EXPECT_EQ(cantFail(readFile(Second)), "text");
}

TEST_F(UniqueFileTest, FoldersAreForTheirOwner) {
  std::string Path;
  ASSERT_FALSE(createUniqueFolder(Folder + "/b-", Path));
  EXPECT_TRUE(StringRef(Path).starts_with(Folder + "/b-"));
  EXPECT_EQ(cantFail(errorOrToExpected(sys::fs::getPermissions(Path))), sys::fs::owner_all);
}

TEST_F(UniqueFileTest, AFolderThatDoesNotExistIsAnError) {
  std::string Path;
  EXPECT_EQ(createUniqueFile(Folder + "/none/a", Path), std::errc::no_such_file_or_directory);
  EXPECT_EQ(createUniqueFolder(Folder + "/none/a", Path), std::errc::no_such_file_or_directory);
}

TEST_F(UniqueFileTest, FilesAreWrittenWholeThere) {
  std::string Path = Folder + "/file";
  for (StringRef Text : {"first", "second"}) {
    cantFail(writeFile(Path, Text));
    EXPECT_EQ(cantFail(readFile(Path)), Text);
  }
  std::error_code EC;
  unsigned Files = 0;
  for (sys::fs::directory_iterator At(Folder, EC), End; !EC && At != End; At.increment(EC))
    ++Files;
  EXPECT_EQ(Files, 1u);
}

TEST_F(UniqueFileTest, TemporaryFoldersAreMadeThere) {
  const char *Before = std::getenv("TMPDIR");
  std::string Kept = Before ? Before : "";
  setenv("TMPDIR", Folder.c_str(), 1);
  Expected<TemporaryDirectory> Made = TemporaryDirectory::create();
  Before ? setenv("TMPDIR", Kept.c_str(), 1) : unsetenv("TMPDIR");
  ASSERT_TRUE(bool(Made));
  EXPECT_TRUE(Made->path().starts_with(Folder + "/gpuprune-")) << Made->path().str();
}
