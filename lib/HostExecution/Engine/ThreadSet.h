//===- ThreadSet.h - A set of threads of a block -------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_THREADSET_H
#define GPUPRUNE_LIB_HOSTEXECUTION_THREADSET_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <string>

namespace gpuprune {

/// Numbers below a bound, by bit. What a switch between threads does is inline and
/// a few instructions each: there are millions of them a second.
class ThreadSet {
public:
  /// The set for numbers below \p Count: none of them, or all.
  void assign(unsigned Count, bool All) {
    Words.assign((Count + 63) / 64, All ? ~uint64_t(0) : 0);
    if (All && Count % 64)
      Words.back() = (uint64_t(1) << Count % 64) - 1;
  }
  void insert(unsigned Number) { Words[Number / 64] |= uint64_t(1) << Number % 64; }
  void erase(unsigned Number) { Words[Number / 64] &= ~(uint64_t(1) << Number % 64); }
  bool contains(unsigned Number) const { return Words[Number / 64] >> Number % 64 & 1; }
  bool empty() const { return first() < 0; }

  /// The first number from \p Begin on, or -1.
  int firstFrom(unsigned Begin) const {
    unsigned Word = Begin / 64;
    if (Word >= Words.size())
      return -1;
    uint64_t Rest = Words[Word] & (~uint64_t(0) << Begin % 64);
    while (!Rest) {
      if (++Word == Words.size())
        return -1;
      Rest = Words[Word];
    }
    return int(Word * 64 + llvm::countr_zero(Rest));
  }
  int first() const { return firstFrom(0); }

  /// Moves all numbers of \p Other here.
  void take(ThreadSet &Other) {
    for (unsigned I = 0; I < Words.size(); ++I) {
      Words[I] |= Other.Words[I];
      Other.Words[I] = 0;
    }
  }

  /// "0-31, 40, 64-127"; what exceeds a line becomes "...".
  std::string inWords() const {
    std::string Text;
    for (int Begin = first(); Begin >= 0;) {
      int End = Begin + 1;
      while (unsigned(End) < 64 * Words.size() && contains(End))
        ++End;
      if (Text.size() > 60)
        return Text + ", ...";
      Text += (Text.empty() ? "" : ", ") + std::to_string(Begin);
      if (End - Begin > 1)
        Text += "-" + std::to_string(End - 1);
      Begin = firstFrom(End);
    }
    return Text;
  }

private:
  llvm::SmallVector<uint64_t, 16> Words;
};

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_THREADSET_H
