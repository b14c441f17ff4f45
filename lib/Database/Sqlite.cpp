//===- Sqlite.cpp - SQLite's C interface, owned -----------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Sqlite.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/raw_ostream.h"
#include <sqlite3.h>

using namespace llvm;

namespace gpuprune::sqlite {

char SqliteError::ID = 0;

bool SqliteError::isDamage() const { return Code == SQLITE_NOTADB || Code == SQLITE_CORRUPT; }

bool SqliteError::isBusy() const { return Code == SQLITE_BUSY || Code == SQLITE_LOCKED; }

bool SqliteError::isFullDisk() const { return Code == SQLITE_FULL; }

void SqliteError::log(raw_ostream &OS) const { OS << Text; }

std::error_code SqliteError::convertToErrorCode() const { return inconvertibleErrorCode(); }

static Error failure(sqlite3 *Db, int Code) {
  // The connection's own text tells more, where it is about this error.
  bool IsItsOwn = Db && (sqlite3_errcode(Db) & 0xff) == (Code & 0xff);
  std::string Text = IsItsOwn ? sqlite3_errmsg(Db) : sqlite3_errstr(Code);
  // "disk I/O error" may be a full disk.
  if (int Number = (Code & 0xff) == SQLITE_IOERR && Db ? sqlite3_system_errno(Db) : 0)
    Text += " (" + sys::StrError(Number) + ")";
  return make_error<SqliteError>(Code & 0xff, Text);
}

void Statement::Finalize::operator()(sqlite3_stmt *Handle) const { sqlite3_finalize(Handle); }

void Statement::bind(int Parameter, int64_t Value) {
  if (int Code = sqlite3_bind_int64(Handle.get(), Parameter, Value))
    Failed = Code;
}

void Statement::bind(int Parameter, double Value) {
  if (int Code = sqlite3_bind_double(Handle.get(), Parameter, Value))
    Failed = Code;
}

void Statement::bind(int Parameter, StringRef Text) {
  // An empty StringRef may point nowhere, which SQLite would take for null.
  const char *Data = Text.empty() ? "" : Text.data();
  if (int Code =
          sqlite3_bind_text64(Handle.get(), Parameter, Data, Text.size(), SQLITE_TRANSIENT, SQLITE_UTF8))
    Failed = Code;
}

void Statement::bindNull(int Parameter) {
  if (int Code = sqlite3_bind_null(Handle.get(), Parameter))
    Failed = Code;
}

Expected<bool> Statement::step() {
  sqlite3 *Db = sqlite3_db_handle(Handle.get());
  if (Failed)
    return failure(Db, Failed);
  int Code = sqlite3_step(Handle.get());
  if (Code == SQLITE_ROW || Code == SQLITE_DONE)
    return Code == SQLITE_ROW;
  Error E = failure(Db, Code);
  sqlite3_reset(Handle.get());
  return std::move(E);
}

Error Statement::run() {
  Expected<bool> Row = step();
  if (!Row)
    return Row.takeError();
  reset();
  return Error::success();
}

void Statement::reset() {
  sqlite3_reset(Handle.get());
  sqlite3_clear_bindings(Handle.get());
  Failed = 0;
}

bool Statement::isNull(int Column) const { return sqlite3_column_type(Handle.get(), Column) == SQLITE_NULL; }

int64_t Statement::integer(int Column) const { return sqlite3_column_int64(Handle.get(), Column); }

std::string Statement::text(int Column) const {
  const unsigned char *Text = sqlite3_column_text(Handle.get(), Column);
  if (!Text)
    return "";
  return std::string(reinterpret_cast<const char *>(Text), sqlite3_column_bytes(Handle.get(), Column));
}

std::optional<int64_t> Statement::maybeInteger(int Column) const {
  return isNull(Column) ? std::nullopt : std::optional<int64_t>(integer(Column));
}

std::optional<double> Statement::maybeReal(int Column) const {
  return isNull(Column) ? std::nullopt : std::optional<double>(sqlite3_column_double(Handle.get(), Column));
}

void Connection::Close::operator()(sqlite3 *Handle) const { sqlite3_close_v2(Handle); }

Expected<Connection> Connection::open(const std::string &Path, int Flags, const char *Vfs) {
  Connection Opened;
  sqlite3 *Handle = nullptr;
  int Code = sqlite3_open_v2(Path.c_str(), &Handle, Flags, Vfs);
  Opened.Handle.reset(Handle); // There is one even after most errors.
  if (Code != SQLITE_OK)
    return failure(Handle, Code);
  return Opened;
}

void Connection::setBusyTimeout(int Milliseconds) { sqlite3_busy_timeout(Handle.get(), Milliseconds); }

Expected<Statement> Connection::prepare(StringRef Sql) {
  sqlite3_stmt *Made = nullptr;
  int Code = sqlite3_prepare_v3(Handle.get(), Sql.data(), int(Sql.size()), 0, &Made, nullptr);
  if (Code != SQLITE_OK)
    return failure(Handle.get(), Code);
  return Statement(Made);
}

Error Connection::execute(const std::string &Sql) {
  int Code = sqlite3_exec(Handle.get(), Sql.c_str(), nullptr, nullptr, nullptr);
  return Code == SQLITE_OK ? Error::success() : failure(Handle.get(), Code);
}

Expected<std::string> Connection::text(StringRef Sql) {
  Expected<Statement> Query = prepare(Sql);
  if (!Query)
    return Query.takeError();
  Expected<bool> Row = Query->step();
  if (!Row)
    return Row.takeError();
  return *Row ? Query->text(0) : std::string();
}

Expected<int64_t> Connection::integer(StringRef Sql) {
  Expected<Statement> Query = prepare(Sql);
  if (!Query)
    return Query.takeError();
  Expected<bool> Row = Query->step();
  if (!Row)
    return Row.takeError();
  return *Row ? Query->integer(0) : 0;
}

uint64_t Connection::changes() const { return sqlite3_changes64(Handle.get()); }

bool Connection::isReadOnly() const { return sqlite3_db_readonly(Handle.get(), "main") == 1; }

Expected<Transaction> Transaction::begin(Connection &Db) {
  if (Error E = Db.execute("BEGIN IMMEDIATE"))
    return std::move(E);
  return Transaction(Db);
}

Transaction::Transaction(Transaction &&Other) noexcept : Db(std::exchange(Other.Db, nullptr)) {}

Transaction::~Transaction() {
  // SQLite has rolled back by itself after some errors; then this one means nothing.
  if (Db)
    consumeError(Db->execute("ROLLBACK"));
}

Error Transaction::commit() {
  if (Error E = Db->execute("COMMIT"))
    return E;
  Db = nullptr;
  return Error::success();
}

} // namespace gpuprune::sqlite
