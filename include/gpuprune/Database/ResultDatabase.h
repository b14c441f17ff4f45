//===- ResultDatabase.h - Results of earlier runs ---------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One SQLite file that any number of processes may use at once. docs/database.md
// describes the schema. All errors are of kind Io but for a file that holds
// something else than results of this program, which is Input.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DATABASE_RESULTDATABASE_H
#define GPUPRUNE_DATABASE_RESULTDATABASE_H

#include "gpuprune/Database/JobKey.h"
#include "gpuprune/Runtime/Protocol.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuprune {

namespace sqlite {
class Connection;
class Statement;
} // namespace sqlite

/// What a person wants to know of a job; no part of its key.
struct JobFacts {
  std::string Workload; ///< Path of the YAML file.
  std::string Kernel;
  std::string Kind;    ///< "variant", "stock", "reference" or "final".
  std::string Variant; ///< Its text.
  std::string Target;  ///< "sm_90"
  std::string Size;    ///< "n=4096"
  std::string Tools;   ///< Versions of what made the code.
  /// Of the kernel, as CodeDigest.h hashes it; empty where it is not known.
  std::string MachineCode = {};
};

struct StoredResult {
  std::string Key;         ///< jobKey
  protocol::Result Result; ///< Its id is empty when it comes out of a database.
  JobFacts Facts;
  std::string Gpu;                        ///< Name.
  int64_t Driver = 0;                     ///< 13000 is CUDA 13.0.
  int64_t MeasuredAt = 0;                 ///< Seconds since 1970.
  std::optional<double> TimeLimitSeconds; ///< What the job had.
};

/// Rows whose columns contain the texts that are not empty.
struct ResultFilter {
  std::string KeyPrefix;
  std::string Workload, Kernel, Variant, Gpu;
  std::string Status;            ///< The whole of it.
  std::optional<int64_t> Before; ///< Measured before that second since 1970.
};

class ResultDatabase {
public:
  /// Opens \p Path for a run that stores results; makes folders and file. A file
  /// of an older schema is migrated. A damaged one is renamed and a new one made;
  /// \p Notes gets a sentence on that, and where several processes have to wait
  /// for each other because write-ahead logging does not work there. \p Vfs is
  /// SQLite's name for another implementation of files, for tests.
  static llvm::Expected<ResultDatabase> open(llvm::StringRef Path, std::vector<std::string> &Notes,
                                             const char *Vfs = nullptr);
  /// Opens a file that has to be there, to read it or also to remove rows.
  static llvm::Expected<ResultDatabase> openExisting(llvm::StringRef Path, bool Writable);
  ResultDatabase(ResultDatabase &&) noexcept;
  ~ResultDatabase();

  /// Nothing where there is no such row, or where it has been damaged.
  llvm::Expected<std::optional<KnownResult>> find(llvm::StringRef Key);
  /// All of \p Rows or none; on the disk when this returns. A row of the same key is replaced.
  llvm::Error store(llvm::ArrayRef<StoredResult> Rows);

  /// In the order in which they were measured. Ends with the first error of \p Take.
  llvm::Error forEach(const ResultFilter &Filter, llvm::function_ref<llvm::Error(const StoredResult &)> Take);
  llvm::Expected<uint64_t> count(const ResultFilter &Filter);
  /// How many there were. The file becomes smaller where no other process uses it.
  llvm::Expected<uint64_t> remove(const ResultFilter &Filter);
  /// Rows that could not be read, so far.
  uint64_t damagedRows() const { return DamagedRows; }
  const std::string &path() const { return Path; }

private:
  ResultDatabase(std::string Path, sqlite::Connection Db);
  std::optional<protocol::Result> decode(llvm::StringRef Key, llvm::StringRef Text, llvm::StringRef Digest);
  llvm::Error say(llvm::Error E) const;

  std::string Path;
  std::unique_ptr<sqlite::Connection> Db;
  std::unique_ptr<sqlite::Statement> Finding, Storing; ///< Prepared once.
  uint64_t DamagedRows = 0;
};

/// $XDG_CACHE_HOME/gpuprune/results.db, else .cache/gpuprune/results.db in the
/// home directory; empty where there is none.
std::string defaultDatabasePath();

} // namespace gpuprune

#endif // GPUPRUNE_DATABASE_RESULTDATABASE_H
