//===- CompileCache.cpp - What was compiled in earlier runs -----------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "gpuprune/Database/CompileCache.h"
#include "gpuprune/Support/Error.h"
#include "gpuprune/Support/UniqueFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuprune {

/// pruneCache() looks at no others.
static constexpr StringLiteral FilePrefix = "llvmcache-";
/// A run that keeps more than that looks after the limit before it ends, since it may be killed.
static constexpr uint64_t MostUnpruned = uint64_t(64) << 20;

/// A file: the magic, the digest of all that follows and of the key, the size of the value, and the value
/// itself, compressed where that size is not its own.
static constexpr StringLiteral FileMagic = "gpuprune-kept-1\n";
static constexpr size_t DigestBytes = 32, HeadBytes = FileMagic.size() + DigestBytes + 8;

std::string compileCachePath(StringRef Database) {
  return Database.empty() ? "" : (Database + ".compiled").str();
}

static std::array<uint8_t, DigestBytes> fileDigest(StringRef Key, StringRef Behind) {
  BLAKE3 Hash;
  Hash.update(Key);
  Hash.update("\n");
  Hash.update(Behind);
  return Hash.final<DigestBytes>();
}

static std::string encoded(StringRef Key, StringRef Value) {
  SmallVector<uint8_t, 0> Compressed;
  StringRef Body = Value;
  if (compression::zstd::isAvailable()) {
    compression::zstd::compress(arrayRefFromStringRef(Value), Compressed, /*Level=*/3);
    if (Compressed.size() < Value.size())
      Body = toStringRef(Compressed);
  }
  std::string Behind(8, '\0');
  support::endian::write64le(Behind.data(), Value.size());
  Behind += Body;
  return (FileMagic + toStringRef(fileDigest(Key, Behind)) + Behind).str();
}

static std::optional<std::string> decoded(StringRef Key, StringRef File) {
  if (File.size() < HeadBytes || !File.starts_with(FileMagic))
    return std::nullopt;
  StringRef Digest = File.substr(FileMagic.size(), DigestBytes),
            Behind = File.substr(FileMagic.size() + DigestBytes);
  if (Digest != toStringRef(fileDigest(Key, Behind)))
    return std::nullopt;
  uint64_t Size = support::endian::read64le(Behind.data());
  StringRef Body = Behind.drop_front(8);
  if (Body.size() == Size)
    return Body.str();
  SmallVector<uint8_t, 0> Value;
  if (!compression::zstd::isAvailable())
    return std::nullopt; // Of a program with other libraries.
  if (Error E = compression::zstd::decompress(arrayRefFromStringRef(Body), Value, Size)) {
    consumeError(std::move(E));
    return std::nullopt;
  }
  return toStringRef(Value).str();
}

std::string CompileCache::fileOf(StringRef Key) const {
  SmallString<256> Path(Folder);
  sys::path::append(
      Path, FilePrefix + toHex(BLAKE3::hash<DigestBytes>(arrayRefFromStringRef(Key)), /*LowerCase=*/true));
  return std::string(Path);
}

std::optional<std::string> CompileCache::find(StringRef Key) {
  std::string Path = fileOf(Key);
  // A pipe of that name would be waited for.
  sys::fs::file_status Status;
  if (!sys::fs::status(Path, Status) && Status.type() == sys::fs::file_type::fifo_file) {
    ++Damaged;
    [[maybe_unused]] std::error_code Removed = sys::fs::remove(Path);
    return std::nullopt;
  }
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForRead(Path);
  if (!File) {
    consumeError(File.takeError());
    return std::nullopt;
  }
  ErrorOr<std::unique_ptr<MemoryBuffer>> Content =
      MemoryBuffer::getOpenFile(*File, Path, /*FileSize=*/-1, /*RequiresNullTerminator=*/false);
  std::optional<std::string> Value;
  if (Content)
    Value = decoded(Key, (*Content)->getBuffer());
  // File systems may not note it themselves; where it cannot be noted either, the value is the older.
  if (Value) [[maybe_unused]]
    std::error_code Ignored =
        sys::fs::setLastAccessAndModificationTime(*File, std::chrono::system_clock::now());
  [[maybe_unused]] std::error_code Closed = sys::fs::closeFile(*File); // It was only read.
  if (!Value) {
    ++Damaged;
    [[maybe_unused]] std::error_code Removed = sys::fs::remove(Path);
  }
  return Value;
}

/// No file that a signal removes: LLVM's handlers for that would take the place of this program's.
static std::error_code writeNew(StringRef Prefix, StringRef Bytes, std::string &Path) {
  int File = -1;
  if (std::error_code EC = createUniqueFile(Prefix, File, Path))
    return EC;
  raw_fd_ostream OS(File, /*shouldClose=*/true);
  OS << Bytes;
  OS.close();
  std::error_code EC = OS.error();
  OS.clear_error();
  if (EC) [[maybe_unused]]
    std::error_code Ignored = sys::fs::remove(Path);
  return EC;
}

Error CompileCache::keep(StringRef Key, StringRef Value) {
  SmallString<256> Prefix(Folder);
  std::string Part;
  sys::path::append(Prefix, FilePrefix + "part-");
  std::string Bytes = encoded(Key, Value);
  std::error_code EC = sys::fs::create_directories(Folder);
  if (!EC)
    EC = writeNew(Prefix, Bytes, Part);
  if (!EC) {
    EC = sys::fs::rename(Part, fileOf(Key));
    if (EC == std::errc::no_such_file_or_directory)
      return Error::success(); // Another process has emptied the folder.
  }
  if (EC)
    return makeError(ErrorKind::Io, formatv("cannot write to '{0}': {1}", Folder, EC.message()));
  Unpruned += Bytes.size();
  if (Unpruned > MostUnpruned)
    prune();
  return Error::success();
}

void CompileCache::prune() {
  Unpruned = 0;
  // pruneCache() would end the program where it cannot tell how large the disk is.
  if (!sys::fs::is_directory(Folder) || !sys::fs::disk_space(Folder))
    return;
  CachePruningPolicy Policy;
  Policy.Interval = std::chrono::seconds(0);
  Policy.Expiration = std::chrono::seconds(0);
  Policy.MaxSizeBytes = Limit;
  pruneCache(Folder, Policy);
}

/// Calls \p Take for the files that were last used before \p Before.
static void forEachFile(StringRef Folder, std::optional<sys::TimePoint<>> Before,
                        function_ref<void(const std::string &Path, uint64_t Bytes)> Take) {
  std::error_code EC;
  for (sys::fs::directory_iterator File(Folder, EC), End; !EC && File != End; File.increment(EC)) {
    if (!sys::path::filename(File->path()).starts_with(FilePrefix))
      continue;
    ErrorOr<sys::fs::basic_file_status> Status = File->status();
    if (Status && (!Before || Status->getLastModificationTime() < *Before))
      Take(File->path(), Status->getSize());
  }
}

CacheSize CompileCache::size(std::optional<sys::TimePoint<>> Before) const {
  CacheSize Size;
  forEachFile(Folder, Before, [&](const std::string &, uint64_t Bytes) {
    ++Size.Values;
    Size.Bytes += Bytes;
  });
  return Size;
}

CacheSize CompileCache::remove(std::optional<sys::TimePoint<>> Before) {
  CacheSize Removed;
  forEachFile(Folder, Before, [&](const std::string &Path, uint64_t Bytes) {
    if (sys::fs::remove(Path, /*IgnoreNonExisting=*/false))
      return; // Another process was first, or it cannot be removed.
    ++Removed.Values;
    Removed.Bytes += Bytes;
  });
  return Removed;
}

} // namespace gpuprune
