//===- RecordingTest.cpp - Recordings on disk ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Record/Recording.h"
#include "CodeFolder.h"
#include "ExpectedTesting.h"
#include "RecordingWriter.h"
#include "gpuprune/Record/RecorderOptions.h"
#include "gpuprune/Record/RecordingsFolder.h"
#include "gpuprune/Support/ContentHash.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <csignal>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace gpuprune;

namespace {

/// Why it failed; empty where it did not.
std::string failure(Error E) { return E ? takeError(std::move(E)).Text : ""; }
template <typename T> std::string failure(Expected<T> Result) {
  return Result ? "" : failure(Result.takeError());
}

class RecordingTest : public testing::Test {
protected:
  void SetUp() override {
    Expected<TemporaryDirectory> Made = TemporaryDirectory::create();
    ASSERT_TRUE(bool(Made));
    Temporary = std::make_unique<TemporaryDirectory>(std::move(*Made));
    Directory = Temporary->file("app.gpuprune");
  }

  static Recording example() {
    Recording R;
    R.Kernel = "_Z6smoothPfi";
    R.Arch = "sm_90";
    R.Gpu = "Fake GPU";
    R.Grid = {4, 2, 1};
    R.Block = {256, 1, 1};
    R.DynamicShared = 64;
    R.Launches = 5;
    R.GpuMs = 2.5;
    R.Parameters = {{0, 0x10, 0xff, 0, 0, 0x7f, 0, 0}, {3, 0, 0, 0}};
    R.Allocations = {{0x7f0000ff1000, 4, "allocation-0.bin", contentHash("efgh"), ""}};
    R.Variables = {{"weights", 4, "variable-0.bin", contentHash("abcd"), "after-variable-0.bin"}};
    return R;
  }

  Expected<std::string> write(const Recording &R, StringRef Content = "abcd") {
    auto Writer = RecordingWriter::begin(Directory, "smooth-1");
    if (!Writer)
      return Writer.takeError();
    for (StringRef File : {"allocation-0.bin", "variable-0.bin", "after-variable-0.bin"})
      if (Error E = (*Writer)->add(File, arrayRefFromStringRef(Content)))
        return std::move(E);
    return (*Writer)->publish(R);
  }

  unsigned entries() {
    unsigned Count = 0;
    std::error_code EC;
    for (sys::fs::directory_iterator It(Directory + "/recordings", EC), End; !EC && It != End;
         It.increment(EC))
      ++Count;
    return Count;
  }

  std::unique_ptr<TemporaryDirectory> Temporary;
  std::string Directory;
};

TEST_F(RecordingTest, IsReadAsItWasWritten) {
  Expected<std::string> Folder = write(example());
  ASSERT_TRUE(bool(Folder)) << failure(Folder.takeError());
  Expected<Recording> Read = readRecording(*Folder);
  ASSERT_TRUE(bool(Read)) << failure(Read.takeError());
  EXPECT_EQ(json::Value(toJSON(*Read)), json::Value(toJSON(example())));
  EXPECT_EQ(Read->Allocations[0].Address, 0x7f0000ff1000u);
  EXPECT_EQ(failure(checkContents(*Folder, *Read)), "");
  EXPECT_EQ(listRecordings(Directory), std::vector<std::string>{*Folder});
}

TEST_F(RecordingTest, IsForItsOwnerAlone) {
  ASSERT_EQ(failure(write(example())), "");
  struct stat Status;
  for (StringRef Folder : {"", "/recordings", "/recordings/smooth-1"}) {
    ASSERT_EQ(::stat((Directory + Folder.str()).c_str(), &Status), 0);
    EXPECT_EQ(Status.st_mode & 0777, 0700u) << Folder.str();
  }
  for (StringRef File : {"launch.json", "allocation-0.bin"}) {
    ASSERT_EQ(::stat((Directory + "/recordings/smooth-1/" + File.str()).c_str(), &Status), 0);
    EXPECT_EQ(Status.st_mode & 0777, 0600u) << File.str();
  }
  Expected<std::string> Ignored = readFile(Directory + "/.gitignore");
  ASSERT_TRUE(bool(Ignored)) << failure(Ignored.takeError());
  EXPECT_NE(Ignored->find("\n/recordings/\n/code/\n"), std::string::npos);
}

TEST_F(RecordingTest, ReplacesAnEarlierOne) {
  ASSERT_EQ(failure(write(example())), "");
  Recording R = example();
  R.Launches = 7;
  Expected<std::string> Folder = write(R);
  ASSERT_TRUE(bool(Folder)) << failure(Folder.takeError());
  EXPECT_EQ(entries(), 1u);
  EXPECT_EQ(test::valueOf(readRecording(*Folder)).Launches, 7u);
  R.Launches = 9;
  EXPECT_EQ(failure(updateLaunch(*Folder, R)), "");
  EXPECT_EQ(test::valueOf(readRecording(*Folder)).Launches, 9u);
}

TEST_F(RecordingTest, LeavesNothingUnpublished) {
  {
    auto Writer = RecordingWriter::begin(Directory, "smooth-1");
    ASSERT_TRUE(bool(Writer)) << failure(Writer.takeError());
    EXPECT_EQ(failure((*Writer)->add("allocation-0.bin", {1, 2})), "");
    EXPECT_EQ(entries(), 1u);
    EXPECT_EQ(removeUnfinished(Directory), 0u); // Its process runs.
  }
  EXPECT_EQ(entries(), 0u);
}

TEST_F(RecordingTest, KilledWhileWritingLeavesNoRecording) {
  pid_t Child = ::fork();
  if (Child == 0) {
    auto Writer = RecordingWriter::begin(Directory, "smooth-1");
    if (Writer && !(*Writer)->add("allocation-0.bin", {1, 2}))
      ::raise(SIGKILL);
    ::_exit(1);
  }
  int Status = 0;
  ASSERT_EQ(::waitpid(Child, &Status, 0), Child);
  ASSERT_TRUE(WIFSIGNALED(Status));
  EXPECT_EQ(entries(), 1u);
  EXPECT_TRUE(listRecordings(Directory).empty());
  EXPECT_EQ(removeUnfinished(Directory), 1u);
  EXPECT_EQ(entries(), 0u);
}

TEST_F(RecordingTest, NamesDamage) {
  Expected<std::string> Folder = write(example());
  ASSERT_TRUE(bool(Folder)) << failure(Folder.takeError());
  Recording R = example();
  R.Allocations[0].Bytes = 5;
  EXPECT_NE(failure(checkContents(*Folder, R)), "");
  R = example();
  R.Variables[0].After = contentHash("other");
  EXPECT_NE(failure(checkContents(*Folder, R)), "");
  R = example();
  R.Allocations[0].File = "missing.bin";
  EXPECT_NE(failure(checkContents(*Folder, R)), "");
}

TEST_F(RecordingTest, FilesThatOthersPutThereAreRefused) {
  std::string Folder = test::valueOf(write(example())), Launch = Folder + "/launch.json";
  cantFail(writeFile(Launch, std::string(50000, '[')));
  EXPECT_EQ(failure(readRecording(Folder)), "'" + Launch + "': JSON nested deeper than 64 levels");
  ASSERT_EQ(::unlink(Launch.c_str()), 0);
  ASSERT_EQ(::mkfifo(Launch.c_str(), 0600), 0);
  EXPECT_EQ(failure(readRecording(Folder)), "cannot read '" + Launch + "': it is not a regular file");
}

TEST(RecordingTextTest, RefusesWhatIsNoRecording) {
  std::string Good =
      R"({"schema":1,"kernel":"k","arch":"sm_90","gpu":"g","grid":[1,1,1],"block":[1,1,1],)"
      R"("dynamic-shared":0,"launches":1,"gpu-ms":0,"parameters":[{"bytes":"00ff"}],"allocations":)"
      R"([{"address":"0x10","bytes":4,"file":"a.bin","after":""}],"variables":[]})";
  EXPECT_EQ(failure(parseRecording(Good)), "");
  for (auto [From, To] :
       {std::pair("\"schema\":1", "\"schema\":2"),
        {"[1,1,1]", "[1,0,1]"},
        {"[1,1,1]", "[1,1]"},
        {"00ff", "00f"},
        {"00ff", "00fg"},
        {"0x10", "10"},
        {"a.bin", "../a.bin"},
        {"a.bin", ".hidden"},
        {"\"bytes\":4", "\"bytes\":-4"},
        {"a.bin", "a\\nb"},
        {"\"gpu-ms\":0", "\"gpu-ms\":-1"},
        {"\"gpu-ms\":0", "\"gpu-ms\":1e999"},
        {"\"kernel\":\"k\"", "\"kernel\":\"k\\nblock: 1\""},
        {"\"kernel\":\"k\"", "\"kernel\":\"\""},
        {"\"variables\":[]", "\"variables\":[{\"symbol\":\"a b\",\"bytes\":1,\"file\":\"b\"}]"},
        {"\"kernel\":\"k\",", ""}}) {
    std::string Text = Good;
    Text.replace(Text.find(From), std::string(From).size(), To);
    EXPECT_NE(failure(parseRecording(Text)), "") << To;
  }
  for (size_t Length = 0; Length < Good.size(); ++Length)
    EXPECT_NE(failure(parseRecording(StringRef(Good).take_front(Length))), "");
}

TEST(RecordingTextTest, HasReadableNames) {
  Dim3 One;
  EXPECT_EQ(recordingName("_ZN3app6smoothIfEEvPfi", One, One, 0).substr(0, 7), "smooth-");
  EXPECT_EQ(recordingName("plain", One, One, 0).substr(0, 6), "plain-");
  EXPECT_NE(recordingName("plain", One, One, 0), recordingName("plain", One, One, 16));
  EXPECT_EQ(StringRef(recordingName("../x", One, One, 0)).find('/'), StringRef::npos);
}

TEST(RecorderOptionsTest, AreReadAsTheyWerePrinted) {
  RecorderOptions Options;
  Options.Directory = "/a \"b\"";
  Options.Keep = KeepRule::Largest;
  Options.MaxBytes = 5;
  Options.After = true;
  Options.TimeLimit = 0.5;
  Expected<RecorderOptions> Read = parseOptions(printOptions(Options));
  ASSERT_TRUE(bool(Read)) << failure(Read.takeError());
  EXPECT_EQ(printOptions(*Read), printOptions(Options));
  EXPECT_NE(failure(parseOptions("{}")), "");
  EXPECT_NE(failure(parseOptions("x")), "");
}

TEST(CodeFolderTest, FindsTheCodeOfTheGpu) {
  CodeFolder Code("/nowhere");
  EXPECT_EQ(
      failure(Code.add(R"({"schema":1,"source":"a.cu","arch":"sm_90a","kernels":[{"symbol":"k","variables":)"
                       R"([{"symbol":"weights","bytes":12}]}]})",
                       "a.bc")),
      "");
  EXPECT_EQ(failure(Code.add(
                R"({"schema":1,"source":"b.cu","arch":"sm_80","kernels":[{"symbol":"k","variables":[]}]})",
                "b.bc")),
            "");
  std::string Why;
  const CodeKernel *K = Code.find("k", 9, 0, Why);
  ASSERT_NE(K, nullptr);
  EXPECT_EQ(K->Arch, "sm_90a");
  ASSERT_EQ(K->Variables.size(), 1u);
  EXPECT_EQ(Code.find("k", 10, 0, Why), nullptr);
  EXPECT_NE(Why.find("sm_100"), std::string::npos);
  EXPECT_EQ(Code.find("other", 9, 0, Why), nullptr);
  for (StringRef Wrong :
       {"", "[]", "{}", R"({"schema":2,"arch":"sm_90","kernels":[]})",
        R"({"schema":1,"arch":"sm_90","kernels":[{"symbol":"k","variables":[{"symbol":"w"}]}]})"})
    EXPECT_NE(failure(Code.add(Wrong, "c.bc")), "") << Wrong.str();
}

} // namespace
