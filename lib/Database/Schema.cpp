//===- Schema.cpp - The tables, and how they came to be ---------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Schema.h"
#include "llvm/Support/FormatVariadic.h"
#include <iterator>

using namespace llvm;

namespace gpuprune {

/// Step N brings version N to version N + 1. Steps are never changed once they
/// are released: files of every version are out there.
static constexpr const char *Steps[] = {
    // The result is the protocol's line without its id, digest guards it; the
    // columns after it are for people.
    R"(CREATE TABLE results (
         key TEXT PRIMARY KEY,
         result TEXT NOT NULL,
         digest TEXT NOT NULL,
         measured_at INTEGER NOT NULL,
         workload TEXT NOT NULL,
         kernel TEXT NOT NULL,
         kind TEXT NOT NULL,
         variant TEXT NOT NULL,
         target TEXT NOT NULL,
         size TEXT NOT NULL,
         tools TEXT NOT NULL,
         gpu TEXT NOT NULL,
         driver INTEGER NOT NULL,
         status TEXT NOT NULL,
         outcome TEXT NOT NULL,
         median_ms REAL,
         baseline_median_ms REAL
       ) STRICT, WITHOUT ROWID)",
    // How long a job might take: a result of status timeout answers no longer wait.
    "ALTER TABLE results ADD COLUMN time_limit_s REAL",
    // Rows of one program can be told by it, whatever their variants are called.
    "ALTER TABLE results ADD COLUMN machine_code TEXT NOT NULL DEFAULT ''",
};

int64_t schemaVersion() { return std::size(Steps); }

static Expected<DatabaseContent> classifySnapshot(sqlite::Connection &Db) {
  Expected<int64_t> Id = Db.integer("PRAGMA application_id");
  if (!Id)
    return Id.takeError();
  Expected<int64_t> Version = Db.integer("PRAGMA user_version");
  if (!Version)
    return Version.takeError();
  if (*Id == DatabaseApplicationId && *Version >= 0)
    return *Version > schemaVersion() ? DatabaseContent::Newer : DatabaseContent::Ours;
  Expected<int64_t> Tables = Db.integer("SELECT count(*) FROM sqlite_master");
  if (!Tables)
    return Tables.takeError();
  return *Id == 0 && *Version == 0 && *Tables == 0 ? DatabaseContent::Empty : DatabaseContent::Foreign;
}

/// In one read transaction: between two reads another process may make a new file ours.
Expected<DatabaseContent> classify(sqlite::Connection &Db) {
  if (Error E = Db.execute("BEGIN"))
    return std::move(E);
  Expected<DatabaseContent> Content = classifySnapshot(Db);
  Error Ended = Db.execute("ROLLBACK");
  if (!Content) {
    consumeError(std::move(Ended)); // What came first tells more.
    return Content;
  }
  if (Ended)
    return std::move(Ended);
  return Content;
}

Error migrate(sqlite::Connection &Db) {
  Expected<int64_t> Version = Db.integer("PRAGMA user_version");
  if (!Version)
    return Version.takeError();
  if (*Version >= schemaVersion())
    return Error::success();
  Expected<sqlite::Transaction> Change = sqlite::Transaction::begin(Db);
  if (!Change)
    return Change.takeError();
  // Another process may have done it while this one waited.
  Version = Db.integer("PRAGMA user_version");
  if (!Version)
    return Version.takeError();
  for (int64_t Next = *Version; Next < schemaVersion(); ++Next)
    if (Error E = Db.execute(Steps[Next]))
      return E;
  if (*Version < schemaVersion()) {
    if (Error E = Db.execute(formatv("PRAGMA application_id = {0}", DatabaseApplicationId)))
      return E;
    if (Error E = Db.execute(formatv("PRAGMA user_version = {0}", schemaVersion())))
      return E;
  }
  return Change->commit();
}

} // namespace gpuprune
