//===- ProcessTest.cpp - Running programs, files and folders ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Support/Process.h"
#include "gpuprune/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;
using namespace gpuprune;

namespace {

ProcessOutput shell(std::string Script) {
  Expected<ProcessOutput> Output = runProcess({"/bin/sh", "-c", std::move(Script)});
  if (!Output) {
    ADD_FAILURE() << toString(Output.takeError());
    return {};
  }
  return std::move(*Output);
}

template <typename T> TakenError errorOf(Expected<T> Result) {
  EXPECT_FALSE(bool(Result));
  return takeError(Result.takeError());
}

} // namespace

/// A full disk must not swallow the message that tells of it.
TEST(ProcessTest, OutputNeedsNoDisk) {
  const char *Before = std::getenv("TMPDIR");
  std::string Kept = Before ? Before : "";
  setenv("TMPDIR", "/nonexistent", 1);
  EXPECT_EQ(shell("echo said").Text, "said\n");
  Before ? setenv("TMPDIR", Kept.c_str(), 1) : unsetenv("TMPDIR");
}

TEST(Process, BothStreamsAndTheExitCode) {
  ProcessOutput Output = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(Output.ExitCode, 3);
  EXPECT_EQ(Output.Text, "out\nerr\n");
  EXPECT_EQ(failureText(Output), "out\nerr");
}

TEST(Process, SilenceAndSignalsAreTold) {
  EXPECT_EQ(failureText(shell("exit 7")), "ended with exit code 7 and printed nothing");
  ProcessOutput Killed = shell("echo almost; kill -SEGV $$");
  EXPECT_LT(Killed.ExitCode, 0);
  EXPECT_TRUE(StringRef(failureText(Killed)).starts_with("ended by a signal: almost\n")) << Killed.Text;
}

TEST(Process, StandardInputIsEmpty) { EXPECT_EQ(shell("cat").Text, ""); }

TEST(Process, ArgumentsArriveAsTheyAre) {
  Expected<ProcessOutput> Output = runProcess({"/bin/echo", "a  b", "'$HOME'", ""});
  ASSERT_TRUE(bool(Output));
  EXPECT_EQ(Output->Text, "a  b '$HOME' \n");
}

TEST(Process, AProgramThatCannotBeStartedIsAToolchainError) {
  TakenError Taken = errorOf(runProcess({"/nonexistent/program"}));
  EXPECT_EQ(Taken.Kind, ErrorKind::Toolchain);
  EXPECT_NE(Taken.Text.find("'/nonexistent/program'"), std::string::npos);
}

TEST(TemporaryDirectory, IsRemovedWithAllItHolds) {
  std::string Path;
  {
    TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
    Path = Directory.path().str();
    ASSERT_FALSE(sys::fs::create_directory(Directory.file("inner")));
    ASSERT_FALSE(bool(writeFile(Directory.file("inner/file"), "text")));
    TemporaryDirectory Moved = std::move(Directory);
    EXPECT_TRUE(sys::fs::exists(Moved.file("inner/file")));
  }
  EXPECT_FALSE(sys::fs::exists(Path));
}

TEST(Files, WhatIsWrittenIsRead) {
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
  std::string Path = Directory.file("file"), Content("a\0b\n", 4);
  EXPECT_EQ(errorOf(readFile(Path)).Kind, ErrorKind::Io);
  ASSERT_FALSE(bool(writeFile(Path, Content)));
  EXPECT_EQ(cantFail(readFile(Path)), Content);
  ASSERT_FALSE(bool(writeFile(Path, "")));
  EXPECT_EQ(cantFail(readFile(Path)), "");
}

TEST(Files, ALinkIsFollowedAndStays) {
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
  std::string Target = Directory.file("target"), Link = Directory.file("link");
  ASSERT_FALSE(bool(writeFile(Target, "old")));
  ASSERT_FALSE(sys::fs::create_link(Target, Link));
  ASSERT_FALSE(bool(writeFile(Link, "new")));
  EXPECT_TRUE(sys::fs::is_symlink_file(Link));
  EXPECT_EQ(cantFail(readFile(Target)), "new");
}

TEST(Files, APipeIsWrittenAndNotReplaced) {
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
  std::string Pipe = Directory.file("pipe");
  ASSERT_EQ(::mkfifo(Pipe.c_str(), 0600), 0);
  int Reader = ::open(Pipe.c_str(), O_RDWR);
  ASSERT_FALSE(bool(writeFile(Pipe, "text")));
  char Read[5] = {};
  EXPECT_EQ(::read(Reader, Read, 4), 4);
  EXPECT_EQ(StringRef(Read), "text");
  ::close(Reader);
}

TEST(Files, ALinkToAPipeWithoutAName) {
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
  int Ends[2];
  ASSERT_EQ(::pipe(Ends), 0);
  std::string Link = Directory.file("link"), Pipe = "/proc/self/fd/" + std::to_string(Ends[1]);
  ASSERT_EQ(::symlink(Pipe.c_str(), Link.c_str()), 0); // As /dev/stdout is one.
  ASSERT_FALSE(bool(writeFile(Link, "text")));
  EXPECT_TRUE(sys::fs::is_symlink_file(Link));
  char Read[5] = {};
  EXPECT_EQ(::read(Ends[0], Read, 4), 4);
  EXPECT_EQ(StringRef(Read), "text");
  ::close(Ends[0]);
  ::close(Ends[1]);
}

TEST(Files, AFullDiskIsAnError) {
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
  std::string Full = Directory.file("full");
  ASSERT_FALSE(sys::fs::create_link("/dev/full", Full));
  TakenError Taken = takeError(writeFile(Full, "text"));
  EXPECT_EQ(Taken.Kind, ErrorKind::Io);
  EXPECT_EQ(Taken.Text, "cannot write '" + Full + "': No space left on device");
  sys::fs::file_status Status;
  ASSERT_FALSE(sys::fs::status("/dev/full", Status));
  EXPECT_EQ(Status.type(), sys::fs::file_type::character_file);
}

TEST(Files, CheckWritableSaysWhatWriteFileWould) {
  TemporaryDirectory Directory = cantFail(TemporaryDirectory::create());
  std::string Good[] = {"-", "in-the-working-folder", Directory.file("new")};
  for (const std::string &Path : Good)
    EXPECT_FALSE(bool(checkWritable(Path))) << Path;
  EXPECT_FALSE(sys::fs::exists("in-the-working-folder"));
  for (const std::string &Path : {Directory.path().str(), Directory.file("none/new")}) {
    TakenError Checked = takeError(checkWritable(Path)), Written = takeError(writeFile(Path, "x"));
    EXPECT_EQ(Checked.Kind, ErrorKind::Io) << Path;
    EXPECT_EQ(Written.Kind, ErrorKind::Io) << Path;
    EXPECT_NE(Checked.Text.find("cannot write '" + Path + "'"), std::string::npos) << Checked.Text;
  }
}
