//===- ResultDatabase.cpp - Results of earlier runs -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Database/ResultDatabase.h"
#include "OpenDatabase.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;
using gpuprune::protocol::Result;

namespace gpuprune {

static constexpr StringLiteral FindSql = "SELECT result, digest, time_limit_s FROM results WHERE key = ?";

static constexpr StringLiteral StoreSql =
    "INSERT OR REPLACE INTO results (key, result, digest, measured_at, workload, kernel, kind, variant, "
    "target, "
    "size, tools, gpu, driver, status, outcome, median_ms, baseline_median_ms, time_limit_s, "
    "machine_code) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

static constexpr StringLiteral Columns =
    "key, result, digest, measured_at, workload, kernel, kind, variant, target, "
    "size, tools, gpu, driver, time_limit_s, machine_code";

static constexpr StringLiteral FilterSql =
    " FROM results WHERE (?1 = '' OR substr(key, 1, length(?1)) = ?1)"
    " AND (?2 = '' OR instr(workload, ?2)) AND (?3 = '' OR instr(kernel, ?3))"
    " AND (?4 = '' OR instr(variant, ?4)) AND (?5 = '' OR instr(gpu, ?5))"
    " AND (?6 = '' OR status = ?6) AND (?7 IS NULL OR measured_at < ?7)";

ResultDatabase::ResultDatabase(std::string Path, sqlite::Connection Db)
    : Path(std::move(Path)), Db(std::make_unique<sqlite::Connection>(std::move(Db))) {}

ResultDatabase::ResultDatabase(ResultDatabase &&) noexcept = default;
ResultDatabase::~ResultDatabase() = default;

Error ResultDatabase::say(Error E) const { return withPath(Path, std::move(E)); }

Expected<ResultDatabase> ResultDatabase::open(StringRef Path, std::vector<std::string> &Notes,
                                              const char *Vfs) {
  Expected<sqlite::Connection> Db = openForRun(Path.str(), Notes, Vfs);
  if (!Db)
    return withPath(Path, Db.takeError());
  return ResultDatabase(Path.str(), std::move(*Db));
}

Expected<ResultDatabase> ResultDatabase::openExisting(StringRef Path, bool Writable) {
  Expected<sqlite::Connection> Db = openAsItIs(Path.str(), Writable);
  if (!Db)
    return withPath(Path, Db.takeError());
  return ResultDatabase(Path.str(), std::move(*Db));
}

/// Tells a row whose bytes have changed since from one that is as it was written.
static std::string digestOf(StringRef Key, StringRef Text) {
  std::string Guarded = (Key + "\n" + Text).str();
  return toHex(SHA256::hash(arrayRefFromStringRef(Guarded)), /*LowerCase=*/true);
}

/// Without what belongs to one run of it.
static Expected<std::string> textOf(Result R) {
  R.Id.clear();
  R.RunnerEnds = false;
  std::string Text = formatv("{0}", protocol::toJSON(R));
  Expected<Result> Back = protocol::parseResult(Text);
  if (!Back)
    return makeError(ErrorKind::Internal, "a result cannot be stored, since it cannot be read back: " +
                                              toString(Back.takeError()));
  return Text;
}

std::optional<Result> ResultDatabase::decode(StringRef Key, StringRef Text, StringRef Digest) {
  if (Digest == digestOf(Key, Text)) {
    Expected<Result> Parsed = protocol::parseResult(Text);
    if (Parsed)
      return std::move(*Parsed);
    consumeError(Parsed.takeError());
  }
  ++DamagedRows;
  return std::nullopt;
}

/// Prepares \p Sql once.
static Error ensure(std::unique_ptr<sqlite::Statement> &Kept, sqlite::Connection &Db, StringRef Sql) {
  if (Kept)
    return Error::success();
  Expected<sqlite::Statement> Made = Db.prepare(Sql);
  if (!Made)
    return Made.takeError();
  Kept = std::make_unique<sqlite::Statement>(std::move(*Made));
  return Error::success();
}

Expected<std::optional<KnownResult>> ResultDatabase::find(StringRef Key) {
  if (Error E = ensure(Finding, *Db, FindSql))
    return say(std::move(E));
  Finding->reset();
  Finding->bind(1, Key);
  Expected<bool> Row = Finding->step();
  if (!Row)
    return say(Row.takeError());
  std::optional<KnownResult> Found;
  if (*Row)
    if (std::optional<Result> Decoded = decode(Key, Finding->text(0), Finding->text(1)))
      Found = {std::move(*Decoded), Finding->maybeReal(2)};
  Finding->reset(); // Ends the read transaction.
  return Found;
}

static void bindRow(sqlite::Statement &Insert, const StoredResult &Row, StringRef Text) {
  int Next = 0;
  const JobFacts &F = Row.Facts;
  Insert.bind(++Next, StringRef(Row.Key));
  Insert.bind(++Next, Text);
  Insert.bind(++Next, StringRef(digestOf(Row.Key, Text)));
  Insert.bind(++Next, Row.MeasuredAt);
  for (StringRef Fact : {StringRef(F.Workload), StringRef(F.Kernel), StringRef(F.Kind), StringRef(F.Variant),
                         StringRef(F.Target), StringRef(F.Size), StringRef(F.Tools), StringRef(Row.Gpu)})
    Insert.bind(++Next, Fact);
  Insert.bind(++Next, Row.Driver);
  Insert.bind(++Next, protocol::resultStatusName(Row.Result.Status));
  Insert.bind(++Next, checkOutcomeName(Row.Result.Check));
  Insert.bind(++Next, Row.Result.MedianMs);
  Insert.bind(++Next, Row.Result.BaselineMedianMs);
  Insert.bind(++Next, Row.TimeLimitSeconds);
  Insert.bind(++Next, StringRef(F.MachineCode));
}

Error ResultDatabase::store(ArrayRef<StoredResult> Rows) {
  if (Error E = ensure(Storing, *Db, StoreSql))
    return say(std::move(E));
  Expected<sqlite::Transaction> Writing = sqlite::Transaction::begin(*Db);
  if (!Writing)
    return say(Writing.takeError());
  for (const StoredResult &Row : Rows) {
    Expected<std::string> Text = textOf(Row.Result);
    if (!Text)
      return Text.takeError();
    bindRow(*Storing, Row, *Text);
    if (Error E = Storing->run()) {
      Storing->reset();
      return say(std::move(E));
    }
  }
  return say(Writing->commit());
}

static void bindFilter(sqlite::Statement &Query, const ResultFilter &Filter) {
  int Next = 0;
  for (StringRef Part : {StringRef(Filter.KeyPrefix), StringRef(Filter.Workload), StringRef(Filter.Kernel),
                         StringRef(Filter.Variant), StringRef(Filter.Gpu), StringRef(Filter.Status)})
    Query.bind(++Next, Part);
  Query.bind(++Next, Filter.Before);
}

Error ResultDatabase::forEach(const ResultFilter &Filter, function_ref<Error(const StoredResult &)> Take) {
  std::string Sql = ("SELECT " + Columns + FilterSql + " ORDER BY measured_at, key").str();
  Expected<sqlite::Statement> Query = Db->prepare(Sql);
  if (!Query)
    return say(Query.takeError());
  bindFilter(*Query, Filter);
  while (true) {
    Expected<bool> More = Query->step();
    if (!More)
      return say(More.takeError());
    if (!*More)
      return Error::success();
    StoredResult Row;
    Row.Key = Query->text(0);
    std::optional<Result> Decoded = decode(Row.Key, Query->text(1), Query->text(2));
    if (!Decoded)
      continue;
    Row.Result = std::move(*Decoded);
    Row.MeasuredAt = Query->integer(3);
    int Next = 4;
    for (std::string *Fact : {&Row.Facts.Workload, &Row.Facts.Kernel, &Row.Facts.Kind, &Row.Facts.Variant,
                              &Row.Facts.Target, &Row.Facts.Size, &Row.Facts.Tools, &Row.Gpu})
      *Fact = Query->text(Next++);
    Row.Driver = Query->integer(Next++);
    Row.TimeLimitSeconds = Query->maybeReal(Next++);
    Row.Facts.MachineCode = Query->text(Next);
    if (Error E = Take(Row))
      return E;
  }
}

Expected<uint64_t> ResultDatabase::count(const ResultFilter &Filter) {
  Expected<sqlite::Statement> Query = Db->prepare(("SELECT count(*)" + FilterSql).str());
  if (!Query)
    return say(Query.takeError());
  bindFilter(*Query, Filter);
  Expected<bool> Row = Query->step();
  if (!Row)
    return say(Row.takeError());
  return uint64_t(Query->integer(0));
}

Expected<uint64_t> ResultDatabase::remove(const ResultFilter &Filter) {
  Expected<sqlite::Statement> Deleting = Db->prepare(("DELETE" + FilterSql).str());
  if (!Deleting)
    return say(Deleting.takeError());
  bindFilter(*Deleting, Filter);
  if (Error E = Deleting->run())
    return say(std::move(E));
  uint64_t Removed = Db->changes();
  // Only gives room back: not worth an error where others are using the file.
  consumeError(Db->execute("VACUUM"));
  return Removed;
}

std::string defaultDatabasePath() {
  SmallString<128> Path;
  if (!sys::path::cache_directory(Path))
    return "";
  // The base directory specification has relative ones ignored.
  if (!sys::path::is_absolute(Path)) {
    Path.clear();
    if (!sys::path::home_directory(Path))
      return "";
    sys::path::append(Path, ".cache");
  }
  sys::path::append(Path, "gpuprune", "results.db");
  return std::string(Path);
}

} // namespace gpuprune
