//===- LruCache.h - A cache with a budget ---------------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_SUPPORT_LRUCACHE_H
#define GPUPRUNE_SUPPORT_LRUCACHE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <list>
#include <memory>
#include <string>

namespace gpuprune {

/// Keeps shared values by key and forgets the least recently used ones above a
/// budget. A value somebody still holds lives on, and is never counted out.
template <typename T> class LruCache {
public:
  explicit LruCache(uint64_t Budget) : Budget(Budget) {}

  /// Null where \p Key is unknown.
  std::shared_ptr<T> find(llvm::StringRef Key) {
    auto Found = ByKey.find(Key);
    if (Found == ByKey.end())
      return nullptr;
    Entries.splice(Entries.begin(), Entries, Found->second);
    return Found->second->Value;
  }

  void insert(llvm::StringRef Key, std::shared_ptr<T> Value, uint64_t Cost) {
    erase(Key);
    Entries.push_front({Key.str(), std::move(Value), Cost});
    ByKey[Key] = Entries.begin();
    Used += Cost;
    for (auto It = Entries.end(); Used > Budget && It != Entries.begin();) {
      auto Last = --It;
      if (Last->Value.use_count() != 1)
        continue;
      It = std::next(Last);
      drop(Last);
    }
  }

  /// The value nobody holds that was not used for longest, and its key; null where there is none.
  std::pair<std::string, std::shared_ptr<T>> oldestUnused() const {
    for (const Entry &E : llvm::reverse(Entries))
      if (E.Value.use_count() == 1)
        return {E.Key, E.Value};
    return {};
  }

  /// Forgets that value; false where there is none.
  bool evictOne() {
    auto [Key, Value] = oldestUnused();
    if (!Value)
      return false;
    erase(Key);
    return true;
  }

  void erase(llvm::StringRef Key) {
    auto Found = ByKey.find(Key);
    if (Found != ByKey.end())
      drop(Found->second);
  }

  void clear() {
    ByKey.clear();
    Entries.clear();
    Used = 0;
  }

private:
  struct Entry {
    std::string Key;
    std::shared_ptr<T> Value;
    uint64_t Cost;
  };
  using Position = typename std::list<Entry>::iterator;

  void drop(Position At) {
    Used -= At->Cost;
    ByKey.erase(At->Key);
    Entries.erase(At);
  }

  uint64_t Budget, Used = 0;
  std::list<Entry> Entries; ///< Most recently used first.
  llvm::StringMap<Position> ByKey;
};

} // namespace gpuprune

#endif // GPUPRUNE_SUPPORT_LRUCACHE_H
