//===- CompileCache.h - What was compiled in earlier runs -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A folder with a file for each value, which any number of processes may use at once.
// A value appears whole, by renaming, or not at all; one whose bytes have changed since
// is not found. What was used longest ago goes first where the folder grows beyond its
// limit. docs/database.md describes the files.
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_DATABASE_COMPILECACHE_H
#define GPUPRUNE_DATABASE_COMPILECACHE_H

#include "llvm/Support/Chrono.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <optional>
#include <string>

namespace gpuprune {

/// A part of a cache.
struct CacheSize {
  uint64_t Values = 0, Bytes = 0;
};

/// Where the cache is that belongs to the database \p Database.
std::string compileCachePath(llvm::StringRef Database);

class CompileCache {
public:
  static constexpr uint64_t DefaultLimit = uint64_t(1) << 30;

  /// \p Folder need not exist; it is made when there is something to keep. \p Limit: bytes of its files.
  explicit CompileCache(std::string Folder, uint64_t Limit = DefaultLimit)
      : Folder(std::move(Folder)), Limit(Limit) {}

  /// What was kept under \p Key; nothing where there is no such value, or where it is damaged. From now on it
  /// is the last that was used. Safe on many threads, like all functions.
  std::optional<std::string> find(llvm::StringRef Key);
  /// Keeps \p Value in place of what is there. Io error.
  llvm::Error keep(llvm::StringRef Key, llvm::StringRef Value);
  /// Removes what was used longest ago until all that is left is within the limit.
  void prune();

  /// Of the values that were last used before \p Before, or of all. Zero where there is no folder.
  CacheSize size(std::optional<llvm::sys::TimePoint<>> Before = std::nullopt) const;
  /// Removes these, and what killed processes have left behind with them.
  CacheSize remove(std::optional<llvm::sys::TimePoint<>> Before = std::nullopt);

  const std::string &folder() const { return Folder; }
  /// Files that were not what had been written, so far.
  size_t damagedValues() const { return Damaged; }

private:
  const std::string Folder;
  const uint64_t Limit;
  std::atomic<uint64_t> Unpruned = 0; ///< Bytes that were kept since prune().
  std::atomic<size_t> Damaged = 0;

  std::string fileOf(llvm::StringRef Key) const;
};

} // namespace gpuprune

#endif // GPUPRUNE_DATABASE_COMPILECACHE_H
