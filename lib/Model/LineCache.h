//===- LineCache.h - Least recently used lines of sectors -------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_MODEL_LINECACHE_H
#define GPUPRUNE_LIB_MODEL_LINECACHE_H

#include "llvm/ADT/DenseMap.h"
#include <cstdint>
#include <list>

namespace gpuprune {

inline constexpr uint64_t LineBytes = 128;

/// L1: lines of 128 bytes, of which sectors of 32 bytes are filled one by one. Fully associative.
class LineCache {
public:
  explicit LineCache(uint64_t Lines) : MostLines(Lines) {}

  /// Whether the sector with the number \p Sector is there; it is afterwards.
  bool load(uint64_t Sector) {
    uint64_t Tag = Sector / SectorsOfLine;
    uint8_t Bit = uint8_t(1u << (Sector % SectorsOfLine));
    auto [At, IsNew] = Places.try_emplace(Tag);
    if (IsNew) {
      Lines.push_front({Tag, Bit});
      At->second = Lines.begin();
      if (Lines.size() > MostLines) {
        Places.erase(Lines.back().Tag);
        Lines.pop_back();
      }
      return false;
    }
    Lines.splice(Lines.begin(), Lines, At->second);
    bool IsThere = Lines.front().Filled & Bit;
    Lines.front().Filled |= Bit;
    return IsThere;
  }

private:
  static constexpr uint64_t SectorsOfLine = LineBytes / 32;
  struct Line {
    uint64_t Tag;
    uint8_t Filled;
  };
  uint64_t MostLines;
  std::list<Line> Lines; ///< The last used first.
  llvm::DenseMap<uint64_t, std::list<Line>::iterator> Places;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_MODEL_LINECACHE_H
