//===- ResultDatabaseTest.cpp - Results stored and found again ---------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DatabaseTesting.h"
#include "llvm/ADT/StringExtras.h"
#include <csignal>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace gpuprune;
using namespace gpuprune::protocol;
using namespace gpuprune::test;

namespace {

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
  Early.Facts = {"w'.yaml", "k", "stock", "", "sm_80", "n=1", "tools", "c0de"};
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
  EXPECT_EQ(All[0].Facts.MachineCode, "c0de");
  EXPECT_EQ(All[1].Facts.MachineCode, "");
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
