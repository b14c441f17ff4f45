//===- OpenDatabaseTest.cpp - Whatever is found at the path ------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DatabaseTesting.h"
#include "Schema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::test;

namespace {

/// Runs \p Body in processes of their own, at once; all have to succeed.
void inProcesses(unsigned Count, function_ref<bool(unsigned)> Body) {
  std::vector<pid_t> Children;
  for (unsigned I = 0; I < Count; ++I) {
    pid_t Child = ::fork();
    ASSERT_GE(Child, 0);
    if (Child == 0)
      ::_exit(Body(I) ? 0 : 1);
    Children.push_back(Child);
  }
  for (pid_t Child : Children) {
    int Status = 0;
    ASSERT_EQ(::waitpid(Child, &Status, 0), Child);
    EXPECT_EQ(Status, 0);
  }
}

/// Opens the database and stores \p Rows rows one by one, some under keys of its own and some
/// under keys of all.
bool storeMany(const std::string &Path, unsigned Writer, unsigned Rows) {
  std::vector<std::string> Notes;
  Expected<ResultDatabase> Db = ResultDatabase::open(Path, Notes);
  if (!Db) {
    errs() << toString(Db.takeError()) << '\n';
    return false;
  }
  for (unsigned I = 0; I < Rows; ++I) {
    StoredResult Row = row(I % 2 ? formatv("{0}:{1}", Writer, I).str() : formatv("all:{0}", I).str());
    Row.Result = fullResult(ResultStatus::Ok);
    if (Error E = Db->store(Row)) {
      errs() << toString(std::move(E)) << '\n';
      return false;
    }
    if (Expected<std::optional<KnownResult>> Back = Db->find(Row.Key); !Back || !*Back)
      return false;
  }
  return true;
}

TEST_F(DatabaseTest, IsInWriteAheadMode) {
  ResultDatabase Db = open();
  auto Raw = valueOf(sqlite::Connection::open(Path, SQLITE_OPEN_READWRITE));
  EXPECT_EQ(valueOf(Raw.text("PRAGMA journal_mode")), "wal");
  EXPECT_EQ(valueOf(Raw.integer("PRAGMA user_version")), schemaVersion());
  EXPECT_EQ(valueOf(Raw.integer("PRAGMA application_id")), DatabaseApplicationId);
}

TEST_F(DatabaseTest, WithoutSharedMemoryItUsesARollbackJournalAndSaysSo) {
  // This implementation of SQLite's files has no shared memory, as a network's file system has not.
  Expected<ResultDatabase> Db = ResultDatabase::open(Path, Notes, "unix-dotfile");
  ASSERT_TRUE(bool(Db)) << toString(Db.takeError());
  storeOrFail(*Db, row("k"));
  EXPECT_TRUE(found(*Db, "k"));
  ASSERT_EQ(Notes.size(), 1u);
  EXPECT_NE(Notes[0].find("write-ahead log does not work"), std::string::npos);
}

TEST_F(DatabaseTest, FoldersAreMade) {
  Path = Home.file("a") + "/b/results.db";
  ResultDatabase Db = open();
  storeOrFail(Db, row("k"));
  EXPECT_TRUE(sys::fs::exists(Path));
}

TEST_F(DatabaseTest, WhatCannotBeOpenedIsAnErrorThatNamesIt) {
  Path = "/proc/no/results.db";
  EXPECT_NE(openError().find("cannot make the folder '/proc/no'"), std::string::npos);
  Path = Home.path().str();
  EXPECT_NE(openError().find("expected a file"), std::string::npos);
  Path = "/dev/null";
  EXPECT_NE(openError().find("expected a file"), std::string::npos);
  Expected<ResultDatabase> None = ResultDatabase::openExisting(Home.file("none.db"), false);
  ASSERT_FALSE(bool(None));
  EXPECT_NE(takeError(None.takeError()).Text.find("there is no database"), std::string::npos);
  EXPECT_FALSE(sys::fs::exists(Home.file("none.db")));
}

TEST_F(DatabaseTest, AnotherProgramsDatabaseIsLeftAlone) {
  sql("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('x')");
  std::string Before = valueOf(readFile(Path));
  EXPECT_NE(openError().find("of another program"), std::string::npos);
  EXPECT_EQ(valueOf(readFile(Path)), Before);
  EXPECT_EQ(files(), std::vector<std::string>{"results.db"});
}

TEST_F(DatabaseTest, ALaterSchemaIsLeftAlone) {
  {
    open();
  }
  sql(formatv("PRAGMA user_version = {0}", schemaVersion() + 1));
  EXPECT_NE(openError().find("a later version of gpuprune"), std::string::npos);
  sql("PRAGMA user_version = -3");
  EXPECT_NE(openError().find("of another program"), std::string::npos);
}

/// A file as the first schema had it, with one row that stood in one.
constexpr const char *FirstSchema = R"(
  PRAGMA journal_mode = WAL;
  CREATE TABLE results (key TEXT PRIMARY KEY, result TEXT NOT NULL, digest TEXT NOT NULL,
    measured_at INTEGER NOT NULL, workload TEXT NOT NULL, kernel TEXT NOT NULL, kind TEXT NOT NULL,
    variant TEXT NOT NULL, target TEXT NOT NULL, size TEXT NOT NULL, tools TEXT NOT NULL, gpu TEXT NOT NULL,
    driver INTEGER NOT NULL, status TEXT NOT NULL, outcome TEXT NOT NULL, median_ms REAL,
    baseline_median_ms REAL) STRICT, WITHOUT ROWID;
  PRAGMA application_id = 1198542962;
  PRAGMA user_version = 1;
  INSERT INTO results VALUES ('cafe', '{"baseline_median_ms":16.581,"check":"bitwise","id":"",
"median_ms":3.445,"samples_ms":[3.445,0.1],"status":"ok"}',
    '@digest@', 1800000000, 'w.yaml', 'matmul', 'variant', 'gpu-unroll<loop=0;factor=4>', 'sm_90', 'n=4096',
    'LLVM 22.1.8', 'NVIDIA H200', 13000, 'ok', 'bitwise', 3.445, 16.581);
)";

TEST_F(DatabaseTest, AnOlderSchemaIsMigratedWithItsRows) {
  std::string Text = "{\"baseline_median_ms\":16.581,\"check\":\"bitwise\",\"id\":\"\",\n\"median_ms\":3.445,"
                     "\"samples_ms\":[3.445,0.1],\"status\":\"ok\"}";
  std::string Digest = toHex(SHA256::hash(arrayRefFromStringRef("cafe\n" + Text)), /*LowerCase=*/true);
  auto [Before, After] = StringRef(FirstSchema).split("@digest@");
  sql((Before + Digest + After).str());
  ResultDatabase Db = open();
  EXPECT_TRUE(Notes.empty()) << join(Notes, "\n");
  EXPECT_EQ(number("PRAGMA user_version"), schemaVersion());
  std::optional<KnownResult> Old = valueOf(Db.find("cafe"));
  ASSERT_TRUE(Old);
  EXPECT_EQ(Old->Result.MedianMs, 3.445);
  EXPECT_EQ(Old->Result.SamplesMs, (std::vector<double>{3.445, 0.1}));
  EXPECT_FALSE(Old->TimeLimitSeconds);
  StoredResult New = row("new", ResultStatus::Timeout);
  New.TimeLimitSeconds = 0.1;
  storeOrFail(Db, New);
  EXPECT_EQ(valueOf(Db.find("new"))->TimeLimitSeconds, 0.1);
  EXPECT_EQ(valueOf(Db.count({})), 2u);
}

TEST_F(DatabaseTest, ProcessesMayMigrateAtOnce) {
  sql(FirstSchema);
  inProcesses(4, [&](unsigned I) { return storeMany(Path, I, 4); });
  EXPECT_EQ(number("PRAGMA user_version"), schemaVersion());
  EXPECT_EQ(number("SELECT count(*) FROM results"), 1 + 4 * 2 + 2);
}

TEST_F(DatabaseTest, ADamagedFileIsSetAsideWithItsLog) {
  if (Error E = writeFile(Path, "this is no database, but it has to be kept"))
    FAIL() << toString(std::move(E));
  cantFail(writeFile(Path + "-wal", "nor is this its log"));
  ResultDatabase Db = open();
  storeOrFail(Db, row("k"));
  EXPECT_TRUE(found(Db, "k"));
  ASSERT_EQ(Notes.size(), 1u);
  EXPECT_NE(Notes[0].find("is damaged (file is not a database); it was renamed to"), std::string::npos)
      << Notes[0];
  StringRef Aside = StringRef(Notes[0]).split("renamed to '").second.split('\'').first;
  EXPECT_EQ(valueOf(readFile(Aside)), "this is no database, but it has to be kept");
  EXPECT_EQ(valueOf(readFile((Aside + "-wal").str())), "nor is this its log");
}

/// A database of \p Rows rows with \p Bytes bytes overwritten from \p Offset on.
void damage(const std::string &Path, uint64_t Offset, unsigned Bytes) {
  std::string Content = valueOf(readFile(Path));
  for (unsigned I = 0; I < Bytes && Offset + I < Content.size(); ++I)
    Content[Offset + I] = char(0x5a + 37 * I);
  cantFail(writeFile(Path, Content));
}

TEST_F(DatabaseTest, WhereverItIsDamagedNothingWrongComesOut) {
  std::vector<StoredResult> Rows;
  for (int I = 0; I < 60; ++I) {
    Rows.push_back(row(utohexstr(I * 7919)));
    Rows.back().Result = fullResult(ResultStatus::Ok);
    Rows.back().Result.LaunchesPerSample = I;
  }
  {
    ResultDatabase Db = open();
    storeOrFail(Db, Rows);
  }
  std::string Whole = valueOf(readFile(Path));
  size_t SetAside = 0, Missed = 0;
  for (uint64_t Offset = 0; Offset < Whole.size(); Offset += Whole.size() / 20) {
    cantFail(writeFile(Path, Whole));
    damage(Path, Offset, 64);
    Notes.clear();
    ResultDatabase Db = open();
    SetAside += !Notes.empty();
    for (const StoredResult &Row : Rows) {
      std::optional<KnownResult> Back;
      if (Error E = Db.find(Row.Key).moveInto(Back))
        consumeError(std::move(E)); // Found only now; a run goes on without that row.
      Missed += !Back;
      if (Back)
        EXPECT_EQ(textOf(Back->Result), textOf(Row.Result)) << "damaged at " << Offset;
    }
  }
  EXPECT_GT(SetAside, 0u);
  EXPECT_GT(Missed, 0u);
}

TEST_F(DatabaseTest, ProcessesMayBeginAndWriteOneAtOnce) {
  constexpr unsigned Writers = 4, Rows = 50;
  inProcesses(Writers, [&](unsigned I) { return storeMany(Path, I, Rows); });
  ResultDatabase Db = open();
  EXPECT_EQ(valueOf(Db.count({})), Writers * Rows / 2 + Rows / 2);
  EXPECT_TRUE(Notes.empty());
  EXPECT_EQ(number("SELECT count(*) FROM results WHERE length(digest) <> 64"), 0);
}

TEST_F(DatabaseTest, ProcessesThatFindItDamagedAtOnceSetItAsideOnce) {
  constexpr unsigned Writers = 4, Rows = 10;
  cantFail(writeFile(Path, "no database"));
  inProcesses(Writers, [&](unsigned I) { return storeMany(Path, I, Rows); });
  ResultDatabase Db = open();
  EXPECT_EQ(valueOf(Db.count({})), Writers * Rows / 2 + Rows / 2);
  EXPECT_EQ(llvm::count_if(files(), [](StringRef Name) { return Name.contains(".damaged-"); }), 1);
  EXPECT_FALSE(sys::fs::exists(Path + ".lock"));
}

} // namespace
