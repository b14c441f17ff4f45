//===- RegularFileTest.cpp - Tests of files that come to an end ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/RegularFile.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <sys/stat.h>

using namespace llvm;
using namespace gpuprune;

static std::string problemOf(StringRef Path) {
  Expected<std::string> Content = readRegularFile(Path);
  EXPECT_FALSE(bool(Content));
  TakenError Taken = takeError(Content.takeError());
  EXPECT_EQ(Taken.Kind, ErrorKind::Io);
  return Taken.Text;
}

TEST(RegularFile, FilesAndLinksToThemAreRead) {
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
  std::string Path = Directory.file("file"), Link = Directory.file("link");
  ASSERT_FALSE(bool(writeFile(Path, "text")));
  ASSERT_FALSE(sys::fs::create_link(Path, Link));
  EXPECT_EQ(cantFail(readRegularFile(Path)), "text");
  EXPECT_EQ(cantFail(readRegularFile(Link)), "text");
  EXPECT_EQ(cantFail(sizeOfRegularFile(Link)), 4u);
}

TEST(RegularFile, PipesDevicesAndFoldersAreNotOpened) {
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
  std::string Pipe = Directory.file("pipe"), Link = Directory.file("link");
  ASSERT_EQ(::mkfifo(Pipe.c_str(), 0600), 0);
  ASSERT_FALSE(sys::fs::create_link(Pipe, Link));
  for (const std::string &Path : {Pipe, Link, std::string("/dev/zero"), Directory.path().str()})
    EXPECT_EQ(problemOf(Path), "cannot read '" + Path + "': it is not a regular file");
  EXPECT_EQ(problemOf(Directory.file("none")),
            "cannot read '" + Directory.file("none") + "': No such file or directory");
}
