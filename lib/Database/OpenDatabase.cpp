//===- OpenDatabase.cpp - From a path to a database that can be used --------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "OpenDatabase.h"
#include "Schema.h"
#include "gpuprune/Support/Error.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <fcntl.h>
#include <sqlite3.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace gpuprune {

/// Others commit within milliseconds; the first opening of a large file takes longest.
static constexpr int BusyTimeoutMs = 10000;
static constexpr std::chrono::milliseconds RetryPeriod(20);

Error withPath(StringRef Path, Error E) {
  return handleErrors(std::move(E), [&](const sqlite::SqliteError &Sql) {
    return makeError(ErrorKind::Io, formatv("database '{0}': {1}", Path, Sql.text()));
  });
}

/// What every file of SQLite's begins with, its closing zero included.
static constexpr StringLiteral Magic = "SQLite format 3";

/// SQLite itself would remove the log of a file that begins with something else.
/// Must not be called while this process has the file open: it drops SQLite's locks.
static bool beginsWithMagic(const std::string &Path) {
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForRead(Path);
  if (!File) {
    consumeError(File.takeError());
    return true; // SQLite says why.
  }
  char Head[Magic.size() + 1] = {};
  Expected<size_t> Read = sys::fs::readNativeFile(*File, MutableArrayRef(Head));
  [[maybe_unused]] std::error_code Ignored = sys::fs::closeFile(*File); // It was only read.
  if (!Read) {
    consumeError(Read.takeError());
    return true;
  }
  return *Read == 0 || StringRef(Head, *Read) == StringRef(Magic.data(), Magic.size() + 1);
}

static Error checkSound(sqlite::Connection &Db) {
  Expected<std::string> Verdict = Db.text("PRAGMA quick_check(1)");
  if (!Verdict)
    return Verdict.takeError();
  return *Verdict == "ok" ? Error::success() : make_error<sqlite::SqliteError>(SQLITE_CORRUPT, *Verdict);
}

/// An open file that SQLite finds in order.
static Expected<sqlite::Connection> openSound(const std::string &Path, int Flags, const char *Vfs) {
  if (!beginsWithMagic(Path))
    return make_error<sqlite::SqliteError>(SQLITE_NOTADB, sqlite3_errstr(SQLITE_NOTADB));
  Expected<sqlite::Connection> Db = sqlite::Connection::open(Path, Flags, Vfs);
  if (!Db)
    return Db.takeError();
  Db->setBusyTimeout(BusyTimeoutMs);
  if (Error E = checkSound(*Db))
    return std::move(E);
  return Db;
}

/// The error's text where it tells of damage; any other error stays.
static Expected<std::string> damageOf(Error E) {
  std::string Damage;
  Error Other = handleErrors(std::move(E), [&](std::unique_ptr<sqlite::SqliteError> Sql) -> Error {
    if (!Sql->isDamage())
      return Error(std::move(Sql));
    Damage = Sql->text();
    return Error::success();
  });
  if (Other)
    return std::move(Other);
  return Damage;
}

static Error renamed(const std::string &From, const std::string &To) {
  std::error_code EC = sys::fs::rename(From, To);
  if (EC && EC != std::errc::no_such_file_or_directory)
    return makeError(ErrorKind::Io, formatv("database '{0}' is damaged and cannot be renamed to '{1}': {2}; "
                                            "move it away",
                                            From, To, EC.message()));
  return Error::success();
}

static std::string nameForDamaged(const std::string &Path) {
  std::string Stem =
      formatv("{0}.damaged-{1:%Y%m%dT%H%M%S}", Path, sys::TimePoint<>(std::chrono::system_clock::now()));
  std::string Name = Stem;
  for (unsigned N = 2; sys::fs::exists(Name); ++N)
    Name = formatv("{0}-{1}", Stem, N);
  return Name;
}

namespace {
/// Held by whoever renames a damaged file, so that nobody renames the new one.
class RenameLock {
public:
  explicit RenameLock(const std::string &Path)
      : Name(Path + ".lock"), File(::open(Name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    // Where there are no locks, two processes may set two files aside; nothing is lost.
    if (File >= 0) [[maybe_unused]]
      std::error_code Ignored = sys::fs::lockFile(File);
  }
  ~RenameLock() {
    if (File < 0)
      return;
    [[maybe_unused]] std::error_code Ignored = sys::fs::remove(Name);
    ::close(File); // Unlocks it.
  }
  RenameLock(const RenameLock &) = delete;

private:
  std::string Name;
  int File;
};
} // namespace

/// Renames the file with its log and opens a new one, if it is still damaged once
/// this process may do so.
static Expected<sqlite::Connection> replaceDamaged(const std::string &Path, const char *Vfs, int Flags,
                                                   std::vector<std::string> &Notes) {
  RenameLock Lock(Path);
  Expected<sqlite::Connection> Again = openSound(Path, Flags, Vfs);
  if (Again)
    return Again;
  Expected<std::string> Damage = damageOf(Again.takeError());
  if (!Damage)
    return Damage.takeError();
  std::string Aside = nameForDamaged(Path);
  // The log first: it must not be taken for the new file's.
  for (StringRef Part : {"-wal", "-shm", "-journal", ""})
    if (Error E = renamed(Path + Part.str(), Aside + Part.str()))
      return std::move(E);
  Notes.push_back(formatv("the database '{0}' is damaged ({1}); it was renamed to '{2}' and a new one begun",
                          Path, *Damage, Aside));
  return openSound(Path, Flags, Vfs);
}

static Expected<sqlite::Connection> openOrReplace(const std::string &Path, const char *Vfs,
                                                  std::vector<std::string> &Notes) {
  int Flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  Expected<sqlite::Connection> Db = openSound(Path, Flags, Vfs);
  if (Db)
    return Db;
  Expected<std::string> Damage = damageOf(Db.takeError());
  if (!Damage)
    return Damage.takeError();
  return replaceDamaged(Path, Vfs, Flags, Notes);
}

static Error checkContent(const std::string &Path, sqlite::Connection &Db) {
  Expected<DatabaseContent> Content = classify(Db);
  if (!Content)
    return Content.takeError();
  if (*Content == DatabaseContent::Foreign)
    return makeError(
        ErrorKind::Input,
        formatv("'{0}' is a database of another program; expected one that gpuprune made", Path));
  if (*Content == DatabaseContent::Newer)
    return makeError(ErrorKind::Input,
                     formatv("the database '{0}' was written by a later version of gpuprune (this one knows "
                             "schemas up to {1}); use that version, or another file",
                             Path, schemaVersion()));
  return Error::success();
}

/// Two processes that switch a new file at once are told "busy" without the wait
/// that SQLite otherwise makes.
static Expected<std::string> switchJournal(sqlite::Connection &Db, StringRef Mode) {
  auto GivenUp = std::chrono::steady_clock::now() + std::chrono::milliseconds(BusyTimeoutMs);
  while (true) {
    Expected<std::string> Now = Db.text(formatv("PRAGMA journal_mode = {0}", Mode).str());
    if (Now)
      return Now;
    bool Busy = Now.errorIsA<sqlite::SqliteError>();
    Error Left = handleErrors(Now.takeError(), [&](std::unique_ptr<sqlite::SqliteError> Sql) -> Error {
      Busy = Sql->isBusy();
      return Error(std::move(Sql));
    });
    if (!Busy || std::chrono::steady_clock::now() > GivenUp)
      return std::move(Left);
    consumeError(std::move(Left));
    std::this_thread::sleep_for(RetryPeriod);
  }
}

/// What says nothing of write-ahead logging.
static Error unlessWalIsAtFault(Error E) {
  return handleErrors(std::move(E), [](std::unique_ptr<sqlite::SqliteError> Sql) -> Error {
    return Sql->isFullDisk() ? Error(std::move(Sql)) : Error::success();
  });
}

/// Write-ahead logging, where readers and a writer do not wait for each other. It
/// needs shared memory, which a network's file system has not.
static Error chooseJournal(const std::string &Path, sqlite::Connection &Db, std::vector<std::string> &Notes) {
  bool Local = true;
  // Where nobody can tell, SQLite may try.
  if (sys::fs::is_local(Path, Local))
    Local = true;
  if (Local) {
    Expected<std::string> Mode = switchJournal(Db, "WAL");
    if (Mode && *Mode == "wal")
      return Error::success();
    if (!Mode)
      if (Error E = unlessWalIsAtFault(Mode.takeError()))
        return E;
  }
  Expected<std::string> Mode = switchJournal(Db, "DELETE");
  if (!Mode)
    return Mode.takeError();
  Notes.push_back(
      formatv("'{0}' is where SQLite's write-ahead log does not work{1}; it is used with a rollback "
              "journal: processes wait for each other",
              Path, Local ? "" : " (a network file system)"));
  return Error::success();
}

static Error makeFolder(const std::string &Path) {
  StringRef Folder = sys::path::parent_path(Path);
  std::error_code EC;
  if (!Folder.empty())
    EC = sys::fs::create_directories(Folder);
  if (EC)
    return makeError(ErrorKind::Io, formatv("database '{0}': cannot make the folder '{1}': {2}", Path, Folder,
                                            EC.message()));
  return Error::success();
}

static Error checkIsFile(const std::string &Path) {
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status) && !sys::fs::is_regular_file(Status))
    return makeError(ErrorKind::Io, formatv("database '{0}': expected a file, found something else", Path));
  return Error::success();
}

Expected<sqlite::Connection> openForRun(const std::string &Path, std::vector<std::string> &Notes,
                                        const char *Vfs) {
  if (Error E = makeFolder(Path))
    return std::move(E);
  if (Error E = checkIsFile(Path))
    return std::move(E);
  Expected<sqlite::Connection> Db = openOrReplace(Path, Vfs, Notes);
  if (!Db)
    return Db.takeError();
  if (Db->isReadOnly())
    return makeError(ErrorKind::Io, formatv("database '{0}' cannot be written", Path));
  if (Error E = checkContent(Path, *Db))
    return std::move(E);
  if (Error E = chooseJournal(Path, *Db, Notes))
    return std::move(E);
  // A result is to survive the machine's end as well as the process's.
  if (Error E = Db->execute("PRAGMA synchronous = FULL"))
    return std::move(E);
  if (Error E = migrate(*Db))
    return std::move(E);
  return Db;
}

/// SQLite's name for a file that it is promised nobody changes.
static std::string immutableUri(StringRef Path) {
  std::string Uri = "file:";
  for (char C : Path) {
    if (C == '%' || C == '?' || C == '#')
      Uri += formatv("%{0}", utohexstr(uint8_t(C)));
    else
      Uri += C;
  }
  return Uri + "?immutable=1";
}

static bool isInWritableFolder(const std::string &Path) {
  StringRef Folder = sys::path::parent_path(Path);
  return !sys::fs::access(Folder.empty() ? "." : Folder, sys::fs::AccessMode::Write);
}

/// Where nothing can be written, a file in write-ahead mode can be read only by that
/// promise, and only where no log is left beside it.
static Expected<sqlite::Connection> openToRead(const std::string &Path) {
  if (isInWritableFolder(Path) || sys::fs::exists(Path + "-wal"))
    return openSound(Path, SQLITE_OPEN_READWRITE, nullptr);
  if (!beginsWithMagic(Path))
    return make_error<sqlite::SqliteError>(SQLITE_NOTADB, sqlite3_errstr(SQLITE_NOTADB));
  Expected<sqlite::Connection> Db =
      sqlite::Connection::open(immutableUri(Path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  if (!Db)
    return Db.takeError();
  if (Error E = checkSound(*Db))
    return std::move(E);
  return Db;
}

Expected<sqlite::Connection> openAsItIs(const std::string &Path, bool Writable) {
  if (!sys::fs::exists(Path))
    return makeError(ErrorKind::Io,
                     formatv("there is no database '{0}'; gpuprune tune makes one where it measures, "
                             "--db names another",
                             Path));
  if (Error E = checkIsFile(Path))
    return std::move(E);
  Expected<sqlite::Connection> Db =
      Writable ? openSound(Path, SQLITE_OPEN_READWRITE, nullptr) : openToRead(Path);
  if (!Db)
    return Db.takeError();
  if (Error E = checkContent(Path, *Db))
    return std::move(E);
  if (Writable && Db->isReadOnly())
    return makeError(ErrorKind::Io, formatv("database '{0}' cannot be written", Path));
  if (Error E = migrate(*Db))
    return std::move(E);
  return Db;
}

} // namespace gpuprune
