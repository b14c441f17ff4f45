//===- DatabaseTesting.h - A database and rows for it ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_TEST_UNIT_DATABASE_DATABASETESTING_H
#define GPUPRUNE_TEST_UNIT_DATABASE_DATABASETESTING_H

#include "ExpectedTesting.h"
#include "Sqlite.h"
#include "gpuprune/Database/ResultDatabase.h"
#include "gpuprune/Support/Process.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <random>
#include <sqlite3.h>

namespace gpuprune::test {

using protocol::Result;
using protocol::ResultStatus;

class DatabaseTest : public ::testing::Test {
protected:
  TemporaryDirectory Home = llvm::cantFail(TemporaryDirectory::create());
  std::string Path = Home.file("results.db");
  std::vector<std::string> Notes;

  ResultDatabase open() {
    llvm::Expected<ResultDatabase> Db = ResultDatabase::open(Path, Notes);
    if (!Db)
      llvm::report_fatal_error(Db.takeError());
    return std::move(*Db);
  }
  std::string openError() {
    llvm::Expected<ResultDatabase> Db = ResultDatabase::open(Path, Notes);
    return Db ? "" : takeError(Db.takeError()).Text;
  }
  /// SQL on the file, as another program would do it.
  void sql(const std::string &Text) {
    auto Db = valueOf(sqlite::Connection::open(Path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE));
    if (llvm::Error E = Db.execute(Text))
      ADD_FAILURE() << llvm::toString(std::move(E));
  }
  int64_t number(llvm::StringRef Sql) {
    auto Db = valueOf(sqlite::Connection::open(Path, SQLITE_OPEN_READWRITE));
    return valueOf(Db.integer(Sql));
  }
  std::vector<std::string> files() const {
    std::vector<std::string> Names;
    std::error_code EC;
    for (llvm::sys::fs::directory_iterator I(Home.path(), EC), End; I != End && !EC; I.increment(EC))
      Names.push_back(I->path().substr(Home.path().size() + 1));
    llvm::sort(Names);
    return Names;
  }
};

inline StoredResult row(llvm::StringRef Key, ResultStatus Status = ResultStatus::Ok) {
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

inline std::string textOf(const Result &R) { return llvm::formatv("{0}", toJSON(R)); }

inline std::optional<Result> found(ResultDatabase &Db, llvm::StringRef Key) {
  std::optional<KnownResult> Known = valueOf(Db.find(Key));
  return Known ? std::optional(Known->Result) : std::nullopt;
}

inline void storeOrFail(ResultDatabase &Db, llvm::ArrayRef<StoredResult> Rows) {
  if (llvm::Error E = Db.store(Rows))
    ADD_FAILURE() << llvm::toString(std::move(E));
}

inline Result fullResult(ResultStatus Status) {
  std::mt19937_64 Random(unsigned(Status) + 1);
  Result R;
  R.Status = Status;
  R.Check = CheckOutcome::Wrong;
  R.Checks = {
      {"n=192", CheckOutcome::Bitwise, std::nullopt},
      {"n=256", CheckOutcome::Wrong,
       protocol::Mismatch{protocol::MismatchKind::GuardBefore, "C", UINT64_MAX, "0xa5", "0x00", 7, "0xa5"}}};
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

} // namespace gpuprune::test

#endif // GPUPRUNE_TEST_UNIT_DATABASE_DATABASETESTING_H
