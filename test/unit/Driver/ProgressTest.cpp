//===- ProgressTest.cpp - How far a long run is ----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Driver/Progress.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace gpuprune;

namespace {

class ProgressTest : public ::testing::Test {
protected:
  void SetUp() override {
    int Descriptor = -1;
    ASSERT_FALSE(sys::fs::createTemporaryFile("progress", "txt", Descriptor, Path));
    Stream.emplace(Descriptor, /*shouldClose=*/true);
  }
  void TearDown() override { (void)sys::fs::remove(Path); }
  std::string shown() {
    Stream->flush();
    ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(Path);
    return Text ? (*Text)->getBuffer().str() : "";
  }

  SmallString<128> Path;
  std::optional<raw_fd_ostream> Stream;
};

TEST_F(ProgressTest, WhatIsHeldWaitsForItsTurn) {
  Progress Now(*Stream, /*Quiet=*/false);
  Progress Later = Now.held();
  Later.say("later");
  Later.begin("hidden", 1);
  Later.step();
  Later.end();
  Later.say("and more");
  Later.begin("shown", 2);
  Now.say("now");
  EXPECT_EQ(shown(), "now\n");
  Later.release();
  EXPECT_EQ(shown(), "now\nlater\nand more\n");
  Later.step();
  Later.end();
  EXPECT_EQ(StringRef(shown()).count("hidden"), 0u);
  EXPECT_EQ(StringRef(shown()).count("shown"), 1u) << shown();
  EXPECT_NE(shown().find("1/2"), std::string::npos);
}

TEST_F(ProgressTest, WhatGoesOnBesideIsShownInItsPhaseAlone) {
  Progress Now(*Stream, /*Quiet=*/false);
  Now.begin("one", 1);
  Now.beside("two", "3 of 4");
  Now.end();
  Now.begin("two", 1);
  Now.beside("two", "4 of 4");
  Now.step("best");
  Now.end();
  EXPECT_EQ(StringRef(shown()).count("of 4"), 1u) << shown();
  EXPECT_NE(shown().find("4 of 4  best\n"), std::string::npos) << shown();
}

TEST_F(ProgressTest, QuietSaysWarningsAlone) {
  Progress Quiet(*Stream, /*Quiet=*/true);
  Progress Later = Quiet.held();
  Later.say("a line");
  Later.warn("not this one");
  EXPECT_EQ(shown(), "") << "it is held";
  Later.release();
  Later.say("another");
  Quiet.warn("nor this");
  EXPECT_EQ(shown(), "not this one\nnor this\n");
}

} // namespace
