//===- ThreadList.h - Threads of a block in words ------------------------===//
//
// Part of GpuPrune, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GPUPRUNE_LIB_HOSTEXECUTION_THREADLIST_H
#define GPUPRUNE_LIB_HOSTEXECUTION_THREADLIST_H

#include "llvm/ADT/BitVector.h"
#include <string>

namespace gpuprune {

/// "0-31, 40, 64-127" for the bits that are set; what exceeds a line becomes "...".
inline std::string threadList(const llvm::BitVector &Threads) {
  std::string Text;
  for (int Begin = Threads.find_first(); Begin >= 0;) {
    int Stop = Threads.find_next_unset(Begin);
    int End = Stop < 0 ? int(Threads.size()) : Stop;
    if (Text.size() > 60)
      return Text + ", ...";
    Text += (Text.empty() ? "" : ", ") + std::to_string(Begin) +
            (End - Begin > 1 ? "-" + std::to_string(End - 1) : "");
    Begin = Stop < 0 ? -1 : Threads.find_next(Stop);
  }
  return Text;
}

} // namespace gpuprune

#endif // GPUPRUNE_LIB_HOSTEXECUTION_THREADLIST_H
