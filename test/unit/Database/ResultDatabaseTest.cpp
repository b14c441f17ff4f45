//===- ResultDatabaseTest.cpp - Results stored and found again --------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Database/ResultDatabase.h"
#include "ExpectedTesting.h"
#include "OpenDatabase.h"
#include "Schema.h"
#include "gpuprune/Support/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <csignal>
#include <limits>
#include <random>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using gpuprune::test::valueOf;

namespace {

class DatabaseTest : public ::testing::Test {
protected:
  TemporaryDirectory Home = cantFail(TemporaryDirectory::create());
  std::string Path = Home.file("results.db");
  std::vector<std::string> Notes;

  ResultDatabase open() {
    Expected<ResultDatabase> Db = ResultDatabase::open(Path, Notes);
    if (!Db)
      report_fatal_error(Db.takeError());
    return std::move(*Db);
  }
  std::string openError() {
    Expected<ResultDatabase> Db = ResultDatabase::open(Path, Notes);
    return Db ? "" : takeError(Db.takeError()).Text;
  }
  /// SQL on the file, as another program would do it.
  void sql(const std::string &Text) {
    auto Db = valueOf(sqlite::Connection::open(Path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
    if (Error E = Db.execute(Text))
      ADD_FAILURE() << toString(std::move(E));
  }
  int64_t number(StringRef Sql) {
    auto Db = valueOf(sqlite::Connection::open(Path, SQLITE_OPEN_READWRITE));
    return valueOf(Db.integer(Sql));
  }
  std::vector<std::string> files() const {
    std::vector<std::string> Names;
    std::error_code EC;
    for (sys::fs::directory_iterator I(Home.path(), EC), End; I != End && !EC; I.increment(EC))
      Names.push_back(I->path().substr(Home.path().size() + 1));
    llvm::sort(Names);
    return Names;
  }
};

StoredResult row(StringRef Key, ResultStatus Status = ResultStatus::Ok) {
  StoredResult Row;
  Row.Key = Key.str();
  Row.Result.Status = Status;
  Row.Facts = {"kernels/matmul/workload.yaml",
               "matmul",
               "variant",
               "-DTILE=16 gpu-unroll<loop=1;factor=4>",
               "sm_90",
               "n=4096",
               "LLVM 22.1.8"};
  Row.Gpu = "NVIDIA H200";
  Row.Driver = 13000;
  Row.MeasuredAt = 1'800'000'000;
  return Row;
}

std::string textOf(const Result &R) { return formatv("{0}", toJSON(R)); }

std::optional<Result> found(ResultDatabase &Db, StringRef Key) { return valueOf(Db.find(Key)); }

void storeOrFail(ResultDatabase &Db, ArrayRef<StoredResult> Rows) {
  if (Error E = Db.store(Rows))
    ADD_FAILURE() << toString(std::move(E));
}

Result fullResult(ResultStatus Status) {
  std::mt19937_64 Random(unsigned(Status) + 1);
  Result R;
  R.Status = Status;
  R.Check = CheckOutcome::Wrong;
  R.Checks = {{"n=192", CheckOutcome::Bitwise, std::nullopt},
              {"n=256", CheckOutcome::Wrong,
               Mismatch{MismatchKind::GuardBefore, "C", UINT64_MAX, "0xa5", "0x00", 7, "0xa5"}}};
  for (int I = 0; I < 200; ++I)
    R.SamplesMs.push_back(std::ldexp(double(Random()), -int(Random() % 1074)));
  R.SamplesMs.insert(R.SamplesMs.end(), {0.1, 1.0 / 3, 0.0, std::numeric_limits<double>::denorm_min(),
                                         std::numeric_limits<double>::max(), 1 + 0x1p-52});
  R.BaselineMs = {3.4450000000000003, 16.581};
  R.MedianMs = 0.1 + 0.2;
  R.BaselineMedianMs = std::nextafter(16.581, 17);
  R.LaunchesPerSample = UINT32_MAX;
  R.Kernels = {{"kernel_v3", 255, 16, 49152, 1024, 2}};
  R.Message = "line one\nline \"two\"; \xC3\xA9\t\x01 'quoted'";
  return R;
}

TEST_F(DatabaseTest, EveryStatusComesBackExactly) {
  ResultDatabase Db = open();
  const ResultStatus All[] = {
#define GPUPRUNE_RESULT_STATUS(Enumerator, Name) ResultStatus::Enumerator,
#include "gpuprune/Runtime/ResultStatus.def"
  };
  for (ResultStatus Status : All) {
    StoredResult Row = row(resultStatusName(Status), Status);
    Row.Result = fullResult(Status);
    storeOrFail(Db, Row);
    std::optional<Result> Back = found(Db, Row.Key);
    ASSERT_TRUE(Back);
    EXPECT_EQ(textOf(*Back), textOf(Row.Result));
    EXPECT_EQ(Back->Status, Status);
    EXPECT_EQ(Back->SamplesMs, Row.Result.SamplesMs) << "bit by bit";
    EXPECT_EQ(Back->MedianMs, Row.Result.MedianMs);
    EXPECT_EQ(Back->BaselineMedianMs, Row.Result.BaselineMedianMs);
    EXPECT_EQ(Back->Message, Row.Result.Message);
  }
  EXPECT_FALSE(found(Db, "nothing"));
  EXPECT_EQ(Db.damagedRows(), 0u);
  EXPECT_TRUE(Notes.empty()) << join(Notes, "\n");
}

TEST_F(DatabaseTest, WhatBelongsToOneRunIsNotStored) {
  ResultDatabase Db = open();
  StoredResult Row = row("k", ResultStatus::Fault);
  Row.Result.Id = "variant:1@cafe x";
  Row.Result.RunnerEnds = true;
  storeOrFail(Db, Row);
  EXPECT_EQ(found(Db, "k")->Id, "");
  EXPECT_FALSE(found(Db, "k")->RunnerEnds);
}

TEST_F(DatabaseTest, FactsAreForPeopleAndComeBackInTheOrderMeasured) {
  ResultDatabase Db = open();
  StoredResult Late = row("a"), Early = row("b");
  Early.MeasuredAt = 1'700'000'000;
  Early.Facts = {"w'.yaml", "k", "stock", "", "sm_80", "n=1", "tools"};
  Early.Gpu = "A100";
  Early.Driver = 12020;
  storeOrFail(Db, {Late, Early});
  std::vector<StoredResult> All;
  EXPECT_FALSE(errorToBool(Db.forEach({}, [&](const StoredResult &R) {
    All.push_back(R);
    return Error::success();
  })));
  ASSERT_EQ(All.size(), 2u);
  EXPECT_EQ(All[0].Key, "b");
  EXPECT_EQ(All[0].Facts.Workload, "w'.yaml");
  EXPECT_EQ(All[0].Facts.Kind, "stock");
  EXPECT_EQ(All[0].Facts.Tools, "tools");
  EXPECT_EQ(All[0].Gpu, "A100");
  EXPECT_EQ(All[0].Driver, 12020);
  EXPECT_EQ(All[0].MeasuredAt, 1'700'000'000);
  EXPECT_EQ(All[1].Facts.Variant, Late.Facts.Variant);
}

TEST_F(DatabaseTest, FiltersSelectAndRemove) {
  ResultDatabase Db = open();
  StoredResult Other = row("bb", ResultStatus::Wrong);
  Other.Facts.Workload = "other.yaml";
  Other.MeasuredAt = 5;
  storeOrFail(Db, {row("aa"), row("ab"), Other});
  auto Count = [&](const ResultFilter &F) { return valueOf(Db.count(F)); };
  ResultFilter F;
  EXPECT_EQ(Count(F), 3u);
  F.KeyPrefix = "a";
  EXPECT_EQ(Count(F), 2u);
  F.KeyPrefix = "%";
  EXPECT_EQ(Count(F), 0u) << "no pattern";
  F = {};
  F.Status = "wrong";
  EXPECT_EQ(Count(F), 1u);
  F = {};
  F.Workload = "matmul";
  EXPECT_EQ(Count(F), 2u);
  F.Variant = "factor=4";
  F.Gpu = "H200";
  F.Kernel = "mat";
  EXPECT_EQ(Count(F), 2u);
  F = {};
  F.Before = 6;
  EXPECT_EQ(Count(F), 1u);
  EXPECT_EQ(valueOf(Db.remove(F)), 1u);
  EXPECT_FALSE(found(Db, "bb"));
  EXPECT_EQ(Count({}), 2u);
}

TEST_F(DatabaseTest, ALaterResultOfTheSameKeyReplacesTheEarlier) {
  ResultDatabase Db = open();
  storeOrFail(Db, row("k"));
  storeOrFail(Db, row("k", ResultStatus::Wrong));
  EXPECT_EQ(found(Db, "k")->Status, ResultStatus::Wrong);
  EXPECT_EQ(valueOf(Db.count({})), 1u);
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
      std::optional<Result> Back;
      if (Error E = Db.find(Row.Key).moveInto(Back))
        consumeError(std::move(E)); // Found only now; a run goes on without that row.
      Missed += !Back;
      if (Back)
        EXPECT_EQ(textOf(*Back), textOf(Row.Result)) << "damaged at " << Offset;
    }
  }
  EXPECT_GT(SetAside, 0u);
  EXPECT_GT(Missed, 0u);
}

/// Files may not grow beyond \p Bytes while this lives; a write then fails as on a full disk.
class FileSizeLimit {
public:
  explicit FileSizeLimit(uint64_t Bytes) {
    ::getrlimit(RLIMIT_FSIZE, &Before);
    struct rlimit Limit = Before;
    Limit.rlim_cur = Bytes;
    Handler = std::signal(SIGXFSZ, SIG_IGN);
    ::setrlimit(RLIMIT_FSIZE, &Limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &Before);
    std::signal(SIGXFSZ, Handler);
  }

private:
  struct rlimit Before;
  void (*Handler)(int);
};

TEST_F(DatabaseTest, AWriteThatFailsIsAnErrorAndWhatWasStoredStays) {
  ResultDatabase Db = open();
  storeOrFail(Db, row("first"));
  StoredResult Large = row("second");
  Large.Result = fullResult(ResultStatus::Ok);
  {
    uint64_t LogBytes = 0;
    ASSERT_FALSE(sys::fs::file_size(Path + "-wal", LogBytes));
    FileSizeLimit NoRoom(LogBytes);
    Error E = Db.store(Large);
    ASSERT_TRUE(bool(E));
    TakenError Taken = takeError(std::move(E));
    EXPECT_EQ(Taken.Kind, ErrorKind::Io);
    EXPECT_NE(Taken.Text.find("results.db': "), std::string::npos) << Taken.Text;
  }
  EXPECT_TRUE(found(Db, "first"));
  EXPECT_FALSE(found(Db, "second"));
  storeOrFail(Db, Large);
  EXPECT_TRUE(found(Db, "second")) << "once there is room again";
}

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
    if (Expected<std::optional<Result>> Back = Db->find(Row.Key); !Back || !*Back)
      return false;
  }
  return true;
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

TEST_F(DatabaseTest, AKilledWriterLosesNothingItHasStored) {
  int Pipe[2];
  ASSERT_EQ(::pipe(Pipe), 0);
  pid_t Child = ::fork();
  ASSERT_GE(Child, 0);
  if (Child == 0) {
    std::vector<std::string> Ignored;
    ResultDatabase Db = cantFail(ResultDatabase::open(Path, Ignored));
    for (unsigned I = 0;; ++I) {
      cantFail(Db.store(row(std::to_string(I))));
      if (::write(Pipe[1], "x", 1) != 1)
        ::_exit(1);
    }
  }
  ::close(Pipe[1]);
  char Byte;
  uint64_t Told = 0;
  while (Told < 30 && ::read(Pipe[0], &Byte, 1) == 1)
    ++Told;
  ::kill(Child, SIGKILL);
  ::waitpid(Child, nullptr, 0);
  while (::read(Pipe[0], &Byte, 1) == 1)
    ++Told;
  ::close(Pipe[0]);
  ResultDatabase Db = open();
  uint64_t There = valueOf(Db.count({}));
  EXPECT_GE(There, Told);
  EXPECT_LE(There, Told + 1);
  EXPECT_TRUE(Notes.empty());
}

} // namespace
