//===- CompileCacheTest.cpp - What was compiled in earlier runs -------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Database/CompileCache.h"
#include "ExpectedTesting.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <atomic>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace llvm;
using namespace gpuprune;

namespace {

class CompileCacheTest : public testing::Test {
protected:
  TemporaryDirectory Home = cantFail(TemporaryDirectory::create());
  std::string Folder = Home.file("results.db.compiled");
  CompileCache Cache{Folder};

  void keep(StringRef Key, StringRef Value) { EXPECT_EQ(toString(Cache.keep(Key, Value)), ""); }
  std::vector<std::string> files() const {
    std::vector<std::string> Paths;
    std::error_code EC;
    for (sys::fs::directory_iterator I(Folder, EC), End; I != End && !EC; I.increment(EC))
      if (!StringRef(I->path()).ends_with("timestamp"))
        Paths.push_back(I->path());
    return Paths;
  }
  /// The time at which a value was used last.
  static void use(const std::string &Path, int64_t SecondsAgo) {
    int File = ::open(Path.c_str(), O_RDONLY);
    ASSERT_GE(File, 0);
    auto Then = std::chrono::system_clock::now() - std::chrono::seconds(SecondsAgo);
    EXPECT_FALSE(sys::fs::setLastAccessAndModificationTime(File, Then));
    ::close(File);
  }
};

std::string noise(size_t Bytes, unsigned Seed) {
  std::string Text;
  for (uint32_t State = Seed * 2654435761u + 1; Text.size() != Bytes;) {
    State = State * 1664525 + 1013904223;
    Text += char(State >> 24);
  }
  return Text;
}

TEST_F(CompileCacheTest, WhatIsKeptIsFound) {
  EXPECT_EQ(Cache.find("k"), std::nullopt);
  EXPECT_TRUE(files().empty()) << "nothing is made before there is something to keep";
  for (const std::string &Value :
       {std::string(), std::string("\0a\0", 3), std::string(100000, 'x'), noise(100000, 1)}) {
    keep("k", Value);
    EXPECT_EQ(Cache.find("k"), Value);
  }
  EXPECT_EQ(CompileCache(Folder).find("k"), noise(100000, 1)) << "by another process, too";
  EXPECT_EQ(Cache.find("K"), std::nullopt);
  EXPECT_EQ(files().size(), 1u);
  EXPECT_EQ(Cache.damagedValues(), 0u);
}

TEST_F(CompileCacheTest, LargeValuesAreCompressed) {
  keep("k", std::string(1 << 20, 'x'));
  EXPECT_LT(Cache.size().Bytes, 10000u);
}

TEST_F(CompileCacheTest, NoChangedByteGoesUnnoticed) {
  for (const std::string &Value : {std::string("a short value"), std::string(300, 'x')}) {
    keep("k", Value);
    std::string Path = files().front(), Whole = cantFail(readFile(Path));
    for (size_t At = 0; At != Whole.size(); ++At) {
      std::string Changed = Whole;
      Changed[At] ^= 1;
      cantFail(writeFile(Path, Changed));
      EXPECT_EQ(Cache.find("k"), std::nullopt) << "byte " << At;
      EXPECT_FALSE(sys::fs::exists(Path)) << "it is in nobody's way again";
    }
    for (size_t Length : {size_t(0), size_t(10), Whole.size() - 1}) {
      cantFail(writeFile(Path, Whole.substr(0, Length)));
      EXPECT_EQ(Cache.find("k"), std::nullopt) << "cut off at " << Length;
    }
    cantFail(writeFile(Path, Whole + "x"));
    EXPECT_EQ(Cache.find("k"), std::nullopt) << "with something behind it";
  }
  EXPECT_GT(Cache.damagedValues(), 100u);
}

TEST_F(CompileCacheTest, AValueUnderTheNameOfAnotherIsNotTaken) {
  keep("a", "of a");
  std::string OfA = files().front();
  keep("b", "of b");
  std::vector<std::string> Both = files();
  std::string OfB = Both[0] == OfA ? Both[1] : Both[0];
  EXPECT_FALSE(sys::fs::rename(OfA, OfB));
  EXPECT_EQ(Cache.find("b"), std::nullopt);
}

TEST_F(CompileCacheTest, APipeInPlaceOfAValueIsNotWaitedFor) {
  keep("k", "v");
  std::string Path = files().front();
  ASSERT_EQ(::unlink(Path.c_str()), 0);
  ASSERT_EQ(::mkfifo(Path.c_str(), 0600), 0);
  EXPECT_EQ(Cache.find("k"), std::nullopt);
  EXPECT_EQ(Cache.damagedValues(), 1u);
  keep("k", "v");
  EXPECT_EQ(Cache.find("k"), "v");
}

TEST_F(CompileCacheTest, WhatWasUsedLongestAgoGoesFirst) {
  std::vector<std::string> Paths;
  for (unsigned I = 0; I != 5; ++I) {
    std::vector<std::string> Before = files();
    keep(formatv("k{0}", I).str(), noise(10000, I));
    for (const std::string &Path : files())
      if (!is_contained(Before, Path)) {
        use(Path, 1000 - 100 * I);
        Paths.push_back(Path);
      }
  }
  EXPECT_EQ(Cache.find("k0"), noise(10000, 0)) << "the oldest is used once more";
  CompileCache(Folder, 35000).prune();
  EXPECT_EQ(Cache.find("k1"), std::nullopt);
  EXPECT_EQ(Cache.find("k2"), std::nullopt);
  EXPECT_EQ(Cache.find("k0"), noise(10000, 0));
  EXPECT_EQ(Cache.find("k3"), noise(10000, 3));
  EXPECT_EQ(Cache.find("k4"), noise(10000, 4));
}

TEST_F(CompileCacheTest, TheLimitHoldsWhileARunGoesOn) {
  CompileCache Small(Folder, uint64_t(1) << 20);
  for (unsigned I = 0; I != 80; ++I)
    ASSERT_EQ(toString(Small.keep(formatv("k{0}", I).str(), noise(1 << 20, I))), "");
  EXPECT_LT(Small.size().Bytes, uint64_t(20) << 20) << "pruned once, after 64 MiB";
  Small.prune();
  EXPECT_LE(Small.size().Bytes, uint64_t(1) << 20);
}

TEST_F(CompileCacheTest, OldOnesCanBeRemovedAndCounted) {
  keep("old", noise(1000, 1));
  use(files().front(), 1000);
  keep("new", noise(2000, 2));
  auto Before = std::chrono::system_clock::now() - std::chrono::seconds(500);
  EXPECT_EQ(Cache.size().Values, 2u);
  EXPECT_EQ(Cache.size(Before).Values, 1u);
  CacheSize Removed = Cache.remove(Before);
  EXPECT_EQ(Removed.Values, 1u);
  EXPECT_GT(Removed.Bytes, 1000u);
  EXPECT_LT(Removed.Bytes, 2000u);
  EXPECT_EQ(Cache.find("new"), noise(2000, 2));
  EXPECT_EQ(Cache.remove().Values, 1u);
  EXPECT_EQ(Cache.size().Values, 0u);
  EXPECT_EQ(CompileCache(Home.file("none")).remove().Values, 0u);
}

TEST_F(CompileCacheTest, WhatKilledProcessesLeftGoesWithTheRest) {
  keep("k", "v");
  cantFail(writeFile(Folder + "/llvmcache-part-abc", "half of"));
  cantFail(writeFile(Folder + "/notes.txt", "the user's"));
  EXPECT_EQ(Cache.remove().Values, 2u);
  EXPECT_TRUE(sys::fs::exists(Folder + "/notes.txt"));
}

TEST_F(CompileCacheTest, AFolderThatCannotBeMadeIsAnError) {
  cantFail(writeFile(Home.file("file"), "x"));
  CompileCache Nowhere(Home.file("file") + "/cache");
  Error E = Nowhere.keep("k", "v");
  ASSERT_TRUE(bool(E));
  TakenError Taken = takeError(std::move(E));
  EXPECT_EQ(Taken.Kind, ErrorKind::Io);
  EXPECT_NE(Taken.Text.find("/cache'"), std::string::npos) << Taken.Text;
  EXPECT_EQ(Nowhere.find("k"), std::nullopt);
  Nowhere.prune();
}

TEST_F(CompileCacheTest, ManyMayKeepAndFindAtOnce) {
  std::vector<std::thread> Threads;
  std::atomic<size_t> Wrong = 0;
  for (unsigned T = 0; T != 4; ++T)
    Threads.emplace_back([&, T] {
      CompileCache Own(Folder, 100000);
      for (unsigned I = 0; I != 200; ++I) {
        std::string Key = formatv("k{0}", I % 10).str(), Value = noise(3000, I % 10);
        if (Error E = Own.keep(Key, Value)) {
          consumeError(std::move(E));
          ++Wrong;
        }
        std::optional<std::string> Found = Own.find(formatv("k{0}", (I + T) % 10).str());
        Wrong += Found && *Found != noise(3000, (I + T) % 10);
        if (I % 50 == T)
          Own.prune();
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Wrong, 0u);
  EXPECT_EQ(Cache.damagedValues(), 0u);
}

} // namespace
