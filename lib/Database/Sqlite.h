//===- Sqlite.h - SQLite's C interface, owned -------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_DATABASE_SQLITE_H
#define GPUPRUNE_LIB_DATABASE_SQLITE_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

struct sqlite3;
struct sqlite3_stmt;

namespace gpuprune::sqlite {

/// What SQLite answered, for callers that go on from some answers.
class SqliteError : public llvm::ErrorInfo<SqliteError> {
public:
  static char ID;
  SqliteError(int Code, std::string Text) : Code(Code), Text(std::move(Text)) {}
  int code() const { return Code; } ///< Without the extension.
  /// The file's content is not what SQLite writes.
  bool isDamage() const;
  /// Another process holds a lock.
  bool isBusy() const;
  bool isFullDisk() const;
  const std::string &text() const { return Text; }
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

private:
  int Code;
  std::string Text;
};

/// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
public:
  explicit Statement(sqlite3_stmt *Handle) : Handle(Handle) {}

  void bind(int Parameter, int64_t Value);
  void bind(int Parameter, double Value);
  void bind(int Parameter, llvm::StringRef Text);
  void bindNull(int Parameter);
  template <typename T> void bind(int Parameter, const std::optional<T> &Value) {
    Value ? bind(Parameter, *Value) : bindNull(Parameter);
  }

  /// Runs on to the next row; false after the last. The first error of a bind
  /// comes out here.
  llvm::Expected<bool> step();
  /// Runs a statement without rows, which can be run again then.
  llvm::Error run();
  void reset();

  int64_t integer(int Column) const;
  std::string text(int Column) const; ///< "" for null.
  std::optional<int64_t> maybeInteger(int Column) const;
  std::optional<double> maybeReal(int Column) const;

private:
  struct Finalize {
    void operator()(sqlite3_stmt *Handle) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> Handle;
  int Failed = 0; ///< Of a bind.
  bool isNull(int Column) const;
};

/// An open database. All functions fail with SqliteError.
class Connection {
public:
  /// \p Flags as for sqlite3_open_v2; \p Vfs names another implementation of files.
  static llvm::Expected<Connection> open(const std::string &Path, int Flags, const char *Vfs = nullptr);

  /// Locks of others are waited for that long.
  void setBusyTimeout(int Milliseconds);
  llvm::Expected<Statement> prepare(llvm::StringRef Sql);
  llvm::Error execute(const std::string &Sql);
  /// The first column of the first row.
  llvm::Expected<std::string> text(llvm::StringRef Sql);
  llvm::Expected<int64_t> integer(llvm::StringRef Sql);
  /// Rows that the last statement changed.
  uint64_t changes() const;
  bool isReadOnly() const;

private:
  struct Close {
    void operator()(sqlite3 *Handle) const;
  };
  std::unique_ptr<sqlite3, Close> Handle;
};

/// BEGIN IMMEDIATE to commit(); rolled back where that is not reached.
class Transaction {
public:
  static llvm::Expected<Transaction> begin(Connection &Db);
  Transaction(Transaction &&Other) noexcept;
  ~Transaction();
  llvm::Error commit();

private:
  explicit Transaction(Connection &Db) : Db(&Db) {}
  Connection *Db;
};

} // namespace gpuprune::sqlite

#endif // GPUPRUNE_LIB_DATABASE_SQLITE_H
